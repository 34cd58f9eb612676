#include <fmt/format.h>

#include "front/text/grammar.hpp"

namespace parley::front::text {

using model::CheckKind;
using model::Expr;
using model::ExprKind;

namespace {

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
  bool known = false;
  {
    const Switched formulas(temporal_, true);
    known = property_check(c);
  }
  c.span = since(first);
  expect_semicolon("the check");
  if (!known) return;
  m.order.emplace_back('q', static_cast<std::uint32_t>(m.checks.size()));
  m.checks.push_back(std::move(c));
}

// False: an error that was told; there is nothing to check.
bool Grammar::property_check(model::CheckDecl& c) {
  if (at_word("reachable") && !at(".", 1) && !at_word("in", 1)) {
    take();
    c.kind = CheckKind::Reachable;
    c.expression = expression();
    if (is_temporal(*c.expression)) return false;
    settle_equivalences(*c.expression);
    return true;
  }
  if (!at_word("no") || !at_name(1)) {
    c.kind = CheckKind::Temporal;
    const std::size_t errors = diagnostics_.error_count();
    c.formula = formula(expression());
    if (diagnostics_.error_count() > errors) return false;
    state_property(c);
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

// `always P` and `never P` of a state predicate ask about states, not about runs.
void Grammar::state_property(model::CheckDecl& c) {
  model::Formula& f = *c.formula;
  const bool always = f.kind == model::Formula::Kind::Globally && f.in_words;
  const bool never = f.kind == model::Formula::Kind::Pattern && f.pattern->pattern == ltl::Pattern::Absence &&
                     f.pattern->scope == ltl::Scope::Globally;
  if (!(always || never) || f.operands[0]->kind != model::Formula::Kind::Predicate) return;
  c.kind = always ? CheckKind::Always : CheckKind::Never;
  c.expression = std::move(f.operands[0]->expression);
  c.formula.reset();
}

bool Grammar::is_temporal(const Expr& e) {
  if (formula_only(e)) {
    diagnostics_.error("temporal-operator", e.span, "a temporal operator or event inside 'reachable'",
                       "'reachable' asks for one state; what must not happen in a run is a check of its own: "
                       "check never (…);");
    return true;
  }
  for (const ExprPtr& o : e.operands) {
    if (is_temporal(*o)) return true;
  }
  return false;
}

bool Grammar::at_assumption() const {
  return at_word("assume") && (at_word("fair", 1) || at_word("weakly", 1) || at_word("strongly", 1));
}

// assume fair scheduling;   assume weakly fair (o);   assume strongly fair (queue of o);   … (o takes t);
void Grammar::assume(model::Model& m, const Token& first) {
  take();
  model::FairnessDecl d;
  const bool weakly = accept_word("weakly");
  d.strong = !weakly && accept_word("strongly");
  expect_word("fair", "after 'assume'");
  if (accept_word("scheduling")) {
    d.of = model::FairnessDecl::Of::Scheduling;
  } else {
    expect("(", "or 'scheduling' after 'fair'");
    if (at_word("queue") && at_word("of", 1)) {
      take();
      take();
      d.of = model::FairnessDecl::Of::Queue;
      d.event.object = postfix();
    } else {
      const Switched formulas(temporal_, true);
      ExprPtr what = expression();
      d.of = what->kind == ExprKind::Event ? model::FairnessDecl::Of::Event : model::FairnessDecl::Of::Steps;
      if (what->kind == ExprKind::Event)
        d.event = std::move(*what->event);
      else
        d.event.object = std::move(what);
    }
    expect(")", "after what is fair");
  }
  d.span = since(first);
  expect_semicolon("the assumption");
  m.order.emplace_back('f', static_cast<std::uint32_t>(m.fairness.size()));
  m.fairness.push_back(std::move(d));
}

}  // namespace parley::front::text
