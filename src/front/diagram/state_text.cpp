#include "front/diagram/state_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "front/diagram/label.hpp"

namespace parley::front::diagram {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

std::string first_word(std::string_view line) {
  std::size_t end = 0;
  while (end < line.size() && (std::isalnum(static_cast<unsigned char>(line[end])) || line[end] == '_'))
    ++end;
  return std::string(line.substr(0, end));
}

// Lines that say how things look, or are about the diagram as a whole.
bool is_style(const std::string& word, TextDialect dialect) {
  static const std::vector<std::string> both = {"hide", "scale", "title", "direction", "left", "top"};
  static const std::vector<std::string> plantuml = {
      "skinparam", "show",   "header", "footer", "caption", "legend",  "allowmixing", "mainframe", "set",
      "remove",    "center", "right",  "sprite", "page",    "newpage", "skin",        "together"};
  static const std::vector<std::string> mermaid = {"classdef", "class",    "style",    "click",
                                                   "acctitle", "accdescr", "linkstyle"};
  const auto in = [&](const std::vector<std::string>& words) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  return in(both) || in(dialect == TextDialect::PlantUml ? plantuml : mermaid);
}

// One line, read from the left.
class Cursor {
 public:
  Cursor(std::string_view line, TextDialect dialect) : line_(line), dialect_(dialect) {}

  void skip_blanks() {
    while (at_ < line_.size() && is_blank(line_[at_])) ++at_;
  }
  bool done() const { return at_ >= line_.size(); }
  bool accept(std::string_view text) {
    if (line_.compare(at_, text.size(), text) != 0) return false;
    at_ += text.size();
    return true;
  }
  std::string rest() const { return trimmed(line_.substr(at_)); }
  std::size_t position() const { return at_; }

  // A name, a quoted name, `[*]`, `[H]`, `[H*]`; with `[H]` behind it, it is the history of the state. "":
  // none.
  std::string node() {
    skip_blanks();
    for (const char* point : {"[*]", "[H*]", "[H]"})
      if (accept(point)) return point;
    if (accept("\"")) {
      const auto end = line_.find('"', at_);
      if (end == std::string_view::npos) return {};
      std::string name(line_.substr(at_, end - at_));
      at_ = end + 1;
      return name;
    }
    const std::size_t begin = at_;
    while (at_ < line_.size() && is_name_character()) ++at_;
    std::string name(line_.substr(begin, at_ - begin));
    if (!name.empty())
      for (const char* history : {"[H*]", "[H]"})
        if (accept(history)) return name + history;
    return name;
  }

  // What may stand behind a node: colours, classes, stereotypes. The stereotype is returned, small.
  std::string decorations() {
    std::string stereotype;
    for (;;) {
      skip_blanks();
      if (accept("<<") || accept("[[")) {
        const auto end = std::min(line_.find(">>", at_), line_.find("]]", at_));
        if (end == std::string_view::npos) return stereotype;
        if (stereotype.empty()) stereotype = lower(trimmed(line_.substr(at_, end - at_)));
        at_ = end + 2;
      } else if (accept(":::") || (dialect_ == TextDialect::PlantUml && accept("#"))) {
        while (at_ < line_.size() && !is_blank(line_[at_]) && line_[at_] != ':' && line_[at_] != '{') ++at_;
      } else {
        return stereotype;
      }
    }
  }

