// The loop on the repository's models: what their headers expect, and what explicit search says where it can.
#include <filesystem>
#include <regex>

#include "cegar/harness.hpp"
#include "explore/explore.hpp"
#include "load/error_search.hpp"
#include "semantics/hand_made.hpp"

namespace parley::cegar {
namespace {

std::map<std::string, std::string> expectations(const std::string& text) {
  std::map<std::string, std::string> found;
  const std::regex line(R"(// expect: (.*) = (holds|violated))");
  for (std::sregex_iterator it(text.begin(), text.end(), line), end; it != end; ++it)
    found[(*it)[1]] = (*it)[2];
  return found;
}

std::vector<std::string> models(const std::string& folder) {
  std::vector<std::string> found;
  for (const auto& e : std::filesystem::directory_iterator(folder))
    if (e.path().extension() == ".ply") found.push_back(e.path().string());
  std::sort(found.begin(), found.end());
  return found;
}

// Every property of the wide models is decided as expected, by the loop alone.
TEST(CegarExamples, WideModels) {
  const auto files = models(PARLEY_SOURCE_DIR "/examples/wide");
  EXPECT_GE(files.size(), 8u);
  for (const std::string& file : files) {
    const std::string text = test::read(file);
    const auto l = test::load(text);
    ASSERT_TRUE(l->lowered) << file;
    const auto expected = expectations(text);
    System s = l->system();
    load::add_error_search(s);  // as every command does: expectations tell of errors too
    EXPECT_EQ(expected.size(), s.properties.size()) << file;
    const engine::Request request = test::request(s, 120);
    const semantics::Interpreter in(s);
    for (PropertyId p : request.properties) {
      const LoopResult r = refine_and_check(request, p, {});
      const auto at = expected.find(s.property(p).name);
      if (at == expected.end()) {
        ADD_FAILURE() << file << " expects nothing of " << s.property(p).name;
        continue;
      }
      EXPECT_EQ(verdict::word(r.result.verdict), at->second) << file << "\n" << report::show(s, r);
      if (const auto* v = std::get_if<verdict::Violated>(&r.result.verdict); v != nullptr && v->trace) {
        EXPECT_TRUE(verdict::confirm(in, p, *v->trace).confirmed) << file;
      }
      if (std::getenv("PARLEY_TELL") != nullptr) printf("%s\n%s\n", file.c_str(), report::show(s, r).c_str());
    }
  }
}

// A start that is cut is a counterexample without steps, and what it shows is an assumption of other proofs.
TEST(CegarExamples, AStartThatIsCut) {
  const System s = testing::cut_start();
  const engine::Request request = test::request(s);
  const LoopResult overflow = refine_and_check(request, PropertyId(0), {});
  ASSERT_TRUE(overflow.result.violated()) << report::show(s, overflow);
  const auto& v = std::get<verdict::Violated>(overflow.result.verdict);
  EXPECT_TRUE(verdict::confirm(semantics::Interpreter(s), PropertyId(0), *v.trace).confirmed);
  const LoopResult deadlock = refine_and_check(request, PropertyId(1), {});
  ASSERT_TRUE(deadlock.result.holds()) << report::show(s, deadlock);
  ASSERT_EQ(deadlock.result.assumptions.size(), 1u);
  EXPECT_EQ(deadlock.result.assumptions[0].code, verdict::AssumptionCode::QueueCapacity);
}

// The small models: never the opposite of what explicit search says.
TEST(CegarExamples, SmallModelsAgreeWithSearch) {
  std::size_t decided = 0, asked = 0;
  for (const std::string& file : models(PARLEY_SOURCE_DIR "/examples")) {
    const auto l = test::load(test::read(file));
    ASSERT_TRUE(l->lowered) << file;
    const System& s = l->system();
    engine::Request request = test::request(s, 20);
    request.limits.states = 20'000;
    std::erase_if(request.properties, [&s](PropertyId p) { return !decides(s.property(p).kind); });
    const auto expected = explore::Explorer().check(request);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (expected[i].unknown()) continue;
      const LoopResult r = refine_and_check(request, request.properties[i], {});
      ++asked;
      decided += r.result.unknown() ? 0 : 1;
      EXPECT_TRUE(r.result.unknown() || r.result.holds() == expected[i].holds()) << file << "\n"
                                                                                 << report::show(s, r);
    }
  }
  EXPECT_GT(asked, 10u);
  EXPECT_GT(decided * 10, asked * 9);
}

// Models on which refinement runs away: each ends in a proper answer. No time is asserted; that the limit was
// what ended it is told by the reason.
struct Runaway : ::testing::Test {
  static std::vector<std::pair<std::string, LoopOptions>> all() {
    LoopOptions interpolants;
    interpolants.interpolants = true;
    return {{"improved", {}}, {"interpolants", interpolants}, {"published", LoopOptions::published()}};
  }
  static void ends_in_time(const LoopResult& r, const std::string& what) {
    const auto* u = std::get_if<verdict::Unknown>(&r.result.verdict);
    ASSERT_NE(u, nullptr) << what << ": " << verdict::word(r.result.verdict);
    EXPECT_THAT(u->reason, ::testing::AnyOf(::testing::HasSubstr("out of time"),
                                            ::testing::HasSubstr("no refiner removes it"),
                                            ::testing::HasSubstr("abstract states")))
        << what;
    EXPECT_FALSE(r.rounds.empty());
  }
  static std::string inputs(const std::string& what) {
    std::string text = R"(
      signal s(int a, int b);
      class C {
        int x = 0; int y = 0;
        machine { initial -> w; waiting state w { on s(a, b) / { x = a; y = COPY; assert x == y; }; } }
      }
      system {
        c : C; queues: capacity 1, overflow cut;
        environment sends s(-2147483648..2147483647, -2147483648..2147483647) to c when (len(c) == 0);
      }
      check no assertion failures;)";
    return text.replace(text.find("COPY"), 4, what);
  }
};

// It wraps after 2^31 steps: too far for everybody.
TEST_F(Runaway, ACounterThatClimbsWithoutEnd) {
  const auto l = test::load(R"(
    class C { int n = 0; machine { initial -> a; state a { / { n = n + 1; assert n > 0; } -> a; } } }
    system { c : C; }
    check no assertion failures;)");
  for (const auto& [name, options] : all())
    ends_in_time(refine_and_check(test::request(l->system(), 1), PropertyId(0), options), name);
}

TEST_F(Runaway, TwoFreeInputsCompared) {
  const auto l = test::load(inputs("b"));
  for (const auto& [name, options] : all()) {
    const LoopResult r = refine_and_check(test::request(l->system(), 20), PropertyId(0), options);
    EXPECT_TRUE(r.result.violated()) << name << "\n" << report::show(l->system(), r);
  }
}

// Equal because copied: true, but no partition of single variables can show it.
TEST_F(Runaway, ACopyComparedWithItsOriginal) {
  const auto l = test::load(inputs("a"));
  for (const auto& [name, options] : all())
    ends_in_time(refine_and_check(test::request(l->system(), 1), PropertyId(0), options), name);
}

// A relation between two counters that no box expresses.
TEST_F(Runaway, TwoCountersInStep) {
  const auto l = test::load(R"(
    class C {
      int n = 0; int m = 0;
      machine { initial -> a; state a { / { n = n + 1; m = m + 1; assert n == m; } -> a; } }
    }
    system { c : C; }
    check no assertion failures;)");
  for (const auto& [name, options] : all())
    ends_in_time(refine_and_check(test::request(l->system(), 1), PropertyId(0), options), name);
}

}  // namespace
}  // namespace parley::cegar
