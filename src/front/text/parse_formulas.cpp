// What only formulas have: temporal operators, events, patterns with their scopes; and from the expression
// that all of it is parsed as to the formula. An expression first, because only behind it one sees whether
// `(a.x + b.x` went on as a number or as a formula.
#include <fmt/format.h>

#include <optional>
#include <unordered_set>

#include "front/text/grammar.hpp"

namespace parley::front::text {

using model::EventKind;
using model::Expr;
using model::ExprKind;
using model::Formula;
using model::Operator;
using model::Precedence;

namespace {

// Collects the nodes that are or contain a temporal operator or an event.
bool collect_temporal(const Expr& e, std::unordered_set<const Expr*>& into) {
  bool found = formula_only(e);
  for (const model::ExprPtr& o : e.operands) found = collect_temporal(*o, into) || found;
  if (found) into.insert(&e);
  return found;
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
      f->event = std::move(*e->event);
      return f;
    }
    if (e->kind == ExprKind::Forall || e->kind == ExprKind::Exists) {
      f->kind = e->kind == ExprKind::Forall ? Formula::Kind::Forall : Formula::Kind::Exists;
      f->variable = e->text;
      f->variable_span = e->name_span;
      f->expression = std::move(e->operands[0]);
      f->operands.push_back((*this)(std::move(e->operands[1])));
      return f;
    }
    if (e->kind == ExprKind::Pattern) {
      f->kind = Formula::Kind::Pattern;
      f->pattern = std::move(*e->pattern);
      for (model::ExprPtr& o : e->operands) f->operands.push_back((*this)(std::move(o)));
      return f;
    }
    const std::optional<Formula::Kind> kind = kind_of(e->op);
    if (!kind) {
      diagnostics.error("temporal-inside", e->span,
                        "a temporal operator or event stands inside an ordinary expression",
                        "only ! && || -> <->, forall, exists and temporal operators may be around it");
      f->expression = std::make_unique<Expr>();
      f->expression->kind = ExprKind::BoolLiteral;
      return f;
    }
    f->kind = *kind;
    f->in_words = !e->text.empty();
    const std::size_t count = e->kind == ExprKind::Unary ? 1 : 2;
    for (std::size_t i = 0; i < count; ++i) f->operands.push_back((*this)(std::move(e->operands[i])));
    return f;
  }

  static std::optional<Formula::Kind> kind_of(Operator op) {
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
    for (const Row& r : kRows)
      if (op == r.op) return r.kind;
    return std::nullopt;
  }
};

// `always P` and `eventually P` are patterns where a scope follows.
std::optional<ltl::Pattern> pattern_of(const Expr& e) {
  if (e.parenthesised) return std::nullopt;
  if (e.kind == ExprKind::Pattern && e.pattern->scope == ltl::Scope::Globally) return e.pattern->pattern;
  if (e.kind != ExprKind::Unary || e.text.empty()) return std::nullopt;
  if (e.op == Operator::Globally) return ltl::Pattern::Universality;
  if (e.op == Operator::Finally) return ltl::Pattern::Existence;
  return std::nullopt;
}

}  // namespace

bool formula_only(const Expr& e) {
  if (e.kind == ExprKind::Event || e.kind == ExprKind::Pattern) return true;
  const Operator o = e.op;
  return o == Operator::Globally || o == Operator::Finally || o == Operator::Next || o == Operator::Until ||
         o == Operator::WeakUntil || o == Operator::Release;
}

std::optional<EventKind> event_word(std::string_view word) {
  if (word == "sends") return EventKind::Sends;
  if (word == "receives") return EventKind::Receives;
  if (word == "discards") return EventKind::Discards;
  if (word == "takes") return EventKind::Takes;
  return std::nullopt;
}

void settle_equivalences(Expr& e) {
  if (e.op == Operator::Iff) e.op = Operator::Eq;
  for (const model::ExprPtr& o : e.operands) settle_equivalences(*o);
}

model::FormulaPtr Grammar::formula(ExprPtr e) {
  std::unordered_set<const Expr*> temporal;
  collect_temporal(*e, temporal);
  return Convert{temporal, diagnostics_}(std::move(e));
}

// A word before an operand; before anything else it is a name: an object called G, or next.
bool Grammar::at_prefix_temporal() const {
  if (!temporal_ || !at_name() || peek().quoted) return false;
  const std::string_view word = text(peek());
  if (model::operator_spelled(word, 1) == Operator::None &&
      model::operator_worded(word, 1) == Operator::None && word != "never")
    return false;
  const Token& next = peek(1);
  if (next.kind == TokenKind::Integer || at("(", 1) || at("!", 1) || at("-", 1) || at("~", 1)) return true;
  if (next.kind != TokenKind::Name) return false;
  if (next.quoted) return true;
  const std::string_view follower = text(next);
  for (const std::string_view infix : {"in", "has", "leads", "precedes", "at", "before", "after", "between"})
    if (follower == infix) return false;
  return !event_word(follower) && model::operator_spelled(follower, 2) == Operator::None &&
         model::operator_worded(follower, 2) == Operator::None;
}