  enum class ArrowKind : std::uint8_t { None, Forward, Backward, Hidden };
  ArrowKind arrow() {
    skip_blanks();
    const std::size_t begin = at_;
    const bool back = accept("<");
    if (at_ >= line_.size() || (line_[at_] != '-' && line_[at_] != '=' && line_[at_] != '.')) {
      at_ = begin;
      return ArrowKind::None;
    }
    bool hidden = false;
    std::size_t dashes = 0;
    while (at_ < line_.size() && line_[at_] != '>' && !is_blank(line_[at_])) {
      if (line_[at_] == '[') {
        const auto end = line_.find(']', at_);
        if (end == std::string_view::npos) break;
        hidden |= line_.substr(at_, end - at_).find("hidden") != std::string_view::npos;
        at_ = end;
      } else if (line_[at_] == '-' || line_[at_] == '=' || line_[at_] == '.') {
        ++dashes;
      } else if (!std::isalpha(static_cast<unsigned char>(line_[at_]))) {
        break;
      }
      ++at_;
    }
    const bool forward = accept(">");
    if (dashes == 0 || (!forward && !back)) {
      at_ = begin;
      return ArrowKind::None;
    }
    while (accept(">")) {
    }
    return hidden ? ArrowKind::Hidden : forward ? ArrowKind::Forward : ArrowKind::Backward;
  }

 private:
  bool is_name_character() const {
    const char c = line_[at_];
    if (dialect_ == TextDialect::Mermaid) {
      if (c == '-') return at_ + 1 < line_.size() && line_[at_ + 1] != '-' && line_[at_ + 1] != '>';
      return !is_blank(c) && c != ':' && c != '{' && c != '<' && c != '"' && c != '[';
    }
    const auto u = static_cast<unsigned char>(c);
    return std::isalnum(u) || c == '_' || c == '.' || c == '$' || c == '\\' || u >= 0x80;
  }

  std::string_view line_;
  TextDialect dialect_;
  std::size_t at_ = 0;
};

class Reader {
 public:
  Reader(const std::string& text, diag::FileId file, const Piece& piece, diag::Diagnostics& diagnostics)
      : text_(text), file_(file), piece_(piece), diagnostics_(diagnostics) {
    chart_.name = piece.name;
    chart_.span = {file, piece.begin, std::min(piece.begin + 1, piece.end)};
    scopes_.push_back({-1, 0});
  }

  std::optional<Chart> run() {
    std::uint32_t at = piece_.begin;
    while (at < piece_.end && !failed_) {
      const auto end = static_cast<std::uint32_t>(std::min<std::size_t>(text_.find('\n', at), piece_.end));
      std::uint32_t begin = at;
      while (begin < end && is_blank(text_[begin])) ++begin;
      span_ = {file_, begin, std::max(begin, end)};
      const std::string line = without_comment(trimmed(std::string_view(text_).substr(begin, end - begin)));
      if (!line.empty()) read(line);
      at = end + 1;
    }
    if (!failed_ && scopes_.size() > 1)
      fail(chart_.nodes[static_cast<std::size_t>(scopes_.back().state)].span, "the state is never closed",
           "");
    if (failed_) return std::nullopt;
    finish();
    return std::move(chart_);
  }

 private:
  struct Scope {
    int state;
    int region;
  };

  void fail(diag::Span span, std::string message, std::string hint) {
    if (!failed_) diagnostics_.error("diagram-syntax", span, std::move(message), std::move(hint));
    failed_ = true;
  }

  std::string without_comment(std::string line) {
    if (piece_.dialect == TextDialect::Mermaid) {
      if (line.starts_with("%%")) return {};
      const auto comment = line.find(" %%");
      return comment == std::string::npos ? line : trimmed(std::string_view(line).substr(0, comment));
    }
    for (;;) {  // /' … '/ over several lines
      if (in_comment_) {
        const auto end = line.find("'/");
        if (end == std::string::npos) return {};
        line.erase(0, end + 2);
        in_comment_ = false;
      }
      const auto begin = line.find("/'");
      if (begin == std::string::npos) break;
      const auto end = line.find("'/", begin + 2);
      in_comment_ = end == std::string::npos;
      line.erase(begin, in_comment_ ? std::string::npos : end + 2 - begin);
      if (in_comment_) break;
    }
    line = trimmed(line);
    return line.starts_with("'") ? std::string() : line;
  }

