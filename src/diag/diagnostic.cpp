#include "diag/diagnostic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "diag/hidden.hpp"

namespace parley::diag {
namespace {

constexpr std::size_t kExcerptWidth = 160;

struct Style {
  const char* bold;
  const char* error;
  const char* warning;
  const char* dim;
  const char* reset;
};
constexpr Style kPlain{"", "", "", "", ""};
constexpr Style kColour{"\033[1m", "\033[1;31m", "\033[1;35m", "\033[36m", "\033[0m"};

const char* word(Severity s) {
  return s == Severity::Error ? "error" : s == Severity::Warning ? "warning" : "note";
}

// Columns a text takes on a terminal, as far as counting characters instead of bytes goes.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

// Excerpt and caret. Long lines are cut to a window around the caret; tabs become one space.
std::string excerpt(const SourceMap& sources, const Span& span, const Style& style) {
  const Position p = sources.position(span);
  std::string line(sources.line_text(span.file, span.begin));
  std::size_t column = p.column - 1;
  if (column > line.size()) column = line.size();
  std::size_t length = span.end > span.begin ? span.end - span.begin : 1;
  length = std::max<std::size_t>(1, std::min(length, line.size() - column));
  std::string prefix;
  if (line.size() > kExcerptWidth) {
    const std::size_t from = column > kExcerptWidth / 2 ? column - kExcerptWidth / 2 : 0;
    line = line.substr(from, kExcerptWidth);
    column -= from;
    length = std::max<std::size_t>(1, std::min(length, line.size() - column));
    if (from > 0) prefix = "…";
  }
  std::replace(line.begin(), line.end(), '\t', ' ');
  std::string clean = sanitise(line.substr(0, column));
  const std::size_t indent = width(clean) + (prefix.empty() ? 0 : 1);
  const std::string marked = sanitise(line.substr(column, length));
  clean += marked + sanitise(line.substr(std::min(column + length, line.size())));
  const std::size_t carets = std::max<std::size_t>(1, width(marked));
  return fmt::format("{:>5} | {}{}\n      | {}{}{}{}\n", p.line, prefix, clean, std::string(indent, ' '),
                     style.error, '^' + std::string(carets - 1, '~'), style.reset);
}

// Insertions, deletions, replacements, and swaps of two neighbours (idel for idle), each counted as one.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(above);
    above.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

}  // namespace

Diagnostic& Diagnostics::error(std::string code, Span span, std::string message, std::string hint) {
  ++errors_;
  items_.push_back({Severity::Error, std::move(code), span, std::move(message), std::move(hint), {}});
  return items_.back();
}

Diagnostic& Diagnostics::warning(std::string code, Span span, std::string message, std::string hint) {
  items_.push_back({Severity::Warning, std::move(code), span, std::move(message), std::move(hint), {}});
  return items_.back();
}

std::vector<Diagnostic> Diagnostics::sorted() const {
  std::vector<Diagnostic> result = items_;
  std::stable_sort(result.begin(), result.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::tuple(a.span.file, a.span.begin) < std::tuple(b.span.file, b.span.begin);
  });
  const auto same = [](const Diagnostic& a, const Diagnostic& b) {
    return a.span == b.span && a.code == b.code && a.message == b.message;
  };
  result.erase(std::unique(result.begin(), result.end(), same), result.end());
  return result;
}

std::string render(const SourceMap& sources, const std::vector<Diagnostic>& diagnostics,
                   RenderOptions options) {
  const Style& style = options.colour ? kColour : kPlain;
  std::string out;
  std::size_t shown = 0, hidden = 0;
  for (const Diagnostic& d : diagnostics) {
    if (shown >= options.max_errors) {
      ++hidden;
      continue;
    }
    ++shown;
    const std::string place = sources.place(d.span);
    out += fmt::format("{}{}{}{}{}{}:{} {} [{}]\n", style.bold, sanitise(place), place.empty() ? "" : ": ",
                       d.severity == Severity::Error ? style.error : style.warning, word(d.severity), "",
                       style.reset, sanitise(d.message), d.code);
    if (d.span.valid()) out += excerpt(sources, d.span, style);
    for (const auto& r : d.related) {
      out += fmt::format("      {}: {}\n", sanitise(sources.place(r.span)), sanitise(r.message));
    }
    if (!d.hint.empty()) out += fmt::format("      {}hint:{} {}\n", style.dim, style.reset, sanitise(d.hint));
  }
  if (hidden > 0) out += fmt::format("… and {} more\n", hidden);
  return out;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates) {
  if (name.size() > 200) return {};
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(1, name.size() / 3) + 1;
  best_distance = std::min(best_distance, std::max<std::size_t>(1, name.size()));  // something must be right
  for (const std::string& candidate : candidates) {
    if (candidate == name || candidate.size() > 200) continue;
    if (candidate.size() >= name.size() + best_distance || name.size() >= candidate.size() + best_distance)
      continue;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < best_distance || (distance == best_distance && !best.empty() && candidate < best)) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string sanitise(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const Rune rune = decode_utf8(text, i);
    if (rune.bytes == 0)
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[i]));
    else if (!is_hidden(rune.code))
      out += text.substr(i, rune.bytes);
    else if (rune.code < 0x80)
      out += fmt::format("\\x{:02x}", rune.code);
    else if (rune.code < 0x10000)
      out += fmt::format("\\u{:04x}", rune.code);
    else
      out += fmt::format("\\U{:08x}", rune.code);
    i += std::max<std::size_t>(rune.bytes, 1);
  }
  return out;
}

}  // namespace parley::diag
