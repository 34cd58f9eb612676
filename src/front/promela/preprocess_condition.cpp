#include "front/promela/preprocess_condition.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <string>

namespace parley::front::promela {
namespace {

// An integer of 64 bits. A division by zero is kept as a value, since it is wrong only where it is needed.
struct Value {
  std::uint64_t bits = 0;
  bool is_unsigned = false;
  std::optional<diag::Span> zero_division;

  bool truth() const { return bits != 0; }
  std::int64_t as_signed() const { return static_cast<std::int64_t>(bits); }
};

enum class Op : std::uint8_t {
  Open,
  Question,
  Choice,  // ?: with its condition and both branches
  Or,
  And,
  BitOr,
  BitXor,
  BitAnd,
  Equal,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  ShiftLeft,
  ShiftRight,
  Add,
  Subtract,
  Multiply,
  Divide,
  Modulo,
  Plus,
  Minus,
  Not,
  Complement
};

struct BinaryOp {
  std::string_view spelling;
  Op op;
  int precedence;
};

constexpr int kChoicePrecedence = 1, kUnaryPrecedence = 12;
constexpr std::array kBinary = {
    BinaryOp{"||", Op::Or, 2},         BinaryOp{"&&", Op::And, 3},          BinaryOp{"|", Op::BitOr, 4},
    BinaryOp{"^", Op::BitXor, 5},      BinaryOp{"&", Op::BitAnd, 6},        BinaryOp{"==", Op::Equal, 7},
    BinaryOp{"!=", Op::NotEqual, 7},   BinaryOp{"<", Op::Less, 8},          BinaryOp{"<=", Op::LessEqual, 8},
    BinaryOp{">", Op::Greater, 8},     BinaryOp{">=", Op::GreaterEqual, 8}, BinaryOp{"<<", Op::ShiftLeft, 9},
    BinaryOp{">>", Op::ShiftRight, 9}, BinaryOp{"+", Op::Add, 10},          BinaryOp{"-", Op::Subtract, 10},
    BinaryOp{"*", Op::Multiply, 11},   BinaryOp{"/", Op::Divide, 11},       BinaryOp{"%", Op::Modulo, 11}};

std::optional<Op> unary_op(std::string_view spelling) {
  if (spelling == "+") return Op::Plus;
  if (spelling == "-") return Op::Minus;
  if (spelling == "!") return Op::Not;
  if (spelling == "~") return Op::Complement;
  return std::nullopt;
}

bool is_unary(Op op) {
  return op == Op::Plus || op == Op::Minus || op == Op::Not || op == Op::Complement;
}

struct Pending {
  Op op;
  int precedence;
  diag::Span place;
};

Value truth(bool value) {
  return {value ? 1u : 0u, false, {}};
}

std::optional<Value> number(std::string text) {
  Value value;
  while (!text.empty() && std::string_view("uUlL").find(text.back()) != std::string_view::npos) {
    value.is_unsigned = value.is_unsigned || text.back() == 'u' || text.back() == 'U';
    text.pop_back();
  }
  int base = 10;
  const char* begin = text.data();
  if (text.size() > 1 && text[0] == '0') {
    const bool hexadecimal = text[1] == 'x' || text[1] == 'X';
    base = hexadecimal ? 16 : 8;
    begin += hexadecimal ? 2 : 1;
  }
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(begin, end, value.bits, base);
  if (problem != std::errc() || stop != end) return std::nullopt;
  if (value.as_signed() < 0) value.is_unsigned = true;
  return value;
}

// 'x' and the usual escapes; nothing for the others.
std::optional<Value> character(const std::string& text) {
  const std::string inner = text.substr(1, text.size() - 2);
  if (inner.size() == 1)
    return Value{static_cast<std::uint64_t>(static_cast<signed char>(inner[0])), false, {}};
  if (inner.size() != 2 || inner[0] != '\\') return std::nullopt;
  constexpr std::string_view kEscapes = "ntrfva0\\'\"?";
  constexpr std::string_view kMeanings("\n\t\r\f\v\a\0\\'\"?", kEscapes.size());
  const std::size_t at = kEscapes.find(inner[1]);
  if (at == std::string_view::npos) return std::nullopt;
  return Value{static_cast<std::uint64_t>(kMeanings[at]), false, {}};
}

std::uint64_t shifted(const Value& x, const Value& by, bool left) {
  if (!by.is_unsigned && by.as_signed() < 0) return shifted(x, {0 - by.bits, true, {}}, !left);
  const bool fills_with_ones = !left && !x.is_unsigned && x.as_signed() < 0;
  if (by.bits >= 64) return fills_with_ones ? ~std::uint64_t{0} : 0;
  if (left) return x.bits << by.bits;
  return fills_with_ones ? ~(~x.bits >> by.bits) : x.bits >> by.bits;
}

std::uint64_t divided(const Value& x, const Value& y, bool is_unsigned, bool remainder) {
  if (is_unsigned) return remainder ? x.bits % y.bits : x.bits / y.bits;
  if (y.as_signed() == -1) return remainder ? 0 : 0 - x.bits;  // the smallest number has no opposite
  const std::int64_t result = remainder ? x.as_signed() % y.as_signed() : x.as_signed() / y.as_signed();
  return static_cast<std::uint64_t>(result);
}

// Both operands, except for a division by zero that the result does not need.
Value binary(Op op, const Value& x, const Value& y, diag::Span place) {
  if (op == Op::And && !x.zero_division && !x.truth()) return truth(false);
  if (op == Op::Or && !x.zero_division && x.truth()) return truth(true);
  if (x.zero_division || y.zero_division)
    return {0, false, x.zero_division ? x.zero_division : y.zero_division};
  const bool u = x.is_unsigned || y.is_unsigned;
  const bool less = u ? x.bits < y.bits : x.as_signed() < y.as_signed();
  switch (op) {
    case Op::Or:
    case Op::And:
      return truth(y.truth());
    case Op::BitOr:
      return {x.bits | y.bits, u, {}};
    case Op::BitXor:
      return {x.bits ^ y.bits, u, {}};
    case Op::BitAnd:
      return {x.bits & y.bits, u, {}};
    case Op::Equal:
      return truth(x.bits == y.bits);
    case Op::NotEqual:
      return truth(x.bits != y.bits);
    case Op::Less:
      return truth(less);
    case Op::GreaterEqual:
      return truth(!less);
    case Op::LessEqual:
      return truth(less || x.bits == y.bits);
    case Op::Greater:
      return truth(!less && x.bits != y.bits);
    case Op::ShiftLeft:
      return {shifted(x, y, true), x.is_unsigned, {}};
    case Op::ShiftRight:
      return {shifted(x, y, false), x.is_unsigned, {}};
    case Op::Add:
      return {x.bits + y.bits, u, {}};
    case Op::Subtract:
      return {x.bits - y.bits, u, {}};
    case Op::Multiply:
      return {x.bits * y.bits, u, {}};
    case Op::Divide:
    case Op::Modulo:
      if (y.bits == 0) return {0, u, place};
      return {divided(x, y, u, op == Op::Modulo), u, {}};
    case Op::Open:
    case Op::Question:
    case Op::Choice:
    case Op::Plus:
    case Op::Minus:
    case Op::Not:
    case Op::Complement:
      break;
  }
  return x;
}

Value unary(Op op, Value x) {
  if (op == Op::Minus) x.bits = 0 - x.bits;
  if (op == Op::Complement) x.bits = ~x.bits;
  if (op == Op::Not) return {x.truth() ? 0u : 1u, false, x.zero_division};
  return x;
}

// Dijkstra's two stacks: operators wait until one that binds less comes.
class Evaluator {
 public:
  Evaluator(const Spellings& spellings, diag::Diagnostics& diagnostics)
      : spellings_(spellings), diagnostics_(diagnostics) {}

