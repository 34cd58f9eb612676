#include "lower/formulas.hpp"

#include <algorithm>

#include "expr/op_views.hpp"
#include "ltl/formula.hpp"
#include "model/show.hpp"
#include "system/may_fail.hpp"

namespace parley::lower {

using system::Formula;
using Kind = system::Formula::Kind;

namespace {

// Operators and atoms of one formula, patterns and quantifiers written out. Automata of formulas that people
// write have a few dozen; ten thousand are a mistake, or a pattern over a family that is too large.
constexpr std::size_t kMostParts = 4000;

// Makes formulas of the System, as ltl/patterns.hpp asks for it.
struct Builder {
  diag::Span span;

  Formula made(Kind kind, std::vector<Formula> operands) const {
    Formula f;
    f.kind = kind;
    f.operands = std::move(operands);
    f.span = span;
    return f;
  }
  Formula negate(const Formula& f) const { return made(Kind::Not, {f}); }
  Formula both(const Formula& f, const Formula& g) const { return made(Kind::And, {f, g}); }
  Formula either(const Formula& f, const Formula& g) const { return made(Kind::Or, {f, g}); }
  Formula implies(const Formula& f, const Formula& g) const { return made(Kind::Implies, {f, g}); }
  Formula next(const Formula& f) const { return made(Kind::Next, {f}); }
  Formula eventually(const Formula& f) const { return made(Kind::Finally, {f}); }
  Formula always(const Formula& f) const { return made(Kind::Globally, {f}); }
  Formula until(const Formula& f, const Formula& g) const { return made(Kind::Until, {f, g}); }
  Formula weak_until(const Formula& f, const Formula& g) const { return made(Kind::WeakUntil, {f, g}); }
};

// Copied by patterns several times, so its size is asked before.
std::size_t parts_of(const Formula& f) {
  std::size_t n = 1;
  for (const Formula& o : f.operands) n += parts_of(o);
  return n;
}

bool reads_state(const expr::Pool& pool, ExprId e) {
  switch (expr::form(pool[e].op)) {
    case expr::Form::Cell:
    case expr::Form::Local:
    case expr::Form::Elem:
    case expr::Form::QueueLen:
    case expr::Form::QueueCap:
    case expr::Form::QueueHas:
    case expr::Form::HeadIs:
    case expr::Form::Idle:
      return true;
    case expr::Form::Const:
    case expr::Form::Param:
    case expr::Form::Unary:
    case expr::Form::Binary:
    case expr::Form::AndAlso:
    case expr::Form::OrElse:
    case expr::Form::Cond:
      break;
  }
  const auto operands = pool.operands(e);
  return std::any_of(operands.begin(), operands.end(), [&](ExprId x) { return reads_state(pool, x); });
}

// What a condition on a message may not do: look at anything but the message, or fail.
void check_condition(Context& c, ExprId where, const model::Expr& written) {
  const bool looks = reads_state(c.pool(), where);
  if (looks)
    c.refuse("where-reads-state", written.span,
             "the condition of 'where' looks at more than the values of the message",
             "write the rest beside the event: o receives s(x) where x > 3 && o.limit > 0");
  else if (system::may_fail(c.system, where))
    c.refuse("where-may-fail", written.span, "the condition of 'where' can fail (division, overflow, index)",
             "a formula must have a truth value for every message");
}

// As the user calls it, but for the variable of a quantifier.
std::string name_of(const Context& c, const model::Expr& object, const Scope& scope) {
  if (object.symbol == model::SymbolKind::BoundVariable)
    if (const auto bound = scope.bound.find(object.text); bound != scope.bound.end())
      return c.objects[bound->second].name;
  return model::show(object);
}

class Lowering {
 public:
  explicit Lowering(Context& c) : c_(c) {}

  Formula run(const model::Formula& f) {
    Scope scope;
    span_ = f.span;
    return made(f, scope);
  }

