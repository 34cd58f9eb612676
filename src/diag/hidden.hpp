// Characters that must not reach a terminal or a report as they are: what moves a cursor, breaks a line,
// reorders the text beside it or cannot be seen. Used by everything that writes text of users in some
// notation: diagnostics and reports (sanitise), names of models, JSON. It says which; the escape is the
// notation's own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace parley::diag {

struct Rune {
  std::uint32_t code = 0;
  std::size_t bytes = 0;  // 0: no well-formed UTF-8 starts there
};

Rune decode_utf8(std::string_view text, std::size_t at);

bool is_hidden(std::uint32_t code);

// JSON text with the hidden characters of its strings as \uhhhh: the same value, and all that can be seen.
// Line breaks and blanks between values stay.
std::string visible_json(std::string_view json);

}  // namespace parley::diag
