// Lines, indentation and comments of the formatter; knows nothing of models but the places of items. Shared
// by the print_*.cpp files.
#pragma once

#include <string>
#include <vector>

#include "diag/source.hpp"
#include "model/model.hpp"

namespace parley::front::text {

class Layout {
 public:
  Layout(const std::vector<model::Comment>& comments, const diag::SourceMap* sources)
      : comments_(comments), sources_(sources) {}

  // Before an item: the comments that stood before it, and an empty line if there was one or it is wanted.
  void before(const diag::Span& item, bool empty_line_wanted = false);
  // Before the closing brace of a block that ends with this span.
  void before_end(const diag::Span& block);
  // The comments that are left, at the end of the text.
  void rest();
  void line(const std::string& text);
  void open(const std::string& text);    // a line that ends in an opening brace; what follows is indented
  void close(const std::string& text);   // the line with the closing brace
  void reopen(const std::string& text);  // `} else {`: closes one block and opens the next
  void indent() { ++indent_, fresh_block_ = true; }
  bool has_comment_in(const diag::Span& span) const;
  // The author wrote the item on one line, and nothing speaks against keeping it there.
  bool was_one_line(const diag::Span& span) const;
  bool has_sources() const { return sources_ != nullptr; }
  bool fits(const std::string& text) const { return 2 * indent_ + text.size() <= kWidth; }
  std::string take() { return std::move(out_); }

 private:
  static constexpr std::size_t kWidth = 110;
  bool empty_line_before(const diag::Span& span) const;
  void empty_line();
  bool comments_before(std::uint32_t offset, bool empty_line_wanted);  // true: one got a line of its own

  const std::vector<model::Comment>& comments_;
  const diag::SourceMap* sources_;
  std::size_t next_comment_ = 0;
  std::size_t indent_ = 0;
  bool fresh_block_ = true;          // nothing yet in this block: no empty line here
  bool line_comment_ended_ = false;  // the last line ends with a // comment
  std::string out_;
};

}  // namespace parley::front::text
