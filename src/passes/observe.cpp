#include "passes/observe.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>

#include "ltl/finite.hpp"
#include "passes/event_cells.hpp"
#include "support/check.hpp"

namespace parley::passes {

using namespace system;
using FormulaKind = system::Formula::Kind;

namespace {

struct Refused {
  std::string why;
};

class Observer {
 public:
  Observer(const System& original, const Property& property) : original_(original), p_(property) {}

  Observed run() {
    if (p_.formula) collect(*p_.formula);
    WithEvents instrumented = with_event_cells(original_, events_);
    o_.passed = std::move(instrumented.passed);
    event_cells_ = std::move(instrumented.cells);
    if (p_.formula)
      take_formula();
    else
      take_claim();
    return std::move(o_);
  }

 private:
  System& s() { return o_.passed.system; }

  void collect(const system::Formula& f) {
    if (f.kind == FormulaKind::Event && !known_event(f.event)) events_.push_back(f.event);
    for (const system::Formula& operand : f.operands) collect(operand);
  }

  // One cell for all that ask for the same event.
  std::optional<std::size_t> known_event(const EventAtom& event) const {
    for (std::size_t i = 0; i < events_.size(); ++i)
      if (events_[i].same_event(event)) return i;
    return std::nullopt;
  }

  std::uint32_t proposition(Proposition::Kind kind, ExprId expression, std::string shown) {
    const auto [at, fresh] =
        known_.try_emplace({kind, expression.value}, static_cast<std::uint32_t>(o_.propositions.size()));
    if (!fresh) return at->second;
    if (o_.propositions.size() == ltl::kMostPropositions)
      throw Refused{fmt::format("it has more than {} different atoms", ltl::kMostPropositions)};
    Proposition made{kind, expression, {}, std::move(shown)};
    if (expression.valid()) {
      Property question;
      question.kind = PropertyKind::Always;
      question.name = made.shown;
      question.expression = expression;
      question.implicit = true;
      made.property = s().add(std::move(question));
      o_.passed.back.properties.emplace_back();
    }
    o_.propositions.push_back(std::move(made));
    return at->second;
  }

  void take_formula() {
    o_.written = converted(*p_.formula);
    o_.formula = o_.written;
    if (original_.run_end == RunEnd::Stutters) return;
    // Runs that go on for ever are read as before.
    const std::uint32_t alive = proposition(Proposition::Kind::Alive, {}, "the run goes on");
    ltl::Store& l = o_.formulas;
    const ltl::FormulaId for_ever = l.always(l.atom(alive));
    o_.formula =
        l.both(l.implies(for_ever, o_.written), l.either(for_ever, ltl::finite(l, o_.written, alive)));
  }

  ltl::FormulaId converted(const system::Formula& f) {
    ltl::Store& l = o_.formulas;
    if (f.kind == FormulaKind::Predicate)
      return l.atom(proposition(Proposition::Kind::State, f.predicate, system::show(original_, f)));
    if (f.kind == FormulaKind::Event) {
      const CellId cell = event_cells_[*known_event(f.event)];
      return l.atom(proposition(Proposition::Kind::Event, s().read(cell), system::show(original_, f)));
    }
    const ltl::FormulaId x = converted(f.operands[0]);
    const ltl::FormulaId y = f.operands.size() > 1 ? converted(f.operands[1]) : x;
    switch (f.kind) {
      case FormulaKind::Not:
        return l.negate(x);
      case FormulaKind::And:
        return l.both(x, y);
      case FormulaKind::Or:
        return l.either(x, y);
      case FormulaKind::Implies:
        return l.implies(x, y);
      case FormulaKind::Iff:
        return l.iff(x, y);
      case FormulaKind::Next:
        return l.next(x);
      case FormulaKind::Globally:
        return l.always(x);
      case FormulaKind::Finally:
        return l.eventually(x);
      case FormulaKind::Until:
        return l.until(x, y);
      case FormulaKind::WeakUntil:
        return l.weak_until(x, y);
      case FormulaKind::Release:
        return l.release(x, y);
      case FormulaKind::Predicate:
      case FormulaKind::Event:
        break;
    }
    internal_error("kind of formula", __FILE__, __LINE__);
  }

  ltl::Cube test(ExprId e) {
    if (s().exprs.is_const(e, 1)) return {};
    const std::uint64_t bit = std::uint64_t{1}
                              << proposition(Proposition::Kind::State, e, system::show(original_, e));
    return {bit, 0};
  }

  // Accepting states as marks on the edges that leave them. The end of a claim, and an assertion of it that
  // fails, are one more state, where every continuation is accepted.
  void take_claim() {
    const NeverClaim& claim = *p_.claim;
    ltl::Automaton a;
    a.marks = 1;
    a.initial = claim.start;
    const auto caught = static_cast<ltl::State>(claim.states.size());
    a.edges.resize(claim.states.size() + 1);
    a.edges[caught].push_back({{}, caught, 1});
    for (std::size_t i = 0; i < claim.states.size(); ++i) {
      const NeverClaim::State& state = claim.states[i];
      const ltl::Marks marks = state.accepting ? 1 : 0;
      if (state.final) a.edges[i].push_back({{}, caught, 1});
      for (const NeverClaim::Edge& e : state.edges) {
        const ltl::Cube guard = test(e.guard);
        if (!e.assertion.valid()) {
          a.edges[i].push_back({guard, e.target, marks});
          continue;
        }
        const ltl::Cube kept = test(e.assertion);
        if ((guard & kept).satisfiable()) a.edges[i].push_back({guard & kept, e.target, marks});
        const ltl::Cube broken{guard.positive, guard.negative | kept.positive};
        if (!kept.is_true() && broken.satisfiable()) a.edges[i].push_back({broken, caught, 1});
      }
    }
    ltl::drop_unreachable(a);
    o_.claim = std::move(a);
  }

  const System& original_;
  const Property& p_;
  Observed o_;
  std::vector<EventAtom> events_;
  std::vector<CellId> event_cells_;
  std::map<std::pair<Proposition::Kind, std::uint32_t>, std::uint32_t> known_;
};

}  // namespace

Observation observe(const System& system, PropertyId property) {
  const Property& p = system.property(property);
  PARLEY_CHECK(p.kind == PropertyKind::Temporal);
  if (!p.formula && !p.claim) return {std::nullopt, p.unformalised};
  try {
    return {Observer(system, p).run(), {}};
  } catch (const Refused& refused) {
    return {std::nullopt, refused.why};
  }
}

ltl::Letter letter(const Observed& observed, const semantics::Interpreter& interpreter,
                   const semantics::State& state, bool ended) {
  ltl::Letter result = 0;
  for (std::size_t i = 0; i < observed.propositions.size(); ++i) {
    const Proposition& p = observed.propositions[i];
    const bool holds = p.kind == Proposition::Kind::Alive
                           ? !ended
                           : !(ended && p.kind == Proposition::Kind::Event) &&
                                 interpreter.truth(state, p.expression).may_be_true;
    if (holds) result |= std::uint64_t{1} << i;
  }
  return result;
}

ltl::Lasso word_of(const Observed& observed, const semantics::Interpreter& interpreter,
                   const std::vector<semantics::State>& states, std::size_t loop_start) {
  PARLEY_CHECK(loop_start < states.size());
  ltl::Lasso word;
  for (std::size_t i = 0; i < states.size(); ++i)
    (i <= loop_start ? word.stem : word.loop).push_back(letter(observed, interpreter, states[i], false));
  if (loop_start + 1 == states.size())
    word.loop.push_back(letter(observed, interpreter, states.back(), true));
  return word;
}

}  // namespace parley::passes
