// From the text of one file to preprocessing tokens: lines that end in a backslash are joined, comments are
// space, every token knows its place. It finds no directives; the preprocessor looks for '#' at the start of
// a line itself.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "diag/diagnostic.hpp"
#include "front/promela/preprocess_token.hpp"

namespace parley::front::promela {

// What #include names: "file" or <file>.
struct HeaderName {
  std::string path;
  bool in_quotes = true;
  diag::Span place;
};

class Scanner {
 public:
  Scanner(const std::string& text, diag::FileId file, Spellings& spellings, diag::Diagnostics& diagnostics);

  // The next token, on whichever line; End at the end of the text, as often as it is asked.
  PpToken next();
  // The next token of this line, or End; the end of the line itself stays unread.
  PpToken next_on_line();
  std::vector<PpToken> rest_of_line();
  // Nothing if the line does not go on with a file's name in quotes or angle brackets.
  std::optional<HeaderName> header_name();
  diag::Span here() const { return place_of(at_, at_); }

 private:
  enum class Lines { Cross, Stay };

  void join_lines(const std::string& text);
  // Skips white space and comments; false at the end of the text, or of the line where it is to stay.
  bool skip_blank(Lines lines);
  void skip_comment();
  bool at(std::string_view text) const { return clean_.compare(at_, text.size(), text) == 0; }
  PpToken token();
  diag::Span place_of(std::size_t begin, std::size_t end) const;
  std::uint32_t original(std::size_t offset) const;

  // From this offset of the joined text on, offsets of the file are larger by `shift`.
  struct Splice {
    std::size_t at;
    std::size_t shift;
  };

  diag::FileId file_;
  Spellings& spellings_;
  diag::Diagnostics& diagnostics_;
  std::string clean_;  // the text with its lines joined
  std::vector<Splice> splices_;
  std::size_t at_ = 0;
  bool first_on_line_ = true, after_space_ = false;
};

}  // namespace parley::front::promela
