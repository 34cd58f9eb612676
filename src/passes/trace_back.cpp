#include "passes/trace_back.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace parley::passes {

using semantics::Interpreter;
using semantics::Outcome;
using semantics::State;
using semantics::Step;
using semantics::StepResult;
using semantics::Trace;
using system::ActionId;

namespace {

// States of the original that may stand where the run of the new System stands, with how they were reached.
class Follower {
 public:
  Follower(const Interpreter& original, const Interpreter& transformed, const BackMap& map,
           std::size_t most_states)
      : original_(original), transformed_(transformed), map_(map), most_(most_states) {}

  TraceBack run(const Trace& trace) {
    StepResult at = transformed_.initial_state(trace.initial_choices);
    if (!semantics::happens(at.outcome)) return {{}, "the run does not start"};
    begin(at, trace.initial_choices);
    for (std::size_t i = 0; i < trace.steps.size() && !now_.empty(); ++i) {
      if (at.outcome != Outcome::Done) return {{}, "the run goes on after a failure"};
      at = transformed_.run(at.state, trace.steps[i]);
      if (!semantics::happens(at.outcome) && at.outcome != Outcome::Cut)
        return {{}, fmt::format("step {} is no step of the transformed system", i + 1)};
      step(trace.steps[i], at);
      if (too_many_) return {{}, fmt::format("more than {} states to look at", most_)};
      if (now_.empty()) return {{}, fmt::format("step {} has no counterpart in the model", i + 1)};
    }
    if (now_.empty()) return {{}, "no initial state of the model fits"};
    return {written_down(trace), {}};
  }

 private:
  static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);
  struct Node {
    State state;  // empty after a failure
    std::size_t parent = kNowhere;
    Step step;               // from the parent; no action: the same state, later
    std::size_t of_new = 0;  // steps of the new System so far
    std::vector<std::uint64_t> initial_choices;
  };

  // What ends the run of the new System may be its own question: if nothing ends the original's in the same
  // way, whatever happens there will do, and confirm says whether it shows anything.
  enum class Ending : std::uint8_t { Same, Any };

  void begin(const StepResult& wanted, const std::vector<std::uint64_t>& choices) {
    if (map_.keeps_choices && map_.adds_choices) {
      for (const Ending ending : {Ending::Same, Ending::Any})
        for (std::size_t own = choices.size() + 1; own-- > 0 && now_.empty();) {
          Node n;
          n.initial_choices.assign(choices.begin(), choices.begin() + static_cast<long>(own));
          StepResult mine = original_.initial_state(n.initial_choices);
          if (!fits(mine, wanted, ending)) continue;
          n.state = std::move(mine.state);
          keep(std::move(n));
        }
      return;
    }
    for (const Ending ending : {Ending::Same, Ending::Any})
      for (semantics::InitialState& i : original_.initial_states()) {
        if (!now_.empty() && ending == Ending::Any) return;
        if (!fits(i.result, wanted, ending)) continue;
        Node n;
        n.state = std::move(i.result.state);
        n.initial_choices = std::move(i.choices);
        keep(std::move(n));
      }
  }

  bool fits(const StepResult& mine, const StepResult& wanted, Ending ending) const {
    if (wanted.outcome == Outcome::Done)
      return mine.outcome == Outcome::Done && agree(map_, mine.state, wanted.state);
    return ending == Ending::Same ? mine.outcome == wanted.outcome : semantics::happens(mine.outcome);
  }

  void keep(Node n) {
    if (!seen_.insert(n.state).second) return;
    now_.push_back(nodes_.size());
    nodes_.push_back(std::move(n));
    too_many_ = too_many_ || nodes_.size() > most_;
  }

  // Everything that silent steps lead to from here, the states themselves included.
  void rest() {
    for (std::size_t i = 0; i < now_.size() && !map_.silent.empty() && !too_many_; ++i) {
      const std::size_t from = now_[i];
      for (semantics::Successor& next : original_.successors(State(nodes_[from].state)))
        if (next.result.outcome == Outcome::Done &&
            std::find(map_.silent.begin(), map_.silent.end(), next.step.action) != map_.silent.end())
          keep({std::move(next.result.state), from, std::move(next.step), nodes_[from].of_new, {}});
    }
  }

