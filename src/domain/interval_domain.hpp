// The abstract value domain of the refinement loop: integers seen through interval partitions
// (domain/precision.hpp). A stored code is the number of a cell of the variable's partition, or the value
// itself where the variable is exact. While an expression is evaluated a value is an interval; what happens
// between operators is an option:
//  - Cells: every result of an operator is one cell of the operands' common refinement, as in the thesis,
//    where each expression has an abstract type of its own (ojala2008, sections 3.1.1 and 3.2.2);
//  - Intervals: results stay as precise as intervals are and are split only when stored or compared.
// In both, an operator returns exactly the cells (or pieces) that contain a possible result (domain/may.hpp).
//
// Copies share their tables and cache; not for use by two threads at once.
#pragma once

#include <memory>
#include <stdexcept>

#include "domain/domain.hpp"
#include "domain/may.hpp"
#include "domain/precision.hpp"

namespace parley::domain {

// A value cannot be represented within reason: an exact variable would get one of millions of values.
class PrecisionLimit : public std::runtime_error {
 public:
  PrecisionLimit(std::optional<Variable> which, const std::string& text)
      : std::runtime_error(text), variable(which) {}
  std::optional<Variable> variable;
};

enum class Intermediate : std::uint8_t { Cells, Intervals };

class IntervalDomain {
 public:
  static constexpr std::uint32_t kNoPartition = ~0u;
  struct Value {
    std::int32_t lo = 0;
    std::int32_t hi = 0;
    std::uint32_t partition = kNoPartition;
    Interval interval() const { return {lo, hi}; }
  };
  struct Options {
    Intermediate intermediate = Intermediate::Intervals;
    std::uint64_t enumerate_up_to = 16;   // choices from at most so many values are made one by one
    std::uint64_t exact_limit = 1 << 16;  // values an exact variable may get in one step
  };

  IntervalDomain(const system::System& system, Precision precision, Options options);

  const Precision& precision() const;
  // How often a result was not determined: lets a caller see whether a run's choices were the model's own.
  std::uint64_t undetermined() const;

  Value constant(std::int32_t v, const Type&) const { return {v, v, kNoPartition}; }
  Value load_cell(CellId cell, std::int32_t code) const;
  Value load_param(SignalId signal, std::uint32_t i, std::int32_t code) const;
  void store_cell(CellId cell, Value v, std::vector<Stored>& out) const;
  void store_param(SignalId signal, std::uint32_t i, Value v, std::vector<Stored>& out) const;
  void apply_unary(Op op, Value x, std::uint32_t bits, std::vector<Possible<Value>>& out) const;
  void apply_binary(Op op, Value x, Value y, std::vector<Possible<Value>>& out) const;
  Truth truth(Value v) const;
  void indices(Value v, std::uint32_t limit, std::vector<std::int32_t>& out) const;
  std::uint64_t choice_count(Value lo, Value hi) const;
  Value choice(Value lo, Value hi, std::uint64_t k) const;
  void keep_local(system::StmtId stmt, Value v, std::vector<Value>& out) const;

  // The integers a stored code stands for.
  Interval meaning(const Variable& v, std::int32_t code) const;

 private:
  struct Tables;
  void store(const Variable& v, const Type& type, std::uint32_t partition, Value value,
             std::vector<Stored>& out) const;
  Value load(std::uint32_t partition, std::int32_t code) const;
  std::uint32_t join(std::uint32_t p, std::uint32_t q) const;
  template <class May>
  void results(std::uint32_t partition, Interval within, May&& may, std::vector<Possible<Value>>& out) const;
  std::shared_ptr<Tables> t_;
};

static_assert(ValueDomain<IntervalDomain>);
static_assert(SplitsLocals<IntervalDomain>);

}  // namespace parley::domain
