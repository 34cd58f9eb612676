#include "diag/hidden.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace parley::diag {

Rune decode_utf8(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned char c = byte(at);
  if (c < 0x80) return {c, 1};
  const std::size_t n = c >= 0xC2 && c < 0xE0 ? 2 : c >= 0xE0 && c < 0xF0 ? 3 : c >= 0xF0 && c < 0xF5 ? 4 : 0;
  if (n == 0 || at + n > text.size()) return {};
  std::uint32_t code = c & (0xFFu >> (n + 1));
  for (std::size_t k = at + 1; k < at + n; ++k) {
    if ((byte(k) & 0xC0) != 0x80) return {};
    code = (code << 6) | (byte(k) & 0x3Fu);
  }
  const bool too_long = (n == 3 && code < 0x800) || (n == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  return too_long || surrogate || code > 0x10FFFF ? Rune{} : Rune{code, n};
}

// The controls C0 and C1 (U+009B starts a command like ESC [), the soft hyphen, marks of direction,
// characters of no width, separators of lines and paragraphs, annotations, tags.
bool is_hidden(std::uint32_t code) {
  const auto within = [&](std::uint32_t first, std::uint32_t last) { return code >= first && code <= last; };
  return within(0x00, 0x1F) || within(0x7F, 0x9F) || code == 0xAD || code == 0x61C || code == 0x180E ||
         within(0x200B, 0x200F) || within(0x2028, 0x202E) || within(0x2060, 0x206F) || code == 0xFEFF ||
         within(0xFFF9, 0xFFFB) || within(0xE0000, 0xE007F);
}

std::string visible_json(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (std::size_t i = 0; i < json.size();) {
    const Rune rune = decode_utf8(json, i);
    const std::size_t bytes = std::max<std::size_t>(rune.bytes, 1);
    if (rune.code < 0x7F || !is_hidden(rune.code)) {  // controls of C0 are escaped already
      out += json.substr(i, bytes);
    } else if (rune.code < 0x10000) {
      out += fmt::format("\\u{:04x}", rune.code);
    } else {
      const std::uint32_t rest = rune.code - 0x10000;
      out += fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + (rest >> 10), 0xDC00 + (rest & 0x3FF));
    }
    i += bytes;
  }
  return out;
}

}  // namespace parley::diag
