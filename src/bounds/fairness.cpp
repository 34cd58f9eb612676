#include "bounds/fairness.hpp"

#include <algorithm>

#include "bounds/queue_tests.hpp"

namespace parley::bounds {

using semantics::Outcome;
using semantics::State;

namespace {

constexpr std::int64_t kMostRounds = 100;

// Until every growing queue is longer than anything its length is compared with.
std::int64_t rounds_to_settle(const system::System& s, const Pump& pump) {
  std::int64_t rounds = 2;
  for (std::size_t a = 0; a < s.actions.size(); ++a)
    for (const QueueTest& test : queue_tests(s, system::ActionId(a)))
      for (const Growth& g : pump.growth)
        if (test.kind == QueueTest::Kind::Length && test.queue == g.queue)
          rounds = std::max(rounds, test.number / g.per_round + 2);
  return rounds;
}

class Follower {
 public:
  Follower(const semantics::Interpreter& in, const Pump& pump) : in_(in), pump_(pump) {}

  // The state after the prefix; false: it cannot be taken.
  bool begin() {
    semantics::StepResult r = in_.initial_state(pump_.prefix.initial_choices);
    if (r.outcome != Outcome::Done) return false;
    state_ = std::move(r.state);
    return std::all_of(pump_.prefix.steps.begin(), pump_.prefix.steps.end(),
                       [&](const semantics::Step& step) { return take(step); });
  }
  bool round() {
    return std::all_of(pump_.loop.begin(), pump_.loop.end(),
                       [&](const semantics::Step& step) { return take(step); });
  }
  // Who is able to act in every state of one more round.
  std::optional<std::vector<char>> always_able() {
    std::vector<char> always(in_.system().owners.size(), 1);
    for (const semantics::Step& step : pump_.loop) {
      std::vector<char> able(always.size(), 0);
      for (const semantics::Successor& s : in_.successors(state_)) {
        if (s.result.outcome == Outcome::Blocked) continue;
        const system::Action& a = in_.system().action(s.step.action);
        able[a.owner.index()] = 1;
        if (a.partner.valid()) able[a.partner.index()] = 1;
      }
      for (std::size_t o = 0; o < always.size(); ++o) always[o] = always[o] && able[o];
      if (!take(step)) return std::nullopt;
    }
    return always;
  }

 private:
  bool take(const semantics::Step& step) {
    semantics::StepResult r = in_.run(state_, step);
    if (r.outcome != Outcome::Done) return false;
    state_ = std::move(r.state);
    return true;
  }

  const semantics::Interpreter& in_;
  const Pump& pump_;
  State state_;
};

}  // namespace

std::optional<Fairness> weak_fairness(const semantics::Interpreter& in, const Pump& pump) {
  const system::System& s = in.system();
  const std::int64_t rounds = rounds_to_settle(s, pump);
  Follower run(in, pump);
  if (rounds > kMostRounds || !run.begin()) return std::nullopt;
  for (std::int64_t i = 0; i < rounds; ++i)
    if (!run.round()) return std::nullopt;
  const auto always = run.always_able(), again = run.always_able();
  if (!always || always != again) return std::nullopt;
  std::vector<char> acts(s.owners.size(), 0);
  for (const semantics::Step& step : pump.loop) {
    const system::Action& a = s.action(step.action);
    acts[a.owner.index()] = 1;
    if (a.partner.valid()) acts[a.partner.index()] = 1;
  }
  Fairness f;
  for (std::size_t o = 0; o < acts.size(); ++o)
    if ((*always)[o] && !acts[o] && s.owners[o].kind != system::OwnerKind::Environment)
      f.starved.emplace_back(o);
  return f;
}

}  // namespace parley::bounds