  // Blocks that are skipped up to the line that ends them.
  bool in_block(const std::string& line, const std::string& small) {
    if (block_end_.empty()) return false;
    if (block_end_ == "}") {
      block_depth_ += static_cast<int>(std::count(line.begin(), line.end(), '{')) -
                      static_cast<int>(std::count(line.begin(), line.end(), '}'));
      if (block_depth_ <= 0) block_end_.clear();
    } else {
      std::string dense = small;
      std::erase_if(dense, is_blank);
      if (dense.starts_with(block_end_) || (block_end_ == "</style>" && dense.ends_with(block_end_)))
        block_end_.clear();
    }
    return true;
  }

  bool open_block(const std::string& line, const std::string& small, const std::string& word) {
    const auto until = [&](std::string end) {
      block_end_ = std::move(end);
      block_depth_ = 1;
      return true;
    };
    if (small.starts_with("<style>"))
      return small.find("</style>") == std::string::npos ? until("</style>") : true;
    if (word == "note" || small.starts_with("floating note")) {
      const bool one_line = line.find(':') != std::string::npos ||
                            (line.find('"') != std::string::npos && small.find(" as ") != std::string::npos);
      return one_line ? true : until("endnote");
    }
    if (word == "legend") return until("endlegend");
    if ((word == "title" || word == "header" || word == "footer") && small == word)
      return until("end" + word);
    if (small.starts_with("accdescr") && line.ends_with("{")) return until("}");
    if (piece_.dialect == TextDialect::PlantUml && (word == "skinparam" || word == "sprite") &&
        line.ends_with("{"))
      return until("}");
    return false;
  }

  void read(const std::string& line) {
    const std::string small = lower(line);
    const std::string word = first_word(small);
    if (front_matter_ || line == "---") {  // YAML before a Mermaid diagram
      if (line == "---" && (front_matter_ || chart_.nodes.empty()) &&
          piece_.dialect == TextDialect::Mermaid) {
        front_matter_ = !front_matter_;
        return;
      }
      if (front_matter_) return take_title(line, small);
    }
    if (in_block(line, small)) return;
    if (line.starts_with("@start") || line.starts_with("@end") || small.starts_with("statediagram")) return;
    if (line == "--" || line == "||" || line == "---" || line == "----") {
      ++scopes_.back().region;
      return;
    }
    if (line == "}") return close();
    if (line.starts_with("!")) return remark("a line for PlantUML's preprocessor");
    if (word == "acctitle" || word == "accdescr") {
      (void)open_block(line, small, word);
      return;
    }
    if (is_transition(line)) return transition(line);
    if (is_description(line)) return description(line);
    if (open_block(line, small, word)) return;
    if (word == "title") take_title(line, small);
    if (is_style(word, piece_.dialect) || line.starts_with("#") || line.starts_with("<")) return;
    if (word == "state" && line.size() > 5) return declaration(line.substr(5));
    Cursor alone(line, piece_.dialect);  // a state by itself
    const std::string name = alone.node();
    alone.decorations();
    if (!name.empty() && alone.done() && piece_.dialect == TextDialect::Mermaid && name[0] != '[') {
      node_named(name, false);
      return;
    }
    fail(span_, fmt::format("this line is no part of a state diagram: `{}`", line.substr(0, 60)),
         "states, arrows, descriptions, notes and styles are read (docs/formats.md)");
  }

  void take_title(const std::string& line, const std::string& small) {
    if (!small.starts_with("title") || !chart_.name.empty()) return;
    std::string title = trimmed(std::string_view(line).substr(5));
    if (title.starts_with(":")) title = trimmed(std::string_view(title).substr(1));
    std::erase(title, '"');
    chart_.name = title;
  }

  void remark(const char* what) { chart_.remarks.emplace_back(what, span_); }

  void close() {
    if (scopes_.size() == 1) return fail(span_, "there is one '}' too many", "");
    scopes_.pop_back();
  }

  bool is_transition(const std::string& line) const {
    Cursor c(line, piece_.dialect);
    if (c.node().empty()) return false;
    c.decorations();
    return c.arrow() != Cursor::ArrowKind::None;
  }