 private:
  static Kind kind_of(model::Formula::Kind k) {
    using From = model::Formula::Kind;
    switch (k) {
      case From::Predicate:
        return Kind::Predicate;
      case From::Event:
        return Kind::Event;
      case From::Not:
        return Kind::Not;
      case From::And:
      case From::Forall:
        return Kind::And;
      case From::Or:
      case From::Exists:
        return Kind::Or;
      case From::Implies:
        return Kind::Implies;
      case From::Iff:
        return Kind::Iff;
      case From::Globally:
        return Kind::Globally;
      case From::Finally:
        return Kind::Finally;
      case From::Until:
        return Kind::Until;
      case From::WeakUntil:
        return Kind::WeakUntil;
      case From::Release:
        return Kind::Release;
      case From::Next:
        return Kind::Next;
      case From::Pattern:
        break;
    }
    return Kind::Predicate;
  }

  bool grow(std::size_t parts) {
    parts_ += parts;
    if (parts_ <= kMostParts) return true;
    if (!c_.refused)
      c_.refuse("formula-too-large", span_,
                "this formula has more than " + std::to_string(kMostParts) + " operators and atoms" +
                    (quantified_ ? ", written out for every object" : ""),
                "check its parts one by one");
    return false;
  }

  Formula truth(bool value) {
    Formula f;
    f.predicate = c_.pool().boolean(value);
    f.span = span_;
    return f;
  }

  Formula made(const model::Formula& f, Scope& scope) {
    if (c_.refused || !grow(1)) return truth(true);
    if (f.kind == model::Formula::Kind::Forall || f.kind == model::Formula::Kind::Exists)
      return over_objects(f, scope);
    if (f.kind == model::Formula::Kind::Pattern) return pattern(f, scope);
    Formula result;
    result.kind = kind_of(f.kind);
    result.span = f.span;
    if (f.expression) {
      result.predicate = pure(c_, *f.expression, scope);
      count_atom(result);
    }
    if (f.event) {
      result.event = event(c_, *f.event, scope);
      count_atom(result);
    }
    for (const model::FormulaPtr& o : f.operands) result.operands.push_back(made(*o, scope));
    return result;
  }

  Formula over_objects(const model::Formula& f, Scope& scope) {
    const bool all = f.kind == model::Formula::Kind::Forall;
    quantified_ = true;
    std::optional<Formula> result;
    for (const std::uint32_t number : objects_named(c_, *f.expression, scope)) {
      Scope inner = scope;
      inner.bound[f.variable] = number;
      Formula one = made(*f.operands[0], inner);
      const Builder b{f.span};
      result = !result ? std::move(one) : all ? b.both(*result, one) : b.either(*result, one);
      if (c_.refused) break;
    }
    return result ? std::move(*result) : truth(all);
  }

  Formula pattern(const model::Formula& f, Scope& scope) {
    const model::PatternUse& use = *f.pattern;
    std::vector<Formula> operands;
    for (const model::FormulaPtr& o : f.operands) operands.push_back(made(*o, scope));
    if (c_.refused) return truth(true);
    ltl::PatternParts<Formula> parts;
    std::size_t scope_at = 1;
    parts.p = operands[0];
    if (ltl::has_second(use.pattern)) {
      parts.s = operands[1];
      scope_at = 2;
      if (use.pattern == ltl::Pattern::Precedence) std::swap(parts.p, parts.s);
    }
    if (ltl::has_start(use.scope)) parts.q = operands[scope_at++];
    if (ltl::has_end(use.scope)) parts.r = operands[scope_at];
    parts.most = use.most;
    if (model::has_event(*f.operands[0])) parts.counted = ltl::Counted::Positions;
    // Each round of "at most n times" names P and R up to five times.
    std::size_t size = 0;
    for (const Formula& o : operands) size += parts_of(o);
    if (!grow(size * (4 + 5 * std::size_t{use.most}))) return truth(true);
    const Builder b{f.span};
    return ltl::formula_of(b, use.pattern, use.scope, parts);
  }

