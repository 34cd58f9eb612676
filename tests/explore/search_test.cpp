// The search on Systems small enough to be counted by hand, and its limits.
#include <gtest/gtest.h>

#include "explore/compare.hpp"
#include "explore/explore.hpp"
#include "semantics/hand_made.hpp"
#include "verdict/replay.hpp"

namespace parley::testing {
namespace {

using explore::Explorer;
using explore::SearchOrder;
using verdict::PropertyResult;

struct Answer {
  std::vector<PropertyResult> results;
  explore::Statistics statistics;
};

Answer ask(const System& s, engine::Limits limits = {}, explore::SearchOptions options = {}) {
  std::vector<PropertyId> ids;
  for (std::size_t i = 0; i < s.properties.size(); ++i) ids.emplace_back(i);
  Explorer e(options);
  Answer a;
  a.results = e.check(engine::Request{s, ids, semantics::capacities(s), limits, 0, nullptr, {}, {}});
  a.statistics = e.statistics();
  return a;
}

void add_property(System& s, PropertyKind kind, ExprId expression = {}) {
  Property p;
  p.kind = kind;
  p.name = describe(kind);
  p.expression = expression;
  s.add(p);
}

TEST(Search, CountsPingPong) {
  // By hand: a has sent n of 3, m of them were received, at most 2 wait: (0,0) (1,0) (1,1) (2,0) (2,1) (2,2)
  // (3,1) (3,2) (3,3) are 9 states. Sends go from (0,0) (1,0) (1,1) (2,1) (2,2), receipts from (1,0) (2,0)
  // (2,1) (3,1) (3,2): 10 transitions. Three sends and three receipts: depth 6.
  PingPong p;
  add_property(p.s, PropertyKind::NoDeadlock);
  const Answer a = ask(p.s, {}, {SearchOrder::BreadthFirst, true});
  EXPECT_EQ(a.statistics.states, 9u);
  EXPECT_EQ(a.statistics.transitions, 10u);
  EXPECT_EQ(a.statistics.depth, 6u);
  EXPECT_TRUE(a.statistics.complete);
  EXPECT_TRUE(a.results[0].holds());
  EXPECT_EQ(a.statistics.longest, (std::vector<std::uint32_t>{2}));
}

TEST(Search, CutQueuesMakeTheAnswerConditional) {
  PingPong p(OverflowPolicy::Cut, 1);
  add_property(p.s, PropertyKind::NoDeadlock);
  add_property(p.s, PropertyKind::NoOverflow);
  add_property(p.s, PropertyKind::Reachable, p.s.exprs.equals(p.s.exprs.queue_len(p.to_b), 2));
  const Answer a = ask(p.s);
  EXPECT_TRUE(a.results[0].holds());
  ASSERT_EQ(a.results[0].assumptions.size(), 1u);
  EXPECT_EQ(a.results[0].assumptions[0].code, verdict::AssumptionCode::QueueCapacity);
  // One send fits, the second does not: two steps.
  ASSERT_TRUE(a.results[1].violated());
  EXPECT_EQ(std::get<verdict::Violated>(a.results[1].verdict).trace->steps.size(), 2u);
  EXPECT_TRUE(a.results[2].unknown());
}

// Rule 29 makes no exception for the start.
TEST(Search, AStartThatIsCutOverflows) {
  for (const SearchOrder order : {SearchOrder::BreadthFirst, SearchOrder::DepthFirst}) {
    const System s = cut_start();
    const Answer a = ask(s, {}, {order, true});
    ASSERT_TRUE(a.results[0].violated());
    const auto& v = std::get<verdict::Violated>(a.results[0].verdict);
    EXPECT_TRUE(v.trace->steps.empty());
    EXPECT_TRUE(verdict::confirm(semantics::Interpreter(s), a.results[0].property, *v.trace).confirmed);
    EXPECT_TRUE(a.results[1].holds());
    ASSERT_EQ(a.results[1].assumptions.size(), 1u);
    EXPECT_EQ(a.results[1].assumptions[0].code, verdict::AssumptionCode::QueueCapacity);
  }
}

// One owner that counts a 32-bit cell up for ever.
System counter() {
  System s;
  s.name = "counter";
  Owner o;
  o.name = "o";
  o.may_rest = s.exprs.boolean(true);
  const OwnerId owner = s.add(o);
  const CellId x = s.add(Cell{"x", Type::integer(), 0, CellRole::Data, owner, false, {}});
  Action a;
  a.name = "count";
  a.owner = owner;
  a.guard = s.exprs.boolean(true);
  a.body = block(s, {assign(s, x, s.exprs.binary(expr::Op::Add, s.read(x), s.exprs.constant(1)))});
  s.add(a);
  add_property(s, PropertyKind::NoDeadlock);
  add_property(s, PropertyKind::Never, s.exprs.equals(s.read(x), 700));
  return s;
}

TEST(Search, LimitsEndInUnknownWithCoverage) {
  const System s = counter();
  engine::Limits states;
  states.states = 1000;
  for (SearchOrder order : {SearchOrder::BreadthFirst, SearchOrder::DepthFirst}) {
    const Answer a = ask(s, states, {order, false});
    ASSERT_TRUE(a.results[0].unknown());
    EXPECT_EQ(std::get<verdict::Unknown>(a.results[0].verdict).reason, "state limit (1000) reached");
    EXPECT_GE(*a.results[0].coverage.states, 1000u);
    EXPECT_FALSE(a.results[0].coverage.complete);
    // Found on the way, 700 steps deep.
    ASSERT_TRUE(a.results[1].violated());
    EXPECT_EQ(std::get<verdict::Violated>(a.results[1].verdict).trace->steps.size(), 700u);
  }
  engine::Limits memory;
  memory.memory_bytes = 1 << 20;
  const Answer a = ask(s, memory);
  ASSERT_TRUE(a.results[0].unknown());
  EXPECT_NE(std::get<verdict::Unknown>(a.results[0].verdict).reason.find("out of memory"), std::string::npos);
  EXPECT_LE(*a.results[0].coverage.memory_bytes, std::uint64_t{1} << 20);
  engine::Limits time;
  time.seconds = 0.05;
  EXPECT_TRUE(ask(s, time).results[0].unknown());
}

TEST(Search, AChoiceFromAllIntegersObeysTheLimits) {
  System s = counter();
  Stmt choose;
  choose.kind = StmtKind::Choose;
  choose.local = 0;
  choose.lo = s.exprs.constant(expr::kIntMin);
  choose.hi = s.exprs.constant(expr::kIntMax);
  s.actions[0].locals = 1;
  const StmtId pick = s.add(choose);
  s.actions[0].body = block(s, {pick, assign(s, CellId(0u), s.exprs.local(0, Type::integer()))});
  engine::Limits limits;
  limits.states = 10000;
  const Answer a = ask(s, limits);
  EXPECT_TRUE(a.results[0].unknown());
  EXPECT_LT(a.statistics.states, 20000u);
}

TEST(Search, CancelEndsIt) {
  const System s = counter();
  engine::CancelToken token;
  token.cancel();
  Explorer e;
  const auto results =
      e.check(engine::Request{s, {PropertyId(0u)}, semantics::capacities(s), {}, 0, &token, {}, {}});
  ASSERT_TRUE(results[0].unknown());
  EXPECT_EQ(std::get<verdict::Unknown>(results[0].verdict).reason, "cancelled");
}

TEST(Search, ProgressAndDecisionsAreReportedWhileItRuns) {
  const System s = counter();
  engine::Limits limits;
  limits.seconds = 0.5;
  std::size_t progress = 0, decided = 0;
  Explorer e;
  e.check(engine::Request{s,
                          {PropertyId(0u), PropertyId(1u)},
                          semantics::capacities(s),
                          limits,
                          0,
                          nullptr,
                          [&](const engine::Progress& p) {
                            ++progress;
                            EXPECT_GT(*p.states, 0u);
                          },
                          [&](const PropertyResult& r) {
                            ++decided;
                            EXPECT_TRUE(r.violated());
                            EXPECT_EQ(r.engine, engine::EngineKind::BreadthFirst);
                          }});
  EXPECT_GE(progress, 1u);
  EXPECT_EQ(decided, 1u);
}

// Two owners; `a` runs a stretch of `length` actions, `b` may move once in between if it were allowed to.
System stretch(std::int32_t length, bool endless) {
  System s;
  s.name = "stretch";
  Owner o;
  o.name = "a";
  o.may_rest = s.exprs.boolean(true);
  const OwnerId a = s.add(o);
  o.name = "b";
  const OwnerId b = s.add(o);
  const CellId x = s.add(Cell{"a", Type::range(0, 20000), 0, CellRole::Location, a, false, {}});
  const CellId y = s.add(Cell{"b", Type::range(0, 1), 0, CellRole::Location, b, false, {}});
  Action step;
  step.name = "on";
  step.owner = a;
  step.hold = a;
  step.guard = s.exprs.binary(expr::Op::Lt, s.read(x), s.exprs.constant(length));
  step.body = block(s, {assign(s, x, s.exprs.binary(expr::Op::Add, s.read(x), s.exprs.constant(1)))});
  s.add(step);
  if (endless) {
    step.guard = s.exprs.equals(s.read(x), length);
    step.body = block(s, {assign(s, x, s.exprs.constant(1))});
    s.add(step);
  }
  Action other;
  other.name = "b moves";
  other.owner = b;
  other.guard = s.exprs.equals(s.read(y), 0);
  other.body = block(s, {assign(s, y, s.exprs.constant(1))});
  s.add(other);
  add_property(s, PropertyKind::NoEndlessCompletion);
  add_property(s, PropertyKind::Never, s.exprs.equals(s.read(x), 2));
  return s;
}

TEST(Search, InsideOfAStretchIsNeitherStoredNorSeen) {
  // a at 0 or at its end, b before or after: 4 states, 4 transitions; x == 2 is never visible.
  const Answer a = ask(stretch(5, false), {}, {SearchOrder::BreadthFirst, true});
  EXPECT_EQ(a.statistics.states, 4u);
  EXPECT_EQ(a.statistics.transitions, 4u);
  EXPECT_TRUE(a.results[0].holds());
  EXPECT_TRUE(a.results[1].holds());
}

TEST(Search, AnEndlessStretchIsALasso) {
  const System s = stretch(5, true);
  const Answer a = ask(s);
  ASSERT_TRUE(a.results[0].violated());
  const verdict::Trace& trace = *std::get<verdict::Violated>(a.results[0].verdict).trace;
  // 1 2 3 4 5 and back to 1: six steps, the loop starts after the first.
  EXPECT_EQ(trace.steps.size(), 6u);
  EXPECT_EQ(trace.loop_start, 1u);
  EXPECT_TRUE(verdict::confirm(Interpreter(s), PropertyId(0u), trace).confirmed);
}

TEST(Search, AStretchTooLongToFollowIsSaidToBe) {
  const Answer a = ask(stretch(20000, false));
  ASSERT_TRUE(a.results[0].unknown());
  EXPECT_NE(std::get<verdict::Unknown>(a.results[0].verdict).reason.find("stretch"), std::string::npos);
}

// One completion step that gives x any of 2^32 values: far more runs of one action than a test can wait for.
System any_integer() {
  System s;
  s.name = "any integer";
  Owner o;
  o.name = "a";
  o.may_rest = s.exprs.boolean(true);
  const OwnerId a = s.add(o);
  const CellId x = s.add(Cell{"x", Type::integer(), 0, CellRole::Data, a, false, {}});
  Stmt any;
  any.kind = StmtKind::Choose;
  any.lo = s.exprs.constant(expr::kIntMin);
  any.hi = s.exprs.constant(expr::kIntMax);
  Action step;
  step.name = "havoc";
  step.owner = a;
  step.kind = ActionKind::Complete;
  step.guard = s.exprs.boolean(true);
  step.locals = 1;
  const StmtId pick = s.add(any);
  step.body = block(s, {pick, assign(s, x, s.exprs.local(0, Type::integer()))});
  s.add(step);
  return s;
}

TEST(Search, LimitsHoldInsideOneActionsChoices) {
  System s = any_integer();
  add_property(s, PropertyKind::NoDeadlock);
  engine::Limits limits;
  limits.states = 5000;
  const Answer a = ask(s, limits);
  ASSERT_TRUE(a.results[0].unknown());
  EXPECT_NE(std::get<verdict::Unknown>(a.results[0].verdict).reason.find("state limit"), std::string::npos);
  EXPECT_GE(a.results[0].coverage.states.value_or(0), 5000u);
  EXPECT_FALSE(a.results[0].coverage.complete);
}

TEST(Search, LimitsHoldWhileACycleOfCompletionsIsLookedFor) {
  // x = 0 leads back to the initial state by a completion step, so a cycle is suspected from there.
  System s = any_integer();
  add_property(s, PropertyKind::NoEndlessCompletion);
  engine::Limits limits;
  limits.seconds = 0.2;
  const Answer a = ask(s, limits);
  ASSERT_TRUE(a.results[0].unknown());
  EXPECT_NE(std::get<verdict::Unknown>(a.results[0].verdict).reason.find("out of time"), std::string::npos);
  EXPECT_GE(a.results[0].coverage.states.value_or(0), 1u);
}

}  // namespace
}  // namespace parley::testing
