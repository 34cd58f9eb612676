// The loop on the repository's models: what their headers expect, and what explicit search says where it can.
#include <filesystem>
#include <regex>

#include "cegar/harness.hpp"

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

// The small models: never the opposite of what their headers say.
TEST(CegarExamples, SmallModels) {
  std::size_t decided = 0, asked = 0;
  for (const std::string& file : models(PARLEY_SOURCE_DIR "/examples")) {
    const std::string text = test::read(file);
    const auto l = test::load(text);
    ASSERT_TRUE(l->lowered) << file;
    const auto expected = expectations(text);
    const System& s = l->system();
    engine::Request request = test::request(s, 20);
    request.limits.states = 20'000;
    for (PropertyId p : request.properties) {
      const auto at = expected.find(s.property(p).name);
      if (at == expected.end() || !decides(s.property(p).kind)) continue;
      const LoopResult r = refine_and_check(request, p, {});
      ++asked;
      decided += r.result.unknown() ? 0 : 1;
      EXPECT_TRUE(r.result.unknown() || verdict::word(r.result.verdict) == at->second) << file << "\n"
                                                                                       << show(s, r);
    }
  }
  EXPECT_GT(decided * 2, asked);
}

}  // namespace
}  // namespace parley::cegar