// Letters bind tightly: G p && q is (G p) && q. Words take all that follows, as quantifiers do.
model::ExprPtr Grammar::prefix_temporal() {
  const Token& op = take();
  auto e = std::make_unique<Expr>();
  if (text(op) == "never") {
    e->kind = ExprKind::Pattern;
    e->pattern = std::make_unique<model::PatternUse>();
    e->operands.push_back(binary(Precedence::Iff));
  } else {
    e->kind = ExprKind::Unary;
    e->op = model::operator_spelled(text(op), 1);
    const bool letter = e->op != Operator::None;
    if (!letter) {
      e->op = model::operator_worded(text(op), 1);
      e->text = text(op);
    }
    e->operands.push_back(binary(letter ? Precedence::BitOr : Precedence::Iff));
  }
  e->span = diag::join(span(op), e->operands[0]->span);
  grow(height_ + 1, e->span);
  return e;
}

// o sends verify(pin, _) to bank where pin > 3;   o receives card;   o takes retry
model::ExprPtr Grammar::event(ExprPtr object, const Token& word) {
  auto e = std::make_unique<Expr>();
  e->kind = ExprKind::Event;
  e->event = std::make_unique<model::EventAtom>();
  model::EventAtom& atom = *e->event;
  atom.kind = *event_word(text(word));
  const bool takes = atom.kind == EventKind::Takes;
  const Span start = object->span;
  atom.object = std::move(object);
  atom.name = expect_name(takes ? "the label of a transition" : "the name of a signal", &atom.name_span);
  Span last = atom.name_span;
  if (!takes && accept("(")) {
    atom.has_parameters = true;
    while (!at(")")) {
      atom.parameters.push_back(expect_name("a name for the value, or _"));
      if (!accept(",") && !at(")")) fail("',' or ')' after the name");
    }
    last = span(take());
  }
  int height = 1;
  for (;;) {
    if (!takes && !atom.where && accept_word("where")) {
      const Switched plain(temporal_, false);
      atom.where = binary(Precedence::BitOr);
      last = atom.where->span;
      height = std::max(height, height_ + 1);
    } else if (atom.kind == EventKind::Sends && !atom.to && accept_word("to")) {
      atom.to = postfix();
      last = atom.to->span;
    } else {
      break;
    }
  }
  e->span = atom.span = diag::join(start, last);
  grow(height, e->span);
  return e;
}

model::ExprPtr Grammar::pattern_or_formula() {
  const Switched known(until_ends_, false);
  ExprPtr e = binary(Precedence::Iff);
  const int height = height_;
  if ((at_word("leads") && at_word("to", 1)) || at_word("precedes") || (at_word("at") && at_word("most", 1)))
    e = pattern(std::move(e));
  if (at_word("before") || at_word("after") || at_word("between")) e = scoped(std::move(e));
  height_ = std::max(height, height_);
  return e;
}

// P leads to S,   S precedes P,   P at most n times
model::ExprPtr Grammar::pattern(ExprPtr first) {
  if ((first->kind == ExprKind::Unary && !first->text.empty() && !first->parenthesised) ||
      (first->kind == ExprKind::Pattern && !first->parenthesised)) {
    diagnostics_.error("ambiguous-pattern", first->span,
                       fmt::format("it is not clear how far this reaches before '{}'", text(peek())),
                       "put one of the two in parentheses");
  }
  auto e = std::make_unique<Expr>();
  e->kind = ExprKind::Pattern;
  e->pattern = std::make_unique<model::PatternUse>();
  const Span start = first->span;
  int height = height_;
  e->operands.push_back(std::move(first));
  if (accept_word("at")) {
    take();
    e->pattern->pattern = ltl::Pattern::BoundedExistence;
    e->pattern->times = unary();
    expect_word("times", "after the number");
  } else {
    const bool leads = accept_word("leads");
    e->pattern->pattern = leads ? ltl::Pattern::Response : ltl::Pattern::Precedence;
    take();
    e->operands.push_back(binary(Precedence::Iff));
  }
  e->span = {start.file, start.begin, last_end_};
  grow(std::max(height, height_) + 1, e->span);
  return e;
}

// … before R,   … after Q,   … between Q and R,   … after Q until R
model::ExprPtr Grammar::scoped(ExprPtr inner) {
  const Token& word = peek();
  const std::optional<ltl::Pattern> pattern = pattern_of(*inner);
  if (!pattern) {
    fail_at(span(word), "scope-without-pattern", fmt::format("'{}' belongs to no pattern", text(word)),
            "a scope follows never P, always P, eventually P, P leads to S, S precedes P, P at most n times");
  }
  if (inner->kind != ExprKind::Pattern) {
    inner->kind = ExprKind::Pattern;
    inner->op = Operator::None;
    inner->text.clear();
    inner->pattern = std::make_unique<model::PatternUse>();
    inner->pattern->pattern = *pattern;
  }
  int height = height_;
  take();
  ltl::Scope& scope = inner->pattern->scope;
  if (text(word) == "before") {
    scope = ltl::Scope::Before;
  } else {
    scope = ltl::Scope::After;
    inner->operands.push_back(scope_start());
    height = std::max(height, height_);
    if (text(word) == "between") {
      scope = ltl::Scope::Between;
      expect_word("and", "between where the scope starts and where it ends");
    } else if (accept_word("until")) {
      scope = ltl::Scope::AfterUntil;
    }
  }
  if (ltl::has_end(scope)) inner->operands.push_back(binary(Precedence::Iff));
  inner->span.end = last_end_;
  grow(std::max(height, height_) + 1, inner->span);
  return inner;
}

model::ExprPtr Grammar::scope_start() {
  const Switched ends(until_ends_, true);
  return binary(Precedence::Iff);
}

}  // namespace parley::front::text
