#include "cegar/abstract_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "support/check.hpp"
#include "system/step_fault.hpp"

namespace parley::cegar {

using semantics::EventKind;
using semantics::Outcome;
using system::PropertyKind;
using system::StepFault;

std::size_t StateHash::operator()(const State& s) const {
  std::uint64_t h = 0xcbf29ce484222325ull ^ s.holder.value;
  const auto mix = [&h](std::uint64_t v) { h = (h ^ v) * 0x9e3779b97f4a7c15ull + (h >> 31); };
  for (std::int32_t c : s.cells) mix(static_cast<std::uint32_t>(c));
  for (const auto& q : s.queues) {
    mix(q.size() + 0x1000);
    for (const semantics::Message& m : q) {
      mix(m.signal.value);
      for (std::int32_t a : m.args) mix(static_cast<std::uint32_t>(a));
    }
  }
  return static_cast<std::size_t>(h);
}

bool decides(PropertyKind kind) {
  return verdict::decides(engine::EngineKind::Cegar, kind);
}

bool concerns_states(PropertyKind kind) {
  return kind == PropertyKind::NoDeadlock || kind == PropertyKind::Always || kind == PropertyKind::Never ||
         kind == PropertyKind::Reachable;
}

bool step_shows(const System& s, PropertyId id, ActionId action, const StepResult& r) {
  if (!id.valid()) return r.outcome == Outcome::Cut;
  const bool happened = semantics::happens(r.outcome);
  const auto has = [&r](std::initializer_list<EventKind> kinds) {
    return std::any_of(r.events.begin(), r.events.end(), [&kinds](const semantics::Event& e) {
      return std::find(kinds.begin(), kinds.end(), e.kind) != kinds.end();
    });
  };
  const auto fault = system::step_fault(s.property(id).kind);
  if (!fault) return false;
  switch (*fault) {
    case StepFault::AssertionFails:
      return r.outcome == Outcome::AssertionFailed;
    case StepFault::RuntimeError:
      return r.outcome == Outcome::RuntimeError;
    case StepFault::Overflows:
      return r.outcome == Outcome::QueueOverflow || r.outcome == Outcome::Cut ||
             (happened && has({EventKind::Lost}));
    case StepFault::LosesMessage:
      return happened && semantics::loses(action.valid() ? &s.action(action) : nullptr, r);
  }
  internal_error("fault of a step", __FILE__, __LINE__);
}

bool state_may_show(const AbstractSystem& a, PropertyId id, const State& state) {
  if (!state.visible() || !id.valid()) return false;
  const system::Property& p = a.system().property(id);
  switch (p.kind) {
    case PropertyKind::NoDeadlock:
      return a.may_deadlock(state);
    case PropertyKind::Always:
      return a.interpreter().truth(state, p.expression).may_be_false;
    case PropertyKind::Never:
    case PropertyKind::Reachable:
      return a.interpreter().truth(state, p.expression).may_be_true;
    case PropertyKind::NoLostMessages:
    case PropertyKind::NoAssertionFailure:
    case PropertyKind::NoRuntimeError:
    case PropertyKind::NoOverflow:
    case PropertyKind::NoUnreachableStates:
    case PropertyKind::NoUnreachableTransitions:
    case PropertyKind::NoEndlessCompletion:
    case PropertyKind::NoUnboundedQueues:
    case PropertyKind::Temporal:
      return false;
  }
  internal_error("kind of property", __FILE__, __LINE__);
}

namespace {

class Search {
 public:
  Search(const AbstractSystem& a, PropertyId p, const SearchLimits& l) : a_(a), property_(p), limits_(l) {}

  AbstractAnswer run() {
    for (const semantics::InitialState& i : a_.initial_states()) {
      note(i.result);
      if (i.result.outcome == Outcome::Blocked) answer_.blocked_at_start = true;
      if (step_shows(a_.system(), property_, {}, i.result)) {
        answer_.trace = AbstractTrace{i.choices, {}, {}};
        return finish();
      }
      if (i.result.outcome == Outcome::Done && add(i.result.state, {kRoot, {}, i.choices, 0}))
        return finish();
    }
    for (std::size_t at = 0; at < nodes_.size(); ++at) {
      if (stop(at)) return finish();
      answer_.depth = nodes_[at].depth;
      for (AbstractSuccessor& next : a_.successors(*nodes_[at].state)) {
        ++answer_.transitions;
        note(next.result);
        if (step_shows(a_.system(), property_, next.step.action, next.result)) {
          trace_to(at);
          answer_.trace->steps.push_back(next.step);
          if (next.result.outcome == Outcome::Done) answer_.trace->states.push_back(next.result.state);
          return finish();
        }
        if (next.result.outcome == Outcome::Done &&
            add(next.result.state, {at, next.step, {}, nodes_[at].depth + 1}))
          return finish();
      }
    }
    answer_.complete = true;
    return finish();
  }

