// Macros: their definitions as #define gives them, and the table of those that are defined now. Replacing
// them is the expander's work (preprocess_expand.hpp).
#pragma once

#include <deque>
#include <optional>
#include <unordered_map>
#include <vector>

#include "diag/diagnostic.hpp"
#include "front/promela/preprocess_token.hpp"

namespace parley::front::promela {

// One token of a macro's body, with the operators # and ## folded into it.
struct BodyItem {
  PpToken token;
  std::optional<std::size_t> parameter;  // the token is this parameter
  bool stringified = false;              // # stands before it
  bool pasted_to_next = false;           // ## stands behind it

  friend bool operator==(const BodyItem& a, const BodyItem& b);
};

enum class Builtin : std::uint8_t { None, Line, File };

struct Macro {
  SpellingId name;
  diag::Span place;  // of the name in the definition
  Builtin builtin = Builtin::None;
  bool takes_arguments = false;
  bool is_variadic = false;  // the last parameter takes the rest of the arguments
  std::vector<SpellingId> parameters;
  std::vector<BodyItem> body;
  bool in_replacement = false;  // it is being replaced, so that its name is not replaced again
};

// Reads what stands behind "#define" on its line; nothing after a reported error.
std::optional<Macro> read_definition(const std::vector<PpToken>& line, diag::Span directive,
                                     Spellings& spellings, diag::Diagnostics& diagnostics);

class MacroTable {
 public:
  explicit MacroTable(Spellings& spellings);

  // Null if the name is no macro. What it points to lives as long as the table, also when it is undefined.
  Macro* find(SpellingId name) const;
  // A second definition that differs is a warning, and counts, as in gcc.
  void define(Macro macro, const Spellings& spellings, diag::Diagnostics& diagnostics);
  void undefine(SpellingId name) { defined_.erase(name); }

 private:
  void define_builtin(SpellingId name, Builtin builtin);

  std::deque<Macro> all_;  // a deque: pointers into it stay
  std::unordered_map<SpellingId, Macro*> defined_;
};

}  // namespace parley::front::promela
