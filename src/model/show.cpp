#include "model/show.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "diag/hidden.hpp"

namespace parley::model {

Precedence level_of(const Expr& e) {
  switch (e.kind) {
    case ExprKind::Conditional:
    case ExprKind::Binary:
      return info(e.op).precedence;
    case ExprKind::InState:
    case ExprKind::QueueHas:
    case ExprKind::Event:
      return Precedence::Relational;
    case ExprKind::Pattern:
      return Precedence::None;
    case ExprKind::Unary:
      return Precedence::Unary;
    case ExprKind::IntLiteral:
      return e.value < 0 ? Precedence::Unary : Precedence::Postfix;
    case ExprKind::Forall:
    case ExprKind::Exists:
      return Precedence::None;  // the body takes all that follows
    default:
      return Precedence::Postfix;
  }
}

namespace {

// Words that are operators or built-in functions inside expressions: as names they need backquotes there.
bool is_expression_word(std::string_view name) {
  static constexpr std::string_view kWords[] = {"any", "len", "forall", "exists", "in", "has",   "G",
                                                "F",   "X",   "U",      "W",      "R",  "sends", "receives"};
  return std::find(std::begin(kWords), std::end(kWords), name) != std::end(kWords);
}

std::string expression_name(std::string_view name) {
  return is_expression_word(name) ? fmt::format("`{}`", name) : quote_name(name);
}

void print(const Expr& e, Precedence lowest, std::string& out);

void print_list(const std::vector<ExprPtr>& list, std::size_t from, std::string& out) {
  out += '(';
  for (std::size_t i = from; i < list.size(); ++i) {
    if (i > from) out += ", ";
    print(*list[i], Precedence::None, out);
  }
  out += ')';
}

void print_plain(const Expr& e, std::string& out) {
  switch (e.kind) {
    case ExprKind::IntLiteral:
      out += e.text.empty() ? std::to_string(e.value) : e.text;
      return;
    case ExprKind::BoolLiteral:
      out += e.value != 0 ? "true" : "false";
      return;
    case ExprKind::Null:
      out += "null";
      return;
    case ExprKind::This:
      out += "this";
      return;
    case ExprKind::Name:
      if (!e.operands.empty()) {  // Enumeration.literal
        out += expression_name(e.operands[0]->text) + '.' + quote_name(e.text);
      } else {
        out += expression_name(e.text);
      }
      return;
    case ExprKind::Field:
      print(*e.operands[0], Precedence::Postfix, out);
      out += '.' + quote_name(e.text);
      return;
    case ExprKind::Index:
      print(*e.operands[0], Precedence::Postfix, out);
      out += '[';
      print(*e.operands[1], Precedence::None, out);
      out += ']';
      return;
    case ExprKind::Unary: {
      out += spelling(e.op);
      const Expr& x = *e.operands[0];
      const bool minus_twice =
          e.op == Operator::Neg && x.kind != ExprKind::Name &&
          ((x.kind == ExprKind::Unary && x.op == Operator::Neg) || x.kind == ExprKind::IntLiteral);
      if (minus_twice) out += '(';
      print(x, minus_twice ? Precedence::None : Precedence::Unary, out);
      if (minus_twice) out += ')';
      return;
    }
    case ExprKind::Binary: {
      const Precedence level = info(e.op).precedence;
      print(*e.operands[0], level, out);
      out += fmt::format(" {} ", spelling(e.op));
      print(*e.operands[1], tighter(level), out);
      return;
    }
    case ExprKind::Conditional:
      print(*e.operands[0], tighter(level_of(e)), out);
      out += fmt::format(" {} ", spelling(e.op));
      if (e.op == Operator::Implies) return print(*e.operands[1], Precedence::Implies, out);
      print(*e.operands[1], Precedence::Conditional, out);
      out += " : ";
      print(*e.operands[2], Precedence::Conditional, out);
      return;
    case ExprKind::Call:
      if (e.has_receiver) {
        print(*e.operands[0], Precedence::Postfix, out);
        out += '.' + quote_name(e.text);
        print_list(e.operands, 1, out);
      } else {
        out += expression_name(e.text);
        print_list(e.operands, 0, out);
      }
      return;
    case ExprKind::Any:
      out += "any(";
      if (e.operands.empty()) {
        out += e.text == "bool" ? e.text : quote_name(e.text);
      } else {
        print(*e.operands[0], Precedence::None, out);
        out += "..";
        print(*e.operands[1], Precedence::None, out);
      }
      out += ')';
      return;
    case ExprKind::InState:
      print(*e.operands[0], Precedence::Relational, out);
      out += " in " + e.text;
      return;
    case ExprKind::QueueLength:
      out += "len(";
      print(*e.operands[0], Precedence::None, out);
      out += ')';
      return;
    case ExprKind::QueueHas:
      print(*e.operands[0], Precedence::Relational, out);
      out += " has " + quote_name(e.text);
      return;
    case ExprKind::Event:
      out += show(*e.event);
      return;
    case ExprKind::Pattern:
      break;  // only while a check is parsed
    case ExprKind::Forall:
    case ExprKind::Exists:
      out += e.kind == ExprKind::Forall ? "forall (" : "exists (";
      out += expression_name(e.text) + " : ";
      print(*e.operands[0], Precedence::None, out);
      out += ") ";
      print(*e.operands[1], Precedence::None, out);
      return;
  }
}

void print(const Expr& e, Precedence lowest, std::string& out) {
  const bool parentheses = level_of(e) < lowest || (e.parenthesised && level_of(e) < Precedence::Postfix &&
                                                    lowest > Precedence::None);
  if (parentheses) out += '(';
  print_plain(e, out);
  if (parentheses) out += ')';
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string escape(std::string_view text, char quote) {
  std::string out(1, quote);
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    const diag::Rune rune = diag::decode_utf8(text, i);
    const std::string_view bytes = text.substr(i, std::max<std::size_t>(rune.bytes, 1));
    if (c == '\\' || c == quote) {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (rune.bytes > 0 && diag::is_hidden(rune.code)) {  // the language has escapes for bytes only
      for (const char b : bytes) out += fmt::format("\\x{:02x}", static_cast<unsigned char>(b));
    } else {
      out += bytes;
    }
    i += bytes.size();
  }
  return out + quote;
}

}  // namespace

std::size_t letter_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : static_cast<unsigned char>(0);
  };
  const unsigned char lead = byte(at);
  std::size_t length = 0;
  std::uint32_t rune = 0;
  if (lead >= 0xC3 && lead < 0xE0) {
    length = 2;
    rune = lead & 0x1Fu;
  } else if (lead >= 0xE0 && lead < 0xF0) {
    length = 3;
    rune = lead & 0x0Fu;
  } else {
    return 0;
  }
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0) != 0x80) return 0;
    rune = (rune << 6) | (byte(at + i) & 0x3Fu);
  }
  const bool odd = rune < 0xC0 || rune == 0xD7 || rune == 0xF7 || (rune >= 0x2000 && rune <= 0x2BFF) ||
                   (rune >= 0x3000 && rune <= 0x3004) || (rune >= 0xD800 && rune <= 0xF8FF) || rune >= 0xFE00;
  return odd ? 0 : length;
}