  void transition(const std::string& line) {
    Cursor c(line, piece_.dialect);
    std::string from = c.node();
    c.decorations();
    const auto kind = c.arrow();
    std::string to = c.node();
    c.decorations();
    c.skip_blanks();
    if (to.empty()) return fail(span_, "the arrow leads nowhere", "");
    if (!c.done() && !c.accept(":"))
      return fail(span_, fmt::format("expected ':' and a label, found `{}`", c.rest().substr(0, 40)), "");
    if (kind == Cursor::ArrowKind::Hidden) return remark("a hidden arrow");
    if (kind == Cursor::ArrowKind::Backward) std::swap(from, to);
    if (chart_.arrows.size() >= kMaxArrows)
      return fail(span_, fmt::format("more than {} arrows", kMaxArrows), "");
    Arrow arrow;
    arrow.from = end_of(from, true);
    arrow.to = end_of(to, false);
    arrow.span = span_;
    labels_.push_back(c.rest());
    chart_.arrows.push_back(std::move(arrow));
  }

  int end_of(const std::string& name, bool source) {
    if (name == "[*]") return point(source ? NodeKind::Initial : NodeKind::Final, scopes_.back());
    const bool deep = name.ends_with("[H*]");
    if (deep || name.ends_with("[H]")) {
      const std::string state = name.substr(0, name.size() - (deep ? 4 : 3));
      const Scope scope = state.empty() ? scopes_.back() : Scope{node_named(state, false), 0};
      return point(deep ? NodeKind::DeepHistory : NodeKind::ShallowHistory, scope);
    }
    return node_named(name, false);
  }

  // One initial, final and history of each kind for a region.
  int point(NodeKind kind, Scope scope) {
    const auto [it, fresh] = points_.try_emplace({kind, {scope.state, scope.region}}, -1);
    if (fresh) it->second = add({}, kind, scope);
    return it->second;
  }

  int add(std::string id, NodeKind kind, Scope scope) {
    if (chart_.nodes.size() >= kMaxNodes) fail(span_, fmt::format("more than {} states", kMaxNodes), "");
    Node node;
    node.id = std::move(id);
    node.kind = kind;
    node.parent = scope.state;
    node.region = scope.region;
    node.span = span_;
    chart_.nodes.push_back(std::move(node));
    return static_cast<int>(chart_.nodes.size()) - 1;
  }

  // Names mean one state in the whole diagram; a state is where it is declared, or else first used.
  int node_named(const std::string& name, bool declares) {
    const auto it = named_.find(name);
    if (it == named_.end()) {
      const int node = add(name, NodeKind::State, scopes_.back());
      named_[name] = node;
      declared_[node] = declares;
      return node;
    }
    Node& node = chart_.nodes[static_cast<std::size_t>(it->second)];
    if (declares && !declared_[it->second] && !encloses(it->second, scopes_.back().state)) {
      declared_[it->second] = true;
      node.parent = scopes_.back().state;
      node.region = scopes_.back().region;
    }
    return it->second;
  }

  bool encloses(int outer, int inner) const {
    while (inner >= 0 && inner != outer) inner = chart_.nodes[static_cast<std::size_t>(inner)].parent;
    return inner == outer && outer >= 0;
  }

  // state X, state "Long name" as X, state X as "Long name", with a stereotype, a description, a block.
  void declaration(const std::string& text) {
    Cursor c(text, piece_.dialect);
    c.skip_blanks();
    const bool quoted = c.rest().starts_with("\"");
    std::string name = c.node();
    std::string stereotype = c.decorations();
    if (c.accept("as ")) {
      const std::string other = c.node();
      if (quoted) name = other;
    } else if (quoted && name.empty()) {
      name.clear();
    }
    if (const std::string behind = c.decorations(); stereotype.empty()) stereotype = behind;
    if (name.empty()) return fail(span_, "a state without a name", "");
    const int node = node_named(name, true);
    set_kind(node, stereotype);
    c.skip_blanks();
    if (c.accept(":")) return describe(node, c.rest());
    if (!c.accept("{")) {
      if (!c.done())
        fail(span_, fmt::format("expected '{{' or the end of the line, found `{}`", c.rest().substr(0, 40)),
             "");
      return;
    }
    if (scopes_.size() > static_cast<std::size_t>(kMaxDepth))
      return fail(span_, fmt::format("states are nested more than {} deep", kMaxDepth), "");
    if (c.rest() == "}") return;
    scopes_.push_back({node, 0});
    if (!c.rest().empty()) read(c.rest());
  }

