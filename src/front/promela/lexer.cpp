#include "front/promela/lexer.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <limits>
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
  Lexer(const diag::SourceMap& sources, const SourceText& source, diag::Diagnostics& diagnostics)
      : diagnostics_(diagnostics), source_(source), text_(source.text) {
    const auto size = static_cast<std::uint32_t>(sources.text(source.file).size());
    end_ = {source.file, size, size};
    for (const auto& [word, kind] : kKeywords) keywords_.emplace(word, kind);
  }

  Tokens run() {
    while (skip_blank()) next_token();
    Token end;
    end.span = end_;
    tokens_.push_back(end);
    return std::move(tokens_);
  }

 private:
  bool at(const char* s) const { return text_.compare(pos_, std::char_traits<char>::length(s), s) == 0; }

  // White space; false at the end of the text. The preprocessor has taken comments and directives away.
  bool skip_blank() {
    while (pos_ < text_.size()) {
      if (at("*/")) {
        diagnostics_.warning("stray-comment-end", place_of(pos_, pos_ + 2), "this closes no comment",
                             "comments do not nest");
        pos_ += 2;
      } else if (std::isspace(static_cast<unsigned char>(text_[pos_]))) {
        if (text_[pos_++] == '\n') fresh_ = true;
      } else {
        return true;
      }
    }
    return false;
  }

  diag::Span place_of(std::size_t begin, std::size_t end) const { return source_.place_of(begin, end); }

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

  diag::Diagnostics& diagnostics_;
  const SourceText& source_;
  const std::string& text_;
  diag::Span end_;
  std::size_t pos_ = 0;
  bool fresh_ = true;
  Tokens tokens_;
  std::unordered_map<std::string, Tok> keywords_;
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

Tokens tokenize(const diag::SourceMap& sources, const SourceText& source, diag::Diagnostics& diagnostics) {
  return Lexer(sources, source, diagnostics).run();
}

}  // namespace parley::front::promela
