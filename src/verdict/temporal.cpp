#include "verdict/temporal.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ltl/accepts.hpp"
#include "ltl/formula_text.hpp"

namespace parley::verdict {

using semantics::Interpreter;
using semantics::Outcome;
using semantics::State;

namespace {

Confirmation no(std::string why) {
  return {false, std::move(why)};
}

bool can_move(const Interpreter& in, const State& state, const std::vector<system::ActionId>* among) {
  const auto steps = in.successors(state);
  return std::any_of(steps.begin(), steps.end(), [&](const semantics::Successor& s) {
    return s.result.outcome != Outcome::Blocked &&
           (among == nullptr || std::find(among->begin(), among->end(), s.step.action) != among->end());
  });
}

// What the loop does for ever, against one fairness.
bool fair(const Interpreter& in, const system::Fairness& f, const Trace& trace, const Replay& r) {
  bool could_always = true, could_ever = false;
  for (std::size_t i = *trace.loop_start; i < trace.steps.size(); ++i) {
    if (std::find(f.actions.begin(), f.actions.end(), trace.steps[i].action) != f.actions.end()) return true;
    const bool could = can_move(in, r.states[i], &f.actions);
    could_always = could_always && could;
    could_ever = could_ever || could;
  }
  return f.strength == system::Fairness::Strength::Weak ? !could_always : !could_ever;
}

Confirmation goes_on_for_ever(const Interpreter& in, const Trace& trace, const Replay& r) {
  if (!r.complete) return no(r.why);
  if (r.states.size() != trace.steps.size() + 1) return no("the run fails and does not go on for ever");
  if (!trace.loop_start || *trace.loop_start > trace.steps.size()) return no("the trace has no loop");
  if (*trace.loop_start == trace.steps.size())
    return can_move(in, r.states.back(), nullptr) ? no("the run does not end there") : Confirmation{true, {}};
  if (!(r.states[*trace.loop_start] == r.states.back()))
    return no("the loop does not return to the same state");
  for (const system::Fairness& f : in.system().fairness)
    if (!fair(in, f, trace, r)) return no(fmt::format("the loop is no run with {}", f.shown));
  return {true, {}};
}

// Says why a formula is false at a position, by going down to what made it so.
class Explainer {
 public:
  Explainer(const TemporalRun& run, const Trace& trace)
      : run_(run), read_(as_read(run, trace)), f_(run.observed.formulas), trace_(trace) {}

  std::string why() const { return why(run_.observed.written, 0); }

 private:
  std::string why(ltl::FormulaId id, std::size_t position) const {
    using ltl::Kind;
    const ltl::FormulaId left = f_.left(id), right = f_.right(id);
    switch (f_.kind(id)) {
      case Kind::Globally:
        return why(left, first_after(position, left, false));
      case Kind::Finally:
        return fmt::format("{} never {}", text(left), position == 0 ? "happens" : "follows");
      case Kind::Next:
        return why_not_next(left, position);
      case Kind::And:
        return why(truth(left, position) ? right : left, position);
      case Kind::Or:
        return why_implication(left, right, position);
      case Kind::Until:
        return never_after(position, right)
                   ? fmt::format("{} never {}", text(right), position == 0 ? "happens" : "follows")
                   : fmt::format("{} before {}", why(left, first_after(position, left, false)), text(right));
      case Kind::Release: {
        const std::size_t at = first_after(position, right, false);
        return fmt::format("{} before {}", why(right, at), text(left));
      }
      case Kind::Not:
        return fmt::format("{} {}", when(position), text(left));
      case Kind::True:
      case Kind::False:
      case Kind::Atom:
        break;
    }
    return fmt::format("{} {} is false", when(position), text(id));
  }

  // `a -> b` is `!a || b`: first that a is true, then why b is not.
  std::string why_implication(ltl::FormulaId left, ltl::FormulaId right, std::size_t position) const {
    const bool guarded = f_.kind(left) == ltl::Kind::Not;
    const std::string first =
        guarded ? fmt::format("{} {}", when(position), text(f_.left(left))) : why(left, position);
    return fmt::format("{}, and {}", first, why(right, position));
  }

  std::string why_not_next(ltl::FormulaId wanted, std::size_t position) const {
    const auto next = read_.next(position);
    return next ? why(wanted, *next) : fmt::format("{} there is no next step", when(position));
  }