  void set_kind(int node, const std::string& stereotype) {
    static const std::map<std::string, NodeKind> kinds = {{"choice", NodeKind::Choice},
                                                          {"fork", NodeKind::Fork},
                                                          {"join", NodeKind::Join},
                                                          {"start", NodeKind::Initial},
                                                          {"end", NodeKind::Final},
                                                          {"history", NodeKind::ShallowHistory},
                                                          {"history*", NodeKind::DeepHistory},
                                                          {"entrypoint", NodeKind::EntryPoint},
                                                          {"exitpoint", NodeKind::ExitPoint},
                                                          {"inputpin", NodeKind::EntryPoint},
                                                          {"outputpin", NodeKind::ExitPoint},
                                                          {"expansioninput", NodeKind::EntryPoint},
                                                          {"expansionoutput", NodeKind::ExitPoint}};
    const auto it = kinds.find(stereotype);
    if (it != kinds.end()) chart_.nodes[static_cast<std::size_t>(node)].kind = it->second;
  }

  bool is_description(const std::string& line) const {
    Cursor c(line, piece_.dialect);
    const std::string name = c.node();
    if (name.empty() || name[0] == '[') return false;
    c.decorations();
    return c.accept(":");
  }

  void description(const std::string& line) {
    Cursor c(line, piece_.dialect);
    const std::string name = c.node();
    c.decorations();
    (void)c.accept(":");
    const std::string key = lower(name);
    const bool own = key == "entry" || key == "onentry" || key == "exit" || key == "onexit" || key == "do";
    if (own && scopes_.size() > 1) return describe(scopes_.back().state, key + " / " + c.rest());
    describe(node_named(name, false), c.rest());
  }

  void describe(int node, const std::string& text) {
    if (!read_description(text, chart_.nodes[static_cast<std::size_t>(node)], span_))
      remark("a description of a state");
  }

  // Labels mean something else at choices, and what is a choice may be said last.
  void finish() {
    for (std::size_t i = 0; i < chart_.arrows.size(); ++i) {
      const NodeKind from = chart_.nodes[static_cast<std::size_t>(chart_.arrows[i].from)].kind;
      chart_.arrows[i].label =
          from == NodeKind::Choice ? read_choice_label(labels_[i]) : read_label(labels_[i]);
    }
  }

  const std::string& text_;
  diag::FileId file_;
  const Piece& piece_;
  diag::Diagnostics& diagnostics_;
  Chart chart_;
  std::vector<std::string> labels_;
  std::vector<Scope> scopes_;
  std::map<std::string, int> named_;
  std::map<std::pair<NodeKind, std::pair<int, int>>, int> points_;
  std::map<int, bool> declared_;
  diag::Span span_;
  std::string block_end_;
  int block_depth_ = 0;
  bool in_comment_ = false, front_matter_ = false, failed_ = false;
};

}  // namespace

bool is_state_diagram(std::string_view text, TextDialect dialect) {
  if (dialect == TextDialect::Mermaid) return text.find("stateDiagram") != std::string_view::npos;
  if (text.find("[*]") != std::string_view::npos) return true;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    if (lower(trimmed(text.substr(at, end - at))).starts_with("state ")) return true;
    at = end + 1;
  }
  return false;
}

std::optional<Chart> read_state_text(const diag::SourceMap& sources, diag::FileId file, const Piece& piece,
                                     diag::Diagnostics& diagnostics) {
  return Reader(sources.text(file), file, piece, diagnostics).run();
}

}  // namespace parley::front::diagram
