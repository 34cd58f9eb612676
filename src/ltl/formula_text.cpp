#include "ltl/formula_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <variant>

namespace parley::ltl {
namespace {

// f W g is kept as g R (f || g) and shown as it was written; `spin -f` does not know W.
std::optional<std::pair<FormulaId, FormulaId>> weak_until_operands(const Store& store, FormulaId f) {
  if (store.kind(f) != Kind::Release || store.kind(store.right(f)) != Kind::Or) return std::nullopt;
  const FormulaId stop = store.left(f), choice = store.right(f);
  if (store.right(choice) == stop) return std::pair{store.left(choice), stop};
  return std::nullopt;
}

std::string_view operator_text(Kind kind, Syntax syntax) {
  const bool spin = syntax == Syntax::Spin;
  switch (kind) {
    case Kind::True:
      return "true";
    case Kind::False:
      return "false";
    case Kind::Atom:
      return "";
    case Kind::Not:
      return "!";
    case Kind::And:
      return " && ";
    case Kind::Or:
      return " || ";
    case Kind::Next:
      return "X ";
    case Kind::Finally:
      return spin ? "<> " : "F ";
    case Kind::Globally:
      return spin ? "[] " : "G ";
    case Kind::Until:
      return " U ";
    case Kind::Release:
      return spin ? " V " : " R ";
  }
  return "";
}

}  // namespace

std::string show(const Store& store, FormulaId formula, std::span<const std::string> names, Syntax syntax) {
  // What is still to be written, last first: text, or a formula in brackets if it is binary.
  using Item = std::variant<std::string_view, FormulaId>;
  std::string out;
  std::vector<Item> open;
  const auto binary = [&](FormulaId left, std::string_view text, FormulaId right) {
    open.insert(open.end(), {Item(right), Item(text), Item(left)});
  };
  const auto expand = [&](FormulaId f) {
    const Node& node = store[f];
    const std::string_view text = operator_text(node.kind, syntax);
    const auto weak = weak_until_operands(store, f);
    if (weak && syntax != Syntax::Spin) {
      binary(weak->first, " W ", weak->second);
    } else if (syntax == Syntax::Arrows && node.kind == Kind::Or && store.kind(node.left) == Kind::Not) {
      binary(store.left(node.left), " -> ", node.right);
    } else if (is_binary(node.kind)) {
      binary(node.left, text, node.right);
    } else if (node.kind == Kind::Atom) {
      out +=
          node.proposition < names.size() ? names[node.proposition] : "p" + std::to_string(node.proposition);
    } else {
      out += text;
      if (is_unary(node.kind)) open.push_back(node.left);
    }
  };
  expand(formula);
  while (!open.empty()) {
    if (out.size() > kLongestText) return out + "…";
    const Item item = open.back();
    open.pop_back();
    if (const auto* text = std::get_if<std::string_view>(&item)) {
      out += *text;
      continue;
    }
    const FormulaId f = std::get<FormulaId>(item);
    if (is_binary(store.kind(f))) {
      out += "(";
      open.push_back(std::string_view(")"));
    }
    expand(f);
  }
  return out;
}

namespace {

enum class Token : std::uint8_t {
  Not,
  Next,
  Finally,
  Globally,
  Until,
  WeakUntil,
  Release,
  StrongRelease,
  And,
  Or,
  Implies,
  Iff,
  Open,
  Close,
  Name,
  End,
};

struct Spelling {
  std::string_view text;
  Token token;
};

// Longer ones first.
constexpr std::array kSigns = {
    Spelling{"<->", Token::Iff},     Spelling{"->", Token::Implies}, Spelling{"<>", Token::Finally},
    Spelling{"[]", Token::Globally}, Spelling{"&&", Token::And},     Spelling{"||", Token::Or},
    Spelling{"/\\", Token::And},     Spelling{"\\/", Token::Or},     Spelling{"&", Token::And},
    Spelling{"|", Token::Or},        Spelling{"!", Token::Not},      Spelling{"(", Token::Open},
    Spelling{")", Token::Close},
};
constexpr std::array kWords = {
    Spelling{"X", Token::Next},    Spelling{"F", Token::Finally},       Spelling{"G", Token::Globally},
    Spelling{"U", Token::Until},   Spelling{"W", Token::WeakUntil},     Spelling{"R", Token::Release},
    Spelling{"V", Token::Release}, Spelling{"M", Token::StrongRelease},
};

bool is_prefix(Token token) {
  return token <= Token::Globally;
}
bool is_infix(Token token) {
  return token >= Token::Until && token <= Token::Iff;
}

int strength(Token token) {
  switch (token) {
    case Token::Iff:
      return 1;
    case Token::Implies:
      return 2;
    case Token::Or:
      return 3;
    case Token::And:
      return 4;
    case Token::Until:
    case Token::WeakUntil:
    case Token::Release:
    case Token::StrongRelease:
      return 5;
    case Token::Not:
    case Token::Next:
    case Token::Finally:
    case Token::Globally:
      return 6;
    case Token::Open:
    case Token::Close:
    case Token::Name:
    case Token::End:
      break;
  }
  return 0;
}

bool binds_to_the_right(Token token) {
  return strength(token) == 5 || token == Token::Implies;
}

// Two stacks, of operands and of operators that wait for their right operand; no recursion.
class Parser {
 public:
  Parser(Store& store, std::string_view text, std::vector<std::string>& names)
      : store_(store), text_(text), names_(names) {}