 private:
  static constexpr std::size_t kRoot = ~std::size_t{0};
  struct Node {
    std::size_t parent = kRoot;
    AbstractStep step;
    std::vector<std::uint64_t> initial_choices;
    std::uint64_t depth = 0;
    const State* state = nullptr;
  };

  // True: the new state is bad.
  bool add(const State& s, Node node) {
    const auto [at, fresh] = seen_.try_emplace(s, nodes_.size());
    if (!fresh) return false;
    node.state = &at->first;
    nodes_.push_back(std::move(node));
    if (!state_may_show(a_, property_, s)) return false;
    trace_to(nodes_.size() - 1);
    return true;
  }

  void trace_to(std::size_t at) {
    AbstractTrace t;
    for (; at != kRoot; at = nodes_[at].parent) {
      t.states.push_back(*nodes_[at].state);
      if (nodes_[at].parent == kRoot)
        t.initial_choices = nodes_[at].initial_choices;
      else
        t.steps.push_back(nodes_[at].step);
    }
    std::reverse(t.states.begin(), t.states.end());
    std::reverse(t.steps.begin(), t.steps.end());
    answer_.trace = std::move(t);
  }

  void note(const StepResult& r) {
    answer_.cut = answer_.cut || r.outcome == Outcome::Cut;
    answer_.assumed_away = answer_.assumed_away || r.outcome == Outcome::AssumedAway;
  }

  bool stop(std::size_t at) {
    if (nodes_.size() > limits_.states)
      answer_.stopped = engine::Stop{verdict::StopCause::StateLimit,
                                     fmt::format("more than {} abstract states", limits_.states)};
    else if (at % 64 == 0 && limits_.deadline != nullptr)
      answer_.stopped = limits_.deadline->reached();
    return answer_.stopped.has_value();
  }

  AbstractAnswer finish() {
    answer_.states = nodes_.size();
    if (limits_.keep_states && answer_.complete)
      for (const Node& n : nodes_) answer_.reached.push_back(*n.state);
    return std::move(answer_);
  }

  const AbstractSystem& a_;
  PropertyId property_;
  const SearchLimits& limits_;
  AbstractAnswer answer_;
  std::unordered_map<State, std::size_t, StateHash> seen_;
  std::vector<Node> nodes_;
};

}  // namespace

AbstractAnswer abstract_check(const AbstractSystem& a, PropertyId property, const SearchLimits& limits) {
  return Search(a, property, limits).run();
}

namespace {

// Depth-first along the fixed actions; states that led nowhere at a level are not tried again.
class Along {
 public:
  Along(const AbstractSystem& a, PropertyId p, const AbstractTrace& t, const SearchLimits& l)
      : a_(a), property_(p), actions_(t), limits_(l), dead_(t.steps.size() + 1) {}

  std::optional<AbstractTrace> run() {
    for (const semantics::InitialState& i : a_.initial_states()) {
      found_ = AbstractTrace{i.choices, {}, {}};
      if (step_shows(a_.system(), property_, {}, i.result) && actions_.steps.empty()) return found_;
      if (i.result.outcome == Outcome::Done && from(i.result.state, 0)) return found_;
    }
    return std::nullopt;
  }

 private:
  bool from(const State& state, std::size_t level) {
    if (limits_.deadline != nullptr && (++visits_ % 64) == 0 && limits_.deadline->reached()) return false;
    found_.states.push_back(state);
    if (level == actions_.steps.size()) {
      if (state_may_show(a_, property_, state)) return true;
    } else if (!dead_[level].contains(state)) {
      const AbstractStep& wanted = actions_.steps[level];
      for (AbstractSuccessor& next : a_.outcomes(state, wanted.action, wanted.idle)) {
        found_.steps.push_back(next.step);
        const bool last = level + 1 == actions_.steps.size();
        if (last && step_shows(a_.system(), property_, next.step.action, next.result)) {
          if (next.result.outcome == Outcome::Done) found_.states.push_back(next.result.state);
          return true;
        }
        if (next.result.outcome == Outcome::Done && from(next.result.state, level + 1)) return true;
        found_.steps.pop_back();
      }
      dead_[level].emplace(state, 0);
    }
    found_.states.pop_back();
    return false;
  }

  const AbstractSystem& a_;
  PropertyId property_;
  const AbstractTrace& actions_;
  const SearchLimits& limits_;
  AbstractTrace found_;
  std::uint64_t visits_ = 0;
  std::vector<std::unordered_map<State, char, StateHash>> dead_;
};

}  // namespace

std::optional<AbstractTrace> resimulate(const AbstractSystem& a, PropertyId property,
                                        const AbstractTrace& trace, const SearchLimits& limits) {
  return Along(a, property, trace, limits).run();
}

}  // namespace parley::cegar
