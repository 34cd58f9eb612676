// What an import did with a file, construct by construct: read, ignored because it has no effect on
// behaviour, over-approximated, or rejected. Nothing is dropped in silence: whatever the readers meet ends
// here. Filled by the readers, printed by `parley import --report`, counted by the corpus tests.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "diag/source.hpp"

namespace parley::front::uml {

enum class Treatment : std::uint8_t { Read, Ignored, Approximated, Rejected };
const char* describe(Treatment treatment);

class ImportReport {
 public:
  struct Entry {
    std::string element_id;
    std::string detail;  // name or text; may be empty
    diag::Span span;
  };
  struct Kind {
    std::size_t count = 0;
    std::vector<Entry> entries;  // of read constructs only the count is kept
  };

  void read(const std::string& kind) { ++of(Treatment::Read)[kind].count; }
  void add(Treatment treatment, const std::string& kind, Entry entry);

  const std::map<std::string, Kind>& kinds(Treatment treatment) const {
    return kinds_[static_cast<std::size_t>(treatment)];
  }
  std::size_t count(Treatment treatment) const;
  // Rejected constructs that change which states and transitions there are, as opposed to text and data.
  bool control_structure_lost() const { return control_lost_; }
  void lose_control_structure() { control_lost_ = true; }

  // What became of the elements that make behaviour: vertices, transitions, parts, connectors. Every one is
  // in exactly one of the three; `listed` means over-approximated or left out, with an assumption that says
  // so.
  struct Ledger {
    std::size_t read = 0, listed = 0, rejected = 0;
    std::size_t parts = 0;  // of all of these: a property is a part only in the light of what it belongs to
    std::size_t total() const { return read + listed + rejected; }
  };
  Ledger ledger;
  std::vector<std::string> missing_files;  // that the model refers to and that are not beside it

  std::string tool;     // that wrote the file
  std::string dialect;  // "UML 2" or "UML 1.x"
  std::size_t machines = 0;

  std::string text(const diag::SourceMap& sources) const;
  std::string json(const diag::SourceMap& sources) const;

 private:
  std::map<std::string, Kind>& of(Treatment treatment) { return kinds_[static_cast<std::size_t>(treatment)]; }
  std::map<std::string, Kind> kinds_[4];
  bool control_lost_ = false;
};

}  // namespace parley::front::uml
