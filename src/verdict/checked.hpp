// Who has looked at an answer besides the engine that gave it: said beside every `holds` in text, JSON and
// HTML. Read off the result as it comes out of driver/certification.hpp, which drops whatever its checker
// rejects; so it says nothing about results that did not come that way.
#pragma once

#include "verdict/verdict.hpp"

namespace parley::verdict {

enum class CheckedBy : std::uint8_t {
  Nobody,       // the word of one search; `--certificate` and `parley verify` check it
  Run,          // replayed on the reference semantics
  Certificate,  // accepted by the independent checker
  SecondSearch  // of which at least a part was searched again, with the reference semantics
};

struct CheckedRow {
  std::string_view name;   // in JSON
  std::string_view words;  // behind `holds`
};
constexpr CheckedRow row(CheckedBy by) {
  switch (by) {
    case CheckedBy::Nobody:
      return {"no", "not checked"};
    case CheckedBy::Run:
      return {"run", "run replayed"};
    case CheckedBy::Certificate:
      return {"certificate", "certificate checked"};
    case CheckedBy::SecondSearch:
      return {"second-search", "searched twice"};
  }
  return {};
}
constexpr std::string_view name_of(CheckedBy by) {
  return row(by).name;
}
static_assert(names_differ<CheckedBy>());

// Nothing for an unknown result.
std::optional<CheckedBy> checked_by(const PropertyResult& result);

}  // namespace parley::verdict
