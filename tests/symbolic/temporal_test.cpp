// Lassos by bounded model checking and proofs by counting, against the exhaustive search; and by hand.
#include "semantics/hand_made.hpp"
#include "symbolic/temporal_agreement.hpp"

#ifndef PARLEY_TEMPORAL_SYSTEMS
#define PARLEY_TEMPORAL_SYSTEMS 60  // the slow tier: 300
#endif

namespace parley::symbolic {
namespace {

using testing::TemporalTally;
using testing::TemporalTask;

// What the exhaustive search says; nothing if there are too many states.
std::optional<verdict::PropertyResult> searched(const TemporalTask& task) {
  explore::TemporalExplorer explorer(explore::TemporalOptions{false, false});
  engine::Request request{
      task.system, {task.property}, semantics::capacities(task.system), {}, 0, nullptr, {}, {}};
  request.limits.states = 3000;
  verdict::PropertyResult r = explorer.check(request).front();
  if (r.unknown()) return std::nullopt;
  return r;
}

void print(const char* name, const TemporalTally& t) {
  std::printf("%s: %d violated, %d held, %d open, %d refused\n", name, t.violated, t.held, t.open, t.refused);
}

// A shortest lasso has at most as many steps as product states; these bounds are a matter of time only.
TEST(TemporalBmc, AgreesWithSearchOnRandomSystems) {
  TemporalTally interleaving, chained;
  BmcOptions one, many;
  one.steps = encode::Steps::Interleaving;
  many.steps = encode::Steps::Chained;
  one.bound = many.bound = 10;
  const auto by_actions = make_bmc(one), by_chains = make_bmc(many);
  int violated = 0;
  for (std::uint64_t seed = 1; seed <= PARLEY_TEMPORAL_SYSTEMS && !HasFatalFailure(); ++seed) {
    const TemporalTask task = testing::temporal_task(seed);
    const auto expected = searched(task);
    if (!expected) continue;
    violated += expected->violated() ? 1 : 0;
    testing::agree(*by_actions, task, *expected, 20, interleaving);
    testing::agree(*by_chains, task, *expected, 20, chained);
  }
  print("interleaving", interleaving);
  print("chained", chained);
  std::printf("%d are violated\n", violated);
  // Nearly all lassos are short.
  EXPECT_GT(interleaving.violated, violated * 3 / 4);
  EXPECT_GT(chained.violated, violated * 3 / 4);
}

TEST(KLiveness, AgreesWithSearchOnRandomSystems) {
  TemporalTally ic3, kind;
  InductionOptions bounded;
  bounded.bound = 8;
  const auto prover = make_ic3({}), inductive = make_kind(bounded);
  int held = 0;
  for (std::uint64_t seed = 1; seed <= PARLEY_TEMPORAL_SYSTEMS && !HasFatalFailure(); ++seed) {
    const TemporalTask task = testing::temporal_task(seed);
    const auto expected = searched(task);
    if (!expected) continue;
    held += expected->holds() ? 1 : 0;
    testing::agree(*prover, task, *expected, 10, ic3);
    testing::agree(*inductive, task, *expected, 10, kind);
  }
  print("ic3", ic3);
  print("kind", kind);
  std::printf("%d hold\n", held);
  EXPECT_GT(ic3.held, held / 2);
  EXPECT_GT(kind.held, held / 4);
  EXPECT_GT(ic3.violated, 0);
}

system::PropertyId add(system::System& s, system::Formula::Kind kind, system::Formula operand) {
  system::Formula f;
  f.kind = kind;
  f.operands.push_back(std::move(operand));
  system::Property p;
  p.kind = system::PropertyKind::Temporal;
  p.name = p.temporal = system::show(s, f);
  p.formula = std::move(f);
  return s.add(std::move(p));
}

system::Formula predicate(system::ExprId e) {
  system::Formula f;
  f.predicate = e;
  return f;
}

// `a` ticks for ever, `b` may be done: at any time, or only in every second phase.
struct Ticking {
  system::System s;
  system::ActionId finish;
  system::PropertyId comes;

  explicit Ticking(bool in_every_phase) {
    const system::ExprId yes = s.exprs.boolean(true);
    system::Owner owner;
    owner.may_rest = yes;
    owner.name = "a";
    const system::OwnerId a = s.add(owner);
    owner.name = "b";
    const system::OwnerId b = s.add(owner);
    system::Cell cell;
    cell.type = system::Type::boolean();
    cell.name = "phase";
    const system::CellId phase = s.add(cell);
    cell.name = "done";
    const system::CellId done = s.add(cell);
    system::Action tick;
    tick.name = "tick";
    tick.owner = a;
    tick.guard = yes;
    tick.body = testing::assign(s, phase, s.exprs.negate(s.read(phase)));
    s.add(tick);
    system::Action finishes;
    finishes.name = "finish";
    finishes.owner = b;
    finishes.guard = s.exprs.both(s.exprs.negate(s.read(done)), in_every_phase ? yes : s.read(phase));
    finishes.body = testing::assign(s, done, yes);
    finish = s.add(finishes);
    comes = add(s, system::Formula::Kind::Finally, predicate(s.read(done)));
  }

