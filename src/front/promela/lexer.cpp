#include "front/promela/lexer.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>
#include <unordered_map>

namespace parley::front::promela {
namespace {

using Entry = std::pair<const char*, Tok>;

constexpr std::array kKeywords = {Entry{"active", Tok::Active},
                                  Entry{"assert", Tok::Assert},
                                  Entry{"atomic", Tok::Atomic},
                                  Entry{"bit", Tok::Bit},
                                  Entry{"bool", Tok::Bool},
                                  Entry{"break", Tok::Break},
                                  Entry{"byte", Tok::Byte},
                                  Entry{"chan", Tok::Chan},
                                  Entry{"c_code", Tok::CCode},
                                  Entry{"c_decl", Tok::CDecl},
                                  Entry{"c_expr", Tok::CExpr},
                                  Entry{"c_state", Tok::CState},
                                  Entry{"c_track", Tok::CTrack},
                                  Entry{"D_proctype", Tok::DProctype},
                                  Entry{"d_step", Tok::DStep},
                                  Entry{"do", Tok::Do},
                                  Entry{"else", Tok::Else},
                                  Entry{"empty", Tok::Empty},
                                  Entry{"enabled", Tok::Enabled},
                                  Entry{"eval", Tok::Eval},
                                  Entry{"false", Tok::False},
                                  Entry{"fi", Tok::Fi},
                                  Entry{"for", Tok::For},
                                  Entry{"full", Tok::Full},
                                  Entry{"get_priority", Tok::GetPriority},
                                  Entry{"goto", Tok::Goto},
                                  Entry{"hidden", Tok::Hidden},
                                  Entry{"if", Tok::If},
                                  Entry{"init", Tok::Init},
                                  Entry{"inline", Tok::Inline},
                                  Entry{"int", Tok::Int},
                                  Entry{"len", Tok::Len},
                                  Entry{"local", Tok::Local},
                                  Entry{"ltl", Tok::Ltl},
                                  Entry{"mtype", Tok::Mtype},
                                  Entry{"nempty", Tok::Nempty},
                                  Entry{"never", Tok::Never},
                                  Entry{"nfull", Tok::Nfull},
                                  Entry{"notrace", Tok::Notrace},
                                  Entry{"np_", Tok::Np},
                                  Entry{"od", Tok::Od},
                                  Entry{"of", Tok::Of},
                                  Entry{"pc_value", Tok::PcValue},
                                  Entry{"pid", Tok::Pid},
                                  Entry{"printf", Tok::Printf},
                                  Entry{"printm", Tok::Printm},
                                  Entry{"priority", Tok::Priority},
                                  Entry{"proctype", Tok::Proctype},
                                  Entry{"provided", Tok::Provided},
                                  Entry{"run", Tok::Run},
                                  Entry{"select", Tok::Select},
                                  Entry{"set_priority", Tok::SetPriority},
                                  Entry{"short", Tok::Short},
                                  Entry{"show", Tok::Show},
                                  Entry{"skip", Tok::Skip},
                                  Entry{"timeout", Tok::Timeout},
                                  Entry{"trace", Tok::Trace},
                                  Entry{"true", Tok::True},
                                  Entry{"typedef", Tok::Typedef},
                                  Entry{"unless", Tok::Unless},
                                  Entry{"unsigned", Tok::Unsigned},
                                  Entry{"xr", Tok::Xr},
                                  Entry{"xs", Tok::Xs}};

// Longest first, so that the first match is the right one.
constexpr std::array kPunctuation = {
    Entry{"/\\", Tok::AndAnd},  Entry{"\\/", Tok::OrOr},      Entry{"->", Tok::Arrow},
    Entry{"::", Tok::Sep},      Entry{"..", Tok::DotDot},     Entry{"!=", Tok::NotEq},
    Entry{"!!", Tok::BangBang}, Entry{"??", Tok::QueryQuery}, Entry{"++", Tok::Incr},
    Entry{"--", Tok::Decr},     Entry{"==", Tok::EqEq},       Entry{"<<", Tok::Shl},
    Entry{">>", Tok::Shr},      Entry{"<=", Tok::Le},         Entry{">=", Tok::Ge},
    Entry{"&&", Tok::AndAnd},   Entry{"||", Tok::OrOr},       Entry{"{", Tok::LBrace},
    Entry{"}", Tok::RBrace},    Entry{"(", Tok::LParen},      Entry{")", Tok::RParen},
    Entry{"[", Tok::LBracket},  Entry{"]", Tok::RBracket},    Entry{";", Tok::Semi},
    Entry{",", Tok::Comma},     Entry{":", Tok::Colon},       Entry{".", Tok::Dot},
    Entry{"@", Tok::At},        Entry{"=", Tok::Assign},      Entry{"+", Tok::Plus},
    Entry{"-", Tok::Minus},     Entry{"*", Tok::Star},        Entry{"/", Tok::Slash},
    Entry{"%", Tok::Percent},   Entry{"&", Tok::Amp},         Entry{"|", Tok::Pipe},
    Entry{"^", Tok::Caret},     Entry{"~", Tok::Tilde},       Entry{"!", Tok::Bang},
    Entry{"?", Tok::Query},     Entry{"<", Tok::Lt},          Entry{">", Tok::Gt}};

bool word_start(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
}
bool word_part(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

class Lexer {
 public:
  Lexer(diag::SourceMap& sources, const SourceText& source, diag::Diagnostics& diagnostics)
      : sources_(sources),
        diagnostics_(diagnostics),
        text_(source.text),
        file_(source.file),
        user_file_(source.file),
        mapped_(source.preprocessed) {
    for (const auto& [word, kind] : kKeywords) keywords_.emplace(word, kind);
  }

  Tokens run() {
    while (skip_blank()) next_token();
    Token end;
    end.span = place_of(pos_, pos_);
    tokens_.push_back(end);
    return std::move(tokens_);
  }

 private:
  bool at(const char* s) const { return text_.compare(pos_, std::char_traits<char>::length(s), s) == 0; }

  // White space, comments and directives; false at the end of the text.
  bool skip_blank() {
    while (pos_ < text_.size()) {
      const char c = text_[pos_];
      if (c == '\n') {
        new_line();
      } else if (std::isspace(static_cast<unsigned char>(c))) {
        ++pos_;
      } else if (c == '\\' && (at("\\\n") || at("\\\r\n"))) {
        ++pos_;
      } else if (at("/*")) {
        const std::size_t close = text_.find("*/", pos_ + 2);
        if (close == std::string::npos) {
          diagnostics_.error("unterminated-comment", place_of(pos_, pos_ + 2), "this comment is never closed",
                             "close it with */");
          pos_ = text_.size();
          return false;
        }
        const std::size_t end = close + 2;
        while (pos_ < end) text_[pos_] == '\n' ? new_line() : void(++pos_);
      } else if (at("*/")) {
        diagnostics_.warning("stray-comment-end", place_of(pos_, pos_ + 2), "this closes no comment",
                             "comments do not nest");
        pos_ += 2;
      } else if (at("//")) {
        while (pos_ < text_.size() && text_[pos_] != '\n') ++pos_;
      } else if (c == '#' && line_is_fresh()) {
        directive();
      } else {
        return true;
      }
    }
    return false;
  }

  void new_line() {
    ++pos_;
    ++line_;
    line_begin_ = pos_;
    search_from_ = 0;
    fresh_ = true;
  }

  bool line_is_fresh() const {
    for (std::size_t i = line_begin_; i < pos_; ++i)
      if (!std::isspace(static_cast<unsigned char>(text_[i]))) return false;
    return true;
  }

  // "# 12 "file" flags" of the preprocessor; anything else is a directive nobody has processed.
  void directive() {
    std::size_t end = text_.find('\n', pos_);
    if (end == std::string::npos) end = text_.size();
    std::istringstream words(text_.substr(pos_ + 1, end - pos_ - 1));
    std::string first;
    words >> first;
    if (first == "line") words >> first;
    if (!first.empty() && first.size() < 9 && first.find_first_not_of("0123456789") == std::string::npos &&
        mapped_) {
      const auto number = static_cast<std::uint32_t>(std::stoul(first));
      std::string rest;
      std::getline(words, rest);
      const std::size_t open = rest.find('"');
      const std::size_t close = rest.rfind('"');
      if (open != std::string::npos && close > open)
        file_ = file_named(rest.substr(open + 1, close - open - 1));
      pos_ = end;
      if (pos_ < text_.size()) new_line();
      line_ = number;
      return;
    }
    if (first != "ident" && first != "pragma")
      diagnostics_.error("no-preprocessor", place_of(pos_, end),
                         "this model needs the C preprocessor, and none could be run",
                         "install gcc, or preprocess the file by hand: gcc -E -P -x c");
    pos_ = end;
  }

  diag::FileId file_named(const std::string& name) {
    if (name == "<stdin>" || name.empty()) return user_file_;
    if (name[0] == '<') return {};
    if (const auto found = files_.find(name); found != files_.end()) return found->second;
    std::ifstream in(name, std::ios::binary);
    std::ostringstream all;
    if (in) all << in.rdbuf();
    return files_[name] = in ? sources_.add(name, all.str()) : diag::FileId();
  }

  // The span of text_[begin, end): the same bytes when nothing was preprocessed; otherwise the word is looked
  // up in the line it came from, and text made by a macro gets the whole line.
  diag::Span place_of(std::size_t begin, std::size_t end) {
    if (!mapped_) return {file_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
    if (!file_.valid()) return {};
    const auto& starts = line_starts(file_);
    if (line_ == 0 || line_ > starts.size()) {
      const auto size = static_cast<std::uint32_t>(sources_.text(file_).size());
      return {file_, size, size};
    }
    const std::string& whole = sources_.text(file_);
    const std::uint32_t from = starts[line_ - 1];
    std::size_t to = whole.find('\n', from);
    if (to == std::string::npos) to = whole.size();
    const std::string_view line(whole.data() + from, to - from);
    const std::string_view word(text_.data() + begin, end - begin);
    const bool is_word = !word.empty() && word_part(word[0]);
    for (std::size_t hit = line.find(word, search_from_); hit != std::string_view::npos && !word.empty();
         hit = line.find(word, hit + 1)) {
      const bool whole_word =
          !is_word || ((hit == 0 || !word_part(line[hit - 1])) &&
                       (hit + word.size() >= line.size() || !word_part(line[hit + word.size()])));
      if (!whole_word) continue;
      search_from_ = hit + word.size();
      const auto b = static_cast<std::uint32_t>(from + hit);
      return {file_, b, static_cast<std::uint32_t>(b + word.size())};
    }
    std::size_t first = 0;
    while (first < line.size() && std::isspace(static_cast<unsigned char>(line[first]))) ++first;
    std::size_t last = line.size();
    while (last > first && std::isspace(static_cast<unsigned char>(line[last - 1]))) --last;
    return {file_, static_cast<std::uint32_t>(from + first), static_cast<std::uint32_t>(from + last)};
  }

  const std::vector<std::uint32_t>& line_starts(diag::FileId file) {
    auto& starts = starts_[file.value];
    if (starts.empty()) {
      starts.push_back(0);
      const std::string& whole = sources_.text(file);
      for (std::size_t i = 0; i < whole.size(); ++i)
        if (whole[i] == '\n') starts.push_back(static_cast<std::uint32_t>(i + 1));
    }
    return starts;
  }

  void push(Tok kind, std::size_t end, std::int32_t value = 0) {
    Token t;
    t.kind = kind;
    t.text = text_.substr(pos_, end - pos_);
    t.value = value;
    t.span = place_of(pos_, end);
    t.after_newline = fresh_;
    fresh_ = false;
    pos_ = end;
    tokens_.push_back(std::move(t));
  }

  void next_token() {
    const char c = text_[pos_];
    std::size_t end = pos_ + 1;
    if (word_start(c)) {
      while (end < text_.size() && word_part(text_[end])) ++end;
      const auto found = keywords_.find(text_.substr(pos_, end - pos_));
      push(found == keywords_.end() ? Tok::Name : found->second, end);
    } else if (std::isdigit(static_cast<unsigned char>(c))) {
      number();
    } else if (c == '"') {
      string();
    } else if (c == '\'') {
      character();
    } else {
      for (const auto& [spelling, kind] : kPunctuation)
        if (at(spelling)) return push(kind, pos_ + std::char_traits<char>::length(spelling));
      while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0) == 0x80) ++end;
      diagnostics_.error(
          "stray-character", place_of(pos_, end),
          fmt::format("'{}' means nothing here", diag::sanitise(text_.substr(pos_, end - pos_))));
      pos_ = end;
    }
  }

  void number() {
    std::size_t end = pos_;
    constexpr std::uint64_t kLargest = std::numeric_limits<std::int64_t>::max();
    std::uint64_t value = 0;
    while (end < text_.size() && std::isdigit(static_cast<unsigned char>(text_[end]))) {
      const auto digit = static_cast<std::uint64_t>(text_[end++] - '0');
      value = value > (kLargest - digit) / 10 ? kLargest : value * 10 + digit;
    }
    // Spin keeps the low 32 bits of the (saturated) 64-bit number.
    const auto kept = static_cast<std::int32_t>(static_cast<std::uint32_t>(value));
    if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max()))
      diagnostics_.warning(
          "number-too-large", place_of(pos_, end),
          fmt::format("{} does not fit in 32 bits and is read as {}", text_.substr(pos_, end - pos_), kept));
    push(Tok::Number, end, kept);
  }

