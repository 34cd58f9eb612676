// The refiner that asks an SMT solver: what it proposes on traces whose answer is worked out by hand, that it
// proves what the others prove, and that it needs no special case for operators that are opaque to intervals.
#include <filesystem>

#include "cegar/harness.hpp"
#include "explore/explore.hpp"
#include "explore/random_system.hpp"

namespace parley::cegar {
namespace {

LoopOptions interpolating(domain::Start start) {
  LoopOptions o;
  o.interpolants = true;
  o.weakest_preconditions = false;
  o.start.start = start;
  return o;
}

std::string splits(const LoopResult& r) {
  std::string all;
  for (const RoundReport& round : r.rounds)
    for (const RefinementReport& f : round.refinements)
      for (const std::string& s : f.split) all += f.refiner + " " + s + "\n";
  return all;
}

// 5 & 6 is 4 concretely. For the assertion it is enough that x < 0x100, so that no other bit is set: x in
// [0,255]... but the sign bit decides too: of the numbers below, -1 has all bits. So the box around 5 that
// keeps `x & 0x700` at zero is [0,255], and it proposes one cut at 0 and one at 256. (The
// abstract model is not content yet: between operators it keeps intervals, and the one around `x & 0x700` is
// not a point.)
TEST(Interpolants, FindTheBoxOfABitMask) {
  const auto l = test::load(R"(
    class C {
      int x = 0;
      machine { initial / { x = 5; } -> a; state a { / { assert (x & 0x700) == 0; } -> b; } waiting state b; }
    }
    system { c : C; }
    check no assertion failures;)");
  const LoopResult r =
      refine_and_check(test::request(l->system()), PropertyId(0), interpolating(domain::Start::One));
  EXPECT_TRUE(r.result.holds()) << report::show(l->system(), r);
  EXPECT_TRUE(splits(r).starts_with("interpolants c.x: 0, 256\n")) << splits(r);
}

// x occurs twice: x - x is 0 whatever x is, which no interval argument sees. Nothing is asked of x, and the
// other operand gets what it needs: y <= 9, of which only the upper border matters.
TEST(Interpolants, AVariableThatOccursTwiceIsOne) {
  const auto l = test::load(R"(
    class C {
      int x = 7; int y = 3;
      machine { initial -> a; state a { / { assert x - x + y < 10; } -> b; } waiting state b; }
    }
    system { c : C; }
    check no assertion failures;)",
                            {{"integers", "wrap"}});
  LoopOptions o = interpolating(domain::Start::One);
  o.max_rounds = 1;
  o.resimulate = false;
  const LoopResult r = refine_and_check(test::request(l->system()), PropertyId(0), o);
  EXPECT_EQ(splits(r), "interpolants c.y: 10\n");
}

// Two steps back: y = x >> 4 must be at most 9, so x at most 159; and nothing below is asked.
TEST(Interpolants, WalkBackThroughAssignments) {
  const auto l = test::load(R"(
    class C {
      int x = 0; int y = 0;
      machine {
        initial / { x = 100; } -> a;
        state a { / { y = x >> 4; } -> b; }
        state b { / { assert y < 10; } -> c; }
        waiting state c;
      }
    }
    system { c : C; }
    check no assertion failures;)");
  const LoopResult r =
      refine_and_check(test::request(l->system()), PropertyId(0), interpolating(domain::Start::One));
  EXPECT_TRUE(r.result.holds()) << report::show(l->system(), r);
  EXPECT_EQ(splits(r), "interpolants c.x: 160\ninterpolants c.y: 10\n");
}

TEST(Interpolants, DecideTheWideModels) {
  std::size_t proposed = 0;
  for (const auto& e : std::filesystem::directory_iterator(PARLEY_SOURCE_DIR "/examples/wide")) {
    if (e.path().extension() != ".ply") continue;
    const std::string text = test::read(e.path().string());
    const auto l = test::load(text);
    const System& s = l->system();
    for (PropertyId p : test::request(s).properties) {
      const LoopResult r = refine_and_check(test::request(s, 60), p, interpolating(domain::Start::Constants));
      const std::string line =
          "// expect: " + s.property(p).name + " = " + verdict::word(r.result.verdict) + "\n";
      EXPECT_NE(text.find(line), std::string::npos) << e.path() << "\n" << report::show(s, r);
      for (const RoundReport& round : r.rounds)
        for (const RefinementReport& f : round.refinements) proposed += f.refiner == "interpolants" ? 1 : 0;
    }
  }
  EXPECT_GT(proposed, 0u);
}

TEST(Interpolants, AgreeWithSearchOnRandomSystems) {
  LoopOptions o = interpolating(domain::Start::One);
  o.start.exact_up_to = 1;
  o.max_states = 30'000;
  o.max_rounds = 300;
  std::size_t compared = 0, undecided = 0, proposed = 0;
  for (std::uint64_t seed = 1; seed <= 30 && !HasFailure(); ++seed) {
    const System s = parley::testing::RandomSystem(seed).make();
    engine::Request request = test::request(s, 20);
    std::erase_if(request.properties, [&s](PropertyId p) { return !decides(s.property(p).kind); });
    request.limits.states = 3000;
    const auto expected = explore::Explorer().check(request);
    request.limits.states = 30'000;
    CegarEngine cegar(o);
    const auto found = cegar.check(request);
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (expected[i].unknown()) continue;
      ++compared;
      undecided += found[i].unknown() ? 1 : 0;
      EXPECT_TRUE(found[i].unknown() || found[i].holds() == expected[i].holds())
          << "seed " << seed << ", " << s.property(found[i].property).name << "\n"
          << report::show(s, cegar.loops()[i]);
    }
    for (const LoopResult& l : cegar.loops())
      for (const RoundReport& round : l.rounds)
        for (const RefinementReport& f : round.refinements) proposed += f.refiner == "interpolants" ? 1 : 0;
  }
  EXPECT_GT(compared, 150u);
  EXPECT_LT(undecided * 20, compared);
  EXPECT_GT(proposed, 20u);
}

}  // namespace
}  // namespace parley::cegar