bool is_plain_name(std::string_view name) {
  static constexpr std::string_view kReserved[] = {"true",   "false", "null",  "this",   "if",
                                                   "else",   "for",   "while", "return", "assert",
                                                   "either", "int",   "bool",  "void"};
  if (name.empty() || is_digit(name[0])) return false;
  for (std::size_t i = 0; i < name.size();) {
    const std::size_t length = is_letter(name[i]) || is_digit(name[i]) ? 1 : letter_length(name, i);
    if (length == 0) return false;
    i += length;
  }
  return std::find(std::begin(kReserved), std::end(kReserved), name) == std::end(kReserved);
}

std::string quote_name(std::string_view name) {
  return is_plain_name(name) ? std::string(name) : escape(name, '`');
}
std::string quote_text(std::string_view text) {
  return escape(text, '"');
}

std::string join_path(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& n : names) {
    if (!out.empty()) out += '.';
    out += quote_name(n);
  }
  return out;
}

std::vector<std::string> split_path(std::string_view path) {
  std::vector<std::string> names(1);
  bool quoted = false;
  const auto digit = [](char c) { return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10; };
  for (std::size_t i = 0; i < path.size(); ++i) {
    const char c = path[i];
    if (c == '`') {
      quoted = !quoted;
    } else if (quoted && c == '\\' && i + 1 < path.size()) {
      const char d = path[++i];
      if (d == 'n')
        names.back() += '\n';
      else if (d == 't')
        names.back() += '\t';
      else if (d == 'x' && i + 2 < path.size()) {
        names.back() += static_cast<char>(digit(path[i + 1]) * 16 + digit(path[i + 2]));
        i += 2;
      } else
        names.back() += d;
    } else if (c == '.' && !quoted) {
      names.emplace_back();
    } else {
      names.back() += c;
    }
  }
  return names;
}

std::string show(const Expr& e, Precedence lowest) {
  std::string out;
  print(e, lowest, out);
  return out;
}

