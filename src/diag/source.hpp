// Source texts and places in them. A Span is a half-open byte range of one file; SourceMap turns it into
// line, column and excerpt. Every front end registers its text here, so that one printer serves them all.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/ids.hpp"

namespace parley::diag {

using FileId = Id<struct FileTag>;

struct Span {
  FileId file;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  bool valid() const { return file.valid(); }
  friend bool operator==(const Span&, const Span&) = default;
  friend auto operator<=>(const Span&, const Span&) = default;
};

// The smallest span that covers both (which must be of one file, or one of them invalid).
Span join(Span a, Span b);

struct Position {
  std::uint32_t line = 0;    // from 1
  std::uint32_t column = 0;  // from 1, in bytes
};

class SourceMap {
 public:
  FileId add(std::string name, std::string text);
  const std::string& name(FileId file) const { return files_[file.index()].name; }
  const std::string& text(FileId file) const { return files_[file.index()].text; }
  std::size_t size() const { return files_.size(); }
  Position position(FileId file, std::uint32_t offset) const;
  Position position(const Span& span) const { return position(span.file, span.begin); }
  // The line that contains the offset, without its line break.
  std::string_view line_text(FileId file, std::uint32_t offset) const;
  // "name:line:column", or "" for an invalid span.
  std::string place(const Span& span) const;

 private:
  struct File {
    std::string name;
    std::string text;
    std::vector<std::uint32_t> line_starts;
  };
  std::vector<File> files_;
};

}  // namespace parley::diag