  bool truth(ltl::FormulaId id, std::size_t position) const {
    const auto& all = read_.truth.formulas;
    const auto at = std::find(all.begin(), all.end(), id) - all.begin();
    return read_.truth.rows[static_cast<std::size_t>(at)][position];
  }
  // Positions from here on, once round the loop.
  std::optional<std::size_t> find_after(std::size_t position, ltl::FormulaId id, bool wanted) const {
    std::optional<std::size_t> at = position;
    for (std::size_t n = 0; n <= read_.positions && at; ++n, at = read_.next(*at))
      if (truth(id, *at) == wanted) return at;
    return std::nullopt;
  }
  std::size_t first_after(std::size_t position, ltl::FormulaId id, bool wanted) const {
    return find_after(position, id, wanted).value_or(position);
  }
  bool never_after(std::size_t position, ltl::FormulaId id) const {
    return !find_after(position, id, true).has_value();
  }
  std::string when(std::size_t position) const {
    if (position == 0) return "at the start";
    return position <= trace_.steps.size() ? fmt::format("after step {}", position)
                                           : std::string("after the end");
  }
  std::string text(ltl::FormulaId id) const {
    if (f_.kind(id) == ltl::Kind::Atom) return run_.observed.propositions[f_[id].proposition].shown;
    return fmt::format("({})", ltl::show(f_, id, names_in_formulas(run_.observed), ltl::Syntax::Arrows));
  }

  const TemporalRun& run_;
  const ReadRun read_;
  const ltl::Store& f_;
  const Trace& trace_;
};

}  // namespace

std::optional<TemporalRun> temporal_run(const Interpreter& interpreter, system::PropertyId property,
                                        const Trace& trace) {
  passes::Observation made = passes::observe(interpreter.system(), property);
  if (!made.observed || !trace.loop_start) return std::nullopt;
  TemporalRun run{std::move(*made.observed), {}, {}};
  const Interpreter in(run.observed.system(), interpreter.queue_capacities());
  const Replay r = replay(in, trace);
  if (!r.complete || r.states.size() != trace.steps.size() + 1 || *trace.loop_start > trace.steps.size())
    return std::nullopt;
  run.word = passes::word_of(run.observed, in, r.states, *trace.loop_start);
  if (run.observed.formula.valid())
    run.truth = ltl::evaluate(run.observed.formulas, run.observed.formula, run.word);
  return run;
}

Confirmation confirm_temporal(const Interpreter& interpreter, system::PropertyId property,
                              const Trace& trace) {
  const Confirmation infinite = goes_on_for_ever(interpreter, trace, replay(interpreter, trace));
  if (!infinite.confirmed) return infinite;
  const auto run = temporal_run(interpreter, property, trace);
  if (!run) return no("the run cannot be observed");
  const bool bad = run->observed.claim ? ltl::accepts(*run->observed.claim, run->word) : !run->truth.holds();
  return bad ? Confirmation{true, {}} : no("the run satisfies the property");
}

ReadRun as_read(const TemporalRun& run, const Trace& trace) {
  const passes::Observed& o = run.observed;
  const bool finite = *trace.loop_start == trace.steps.size() && o.system().run_end == system::RunEnd::Ends;
  ReadRun read{{}, finite ? run.word.stem.size() : run.word.size(), run.word.stem.size()};
  if (!o.claim)
    read.truth = finite ? ltl::evaluate_finite(o.formulas, o.written, run.word.stem)
                        : ltl::evaluate(o.formulas, o.written, run.word);
  return read;
}

std::vector<std::string> names_in_formulas(const passes::Observed& observed) {
  std::vector<std::string> names;
  for (const passes::Proposition& p : observed.propositions) {
    const bool one_word = p.shown.find(' ') == std::string::npos || p.shown.starts_with('(');
    names.push_back(one_word ? p.shown : fmt::format("({})", p.shown));
  }
  return names;
}

std::string temporal_reason(const TemporalRun& run, const Trace& trace) {
  const std::size_t steps = trace.steps.size(), loop = steps - *trace.loop_start;
  const std::string shape =
      loop == 0 ? fmt::format("the run ends after {} step{}", steps, steps == 1 ? "" : "s")
                : fmt::format("the last {} repeat{} for ever",
                              loop == 1 ? "step" : fmt::format("{} steps", loop), loop == 1 ? "s" : "");
  if (run.observed.claim) return fmt::format("the claim accepts this run: {}", shape);
  return fmt::format("{}; {}", Explainer(run, trace).why(), shape);
}

}  // namespace parley::verdict