  std::optional<bool> run(const std::vector<PpToken>& tokens, diag::Span directive) {
    if (tokens.empty()) return fail(directive, "this condition is empty", "write #if 0 or #if 1");
    for (const PpToken& token : tokens)
      if (!(expects_operand_ ? operand(token) : operation(token))) return std::nullopt;
    if (expects_operand_) return fail(tokens.back().place, "this condition stops in the middle", {});
    reduce_above(0);
    if (!pending_.empty())
      return fail(pending_.back().place,
                  pending_.back().op == Op::Open ? "this ( is never closed" : "this ? has no :", {});
    if (values_.back().zero_division) return fail(*values_.back().zero_division, "this divides by zero", {});
    return values_.back().truth();
  }

 private:
  std::nullopt_t fail(diag::Span place, std::string message, std::string hint) {
    diagnostics_.error("bad-condition", place, std::move(message), std::move(hint));
    return std::nullopt;
  }

  bool wrong(const PpToken& token, const char* expected) {
    fail(token.place,
         fmt::format("expected {}, found '{}'", expected, diag::sanitise(spellings_.text(token.spelling))),
         "conditions have integers, macros, defined(NAME), C's operators and parentheses");
    return false;
  }

  bool operand(const PpToken& token) {
    const std::string& text = spellings_.text(token.spelling);
    if (text == "(") return pending_.push_back({Op::Open, -1, token.place}), true;
    if (const std::optional<Op> op = unary_op(text))
      return pending_.push_back({*op, kUnaryPrecedence, token.place}), true;
    std::optional<Value> value;
    if (token.kind == PpKind::Name) value = Value{};  // what is no macro is 0
    if (token.kind == PpKind::Number) value = number(text);
    if (token.kind == PpKind::Character) value = character(text);
    if (!value) return wrong(token, "an integer");
    values_.push_back(*value);
    expects_operand_ = false;
    return true;
  }

