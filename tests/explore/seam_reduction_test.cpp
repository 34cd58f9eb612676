// A reduction over the seam: counted by hand, needed its proviso, and never another verdict.
#include "explore/seam_reduction.hpp"

#include <gtest/gtest.h>

#include "explore/compiled.hpp"
#include "explore/interpreted.hpp"
#include "explore/random_system.hpp"
#include "explore/seam_searching.hpp"
#include "semantics/hand_made.hpp"
#include "verdict/replay.hpp"

namespace parley::testing {
namespace {

using explore::CompiledModel;
using explore::SearchOrder;
using semantics::Interpreter;

static_assert(explore::AsksForArrivals<Reduction<CompiledModel>>);

// Adds an owner that counts to 3 in a cell of its own and stops there, or starts again from 0.
void add_counter(System& s, bool again) {
  Owner o;
  o.name = "counter";
  o.may_rest = s.exprs.boolean(true);
  const OwnerId owner = s.add(o);
  const CellId c = s.add(Cell{"counter.c", Type::range(0, 3), 0, CellRole::Data, owner, false, {}});
  Action a;
  a.name = "count";
  a.owner = owner;
  a.guard = s.exprs.binary(expr::Op::Lt, s.read(c), s.exprs.constant(3));
  a.body = block(s, {assign(s, c, s.exprs.binary(expr::Op::Add, s.read(c), s.exprs.constant(1)))});
  s.add(a);
  if (!again) return;
  a.name = "again";
  a.guard = s.exprs.equals(s.read(c), 3);
  a.body = block(s, {assign(s, c, s.exprs.constant(0))});
  s.add(a);
}

std::uint64_t states(const System& s, SearchOrder order, Proviso proviso) {
  CompiledModel model(s, semantics::capacities(s));
  Reduction reduced(model, s, proviso);
  return search_whole(reduced, s, order).states();
}

TEST(SeamReduction, APrivateOwnerGoesFirst) {
  // Ping-pong has 9 states and 10 transitions (search_test.cpp); with a counter 9 * 4 and 10 * 4 + 9 * 3. If
  // the counter goes first: 3 steps to its end, and there the 9 states of ping-pong.
  PingPong p;
  add_counter(p.s, false);
  for (SearchOrder order : {SearchOrder::BreadthFirst, SearchOrder::DepthFirst}) {
    CompiledModel model(p.s, semantics::capacities(p.s));
    const Searched full = search_whole(model, p.s, order);
    EXPECT_EQ(full.states(), 36u);
    EXPECT_EQ(full.transitions(), 67u);
    Reduction reduced(model, p.s, Proviso::Kept);
    const Searched found = search_whole(reduced, p.s, order);
    EXPECT_EQ(found.states(), 12u);
    EXPECT_EQ(found.transitions(), 13u);
  }
}

TEST(SeamReduction, WithoutItsProvisoItWouldForgetTheOthers) {
  // A counter that starts again can always go first: without the proviso only its own 4 states are met. With
  // it the others move whenever the round is closed; every one of the 9 states is met, with all 4 numbers.
  PingPong p;
  add_counter(p.s, true);
  for (SearchOrder order : {SearchOrder::BreadthFirst, SearchOrder::DepthFirst}) {
    EXPECT_EQ(states(p.s, order, Proviso::Forgotten), 4u);
    EXPECT_EQ(states(p.s, order, Proviso::Kept), 36u);
  }
}

// What a private owner can not change by going first. Coverage and endless completions are not among them.
bool is_kept(PropertyKind kind) {
  switch (kind) {
    case PropertyKind::NoDeadlock:
    case PropertyKind::NoLostMessages:
    case PropertyKind::NoAssertionFailure:
    case PropertyKind::NoRuntimeError:
    case PropertyKind::NoOverflow:
    case PropertyKind::Always:
    case PropertyKind::Never:
    case PropertyKind::Reachable:
      return true;
    default:
      return false;
  }
}

TEST(SeamReduction, VerdictsOfRandomSystemsStay) {
  std::size_t compared = 0, smaller = 0, violated = 0;
  for (std::uint64_t seed = 1; seed <= 300 && !HasFailure(); ++seed) {
    System s = RandomSystem(seed).make();
    add_counter(s, seed % 2 == 0);
    const std::vector<bool> alone = private_owners(s);
    if (std::find(alone.begin(), alone.end(), true) == alone.end()) continue;
    engine::Request limited = whole_request(s);
    limited.limits.states = 2000;
    const Interpreter in(s);
    CompiledModel model(s, semantics::capacities(s));
    explore::Tracker tracker(limited, engine::EngineKind::BreadthFirst, nullptr);
    explore::Search probe(model, tracker, limited, {SearchOrder::BreadthFirst, true});
    if (probe.run()) continue;  // too large
    ++compared;
    for (SearchOrder order : {SearchOrder::BreadthFirst, SearchOrder::DepthFirst}) {
      CompiledModel fresh(s, semantics::capacities(s));
      const Searched full = search_whole(fresh, s, order);
      Reduction reduced(fresh, s, Proviso::Kept);
      const Searched found = search_whole(reduced, s, order);
      EXPECT_LE(found.states(), full.states());
      smaller += found.states() < full.states() ? 1 : 0;
      for (std::size_t i = 0; i < s.properties.size(); ++i) {
        if (!is_kept(s.properties[i].kind)) continue;
        const std::string name = s.properties[i].name + ", seed " + std::to_string(seed);
        EXPECT_STREQ(verdict::word(found.results[i].verdict), verdict::word(full.results[i].verdict)) << name;
        const auto* v = std::get_if<verdict::Violated>(&found.results[i].verdict);
        if (v == nullptr || !v->trace) continue;
        ++violated;
        const auto confirmed = verdict::confirm(in, PropertyId(i), *v->trace);
        EXPECT_TRUE(confirmed.confirmed) << name << ": " << confirmed.why;
      }
    }
    explore::InterpretedModel<Interpreter> reference(in,
                                                     explore::concrete_shape(s, semantics::capacities(s)));
    Reduction slow(reference, s, Proviso::Kept);
    EXPECT_EQ(search_whole(slow, s, SearchOrder::BreadthFirst).states(),
              states(s, SearchOrder::BreadthFirst, Proviso::Kept));
  }
  EXPECT_GT(compared, 60u);
  EXPECT_GT(smaller, 40u);
  EXPECT_GT(violated, 60u);
}

}  // namespace
}  // namespace parley::testing