  void string() {
    std::size_t end = pos_ + 1;
    while (end < text_.size() && text_[end] != '"' && text_[end] != '\n') end += text_[end] == '\\' ? 2 : 1;
    if (end >= text_.size() || text_[end] != '"') {
      end = std::min(end, text_.size());
      diagnostics_.error("unterminated-string", place_of(pos_, pos_ + 1), "this string is never closed",
                         "close it with \" on the same line");
      return push(Tok::String, end);
    }
    push(Tok::String, end + 1);
  }

  void character() {
    std::size_t end = pos_ + 1;
    std::int32_t value = 0;
    if (end < text_.size() && text_[end] == '\\' && end + 1 < text_.size()) {
      const char e = text_[end + 1];
      value = e == 'n' ? '\n' : e == 'r' ? '\r' : e == 't' ? '\t' : e == 'f' ? '\f' : e;
      end += 2;
    } else if (end < text_.size()) {
      value = static_cast<signed char>(text_[end++]);
    }
    if (end >= text_.size() || text_[end] != '\'') {
      diagnostics_.error("unterminated-character", place_of(pos_, pos_ + 1),
                         "this character constant is not closed", "write it as 'x'");
      return push(Tok::Number, std::min(end, text_.size()), value);
    }
    push(Tok::Number, end + 1, value);
  }