std::string show(const TypeRef& t) {
  static constexpr std::string_view kBuiltIn[] = {"bool", "int", "void", "timer"};
  const bool built_in = std::find(std::begin(kBuiltIn), std::end(kBuiltIn), t.name) != std::end(kBuiltIn);
  std::string out = built_in ? t.name : quote_name(t.name);
  if (t.lo && t.hi) return out + '(' + show(*t.lo) + ".." + show(*t.hi) + ')';
  if (t.hi) return out + '(' + show(*t.hi) + ')';
  return out;
}

std::string show(const ModelType& t, const Model& m) {
  std::string out;
  switch (t.tag) {
    case TypeTag::Unknown:
      return "?";
    case TypeTag::Void:
      return "void";
    case TypeTag::Bool:
      out = "bool";
      break;
    case TypeTag::Int:
      out = t.is_full_int() ? "int" : fmt::format("int({}..{})", t.lo, t.hi);
      break;
    case TypeTag::Enum:
      out = quote_name(m.enums[t.enumeration.index()].name);
      break;
    case TypeTag::Ref:
      out = t.of_class.valid() ? quote_name(m.of(t.of_class).name) : "null";
      break;
    case TypeTag::Timer:
      out = "timer";
      break;
  }
  if (t.is_array()) out += fmt::format("[{}]", t.array);
  return out;
}

std::string show(const Trigger& t) {
  switch (t.kind) {
    case TriggerKind::None:
      return {};
    case TriggerKind::AnySignal:
      return "any";
    case TriggerKind::Timeout:
      return "timeout " + quote_name(t.name);
    case TriggerKind::Change:
      return "when (" + show(*t.value) + ')';
    case TriggerKind::After: {
      const bool simple = level_of(*t.value) == Precedence::Postfix && t.value->kind != ExprKind::Field &&
                          t.value->kind != ExprKind::Index &&
                          !(t.value->kind == ExprKind::Call && t.value->has_receiver);
      return simple ? "after " + show(*t.value) : "after (" + show(*t.value) + ')';
    }
    case TriggerKind::Signal:
      break;
  }
  std::string out = t.name == "any" || t.name == "timeout" ? '`' + t.name + '`' : quote_name(t.name);
  if (t.parameters.empty()) return out;
  out += '(';
  for (std::size_t i = 0; i < t.parameters.size(); ++i)
    out += (i > 0 ? ", " : "") + quote_name(t.parameters[i]);
  return out + ')';
}

std::string show(const CheckDecl& c) {
  switch (c.kind) {
    case CheckKind::NoDeadlock:
      return "no deadlock";
    case CheckKind::NoLostMessages:
      return "no lost messages";
    case CheckKind::NoAssertionFailures:
      return "no assertion failures";
    case CheckKind::NoRuntimeErrors:
      return "no run-time errors";
    case CheckKind::NoOverflow:
      return "no overflow";
    case CheckKind::NoUnreachableStates:
      return "no unreachable states";
    case CheckKind::NoUnreachableTransitions:
      return "no unreachable transitions";
    case CheckKind::NoEndlessCompletion:
      return "no endless completion";
    case CheckKind::NoUnboundedQueues:
      return "no unbounded queues";
    case CheckKind::Always:
      return "always (" + show(*c.expression) + ')';
    case CheckKind::Never:
      return "never (" + show(*c.expression) + ')';
    case CheckKind::Reachable:
      return "reachable (" + show(*c.expression) + ')';
    case CheckKind::Temporal:
      return show(*c.formula);
  }
  return {};
}

std::string show_word(VertexKind kind) {
  switch (kind) {
    case VertexKind::State:
      return "state";
    case VertexKind::Final:
      return "final";
    case VertexKind::Initial:
      return "initial";
    case VertexKind::Choice:
      return "choice";
    case VertexKind::Junction:
      return "junction";
    case VertexKind::ShallowHistory:
      return "history";
    case VertexKind::DeepHistory:
      return "deep history";
    case VertexKind::Fork:
      return "fork";
    case VertexKind::Join:
      return "join";
    case VertexKind::Terminate:
      return "terminate";
    case VertexKind::EntryPoint:
      return "entry point";
    case VertexKind::ExitPoint:
      return "exit point";
  }
  return {};
}

std::string show_word(Overflow overflow) {
  switch (overflow) {
    case Overflow::Block:
      return "block";
    case Overflow::Cut:
      return "cut";
    case Overflow::Lose:
      return "lose";
    case Overflow::Error:
      return "error";
  }
  return {};
}

}  // namespace parley::model