  Parsed run() {
    bool want_operand = true;
    for (;;) {
      const Token token = next_token();
      if (!error_.empty()) return {{}, error_};
      if (want_operand) {
        if (token == Token::Name) {
          if (!push_name()) return {{}, error_};
          want_operand = false;
        } else if (is_prefix(token) || token == Token::Open) {
          operators_.push_back(token);
        } else {
          return {{}, "a formula is missing" + place()};
        }
        continue;
      }
      if (is_infix(token)) {
        while (!operators_.empty() &&
               (strength(operators_.back()) > strength(token) ||
                (strength(operators_.back()) == strength(token) && !binds_to_the_right(token))))
          apply();
        operators_.push_back(token);
        want_operand = true;
        continue;
      }
      while (!operators_.empty() && operators_.back() != Token::Open) apply();
      if (token == Token::Close && !operators_.empty()) {
        operators_.pop_back();
      } else if (token == Token::End && operators_.empty()) {
        return {operands_.back(), {}};
      } else {
        return {{}, (token == Token::End ? "a bracket is not closed" : "an operator is missing") + place()};
      }
    }
  }

 private:
  std::string place() const { return " at character " + std::to_string(start_ + 1); }

  Token next_token() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    start_ = at_;
    if (at_ == text_.size()) return Token::End;
    for (const Spelling& sign : kSigns)
      if (text_.substr(at_).starts_with(sign.text)) {
        at_ += sign.text.size();
        return sign.token;
      }
    const auto in_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    while (at_ < text_.size() && in_name(text_[at_])) ++at_;
    if (at_ == start_) error_ = "an unknown sign" + place();
    const std::string_view word = text_.substr(start_, at_ - start_);
    for (const Spelling& known : kWords)
      if (word == known.text) return known.token;
    return Token::Name;
  }

  bool push_name() {
    const std::string word(text_.substr(start_, at_ - start_));
    if (word == "true" || word == "false") {
      operands_.push_back(word == "true" ? store_.truth() : store_.falsity());
      return true;
    }
    auto known = std::find(names_.begin(), names_.end(), word);
    if (known == names_.end()) {
      if (names_.size() == kMostPropositions) {
        error_ = "more than " + std::to_string(kMostPropositions) + " propositions" + place();
        return false;
      }
      known = names_.insert(names_.end(), word);
    }
    operands_.push_back(store_.atom(static_cast<std::uint32_t>(known - names_.begin())));
    return true;
  }

  FormulaId pop() {
    const FormulaId f = operands_.back();
    operands_.pop_back();
    return f;
  }

  void apply() {
    const Token token = operators_.back();
    operators_.pop_back();
    const FormulaId right = pop();
    const FormulaId left = is_infix(token) ? pop() : FormulaId{};
    operands_.push_back(built(token, left, right));
  }

  FormulaId built(Token token, FormulaId left, FormulaId right) {
    switch (token) {
      case Token::Not:
        return store_.negate(right);
      case Token::Next:
        return store_.next(right);
      case Token::Finally:
        return store_.eventually(right);
      case Token::Globally:
        return store_.always(right);
      case Token::Until:
        return store_.until(left, right);
      case Token::WeakUntil:
        return store_.weak_until(left, right);
      case Token::Release:
        return store_.release(left, right);
      case Token::StrongRelease:
        return store_.strong_release(left, right);
      case Token::And:
        return store_.both(left, right);
      case Token::Or:
        return store_.either(left, right);
      case Token::Implies:
        return store_.implies(left, right);
      case Token::Iff:
        return store_.iff(left, right);
      case Token::Open:
      case Token::Close:
      case Token::Name:
      case Token::End:
        break;
    }
    return right;
  }

  Store& store_;
  std::string_view text_;
  std::vector<std::string>& names_;
  std::size_t at_ = 0, start_ = 0;
  std::string error_;
  std::vector<FormulaId> operands_;
  std::vector<Token> operators_;
};

}  // namespace

Parsed parse(Store& store, std::string_view text, std::vector<std::string>& names) {
  return Parser(store, text, names).run();
}

}  // namespace parley::ltl
