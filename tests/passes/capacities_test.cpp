// passes/capacities.hpp: as long as no queue is full, taking its capacity away changes nothing at all.
#include "passes/capacities.hpp"

#include "harness.hpp"

namespace parley::passes {
namespace {

using testing::random_system;

// Room that the searches below never use up.
constexpr std::uint32_t kRoom = 8, kUsed = 3;

std::vector<std::uint32_t> room_of(const system::System& s) {
  std::vector<std::uint32_t> room;
  for (const system::Queue& q : s.queues) room.push_back(q.capacity == 0U ? 0 : kRoom);
  return room;
}

TEST(Capacities, NothingChangesWhereNoQueueIsFull) {
  std::size_t compared = 0;
  testing::Verdicts verdicts;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const system::System s = random_system(seed);
    const semantics::Interpreter in(s, room_of(s));
    const parley::testing::Oracle before = testing::searched(in);
    const bool full =
        std::any_of(before.longest.begin(), before.longest.end(), [](std::uint32_t n) { return n > kUsed; });
    if (!before.complete || full || before.cut || before.overflow) continue;
    const Passed roomy = without_capacities(s);
    system::validate(roomy.system);
    ASSERT_TRUE(roomy.back.valid_for(s, roomy.system));
    const semantics::Interpreter roomy_in(roomy.system, room_of(s));
    const parley::testing::Oracle after = testing::searched(roomy_in);
    ++compared;
    ASSERT_EQ(after.states, before.states) << "seed " << seed;
    ASSERT_EQ(after.transitions, before.transitions) << "seed " << seed;
    ASSERT_EQ(after.levels, before.levels) << "seed " << seed;
    ASSERT_EQ(after.longest, before.longest) << "seed " << seed;
    ASSERT_EQ(after.reached, before.reached) << "seed " << seed;
    SCOPED_TRACE(seed);
    testing::same_verdicts(s, roomy, room_of(s), verdicts);
    if (::testing::Test::HasFatalFailure()) return;
  }
  std::printf("%zu systems, %zu properties, %zu traces\n", compared, verdicts.compared, verdicts.violated);
  EXPECT_GT(compared, 60U);
  EXPECT_GT(verdicts.violated, 60U);
}

// A full queue is what makes the difference: a test of fullness is decided, a sender that waited goes on.
TEST(Capacities, FullQueuesAreAnotherQuestion) {
  system::System s;
  s.name = "full";
  system::Owner owner;
  owner.name = "p";
  owner.may_rest = s.exprs.boolean(false);
  const system::OwnerId p = s.add(owner);
  system::Signal m;
  m.name = "m";
  const system::SignalId signal = s.add(m);
  system::Queue q;
  q.name = "q";
  q.capacity = 1;
  q.overflow = system::OverflowPolicy::Block;
  q.signals = {signal};
  const system::QueueId queue = s.add(q);
  system::Stmt send;
  send.kind = system::StmtKind::Send;
  send.target = s.exprs.constant(0);
  send.routes = {{queue, signal}};
  system::Action a;
  a.name = "send";
  a.owner = p;
  a.guard = s.exprs.boolean(true);
  a.body = s.add(send);
  s.add(a);
  system::Property full;
  full.kind = system::PropertyKind::Reachable;
  full.name = "reachable full";
  full.expression = s.exprs.binary(expr::Op::Eq, s.exprs.queue_len(queue), s.exprs.queue_cap(queue));
  s.add(full);
  system::validate(s);
  const Passed roomy = without_capacities(s);
  EXPECT_TRUE(testing::answers(s, {1})[0].holds());
  EXPECT_TRUE(testing::answers(roomy.system, {3})[0].violated());
  const semantics::Interpreter in(s), roomy_in(roomy.system, {3});
  EXPECT_TRUE(in.is_deadlock(in.successors(in.initial_state({}).state)[0].result.state));
  EXPECT_FALSE(roomy_in.is_deadlock(roomy_in.successors(roomy_in.initial_state({}).state)[0].result.state));
}

}  // namespace
}  // namespace parley::passes
