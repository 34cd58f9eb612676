// The loop on the repository's models: what their headers expect, and what explicit search says where it can.
#include <filesystem>
#include <regex>

#include "cegar/harness.hpp"
#include "explore/explore.hpp"

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
    const System& s = l->system();
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
      EXPECT_EQ(verdict::word(r.result.verdict), at->second) << file << "\n" << show(s, r);
      if (const auto* v = std::get_if<verdict::Violated>(&r.result.verdict); v != nullptr && v->trace) {
        EXPECT_TRUE(verdict::confirm(in, p, *v->trace).confirmed) << file;
      }
      if (std::getenv("PARLEY_TELL") != nullptr) printf("%s\n%s\n", file.c_str(), show(s, r).c_str());
    }
  }
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
                                                                                 << show(s, r);
    }
  }
  EXPECT_GT(asked, 10u);
  EXPECT_GT(decided * 10, asked * 9);
}

// A counter that climbs without end, and two free inputs compared: an answer within the time given.
TEST(CegarRunaway, EndsWithinItsLimits) {
  const auto climbing = test::load(R"(
    class C { int n = 0; machine { initial -> a; state a { / { n = n + 1; assert n > 0; } -> a; } } }
    system { c : C; }
    check no assertion failures;)");
  const LoopResult one = refine_and_check(test::request(climbing->system(), 2), PropertyId(0), {});
  EXPECT_TRUE(one.result.unknown()) << show(climbing->system(), one);  // it wraps after 2^31 steps: too far
  const std::string inputs = R"(
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
  const auto with = [&inputs](const std::string& what) {
    std::string text = inputs;
    return text.replace(text.find("COPY"), 4, what);
  };
  const auto free_inputs = test::load(with("b"));
  EXPECT_TRUE(refine_and_check(test::request(free_inputs->system(), 5), PropertyId(0), {}).result.violated());
  // Equal because copied: true, but no partition of single variables can show it.
  const auto copied = test::load(with("a"));
  EXPECT_FALSE(refine_and_check(test::request(copied->system(), 2), PropertyId(0), {}).result.violated());
}

}  // namespace
}  // namespace parley::cegar