  void assume(system::Fairness::Strength strength) {
    s.fairness.push_back({strength, {finish}, "fairness of b", {}});
  }
  verdict::PropertyResult by(engine::Engine& engine) const {
    return testing::answer(engine, {s, comes, ""}, 60);
  }
};

std::unique_ptr<engine::Engine> bmc(std::uint32_t bound) {
  BmcOptions options;
  options.steps = encode::Steps::Interleaving;
  options.bound = bound;
  return make_bmc(options);
}

// The loop of one object's two ticks, by hand: it starves the other.
TEST(Fairness, DecidesWhatIsALasso) {
  using Strength = system::Fairness::Strength;
  const auto prover = make_ic3({});
  Ticking unfair(true);
  const verdict::PropertyResult starved = unfair.by(*bmc(6));
  ASSERT_TRUE(starved.violated());
  const auto& lasso = std::get<verdict::Violated>(starved.verdict);
  EXPECT_EQ(*lasso.found_in_steps, 2U);
  EXPECT_EQ(lasso.trace->loop_start, 0U);
  EXPECT_TRUE(unfair.by(*prover).violated());

  Ticking weak(true);
  weak.assume(Strength::Weak);
  EXPECT_TRUE(weak.by(*bmc(6)).unknown());
  const verdict::PropertyResult proved = weak.by(*prover);
  ASSERT_TRUE(proved.holds());
  ASSERT_EQ(proved.assumptions.size(), 1U);
  EXPECT_EQ(proved.assumptions[0].code, verdict::AssumptionCode::Fairness);

  // What is violated by a step is violated by it whatever happens later.
  const system::PropertyId typed =
      add(weak.s, system::Formula::Kind::Globally,
          predicate(weak.s.exprs.either(weak.s.read(system::CellId(0)),
                                        weak.s.exprs.negate(weak.s.read(system::CellId(0))))));
  const verdict::PropertyResult safe = testing::answer(*prover, {weak.s, typed, ""}, 60);
  EXPECT_TRUE(safe.holds());
  EXPECT_TRUE(safe.assumptions.empty());

  Ticking interrupted(false);
  interrupted.assume(Strength::Weak);
  EXPECT_TRUE(interrupted.by(*bmc(6)).violated());
  EXPECT_TRUE(interrupted.by(*prover).violated());

  Ticking strong(false);
  strong.assume(Strength::Strong);
  EXPECT_TRUE(strong.by(*bmc(6)).unknown());
  Ic3Options few;
  few.bound = 8;
  EXPECT_TRUE(strong.by(*make_ic3(few)).unknown()) << "strong fairness counts as weak";
}

// Six steps, one that stutters for the first time, and one that stutters again.
TEST(TemporalBmc, ARunThatEndsIsOneThatGoesOnForEver) {
  testing::PingPong p;
  const system::ExprId all = p.s.exprs.equals(p.s.read(p.got), 2);
  system::Formula goes;
  goes.kind = system::Formula::Kind::Finally;
  goes.operands.push_back(predicate(p.s.exprs.negate(all)));
  const system::PropertyId never_stays = add(p.s, system::Formula::Kind::Globally, std::move(goes));
  const verdict::PropertyResult r = testing::answer(*bmc(12), {p.s, never_stays, ""}, 60);
  ASSERT_TRUE(r.violated());
  const auto& v = std::get<verdict::Violated>(r.verdict);
  EXPECT_EQ(*v.found_in_steps, 8U);
  EXPECT_EQ(v.trace->steps.size(), 6U);
  EXPECT_EQ(v.trace->loop_start, 6U);
}

TEST(TemporalBmc, ProvesWhatNoLongerRunCanViolate) {
  testing::PingPong p;
  const system::PropertyId comes =
      add(p.s, system::Formula::Kind::Finally, predicate(p.s.exprs.equals(p.s.read(p.got), 2)));
  EXPECT_TRUE(testing::answer(*bmc(12), {p.s, comes, ""}, 60).holds());
  EXPECT_TRUE(testing::answer(*bmc(5), {p.s, comes, ""}, 60).unknown());
}

// Searches of several kinds take turns; results come in the order of the request.
TEST(Turns, SafetyAndTemporalPropertiesInOneRequest) {
  testing::PingPong p;
  const system::ExprId all = p.s.exprs.equals(p.s.read(p.got), 2);
  const system::PropertyId comes = add(p.s, system::Formula::Kind::Finally, predicate(all));
  system::Property never;
  never.kind = system::PropertyKind::Never;
  never.name = "never all";
  never.expression = all;
  const system::PropertyId violated = p.s.add(never);
  const system::PropertyId stays =
      add(p.s, system::Formula::Kind::Globally, predicate(p.s.exprs.negate(all)));
  for (const auto& engine : {make_ic3({}), make_kind({}), bmc(12)}) {
    engine::Request request{p.s, {comes, violated, stays}, semantics::capacities(p.s), {}, 0, nullptr, {},
                            {}};
    std::vector<system::PropertyId> heard;
    request.decided = [&](const verdict::PropertyResult& r) { heard.push_back(r.property); };
    const auto results = engine->check(request);
    ASSERT_EQ(results.size(), 3U);
    EXPECT_EQ(results[0].property, comes);
    EXPECT_TRUE(results[0].holds()) << shown_name(engine->kind());
    EXPECT_TRUE(results[1].violated());
    EXPECT_TRUE(results[2].violated());
    EXPECT_EQ(heard.size(), 3U);
  }
}

}  // namespace
}  // namespace parley::symbolic
