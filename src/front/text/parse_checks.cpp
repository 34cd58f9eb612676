#include <fmt/format.h>

#include <unordered_set>

#include "front/text/grammar.hpp"

namespace parley::front::text {

using model::CheckKind;
using model::Expr;
using model::ExprKind;
using model::Formula;

namespace {

bool is_temporal_node(const Expr& e) {
  if (e.kind == ExprKind::Unary) return e.text == "G" || e.text == "F" || e.text == "X";
  if (e.kind == ExprKind::Binary) return e.text == "U" || e.text == "W" || e.text == "R";
  return e.kind == ExprKind::QueueHas && e.value != 0;
}

// Collects the nodes that are or contain a temporal operator or an event.
bool collect_temporal(const Expr& e, std::unordered_set<const Expr*>& into) {
  bool found = is_temporal_node(e);
  for (const model::ExprPtr& o : e.operands) found = collect_temporal(*o, into) || found;
  if (found) into.insert(&e);
  return found;
}

// `a <-> b` between state predicates is a == b.
void settle_equivalences(Expr& e) {
  if (e.kind == ExprKind::Binary && e.text == "<->") e.text = "==";
  for (const model::ExprPtr& o : e.operands) settle_equivalences(*o);
}

struct Convert {
  const std::unordered_set<const Expr*>& temporal;
  diag::Diagnostics& diagnostics;

  model::FormulaPtr operator()(model::ExprPtr e) const {
    auto f = std::make_unique<Formula>();
    f->span = e->span;
    if (!temporal.contains(e.get())) {
      settle_equivalences(*e);
      f->expression = std::move(e);
      return f;
    }
    if (e->kind == ExprKind::QueueHas && e->value != 0) {
      f->kind = e->value == 1 ? Formula::Kind::Sends : Formula::Kind::Receives;
      f->text = e->text;
      f->expression = std::move(e->operands[0]);
      return f;
    }
    if (!kind_of(*e, f->kind)) {
      diagnostics.error("temporal-inside", e->span,
                        "a temporal operator or event stands inside an ordinary expression",
                        "only ! && || -> <-> and temporal operators may be around it");
      f->expression = std::make_unique<Expr>();
      f->expression->kind = ExprKind::BoolLiteral;
      return f;
    }
    const std::size_t count = e->kind == ExprKind::Unary ? 1 : 2;
    for (std::size_t i = 0; i < count; ++i) f->operands.push_back((*this)(std::move(e->operands[i])));
    return f;
  }

  static bool kind_of(const Expr& e, Formula::Kind& kind) {
    if (e.kind == ExprKind::Conditional && e.text == "->") return kind = Formula::Kind::Implies, true;
    struct Word {
      ExprKind of;
      const char* text;
      Formula::Kind kind;
    };
    static constexpr Word kWords[] = {
        {ExprKind::Unary, "!", Formula::Kind::Not},        {ExprKind::Unary, "G", Formula::Kind::Globally},
        {ExprKind::Unary, "F", Formula::Kind::Finally},    {ExprKind::Unary, "X", Formula::Kind::Next},
        {ExprKind::Binary, "&&", Formula::Kind::And},      {ExprKind::Binary, "||", Formula::Kind::Or},
        {ExprKind::Binary, "<->", Formula::Kind::Iff},     {ExprKind::Binary, "U", Formula::Kind::Until},
        {ExprKind::Binary, "W", Formula::Kind::WeakUntil}, {ExprKind::Binary, "R", Formula::Kind::Release}};
    for (const Word& w : kWords) {
      if (e.kind == w.of && e.text == w.text) return kind = w.kind, true;
    }
    return false;
  }
};

struct Phrase {
  std::string_view words;
  CheckKind kind;
};
constexpr Phrase kPhrases[] = {{"deadlock", CheckKind::NoDeadlock},
                               {"lost messages", CheckKind::NoLostMessages},
                               {"assertion failures", CheckKind::NoAssertionFailures},
                               {"run-time errors", CheckKind::NoRuntimeErrors},
                               {"overflow", CheckKind::NoOverflow},
                               {"unreachable states", CheckKind::NoUnreachableStates},
                               {"unreachable transitions", CheckKind::NoUnreachableTransitions},
                               {"endless completion", CheckKind::NoEndlessCompletion},
                               {"unbounded queues", CheckKind::NoUnboundedQueues}};

}  // namespace

void Grammar::check(model::Model& m, const Token& first) {
  take();
  model::CheckDecl c;
  if (at_name() && at(":", 1)) {
    c.name = expect_name("a label");
    take();
  }
  temporal_ = true;
  bool known = false;
  try {
    known = property_check(c);
  } catch (const Panic&) {
    temporal_ = false;
    throw;
  }
  temporal_ = false;
  c.span = since(first);
  expect_semicolon("the check");
  if (!known) return;
  m.order.emplace_back('q', static_cast<std::uint32_t>(m.checks.size()));
  m.checks.push_back(std::move(c));
}

// False: an error that was told; there is nothing to check.
bool Grammar::property_check(model::CheckDecl& c) {
  struct Word {
    std::string_view text;
    CheckKind kind;
  };
  static constexpr Word kWords[] = {
      {"always", CheckKind::Always}, {"never", CheckKind::Never}, {"reachable", CheckKind::Reachable}};
  for (const Word& w : kWords) {
    if (!at_word(w.text) || at(".", 1) || at_word("in", 1)) continue;
    take();
    c.kind = w.kind;
    c.expression = expression();
    if (is_temporal(*c.expression)) return false;
    settle_equivalences(*c.expression);
    return true;
  }
  if (!at_word("no") || !at_name(1)) {
    c.kind = CheckKind::Temporal;
    c.formula = formula(expression());
    return true;
  }
  take();
  const Token& start = peek();
  std::string words;
  std::vector<std::string> known;
  for (const Phrase& p : kPhrases) known.emplace_back(p.words);
  while (at_name() || (at("-") && at_name(1))) {
    if (at("-")) {
      take();
      words += "-";
    } else if (!words.empty() && words.back() != '-') {
      words += " ";
    }
    words += name_text(take());
  }
  if (words == "runtime errors") words = "run-time errors";
  for (const Phrase& p : kPhrases) {
    if (p.words != words) continue;
    c.kind = p.kind;
    return true;
  }
  const std::string near = diag::did_you_mean(words, known);
  diagnostics_.error("unknown-check", since(start), fmt::format("there is no check called 'no {}'", words),
                     near.empty() ? fmt::format("known ones are: no {}", fmt::join(known, ", no "))
                                  : fmt::format("did you mean 'no {}'?", near));
  return false;
}

model::FormulaPtr Grammar::formula(ExprPtr e) {
  std::unordered_set<const Expr*> temporal;
  collect_temporal(*e, temporal);
  return Convert{temporal, diagnostics_}(std::move(e));
}

bool Grammar::is_temporal(const Expr& e) {
  if (is_temporal_node(e)) {
    diagnostics_.error("temporal-operator", e.span, "a temporal operator or event inside a state check",
                       "write a temporal check without 'always', 'never' or 'reachable': check G (…);");
    return true;
  }
  for (const ExprPtr& o : e.operands) {
    if (is_temporal(*o)) return true;
  }
  return false;
}

}  // namespace parley::front::text