  diag::SourceMap& sources_;
  diag::Diagnostics& diagnostics_;
  std::string text_;
  diag::FileId file_, user_file_;
  bool mapped_;
  std::size_t pos_ = 0, line_begin_ = 0, search_from_ = 0;
  std::uint32_t line_ = 1;
  bool fresh_ = true;
  Tokens tokens_;
  std::unordered_map<std::string, Tok> keywords_;
  std::map<std::string, diag::FileId> files_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> starts_;
};

}  // namespace

std::string describe(Tok kind) {
  switch (kind) {
    case Tok::End:
      return "the end of the file";
    case Tok::Name:
      return "a name";
    case Tok::Number:
      return "a number";
    case Tok::String:
      return "a string";
    case Tok::Box:
      return "'[]'";
    case Tok::Diamond:
      return "'<>'";
    case Tok::Equiv:
      return "'<->'";
    default:
      break;
  }
  for (const auto& [word, k] : kKeywords)
    if (k == kind) return fmt::format("'{}'", word);
  for (const auto& [word, k] : kPunctuation)
    if (k == kind) return fmt::format("'{}'", word);
  return "?";
}

std::string describe(const Token& token) {
  if (token.kind == Tok::End && token.text.empty()) return describe(token.kind);
  return fmt::format("'{}'", diag::sanitise(token.text));
}

bool is_keyword(Tok kind) {
  return kind >= Tok::Active;
}

Tokens tokenize(diag::SourceMap& sources, const SourceText& source, diag::Diagnostics& diagnostics) {
  return Lexer(sources, source, diagnostics).run();
}

}  // namespace parley::front::promela