  void step(const Step& step, const StepResult& wanted) {
    rest();
    const std::vector<std::size_t> before = std::move(now_);
    now_.clear();
    seen_.clear();
    step_from(before, step, wanted, Ending::Same);
    if (now_.empty() && wanted.outcome != Outcome::Done) step_from(before, step, wanted, Ending::Any);
  }

  void step_from(const std::vector<std::size_t>& before, const Step& step, const StepResult& wanted,
                 Ending ending) {
    for (const std::size_t from : before) {
      for (const ActionId a : map_.actions[step.action.index()]) {
        if (too_many_) return;
        if (a.valid())
          take(from, a, step, wanted, ending);
        else if (wanted.outcome == Outcome::Done ? agree(map_, nodes_[from].state, wanted.state)
                                                 : ending == Ending::Any)
          keep({nodes_[from].state, from, Step{}, nodes_[from].of_new + 1, {}});
      }
    }
  }

  void take(std::size_t from, ActionId a, const Step& step, const StepResult& wanted, Ending ending) {
    const State state = nodes_[from].state;
    const auto taken = [&](Step mine, StepResult result) {
      if (!fits(result, wanted, ending)) return;
      if (result.outcome != Outcome::Done) result.state = {};
      keep({std::move(result.state), from, std::move(mine), nodes_[from].of_new + 1, {}});
    };
    if (map_.keeps_choices) {
      // Only one number of choices fits; where none are added it is all of them.
      const std::size_t least = map_.adds_choices ? 0 : step.choices.size();
      for (std::size_t own = step.choices.size() + 1; own-- > least;) {
        const Step mine{a, {step.choices.begin(), step.choices.begin() + static_cast<long>(own)}};
        taken(mine, original_.run(state, mine));
      }
      return;
    }
    for (semantics::Successor& next : original_.successors(state))
      if (next.step.action == a) taken(std::move(next.step), std::move(next.result));
  }

  Trace written_down(const Trace& trace) const {
    Trace result;
    std::size_t at = now_.front();
    std::vector<std::size_t> way;
    for (; nodes_[at].parent != kNowhere; at = nodes_[at].parent) way.push_back(at);
    result.initial_choices = nodes_[at].initial_choices;
    if (trace.loop_start == 0U) result.loop_start = 0;
    for (auto i = way.rbegin(); i != way.rend(); ++i) {
      // The loop begins where its first step, or a silent one before that, is about to be taken.
      if (nodes_[*i].step.action.valid()) result.steps.push_back(nodes_[*i].step);
      if (trace.loop_start && !result.loop_start && nodes_[*i].of_new == *trace.loop_start)
        result.loop_start = result.steps.size();
    }
    return result;
  }

  const Interpreter &original_, &transformed_;
  const BackMap& map_;
  std::size_t most_;
  std::vector<Node> nodes_;
  std::vector<std::size_t> now_;
  std::set<State> seen_;  // among now_
  bool too_many_ = false;
};

}  // namespace

std::optional<Trace> renamed(const BackMap& map, const Trace& trace) {
  if (!map.keeps_choices || map.adds_choices || !map.silent.empty()) return std::nullopt;
  Trace result = trace;
  for (Step& step : result.steps) {
    const std::vector<ActionId>& originals = map.actions[step.action.index()];
    if (originals.size() != 1 || !originals[0].valid()) return std::nullopt;
    step.action = originals[0];
  }
  return result;
}

TraceBack followed(const Interpreter& original, const Interpreter& transformed, const BackMap& map,
                   const Trace& trace, std::size_t most_states) {
  return Follower(original, transformed, map, most_states).run(trace);
}

TraceBack trace_back(const Interpreter& original, const Interpreter& transformed, const BackMap& map,
                     const Trace& trace) {
  if (auto same = renamed(map, trace)) return {std::move(same), {}};
  return followed(original, transformed, map, trace);
}

}  // namespace parley::passes