  bool operation(const PpToken& token) {
    const std::string& text = spellings_.text(token.spelling);
    if (text == ")") {
      reduce_above(0);
      if (pending_.empty() || pending_.back().op != Op::Open) return wrong(token, "an operator");
      pending_.pop_back();
      return true;
    }
    expects_operand_ = true;
    if (text == "?") {
      reduce_above(kChoicePrecedence);  // a ? b : c ? d : e is a ? b : (c ? d : e)
      pending_.push_back({Op::Question, 0, token.place});
      return true;
    }
    if (text == ":") {
      reduce_above(0);
      if (pending_.empty() || pending_.back().op != Op::Question) return wrong(token, "an operator");
      pending_.back().op = Op::Choice;
      pending_.back().precedence = kChoicePrecedence;
      return true;
    }
    for (const BinaryOp& b : kBinary) {
      if (b.spelling != text) continue;
      reduce_above(b.precedence - 1);
      pending_.push_back({b.op, b.precedence, token.place});
      return true;
    }
    return wrong(token, "an operator");
  }

  void reduce_above(int precedence) {
    while (!pending_.empty() && pending_.back().precedence > precedence) {
      const Pending top = pending_.back();
      pending_.pop_back();
      const Value last = take();
      if (is_unary(top.op)) {
        values_.push_back(unary(top.op, last));
      } else if (top.op == Op::Choice) {
        const Value yes = take(), condition = take();
        Value chosen = condition.zero_division ? condition : condition.truth() ? yes : last;
        chosen.is_unsigned = yes.is_unsigned || last.is_unsigned;
        values_.push_back(chosen);
      } else {
        values_.push_back(binary(top.op, take(), last, top.place));
      }
    }
  }

  Value take() {
    const Value value = values_.back();
    values_.pop_back();
    return value;
  }

  const Spellings& spellings_;
  diag::Diagnostics& diagnostics_;
  std::vector<Value> values_;
  std::vector<Pending> pending_;
  bool expects_operand_ = true;
};

}  // namespace

std::optional<bool> evaluate_condition(const std::vector<PpToken>& tokens, diag::Span directive,
                                       const Spellings& spellings, diag::Diagnostics& diagnostics) {
  return Evaluator(spellings, diagnostics).run(tokens, directive);
}

}  // namespace parley::front::promela
