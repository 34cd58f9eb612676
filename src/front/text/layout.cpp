#include "front/text/layout.hpp"

namespace parley::front::text {

bool Layout::empty_line_before(const diag::Span& span) const {
  if (sources_ == nullptr || !span.valid()) return false;
  const std::string& text = sources_->text(span.file);
  int breaks = 0;
  for (std::uint32_t i = span.begin; i > 0; --i) {
    const char c = text[i - 1];
    if (c == '\n')
      ++breaks;
    else if (c != ' ' && c != '\t' && c != '\r')
      break;
  }
  return breaks > 1;
}

void Layout::empty_line() {
  if (!fresh_block_ && !out_.empty()) out_ += '\n';
}

bool Layout::comments_before(std::uint32_t offset, bool empty_line_wanted) {
  bool own_line = false;
  for (; next_comment_ < comments_.size(); ++next_comment_) {
    const model::Comment& c = comments_[next_comment_];
    if (c.span.begin >= offset) break;
    if (!c.own_line && !own_line && !out_.empty() && !line_comment_ended_ &&
        c.text.find('\n') == std::string::npos) {
      out_.insert(out_.size() - 1, "  " + c.text);
      line_comment_ended_ = c.text.starts_with("//");
      continue;
    }
    if (empty_line_before(c.span) || (empty_line_wanted && !own_line)) empty_line();
    line(c.text);
    own_line = true;
  }
  return own_line;
}

void Layout::before(const diag::Span& item, bool empty_line_wanted) {
  const bool own_line = item.valid() && comments_before(item.begin, empty_line_wanted);
  if (empty_line_before(item) || (empty_line_wanted && !own_line)) empty_line();
}

void Layout::before_end(const diag::Span& block) {
  if (block.valid() && block.end > 0) comments_before(block.end - 1, false);
}

void Layout::rest() {
  comments_before(UINT32_MAX, false);
}

void Layout::line(const std::string& text) {
  out_.append(2 * indent_, ' ');
  out_ += text;
  out_ += '\n';
  fresh_block_ = false;
  line_comment_ended_ = text.starts_with("//");
}

void Layout::open(const std::string& text) {
  line(text + " {");
  ++indent_;
  fresh_block_ = true;
}

void Layout::close(const std::string& text) {
  --indent_;
  line(text);
}

void Layout::reopen(const std::string& text) {
  --indent_;
  open(text);
}

bool Layout::was_one_line(const diag::Span& span) const {
  if (sources_ == nullptr || !span.valid() || has_comment_in(span)) return false;
  const std::string& text = sources_->text(span.file);
  return text.find('\n', span.begin) >= span.end;
}

bool Layout::has_comment_in(const diag::Span& span) const {
  for (std::size_t i = next_comment_; i < comments_.size() && span.valid(); ++i) {
    if (comments_[i].span.begin >= span.end) return false;
    if (comments_[i].span.begin > span.begin) return true;
  }
  return false;
}

}  // namespace parley::front::text
