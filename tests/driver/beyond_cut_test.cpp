// What a full queue hides: errors later in the step that it cuts short.
#include "driver/beyond_cut.hpp"

#include <gtest/gtest.h>

#include "driver/check.hpp"
#include "driver/engines.hpp"
#include "load/load_text.hpp"

namespace parley::driver {
namespace {

using testing::load_text;

// Two sends to q, then whatever fails.
std::string model(const std::string& then, const std::string& queues) {
  return R"(
signal a;
signal b;
class P {
  Q q;
  int(0..3) x = 0;
  machine { initial -> idle; waiting state idle { on a / { send b to q; send b to q; )" +
         then + R"( } -> idle; } }
}
class Q { machine { initial -> idle; waiting state idle { on b -> idle; } } }
system {
  p : P { q = q; };
  q : Q;
  environment sends a to p when (len(p) == 0);
  )" + queues +
         R"(
}
check no run-time errors;
check no assertion failures;
)";
}

std::vector<verdict::PropertyResult> ask(const std::string& text, engine::EngineKind kind) {
  const load::Loaded l = load_text(text);
  std::vector<std::unique_ptr<engine::Engine>> engines;
  engines.push_back(make_engine(kind));
  CheckOptions options;
  options.limits.seconds = 30;
  return check(*l.system, std::move(engines), options).results;
}

const std::string& reason(const verdict::PropertyResult& r) {
  return std::get<verdict::Unknown>(r.verdict).reason;
}

// With one place the error was hidden, and `holds` said that the queue needs no more.
TEST(BeyondCuts, ErrorsAreNotHidden) {
  for (const auto kind : {engine::EngineKind::BreadthFirst, engine::EngineKind::DepthFirst}) {
    auto r = ask(model("x = 1 / x;", "queue of q: capacity 1;"), kind);
    ASSERT_TRUE(r[0].unknown());
    EXPECT_NE(reason(r[0]).find("cuts short, would fail if it had room: division by zero"), std::string::npos)
        << reason(r[0]);
    EXPECT_TRUE(r[1].holds());
    r = ask(model("assert x > 0;", "queue of q: capacity 1;"), kind);
    EXPECT_TRUE(r[0].holds());
    ASSERT_TRUE(r[1].unknown());
  }
}

// With room, or with no capacity declared so that enough is proved, the error is the answer.
TEST(BeyondCuts, WithRoomTheErrorIsFound) {
  for (const char* queues : {"queue of q: capacity 4;", ""}) {
    const auto r = ask(model("x = 1 / x;", queues), engine::EngineKind::BreadthFirst);
    EXPECT_TRUE(r[0].violated()) << queues;
  }
}

// Nothing fails: the scope is what is said, and it is true.
TEST(BeyondCuts, TheScopeIsSaid) {
  const auto r = ask(model("x = 1;", "queue of q: capacity 1;"), engine::EngineKind::BreadthFirst);
  ASSERT_TRUE(r[0].holds());
  ASSERT_EQ(r[0].assumptions.size(), 1U);
  EXPECT_EQ(
      r[0].assumptions[0].text,
      "only runs count in which the queue of q never needs more than 1 place (there are others, which were "
      "not followed)");
  EXPECT_TRUE(r[0].lemmas.empty() || r[0].lemmas[0].find("q never") == std::string::npos);
}

}  // namespace
}  // namespace parley::driver
