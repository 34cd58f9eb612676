// The product over the seam: counted by hand, and against a product made of maps over the reference
// semantics.
#include "explore/seam_product.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <map>

#include "explore/compiled.hpp"
#include "explore/interpreted.hpp"
#include "explore/random_system.hpp"
#include "explore/seam_searching.hpp"
#include "explore/visible_steps.hpp"
#include "semantics/hand_made.hpp"
#include "verdict/replay.hpp"

namespace parley::testing {
namespace {

using explore::CompiledModel;
using explore::SearchOrder;
using semantics::Interpreter;
using semantics::State;

static_assert(explore::NextState<Product<CompiledModel>> && !explore::Divisible<Product<CompiledModel>>);

system::PropertyId add_never(system::System& s, system::ExprId expression) {
  system::Property p;
  p.kind = system::PropertyKind::Never;
  p.name = "never";
  p.expression = expression;
  return s.add(p);
}

// Once the property was true in a state that was left: state 1, for ever.
Monitor once(system::PropertyId watched, system::PropertyId reports) {
  return {{{0, 0, {{watched, false}}}, {0, 1, {{watched, true}}}, {1, 1, {}}}, {false, true}, reports};
}

TEST(SeamProduct, CountsPingPongWithAMonitor) {
  // The model's states (sent, received) and its 10 transitions are counted in search_test.cpp. The queue is
  // full in (2,0) and (3,1). Before that was left, all 9 states are met, with their 10 transitions; after it
  // (2,1) (3,1) (2,2) (3,2) (3,3), with 2 + 1 + 1 + 1 + 0 transitions. (3,3) is the end and stutters, both
  // times.
  PingPong p;
  const PropertyId full = add_never(p.s, p.s.exprs.equals(p.s.exprs.queue_len(p.to_b), 2));
  const PropertyId reports = add_never(p.s, p.s.exprs.boolean(false));
  const Monitor monitor = once(full, reports);
  const Interpreter in(p.s);
  for (SearchOrder order : {SearchOrder::BreadthFirst, SearchOrder::DepthFirst}) {
    CompiledModel model(p.s, semantics::capacities(p.s));
    Product product(model, monitor);
    const Searched found = search_whole(product, p.s, order);
    EXPECT_EQ(found.states(), 14u);
    EXPECT_EQ(found.transitions(), 17u);
    EXPECT_TRUE(found.statistics.complete);
    // Two sends fill the queue, the next step leaves that state: the monitor's trace is the model's and
    // replays.
    ASSERT_TRUE(found.results[reports.index()].violated());
    const auto& trace = *std::get<verdict::Violated>(found.results[reports.index()].verdict).trace;
    EXPECT_GE(trace.steps.size(), 3u);
    EXPECT_TRUE(order == SearchOrder::DepthFirst || trace.steps.size() == 3u);
    const verdict::Replay replayed = verdict::replay(in, trace);
    ASSERT_EQ(replayed.states.size(), trace.steps.size() + 1);
    EXPECT_EQ(replayed.states[trace.steps.size() - 1].queues[0].size(), 2u);
  }
}

struct Count {
  std::size_t states = 0, transitions = 0;
  bool bad = false, complete = true;
};

// The same product the obvious way.
Count by_maps(const Interpreter& in, const Monitor& monitor, std::size_t most) {
  using Pair = std::pair<State, std::uint32_t>;
  std::set<Pair> seen;
  std::deque<Pair> open;
  Count c;
  auto meet = [&](const State& s, std::uint32_t q) {
    c.bad = c.bad || monitor.bad[q];
    if (seen.emplace(s, q).second) open.emplace_back(s, q);
  };
  for (const auto& i : in.initial_states())
    if (i.result.outcome == semantics::Outcome::Done) meet(i.result.state, 0);
  while (!open.empty() && seen.size() <= most) {
    const auto [s, q] = open.front();
    open.pop_front();
    VisibleSteps steps = visible_steps(in, s);
    if (!steps.moved) steps.next = {s};
    const auto targets = monitor.targets(q, [&, &at = s](system::PropertyId p) {
      return in.truth(at, in.system().property(p).expression).may_be_true;
    });
    for (const State& next : steps.next)
      for (std::uint32_t target : targets) {
        ++c.transitions;
        meet(next, target);
      }
  }
  c.complete = open.empty();
  c.states = seen.size();
  return c;
}

// Any automaton of up to four states, also ones that choose and ones that end.
Monitor random_monitor(std::mt19937_64& rng, const std::vector<system::PropertyId>& letters,
                       system::PropertyId reports) {
  const auto states = static_cast<std::uint32_t>(1 + rng() % 4);
  Monitor m;
  m.reports = reports;
  for (std::uint32_t q = 0; q < states; ++q) {
    m.bad.push_back(q + 1 == states && rng() % 2 == 0);
    const std::size_t edges = 1 + rng() % 3;
    for (std::size_t i = 0; i < edges; ++i) {
      Monitor::Edge e{q, static_cast<std::uint32_t>(rng() % states), {}};
      for (system::PropertyId p : letters)
        if (rng() % 3 == 0) e.label.emplace_back(p, rng() % 2 == 0);
      m.edges.push_back(e);
    }
  }
  return m;
}

TEST(SeamProduct, RandomProductsHaveTheStatesOfTheObviousOnes) {
  std::size_t compared = 0, larger = 0, bad = 0;
  for (std::uint64_t seed = 1; seed <= 150 && !HasFailure(); ++seed) {
    system::System s = RandomSystem(seed).make();
    std::vector<system::PropertyId> letters;
    for (std::size_t i = 0; i < s.properties.size(); ++i)
      if (s.properties[i].expression.valid()) letters.emplace_back(i);
    const system::PropertyId reports = add_never(s, s.exprs.boolean(false));
    std::mt19937_64 rng(seed);
    const Monitor monitor = random_monitor(rng, letters, reports);
    const Interpreter in(s);
    const Count expected = by_maps(in, monitor, 400);
    if (!expected.complete) continue;
    ++compared;
    bad += expected.bad ? 1 : 0;
    CompiledModel alone(s, semantics::capacities(s));
    const std::uint64_t unwrapped = search_whole(alone, s, SearchOrder::BreadthFirst).states();
    larger += expected.states > unwrapped ? 1 : 0;
    for (SearchOrder order : {SearchOrder::BreadthFirst, SearchOrder::DepthFirst}) {
      CompiledModel model(s, semantics::capacities(s));
      Product product(model, monitor);
      const Searched found = search_whole(product, s, order);
      EXPECT_EQ(found.states(), expected.states) << "seed " << seed;
      EXPECT_EQ(found.transitions(), expected.transitions) << "seed " << seed;
      EXPECT_EQ(found.results[reports.index()].violated(), expected.bad) << "seed " << seed;
    }
    explore::InterpretedModel<Interpreter> reference(in,
                                                     explore::concrete_shape(s, semantics::capacities(s)));
    Product product(reference, monitor);
    EXPECT_EQ(search_whole(product, s, SearchOrder::BreadthFirst).states(), expected.states)
        << "seed " << seed;
    // A monitor of one state that allows everything adds nothing.
    const Monitor nothing{{{0, 0, {}}}, {false}, reports};
    Product same(alone, nothing);
    EXPECT_EQ(search_whole(same, s, SearchOrder::BreadthFirst).states(), unwrapped) << "seed " << seed;
  }
  // Enough must be comparable, more than the model itself, and bad, or the test shows nothing.
  EXPECT_GT(compared, 90u);
  EXPECT_GT(larger, 20u);
  EXPECT_GT(bad, 20u);
}

}  // namespace
}  // namespace parley::testing
