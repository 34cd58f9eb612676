#include "driver/beyond_cut.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <set>

#include "system/footprint.hpp"
#include "system/may_fail.hpp"

namespace parley::driver {
namespace {

using semantics::Interpreter;
using semantics::Outcome;
using semantics::State;
using semantics::StepResult;

constexpr std::size_t kMostStates = 50000;
constexpr std::uint32_t kRoom = 1U << 24;

bool cuts(const system::System& s, system::QueueId q) {
  return s.queue(q).overflow == system::OverflowPolicy::Cut && !system::marks_cut(s.queue(q));
}

bool may_hide(const system::System& s) {
  for (std::size_t a = 0; a < s.actions.size(); ++a) {
    const auto puts = system::footprint(s, system::ActionId(a)).puts;
    if (std::any_of(puts.begin(), puts.end(), [&](system::QueueId q) { return cuts(s, q); }) &&
        system::may_fail(s, s.actions[a].body))
      return true;
  }
  return s.initial_body.valid() && system::may_fail(s, s.initial_body);
}

std::vector<std::uint32_t> with_room(const Interpreter& in) {
  std::vector<std::uint32_t> room = in.queue_capacities();
  for (std::size_t q = 0; q < room.size(); ++q)
    if (cuts(in.system(), system::QueueId(q))) room[q] = kRoom;
  return room;
}

// Whether `longer` is what the step with the choices `begun` may become when it goes on.
bool continues(const std::vector<std::uint64_t>& begun, const std::vector<std::uint64_t>& longer) {
  return begun.size() <= longer.size() && std::equal(begun.begin(), begun.end(), longer.begin());
}

class Look {
 public:
  Look(const Interpreter& in, const std::vector<Outcome>& wanted)
      : in_(in), roomy_(in.system(), with_room(in)) {
    wanted_ = {wanted.begin(), wanted.end()};
  }

  std::vector<HiddenFailure> run(const std::function<bool()>& stop) {
    const auto starts = in_.initial_states();
    for (const semantics::InitialState& i : starts) {
      if (i.result.outcome == Outcome::Cut)
        for (const semantics::InitialState& x : roomy_.initial_states())
          if (continues(i.choices, x.choices)) note(i.result, x.result, "the initialisation");
      if (i.result.outcome == Outcome::Done) meet(i.result.state);
    }
    while (!open_.empty() && !wanted_.empty() && seen_.size() < kMostStates && !stop()) {
      const State& state = *open_.front();
      open_.pop_front();
      expand(state);
    }
    return std::move(found_);
  }

 private:
  void meet(const State& state) {
    if (const auto [at, fresh] = seen_.insert(state); fresh) open_.push_back(&*at);
  }
  void expand(const State& state) {
    std::vector<semantics::Successor> further;  // with room, once needed
    for (const semantics::Successor& s : in_.successors(state)) {
      if (s.result.outcome == Outcome::Done) meet(s.result.state);
      if (s.result.outcome != Outcome::Cut) continue;
      if (further.empty()) further = roomy_.successors(state);
      for (const semantics::Successor& x : further)
        if (x.step.action == s.step.action && continues(s.step.choices, x.step.choices))
          note(s.result, x.result, fmt::format("`{}`", in_.system().action(s.step.action).name));
    }
  }
  void note(const StepResult& cut, const StepResult& further, const std::string& who) {
    if (wanted_.erase(further.outcome) == 0) return;
    const system::Queue& q = in_.system().queue(cut.failure.queue);
    const std::uint32_t capacity = in_.queue_capacities()[cut.failure.queue.index()];
    found_.push_back(
        {further.outcome,
         fmt::format("{}, which the full queue of {} ({} message{}) cuts short, would fail if it "
                     "had room: {}",
                     who, q.name, capacity, capacity == 1 ? "" : "s", further.failure.message)});
  }

  const Interpreter& in_;
  const Interpreter roomy_;
  std::set<Outcome> wanted_;  // still
  std::vector<HiddenFailure> found_;
  std::set<State> seen_;
  std::deque<const State*> open_;
};

}  // namespace

std::vector<HiddenFailure> failures_beyond_cuts(const Interpreter& in, const std::vector<Outcome>& wanted,
                                                const std::function<bool()>& stop) {
  if (wanted.empty() || !may_hide(in.system())) return {};
  return Look(in, wanted).run(stop);
}

}  // namespace parley::driver
