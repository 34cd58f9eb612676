// passes/message_order.hpp: the same runs as the original, step by step, so the same verdicts and lengths.
#include "passes/message_order.hpp"

#include <set>

#include "bounds/system_maker.hpp"
#include "harness.hpp"
#include "passes/capacities.hpp"

namespace parley::passes {
namespace {

using bounds::testing::Maker;

// What a state of the remembering system is in the original: without the cells and parameters it has more.
semantics::State original_part(const system::System& s, semantics::State state) {
  state.cells.resize(s.cells.size());
  for (auto& queue : state.queues)
    for (semantics::Message& m : queue) m.args.resize(s.signal(m.signal).params.size());
  return state;
}

std::vector<std::set<semantics::State>> levels(const system::System& s, std::size_t depth,
                                               const system::System& original) {
  const semantics::Interpreter in(s, std::vector<std::uint32_t>(s.queues.size(), 1000));
  std::set<semantics::State> now;
  std::vector<std::set<semantics::State>> all;
  for (const auto& i : in.initial_states())
    if (i.result.outcome == semantics::Outcome::Done) now.insert(i.result.state);
  for (std::size_t d = 0; d <= depth && now.size() < 3000; ++d) {
    all.emplace_back();
    for (const auto& state : now) all.back().insert(original_part(original, state));
    std::set<semantics::State> next;
    for (const auto& state : now)
      for (const auto& x : in.successors(state))
        if (x.result.outcome == semantics::Outcome::Done) next.insert(x.result.state);
    now = std::move(next);
  }
  return all;
}

// Breadth first, level by level, the remembering system reaches exactly the states of the original.
TEST(MessageOrder, TakesNoStepAwayAndAddsNone) {
  std::size_t compared = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const system::System s = without_capacities(bounds::testing::random_system(seed)).system;
    const std::vector<system::QueueId> queues = with_visible_order(s);
    if (queues.empty()) continue;
    ++compared;
    const Passed ordered = remembering_order(s, queues);
    system::validate(ordered.system);
    ASSERT_TRUE(ordered.back.valid_for(s, ordered.system));
    const auto mine = levels(ordered.system, 6, s), theirs = levels(s, 6, s);
    for (std::size_t d = 0; d < std::min(mine.size(), theirs.size()); ++d)
      ASSERT_EQ(mine[d], theirs[d]) << "seed " << seed << " depth " << d;
  }
  EXPECT_GT(compared, 50U);
}

TEST(MessageOrder, KeepsVerdictsOfRandomModels) {
  std::size_t compared = 0;
  testing::Verdicts verdicts;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    const system::System s = testing::random_system(seed);
    std::vector<system::QueueId> queues = with_visible_order(s);
    // What is lost to a full queue is remembered as sent.
    std::erase_if(queues, [&](auto q) { return s.queue(q).overflow == system::OverflowPolicy::Lose; });
    if (queues.empty()) continue;
    const std::vector<std::uint32_t> room = semantics::capacities(s);
    const parley::testing::Oracle before = testing::searched(semantics::Interpreter(s, room));
    if (!before.complete) continue;
    const Passed ordered = remembering_order(s, queues);
    const parley::testing::Oracle after = testing::searched(semantics::Interpreter(ordered.system, room));
    if (!after.complete) continue;
    ++compared;
    ASSERT_GE(after.states, before.states) << "seed " << seed;
    ASSERT_EQ(lengths_back(ordered.back, s, after.longest), before.longest) << "seed " << seed;
    ASSERT_GE(after.levels.size(), before.levels.size()) << "seed " << seed;
    SCOPED_TRACE(seed);
    testing::same_verdicts(s, ordered, room, verdicts);
    if (::testing::Test::HasFatalFailure()) return;
  }
  std::printf("%zu systems, %zu properties, %zu traces\n", compared, verdicts.compared, verdicts.violated);
  EXPECT_GT(compared, 30U);
  EXPECT_GT(verdicts.violated, 20U);
}

// Models whose queues lose may show what the original does not have, a deadlock for instance: among these
// there are some, and the way back notices.
TEST(MessageOrder, LostMessagesAreNotFollowed) {
  std::size_t refused = 0;
  for (std::uint64_t seed = 1; seed <= 2000 && refused == 0; ++seed) {
    const auto s = testing::text_model(seed);
    if (!s) continue;
    const std::vector<system::QueueId> queues = with_visible_order(*s);
    if (std::none_of(queues.begin(), queues.end(),
                     [&](auto q) { return s->queue(q).overflow == system::OverflowPolicy::Lose; }))
      continue;
    const std::vector<std::uint32_t> room = semantics::capacities(*s);
    const Passed ordered = remembering_order(*s, queues);
    const semantics::Interpreter mine(*s, room), theirs(ordered.system, room);
    for (const verdict::PropertyResult& r : testing::answers(ordered.system, room))
      if (r.violated() && verdict::mapped_back(mine, theirs, ordered.back, r).unknown()) ++refused;
  }
  EXPECT_GT(refused, 0U) << "the way back does not notice";
}

TEST(MessageOrder, OnlyWhereTheHeadIsTaken) {
  Maker m;
  const auto owner = m.owner("p", 1), other = m.owner("r", 1);
  const auto a = m.signal("a"), b = m.signal("b");
  const auto plain = m.queue("plain"), deferred = m.queue("deferred"), picked = m.queue("picked"),
             shared = m.queue("shared"), one = m.queue("one");
  for (const auto q : {plain, deferred, picked, shared}) {
    m.step(owner, 0, 0, {m.send(q, a), m.send(q, b)});
    m.receive(owner, 0, 0, q, a);
    m.receive(owner, 0, 0, q, b);
  }
  m.step(owner, 0, 0, {m.send(one, a)});
  m.receive(owner, 0, 0, one, a);
  m.s.queues[deferred.index()].deferrals.push_back({a, m.s.exprs.boolean(true)});
  m.step(owner, 0, 0, {}, {}, system::Trigger{picked, b, system::Selection::FirstMatching, true});
  m.receive(other, 0, 0, shared, a);
  // A send that looks at a queue may say something else when it is over.
  const auto counted = m.signal("counted", {system::Type::range(0, 100)});
  const auto asking = m.queue("asking");
  m.step(owner, 0, 0, {m.send(asking, counted, {m.s.exprs.queue_len(asking)}), m.send(asking, b)});
  m.receive(owner, 0, 0, asking, counted);
  m.receive(owner, 0, 0, asking, b);
  EXPECT_EQ(with_visible_order(m.s), (std::vector<system::QueueId>{plain}));
}

}  // namespace
}  // namespace parley::passes
