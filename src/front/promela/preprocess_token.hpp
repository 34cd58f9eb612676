// Preprocessing tokens (C99, 6.4): what macros are made of, before Promela's lexer sees the text. They are
// small and copied freely; their spelling is shared. Used by the parts of our preprocessor only.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

#include "diag/source.hpp"

namespace parley::front::promela {

using SpellingId = Id<struct SpellingTag>;

// Every text that some token has, once; equal texts have equal ids.
class Spellings {
 public:
  SpellingId intern(std::string_view text);
  const std::string& text(SpellingId id) const { return texts_[id.index()]; }

 private:
  std::deque<std::string> texts_;  // a deque: the keys of ids_ point into it
  std::unordered_map<std::string_view, SpellingId> ids_;
};

enum class PpKind : std::uint8_t {
  End,
  Name,
  Number,  // C's: "1..N" is one of them, and so is "0x"
  String,
  Character,
  Punctuator,
  Other  // any other character, or a line from a quote that nothing closes
};

struct PpToken {
  PpKind kind = PpKind::End;
  bool first_on_line : 1 = false;
  bool after_space : 1 = false;
  bool apart : 1 = false;       // what stands before it comes from elsewhere and must not be glued to it
  bool painted : 1 = false;     // names a macro that was being replaced: never replaced again (C99, 6.10.3.4)
  bool from_macro : 1 = false;  // stands in the replacement of a macro, arguments included
  SpellingId spelling;
  diag::Span
      place;  // in the user's file: where it is written, or where the macro is called whose body has it
};

struct Lexeme {
  PpKind kind = PpKind::End;
  std::size_t length = 0;
};

// The token that the text begins with; the text has no line splices, and begins with neither white space nor
// a comment. Quotes end with the line.
Lexeme first_lexeme(std::string_view text);

// Would a reader take the two for one token, or for something else, if they stood side by side? As gcc
// decides where it writes a space (cpp_avoid_paste), so that Promela's lexer sees what it would see in Spin.
bool would_merge(PpKind first_kind, std::string_view first, PpKind second_kind, std::string_view second);

}  // namespace parley::front::promela
