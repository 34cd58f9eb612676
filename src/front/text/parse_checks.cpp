#include <fmt/format.h>

#include <unordered_set>

#include "front/text/grammar.hpp"

namespace parley::front::text {

using model::CheckKind;
using model::Expr;
using model::ExprKind;
using model::Formula;
using model::Operator;

namespace {

bool is_temporal_node(const Expr& e) {
  const Operator o = e.op;
  if (o == Operator::Globally || o == Operator::Finally || o == Operator::Next) return true;
  if (o == Operator::Until || o == Operator::WeakUntil || o == Operator::Release) return true;
  return e.kind == ExprKind::Event;
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
  if (e.op == Operator::Iff) e.op = Operator::Eq;
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
    if (e->kind == ExprKind::Event) {
      f->kind = Formula::Kind::Event;
      settle_equivalences(*e->operands[0]);
      f->event = model::EventAtom{e->event, std::move(e->operands[0]), e->text, e->name_span, {}};
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
    struct Row {
      Operator op;
      Formula::Kind kind;
    };
    static constexpr Row kRows[] = {
        {Operator::Not, Formula::Kind::Not},         {Operator::AndAlso, Formula::Kind::And},
        {Operator::OrElse, Formula::Kind::Or},       {Operator::Implies, Formula::Kind::Implies},
        {Operator::Iff, Formula::Kind::Iff},         {Operator::Globally, Formula::Kind::Globally},
        {Operator::Finally, Formula::Kind::Finally}, {Operator::Next, Formula::Kind::Next},
        {Operator::Until, Formula::Kind::Until},     {Operator::WeakUntil, Formula::Kind::WeakUntil},
        {Operator::Release, Formula::Kind::Release}};
    for (const Row& r : kRows) {
      if (e.op == r.op) return kind = r.kind, true;
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
