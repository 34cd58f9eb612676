// The precision of an abstraction: which partition each variable is seen through. Variables are cells of the
// system, message parameters and statements that set a local. No partition means exact for cells and
// parameters, and "kept as computed" for locals. A value: refinement makes a finer one.
//
// Only integers of the user are abstracted; control locations, bookkeeping, timers, references, enums and
// booleans are always exact.
#pragma once

#include <compare>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "domain/partition.hpp"
#include "system/system.hpp"

namespace parley::domain {

struct Variable {
  enum class Kind : std::uint8_t { Cell, Param, Local };
  Kind kind = Kind::Cell;
  std::uint32_t a = 0;  // cell, signal or statement
  std::uint32_t b = 0;  // Param: index
  static Variable cell(expr::CellId id) { return {Kind::Cell, id.value, 0}; }
  static Variable param(expr::SignalId id, std::uint32_t i) { return {Kind::Param, id.value, i}; }
  static Variable local(system::StmtId id) { return {Kind::Local, id.value, 0}; }
  friend bool operator==(const Variable&, const Variable&) = default;
  friend auto operator<=>(const Variable&, const Variable&) = default;
};

std::string show(const system::System& system, const Variable& variable);
// The values the variable's type has; locals have all integers.
Interval range_of(const system::System& system, const Variable& variable);

class Precision {
 public:
  Precision() = default;

  const Partition* find(const Variable& v) const {
    const auto at = partitions_.find(v);
    return at == partitions_.end() ? nullptr : &at->second;
  }
  void set(const Variable& v, Partition p) { partitions_.insert_or_assign(v, std::move(p)); }
  // True if it was not exact before. It stays exact: later refinements of it change nothing.
  bool make_exact(const Variable& v) { return partitions_.erase(v) > 0; }
  bool is_abstracted(const Variable& v) const { return partitions_.contains(v); }
  // Splits an abstracted variable; false if nothing changed.
  bool split_at(const Variable& v, std::int64_t value);
  bool cut_below(const Variable& v, std::int64_t value);

  const std::map<Variable, Partition>& partitions() const { return partitions_; }
  std::size_t cells() const;  // of all partitions together
  friend bool operator==(const Precision&, const Precision&) = default;

 private:
  std::map<Variable, Partition> partitions_;
};

// How a loop starts.
enum class Start : std::uint8_t {
  Constants,  // cut where guards, assertions and the property compare with constants
  Sign,       // negative, zero, positive: the thesis' examples
  One         // one cell per variable
};
constexpr std::string_view name_of(Start start) {
  switch (start) {
    case Start::Constants:
      return "constants";
    case Start::Sign:
      return "sign";
    case Start::One:
      return "one";
  }
  return {};
}

struct StartOptions {
  Start start = Start::Constants;
  std::uint64_t exact_up_to = 8;    // types with at most so many values stay exact
  std::vector<std::string> pinned;  // names of cells that stay exact
  // Name of a cell, or signal.param, to a partition's text; preferred to what the model says.
  std::map<std::string, std::string> user;
};

// The integers that may be abstracted, in order.
std::vector<Variable> abstractable(const system::System& system, const StartOptions& options);
// The initial precision for a property (which may be invalid: all of the system's constants then). A
// partition written in the model is where its variable starts. One of the options that cannot be read, or
// names no variable, is reported in `errors`.
Precision initial_precision(const system::System& system, system::PropertyId property,
                            const StartOptions& options, std::vector<std::string>* errors = nullptr);
// The variables that share an attribute of a class with this one (itself included).
std::vector<Variable> siblings(const system::System& system, const Variable& variable);

}  // namespace parley::domain
