#include "explore/seam_check.hpp"

#include "semantics/checked.hpp"
#include "system/footprint.hpp"

namespace parley::testing {

using semantics::Outcome;
using semantics::State;
using semantics::Step;

void Heard::add_to(Sets& sets) const {
  for (const Successor& s : successors) sets.words.insert(s.words);
  for (const auto& [event, steps] : events) sets.events.insert(event);
  sets.omitted.insert(omitted.begin(), omitted.end());
  sets.moved = sets.moved || moved;
}

Heard::Sets Heard::sets() const {
  Sets all;
  add_to(all);
  return all;
}

bool operator==(const Heard& a, const Heard& b) {
  auto same = [](const Heard::Successor& x, const Heard::Successor& y) {
    return x.words == y.words && x.completing == y.completing && x.path.steps == y.path.steps;
  };
  return a.moved == b.moved && a.events == b.events && a.omitted == b.omitted &&
         std::equal(a.successors.begin(), a.successors.end(), b.successors.begin(), b.successors.end(), same);
}

void StepChecker::check_paths(const Words& from, const Heard& heard) {
  const State source = explore::unpack(layout_, from.data());
  for (const Heard::Successor& s : heard.successors) {
    State state = source;
    for (std::size_t i = 0; i < s.path.steps.size(); ++i) {
      const Step& step = s.path.steps[i];
      if (i > 0 && state.visible()) complain("a path goes through a visible state");
      const semantics::StepResult r = in_.run(state, step);
      if (r.outcome != Outcome::Done)
        return complain(fmt::format("a path does not replay: {}", in_.system().action(step.action).name));
      if (const std::string why = semantics::footprint_violation(in_, state, step); !why.empty())
        complain(why);
      check_effect(state, step, r.state);
      check_indifference(state, step);
      state = r.state;
    }
    if (state != explore::unpack(layout_, s.words.data())) complain("a path ends elsewhere");
    if (s.completing != Id<void>::kNone && !completes(s.path, s.completing))
      complain("a path is called completion and is not");
  }
  check_failures(from, heard);
}

// The step that fails is the last of the path that is told with the failure.
void StepChecker::check_failures(const Words& from, const Heard& heard) {
  for (const auto& [event, steps] : heard.events) {
    if (event != explore::Event::AssertionFailed && event != explore::Event::RuntimeError) continue;
    semantics::StepResult r;
    r.state = explore::unpack(layout_, from.data());
    for (const Step& step : steps) r = in_.run(State(r.state), step);
    const Outcome wanted =
        event == explore::Event::RuntimeError ? Outcome::RuntimeError : Outcome::AssertionFailed;
    if (r.outcome != wanted)
      complain(fmt::format("a path to a failure ends {}", semantics::describe(r.outcome)));
  }
}

bool StepChecker::completes(const explore::Path& path, std::uint32_t owner) const {
  const system::System& s = in_.system();
  return s.action(path.steps.front().action).kind == system::ActionKind::Complete &&
         std::all_of(path.steps.begin(), path.steps.end(),
                     [&](const Step& step) { return s.action(step.action).owner.value == owner; });
}

// What a step changes is what its footprint says it writes.
void StepChecker::check_effect(const State& before, const Step& step, const State& after) {
  const system::System& s = in_.system();
  const system::Footprint f = system::footprint(s, step.action);
  const std::string& name = s.action(step.action).name;
  for (std::size_t i = 0; i < before.cells.size(); ++i)
    if (before.cells[i] != after.cells[i] &&
        !std::binary_search(f.writes.begin(), f.writes.end(), system::CellId(i)))
      complain(fmt::format("{} changes {}", name, s.cells[i].name));
  for (std::size_t i = 0; i < before.queues.size(); ++i)
    if (before.queues[i] != after.queues[i] &&
        !std::binary_search(f.takes.begin(), f.takes.end(), system::QueueId(i)) &&
        !std::binary_search(f.puts.begin(), f.puts.end(), system::QueueId(i)))
      complain(fmt::format("{} changes the queue {}", name, s.queues[i].name));
}

// A cell that an action does not read makes no difference to it: with another value there, it does the same.
void StepChecker::check_indifference(const State& before, const Step& step) {
  const system::System& s = in_.system();
  const system::Footprint f = system::footprint(s, step.action);
  if (s.cells.empty() || f.reads_idle) return;
  const system::CellId cell(rng_() % s.cells.size());
  if (std::binary_search(f.reads.begin(), f.reads.end(), cell)) return;
  const explore::CodeRange range = explore::range_of(s.cell(cell).type);
  if (range.lo == range.hi) return;
  State other = before;
  std::int32_t& value = other.cells[cell.index()];
  value = value == range.hi ? range.lo : value + 1;
  if (!range.contains(value)) return;
  auto alone = [&](const State& state) {
    semantics::Choices choices(step.choices);
    return in_.attempt(state, step.action, false, choices);
  };
  const semantics::StepResult here = alone(before), there = alone(other);
  State wanted = here.state;
  if (wanted.cells[cell.index()] == before.cells[cell.index()]) wanted.cells[cell.index()] = value;
  State got = there.state;
  if (std::binary_search(f.writes.begin(), f.writes.end(), cell))
    got.cells[cell.index()] = wanted.cells[cell.index()];  // written or not: the value may be either
  if (here.outcome != there.outcome || (here.outcome == Outcome::Done && wanted != got))
    complain(fmt::format("{} depends on {}", s.action(step.action).name, s.cell(cell).name));
}

}  // namespace parley::testing
