// Runs go back through every kind of map, alone and chained, and show in the original what they showed.
#include "passes/trace_back.hpp"

#include "harness.hpp"
#include "toy_passes.hpp"

namespace parley::passes {
namespace {

using system::PropertyKind;
using testing::Toy;

// About single states and single steps: true of a run however many steps were left out on the way.
bool insensitive(PropertyKind kind) {
  return kind == PropertyKind::Always || kind == PropertyKind::Never || kind == PropertyKind::Reachable ||
         kind == PropertyKind::NoAssertionFailure || kind == PropertyKind::NoRuntimeError;
}

// Every trace that search finds after the pass goes back and is confirmed. How many.
std::size_t traces_go_back(const Toy& toy, const BackMap& map) {
  const std::vector<std::uint32_t> room = semantics::capacities(toy.original);
  const semantics::Interpreter mine(toy.original, room), theirs(toy.passed.system, room);
  EXPECT_TRUE(map.valid_for(toy.original, toy.passed.system));
  std::size_t found = 0;
  for (const verdict::PropertyResult& r : testing::answers(toy.passed.system, room)) {
    if (!insensitive(toy.passed.system.property(r.property).kind)) continue;
    const semantics::Trace* trace = nullptr;
    if (const auto* v = std::get_if<verdict::Violated>(&r.verdict); v != nullptr && v->trace)
      trace = &*v->trace;
    if (const auto* h = std::get_if<verdict::Holds>(&r.verdict); h != nullptr && h->witness)
      trace = &*h->witness;
    if (trace == nullptr) continue;
    ++found;
    const TraceBack back = trace_back(mine, theirs, map, *trace);
    EXPECT_TRUE(back.trace) << back.why;
    if (!back.trace) continue;
    const verdict::Confirmation c = verdict::confirm(mine, map.properties[r.property.index()], *back.trace);
    EXPECT_TRUE(c.confirmed) << c.why;
    const TraceBack slowly = followed(mine, theirs, map, *trace);
    EXPECT_TRUE(slowly.trace) << slowly.why;
  }
  return found;
}

struct Kind {
  const char* name;
  Toy (*make)(const system::System&);
  bool new_owner;
};
const Kind kKinds[] = {
    {"adds_choices", testing::adds_choices, false},     {"removes_choices", testing::removes_choices, false},
    {"splits_actions", testing::splits_actions, false}, {"merges_actions", testing::merges_actions, false},
    {"adds_steps", testing::adds_steps, true},          {"hides_steps", testing::hides_steps, true},
    {"merges_cells", testing::merges_cells, false},
};

class TraceBackOf : public ::testing::TestWithParam<Kind> {};

TEST_P(TraceBackOf, EveryTraceIsOneOfTheOriginal) {
  std::size_t found = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    system::System s = parley::testing::RandomSystem(seed).make();
    if (GetParam().new_owner) {
      if (testing::asks_for_idle(s)) continue;
      s = testing::without_stretches(std::move(s));
    }
    const Toy toy = GetParam().make(s);
    system::validate(toy.passed.system);
    SCOPED_TRACE(seed);
    found += traces_go_back(toy, toy.passed.back);
    if (HasFailure()) return;
  }
  std::printf("%zu traces\n", found);
  EXPECT_GT(found, 10U);
}

INSTANTIATE_TEST_SUITE_P(Toys, TraceBackOf, ::testing::ValuesIn(kKinds),
                         [](const auto& kind) { return std::string(kind.param.name); });

// Through two passes at once, by one map.
TEST(TraceBack, MapsCompose) {
  std::size_t found = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    const system::System s = parley::testing::RandomSystem(seed).make();
    const Toy first = testing::splits_actions(s);
    const Toy second = testing::adds_choices(first.passed.system);
    SCOPED_TRACE(seed);
    found += traces_go_back({s, second.passed}, chained(first.passed.back, second.passed.back));
    if (testing::asks_for_idle(s)) continue;
    const Toy slow = testing::hides_steps(testing::without_stretches(s));
    const Toy quick = testing::splits_actions(slow.passed.system);
    found += traces_go_back({slow.original, quick.passed}, chained(slow.passed.back, quick.passed.back));
    if (HasFailure()) return;
  }
  EXPECT_GT(found, 20U);
}

TEST(TraceBack, ChainedWithTheSameIdsIsTheSameMap) {
  const system::System s = parley::testing::RandomSystem(7).make();
  const Toy toy = testing::merges_actions(s);
  EXPECT_EQ(chained(toy.passed.back, same_ids(s, s)), toy.passed.back);
  EXPECT_EQ(chained(same_ids(toy.original, toy.original), toy.passed.back), toy.passed.back);
}

// A run that only the transformed System has is refused, with the step.
TEST(TraceBack, RunsOfAnAbstractionMayHaveNoCounterpart) {
  std::size_t refused = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    const system::System s = testing::without_stretches(parley::testing::RandomSystem(seed).make());
    if (testing::asks_for_idle(s)) continue;
    Passed free{s, same_ids(s, s)};
    for (system::Action& a : free.system.actions)
      if (!a.trigger) a.guard = free.system.exprs.boolean(true);
    const semantics::Interpreter mine(s), theirs(free.system);
    for (const auto& i : theirs.initial_states()) {
      if (i.result.outcome != semantics::Outcome::Done) continue;
      for (const auto& next : theirs.successors(i.result.state)) {
        if (next.result.outcome != semantics::Outcome::Done) continue;
        const semantics::Trace trace{i.choices, {next.step}, {}};
        const TraceBack back = followed(mine, theirs, free.back, trace);
        const bool real = verdict::replay(mine, trace).states.size() == 2;  // a guard may fail instead
        ASSERT_EQ(back.trace.has_value(), real) << "seed " << seed << ": " << back.why;
        if (real) continue;
        ++refused;
        EXPECT_EQ(back.why, "step 1 has no counterpart in the model");
      }
    }
  }
  EXPECT_GT(refused, 20U);
}

// Of an element that two elements stand for, one reached is enough; lengths need every queue.
TEST(BackMap, CoverageOfMergedElements) {
  BackMap map;
  const auto e = [](std::size_t i) { return system::ElementId(i); };
  map.elements = {e(4), e(4), e(2), system::ElementId{}, e(1)};
  EXPECT_EQ(unreached_back(map, {e(0), e(2), e(3)}), (std::vector{e(2)}));
  EXPECT_EQ(unreached_back(map, {e(0), e(1), e(4)}), (std::vector{e(1), e(4)}));
  system::System two;
  two.queues.resize(2);
  map.queues = {system::QueueId(1), system::QueueId{}, system::QueueId(0)};
  EXPECT_EQ(lengths_back(map, two, {5, 6, 7}), (std::vector<std::uint32_t>{7, 5}));
  two.queues.resize(3);
  EXPECT_TRUE(lengths_back(map, two, {5, 6, 7}).empty());
}

}  // namespace
}  // namespace parley::passes
