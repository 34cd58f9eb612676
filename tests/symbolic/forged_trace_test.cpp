// Traces that somebody changed: the reference semantics must not confirm them.
#include <gtest/gtest.h>

#include "semantics/interpreter.hpp"
#include "symbolic/engines.hpp"
#include "symbolic/load_text.hpp"
#include "verdict/replay.hpp"

namespace parley::symbolic {
namespace {

class ForgedTrace : public ::testing::Test {
 protected:
  void SetUp() override {
    for (std::size_t p = 0; p < s_.properties.size(); ++p)
      if (s_.properties[p].kind == system::PropertyKind::NoLostMessages) property_ = system::PropertyId(p);
    BmcOptions options;
    options.steps = encode::Steps::Interleaving;  // a shortest run
    const auto results =
        make_bmc(options)->check({s_, {property_}, semantics::capacities(s_), {}, 0, nullptr, {}, {}});
    const auto* v = std::get_if<verdict::Violated>(&results[0].verdict);
    ASSERT_TRUE(v != nullptr && v->trace);
    trace_ = *v->trace;
    ASSERT_EQ(trace_.steps.size(), 9u);
    ASSERT_TRUE(confirmed(trace_));
  }
  bool confirmed(const verdict::Trace& t) const { return verdict::confirm(in_, property_, t).confirmed; }

  const system::System s_ = testing::example("scp");
  const semantics::Interpreter in_{s_};
  system::PropertyId property_;
  verdict::Trace trace_;
};

// No run with fewer steps loses a message, so none of these can be right.
TEST_F(ForgedTrace, WithOneStepLeftOutIsRejected) {
  for (std::size_t i = 0; i < trace_.steps.size(); ++i) {
    verdict::Trace t = trace_;
    t.steps.erase(t.steps.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_FALSE(confirmed(t)) << "without step " << i + 1;
  }
}

// Each step replaced by every action that cannot be taken there.
TEST_F(ForgedTrace, WithAnImpossibleStepIsRejected) {
  const verdict::Replay good = verdict::replay(in_, trace_);
  std::size_t tried = 0;
  for (std::size_t i = 0; i < trace_.steps.size(); ++i) {
    const semantics::State& before = i == 0 ? good.initial.state : good.results[i - 1].state;
    for (std::size_t a = 0; a < s_.actions.size(); ++a) {
      verdict::Trace t = trace_;
      t.steps[i] = {system::ActionId(a), {}};
      if (in_.run(before, t.steps[i]).outcome != semantics::Outcome::Disabled) continue;
      EXPECT_FALSE(confirmed(t)) << "step " << i + 1 << ": " << s_.actions[a].name;
      ++tried;
    }
  }
  EXPECT_GT(tried, 50u);
}

// A step too many after the violation, and the start alone.
TEST_F(ForgedTrace, ThatGoesOnOrNeverBeginsIsRejected) {
  verdict::Trace t = trace_;
  t.steps.clear();
  EXPECT_FALSE(confirmed(t));
  t = trace_;
  t.steps.push_back(trace_.steps[0]);
  EXPECT_FALSE(confirmed(t));
}

}  // namespace
}  // namespace parley::symbolic
