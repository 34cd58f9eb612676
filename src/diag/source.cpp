#include "diag/source.hpp"

#include <algorithm>

#include "support/check.hpp"

namespace parley::diag {

Span join(Span a, Span b) {
  if (!a.valid()) return b;
  if (!b.valid() || a.file != b.file) return a;
  return {a.file, std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

FileId SourceMap::add(std::string name, std::string text) {
  // A byte order mark takes no column: the first line starts behind it.
  const std::uint32_t first = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  File file{std::move(name), std::move(text), {first}};
  for (std::size_t i = 0; i < file.text.size(); ++i) {
    // A carriage return alone ends a line too. It becomes a line feed here, so that no front end need know.
    char& c = file.text[i];
    if (c == '\r' && (i + 1 == file.text.size() || file.text[i + 1] != '\n')) c = '\n';
    if (c == '\n') file.line_starts.push_back(static_cast<std::uint32_t>(i + 1));
  }
  files_.push_back(std::move(file));
  return FileId(files_.size() - 1);
}

Position SourceMap::position(FileId file, std::uint32_t offset) const {
  const auto& starts = files_[file.index()].line_starts;
  offset = std::max(offset, starts[0]);
  const auto next = std::upper_bound(starts.begin(), starts.end(), offset);
  const auto line = static_cast<std::uint32_t>(next - starts.begin());
  return {line, offset - starts[line - 1] + 1};
}

std::string_view SourceMap::line_text(FileId file, std::uint32_t offset) const {
  const File& f = files_[file.index()];
  const Position p = position(file, offset);
  const std::uint32_t begin = f.line_starts[p.line - 1];
  std::uint32_t end =
      p.line < f.line_starts.size() ? f.line_starts[p.line] : static_cast<std::uint32_t>(f.text.size());
  while (end > begin && (f.text[end - 1] == '\n' || f.text[end - 1] == '\r')) --end;
  return std::string_view(f.text).substr(begin, end - begin);
}

std::string SourceMap::place(const Span& span) const {
  if (!span.valid()) return {};
  const Position p = position(span);
  return name(span.file) + ':' + std::to_string(p.line) + ':' + std::to_string(p.column);
}

}  // namespace parley::diag
