// passes/monitored.hpp: the states of the System with the automaton inside are those of the product made of
// sets, mark by mark; and its runs are runs of the original.
#include "passes/monitored.hpp"

#include <deque>
#include <set>

#include "explore/random_temporal.hpp"
#include "harness.hpp"
#include "ltl/build.hpp"
#include "passes/trace_back.hpp"
#include "semantics/hand_made.hpp"

namespace parley::passes {
namespace {

using semantics::Interpreter;
using semantics::Outcome;
using semantics::State;

constexpr std::size_t kMost = 3000;

// A position of a run, read by the automaton.
struct Place {
  State state;  // of the observed System; events are forgotten after the end
  bool ended = false;
  ltl::State automaton = 0;
  ltl::Marks marks = 0;  // passed while reading it
  friend auto operator<=>(const Place&, const Place&) = default;
};

State without_events(const Observed& o, State state, bool ended) {
  for (const Proposition& p : o.propositions)
    if (ended && p.kind == Proposition::Kind::Event) state.cells[o.system().exprs[p.expression].a] = 0;
  return state;
}

// Nothing: more than kMost.
std::optional<std::set<Place>> product(const Observed& o, const ltl::Automaton& a, const Interpreter& in) {
  std::set<Place> seen;
  std::deque<Place> todo;
  const auto read = [&](const State& state, bool ended, ltl::State from) {
    const ltl::Letter letter = passes::letter(o, in, state, ended);
    for (const ltl::Edge& e : a.edges[from]) {
      Place place{without_events(o, state, ended), ended, e.target, e.marks};
      if (e.label.admits(letter) && seen.insert(place).second) todo.push_back(std::move(place));
    }
  };
  for (const auto& i : in.initial_states())
    if (i.result.outcome == Outcome::Done) read(i.result.state, false, a.initial);
  while (!todo.empty()) {
    if (seen.size() > kMost) return std::nullopt;
    const Place place = std::move(todo.front());
    todo.pop_front();
    bool moves = false;
    for (const auto& next : in.successors(place.state)) {
      moves = moves || next.result.outcome != Outcome::Blocked;
      if (next.result.outcome == Outcome::Done) read(next.result.state, false, place.automaton);
    }
    if (!moves) read(place.state, true, place.automaton);
  }
  return seen;
}

Place place_of(const Observed& o, const Monitored& m, State state) {
  Place place;
  place.automaton = static_cast<ltl::State>(state.cells[m.automaton.index()]);
  place.ended = state.cells[m.ended.index()] != 0;
  for (std::size_t i = 0; i < m.marks.size(); ++i)
    if (state.cells[m.marks[i].index()] != 0) place.marks |= ltl::Marks{1} << i;
  state.cells.resize(o.system().cells.size());
  place.state = std::move(state);
  return place;
}

std::set<Place> states_of(const Observed& o, const Monitored& m, const Interpreter& in) {
  std::set<State> seen;
  std::set<Place> places;
  std::deque<State> todo;
  const auto meet = [&](const semantics::StepResult& r) {
    if (r.outcome != Outcome::Done || !seen.insert(r.state).second) return;
    places.insert(place_of(o, m, r.state));
    todo.push_back(r.state);
  };
  for (const auto& i : in.initial_states()) meet(i.result);
  while (!todo.empty() && seen.size() <= 4 * kMost) {
    const State state = std::move(todo.front());
    todo.pop_front();
    for (const auto& next : in.successors(state)) meet(next.result);
  }
  return places;
}

struct Tally {
  std::size_t compared = 0, ends = 0, refused = 0, followed = 0;
};

// A random run of the monitored System, as one of the original.
void follow(const Interpreter& original, const Monitored& m, const Interpreter& in, std::uint64_t seed,
            Tally& tally) {
  std::mt19937_64 random(seed);
  const auto one_of = [&](auto&& list) {
    std::erase_if(list, [](const auto& x) { return x.result.outcome != Outcome::Done; });
    using Element = typename std::decay_t<decltype(list)>::value_type;
    return list.empty() ? std::optional<Element>() : std::optional<Element>(list[random() % list.size()]);
  };
  const auto start = one_of(in.initial_states());
  if (!start) return;
  semantics::Trace trace;
  trace.initial_choices = start->choices;
  State state = start->result.state;
  std::size_t steps = 0;
  for (int i = 0; i < 12; ++i) {
    const auto next = one_of(in.successors(state));
    if (!next) break;
    trace.steps.push_back(next->step);
    steps += next->step.action != m.stutters;
    state = next->result.state;
  }
  const TraceBack back = trace_back(original, in, m.passed.back, trace);
  ASSERT_TRUE(back.trace) << back.why;
  ASSERT_EQ(back.trace->steps.size(), steps);
  const verdict::Replay replayed = verdict::replay(original, *back.trace);
  ASSERT_TRUE(replayed.complete) << replayed.why;
  ASSERT_TRUE(agree(m.passed.back, replayed.states.back(), state));
  ++tally.followed;
}

void compare(std::uint64_t seed, Tally& tally) {
  system::System s = testing::random_system(seed);
  parley::testing::RandomTemporal random(s, seed * 7919 + 1, true);
  const system::PropertyId property = random.add_property(1 + seed % 6);
  SCOPED_TRACE("seed " + std::to_string(seed) + ": " + s.property(property).name);
  Monitoring made = monitored(s, property);
  if (!made.monitored) {
    ++tally.refused;
    EXPECT_NE(made.why_not.find("it cannot be said"), std::string::npos) << made.why_not;
    return;
  }
  const Monitored& m = *made.monitored;
  system::validate(m.system());
  ASSERT_TRUE(m.passed.back.valid_for(s, m.system()));
  Observation observation = observe(s, property);
  Observed& o = *observation.observed;
  const auto automaton = ltl::automaton_of(o.formulas, o.formulas.negate(o.formula));
  const Interpreter original(s), observed(o.system()), in(m.system(), semantics::capacities(s));
  const auto expected = product(o, std::get<ltl::Automaton>(automaton), observed);
  if (!expected) return;
  const std::set<Place> found = states_of(o, m, in);
  ASSERT_EQ(found.size(), expected->size());
  ASSERT_TRUE(found == *expected);
  ++tally.compared;
  tally.ends += std::any_of(found.begin(), found.end(), [](const Place& p) { return p.ended; });
  follow(original, m, in, seed, tally);
}

TEST(Monitored, ReachesThePairsOfTheProduct) {
  Tally tally;
  for (std::uint64_t seed = 1; seed <= 300 && !HasFatalFailure(); ++seed) compare(seed, tally);
  std::printf("%zu compared, %zu with runs that end, %zu refused, %zu runs followed\n", tally.compared,
              tally.ends, tally.refused, tally.followed);
  EXPECT_GT(tally.compared, 150U);
  EXPECT_GT(tally.ends, 50U);
  EXPECT_LT(tally.refused, 60U);
  EXPECT_GT(tally.followed, 100U);
}

}  // namespace
}  // namespace parley::passes