  // Letters of words are 64 bits.
  void count_atom(const Formula& f) {
    const bool known = std::any_of(atoms_.begin(), atoms_.end(), [&](const Formula& a) {
      return a.kind == f.kind &&
             (f.kind == Kind::Event ? a.event.same_event(f.event) : a.predicate == f.predicate);
    });
    if (known) return;
    atoms_.push_back(f);
    if (atoms_.size() > ltl::kMostPropositions && !c_.refused)
      c_.refuse("too-many-atoms", span_,
                "this formula asks for more than " + std::to_string(ltl::kMostPropositions) +
                    " different things of a step" + (quantified_ ? ", written out for every object" : ""),
                "check its parts one by one");
  }

  Context& c_;
  diag::Span span_;
  std::size_t parts_ = 0;
  bool quantified_ = false;
  std::vector<Formula> atoms_;
};

}  // namespace

Formula formula(Context& c, const model::Formula& f) {
  return Lowering(c).run(f);
}

std::vector<OwnerId> actors(Context& c, const model::EventAtom& e, Scope& scope) {
  std::vector<OwnerId> result;
  switch (e.actor) {
    case model::EventAtom::Actor::Environment:
      if (c.environment.valid()) result.push_back(c.environment);
      break;
    case model::EventAtom::Actor::Clock:
      if (c.clock.valid()) result.push_back(c.clock);
      break;
    case model::EventAtom::Actor::Objects:
      for (const std::uint32_t number : objects_named(c, *e.object, scope))
        result.push_back(c.objects[number].owner);
      break;
  }
  return result;
}

system::EventAtom event(Context& c, const model::EventAtom& e, Scope& scope) {
  system::EventAtom atom;
  atom.owners = actors(c, e, scope);
  atom.shown = model::show(e, name_of(c, *e.object, scope), e.to ? name_of(c, *e.to, scope) : "");
  const auto acts = [&](const Object& o) {
    return o.machine != nullptr &&
           std::find(atom.owners.begin(), atom.owners.end(), o.owner) != atom.owners.end();
  };
  std::set<SignalId> signals;
  switch (e.kind) {
    case model::EventKind::Takes: {
      atom.kind = system::EventAtom::Kind::Takes;
      std::set<ElementId> elements;
      for (const Object& o : c.objects) {
        if (!acts(o)) continue;
        const model::Machine& m = o.machine->m();
        for (std::size_t t = 0; t < m.transitions.size(); ++t)
          if (m.transitions[t].name == e.name)
            elements.insert(c.transition_elements.at(o.machine->machine_class())[t]);
      }
      atom.elements.assign(elements.begin(), elements.end());
      if (atom.elements.empty())  // a subclass with a machine of its own
        c.refuse("unknown-transition", e.name_span, "`" + e.name + "` names no transition of this object");
      return atom;
    }
    case model::EventKind::Receives:
    case model::EventKind::Discards:
      atom.kind = e.kind == model::EventKind::Receives ? system::EventAtom::Kind::Receives
                                                       : system::EventAtom::Kind::Discards;
      for (const Object& o : c.objects)
        if (acts(o)) signals.insert(o.signals[e.signal.index()]);
      break;
    case model::EventKind::Sends: {
      atom.kind = system::EventAtom::Kind::Sends;
      std::set<std::uint32_t> receivers;
      if (e.to)
        for (const std::uint32_t number : objects_named(c, *e.to, scope)) receivers.insert(number);
      std::set<QueueId> queues;
      for (const Object& o : c.objects) {
        if (o.machine == nullptr || (e.to && !receivers.contains(o.number))) continue;
        signals.insert(o.signals[e.signal.index()]);
        if (e.to) queues.insert(c.threads[o.thread].queue);
      }
      atom.queues.assign(queues.begin(), queues.end());
      break;
    }
  }
  atom.signals.assign(signals.begin(), signals.end());
  if (e.where) {
    Scope inside = scope;
    const model::SignalDecl& decl = c.model.signals[e.signal.index()];
    for (std::size_t i = 0; i < decl.parameters.size(); ++i)
      inside.parameters.push_back(
          c.pool().param(static_cast<std::uint32_t>(i), c.type(decl.parameters[i].type.resolved)));
    atom.where = pure(c, *e.where, inside);
    if (!c.refused) check_condition(c, atom.where, *e.where);
  }
  return atom;
}

}  // namespace parley::lower
