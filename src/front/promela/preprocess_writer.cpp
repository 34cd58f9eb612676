#include "front/promela/preprocess_writer.hpp"

namespace parley::front::promela {

void TextWriter::write(const PpToken& token, diag::Span written_at) {
  const std::string& spelling = spellings_.text(token.spelling);
  const std::uint32_t line = sources_.position(written_at).line;
  const bool other_line = line != last_line_ || written_at.file != last_file_;
  std::string& text = result_.text;
  const bool breaks_line = token.first_on_line || (other_line && (token.after_space || token.apart));
  if (breaks_line) {
    text += '\n';
    // Only here: what is joined by a backslash without a space does not count as a new line yet, as in gcc.
    last_file_ = written_at.file;
    last_line_ = line;
  } else if (token.after_space) {
    text += ' ';
  } else if (token.apart && last_.kind != PpKind::End &&
             would_merge(last_.kind, spellings_.text(last_.spelling), token.kind, spelling)) {
    text += ' ';
  }
  result_.pieces.push_back({static_cast<std::uint32_t>(text.size()), token.place});
  text += spelling;
  last_ = token;
}

}  // namespace parley::front::promela
