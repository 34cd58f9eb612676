// Temporal checks of small text models and the verdicts that follow from their text: what events mean at the
// positions of a run, with atomic and with split steps, and what fairness is worth.
#include <gtest/gtest.h>

#include <map>

#include "explore/temporal.hpp"
#include "front/text/parser.hpp"
#include "lower/lower.hpp"
#include "model/resolve.hpp"
#include "verdict/temporal.hpp"

namespace parley::explore {
namespace {

// Verdicts of all checks: h, v or u each. Violations are confirmed on the reference semantics.
std::string verdicts(const std::string& text, const std::map<std::string, std::string>& switches = {}) {
  diag::SourceMap sources;
  diag::Diagnostics diagnostics;
  model::Model m = front::text::parse(sources, sources.add("m.ply", text), diagnostics);
  model::ResolveOptions options;
  options.switches = switches;
  model::resolve(m, diagnostics, options);
  EXPECT_FALSE(diagnostics.has_errors()) << diag::render(sources, diagnostics.sorted());
  if (diagnostics.has_errors()) return "";
  const auto lowered = lower::lower(m, diagnostics);
  EXPECT_TRUE(lowered) << diag::render(sources, diagnostics.sorted());
  if (!lowered) return "";
  const system::System& s = lowered->system;
  const semantics::Interpreter in(s);
  std::string result;
  for (std::size_t i = 0; i < s.properties.size(); ++i) {
    const system::PropertyId id(i);
    const engine::Request request{s, {id}, semantics::capacities(s), {}, 0, nullptr, {}, {}};
    const verdict::PropertyResult r = TemporalExplorer().check(request).front();
    result += r.unknown() ? 'u' : r.violated() ? 'v' : 'h';
    if (!r.violated()) continue;
    const auto c = verdict::confirm(in, id, *std::get<verdict::Violated>(r.verdict).trace);
    EXPECT_TRUE(c.confirmed) << s.properties[i].name << ": " << c.why;
  }
  return result;
}

constexpr const char* kEvents = R"(
  signal put(int(0..3) n); signal ping; signal odd;
  class A {
    B b; int(0..3) x;
    machine {
      initial -> idle;
      state idle { big: on put(n) [n > 1] / { x = n; send ping to b; } -> busy;
                   small: on put(n) [else] / { x = n; } -> idle; }
      state busy { on put -> idle; }
    }
  }
  class B { machine { initial -> there; state there { on ping / { }; } } }
  system { a : A { b = b; } b : B; c : B; environment sends put(0..3) to a at most 2; environment sends odd to b at most 1;
           queues: capacity 4, overflow error; }
)";

TEST(TextTemporal, EventsAreTrueAtTheStateThatTheirStepLedTo) {
  // The value that arrives is the value kept; `big` is taken exactly for values above 1; a ping goes to b
  // only.
  const std::string checks = R"(
    check always (a receives put(n) where n == 3 -> a.x == 3 || a in idle);
    check always (a takes big -> a in busy && a.x > 1);
    check always (a takes big <-> a receives put(n) where n > 1 && a in busy);
    check always (a takes big -> a sends ping to b);
    check never (a sends ping to c);
    check eventually a takes big;
    check a takes big leads to b receives ping;
    check never (b discards odd);
    check environment sends odd leads to b discards odd;
    check b discards odd at most 1 times;
    check environment sends put at most 1 times;
    check environment sends put at most 2 times;
    check environment sends put(n) where n == 2 precedes a receives put(n) where n == 2;
    check never (a receives put) before (environment sends put);
  )";
  EXPECT_EQ(verdicts(std::string(kEvents) + checks), "hhhhhvhvhhvhhh");
}

// With split steps a message is received when it is dispatched, and its transition fires in a later step.
TEST(TextTemporal, SplitStepsReceiveFirst) {
  const std::string checks = R"(
    check always (a takes big -> a in busy && a.x > 1);
    check never (a takes big && a receives put);
    check a takes big leads to b receives ping;
    check never (b discards odd);
    check environment sends odd leads to b discards odd;
    check b discards odd at most 1 times;
    check always (a receives put(n) where n == 3 -> next (a in idle || a in busy));
  )";
  EXPECT_EQ(verdicts(std::string(kEvents) + checks, {{"run_to_completion", "split"}}), "hhhvhhh");
}

// What is thrown away with split steps is known with its values.
TEST(TextTemporal, DiscardsWithValues) {
  const std::string model = R"(
    signal put(int(0..3) n);
    class A { machine { initial -> s; state s { on put(n) [n > 1] -> s; } } }
    system { a : A; environment sends put(0..3) to a at most 2; }
    check never (a discards put(n) where n > 1);
    check never (a discards put(n) where n == 1);
    check environment sends put(n) where n == 0 leads to a discards put(n) where n == 0;
  )";
  EXPECT_EQ(verdicts(model), "hvh");
  EXPECT_EQ(verdicts(model, {{"run_to_completion", "split"}}), "hvh");
}

constexpr const char* kLine = R"(
  signal data;
  class Sender { Line line; machine { initial -> s; state s { again: / { send data to line; } -> t; } state t { -> s; } } }
  class Line { Sink sink; machine { initial -> empty; state empty { on data -> full; }
    state full { deliver: / { send data to sink; } -> empty; lose: -> empty; } } }
  class Sink { machine { initial -> s; state s { on data / { }; } } }
  system { sender : Sender { line = line; } line : Line { sink = sink; } sink : Sink; queues: capacity 1, overflow lose; }
)";

TEST(TextTemporal, ALossyLineDeliversUnderStrongFairnessOfDelivery) {
  const std::string check = "check always (eventually sink receives data);";
  EXPECT_EQ(verdicts(kLine + check), "v");
  EXPECT_EQ(verdicts(kLine + check, {{"fairness", "strong"}}), "v") << "the line may lose every time";
  // Weak fairness is no help: after each loss delivering is not possible for a while.
  EXPECT_EQ(verdicts(kLine + ("assume fair scheduling; assume weakly fair (line takes deliver);" + check)),
            "v");
  const std::string strong = "assume fair scheduling; assume strongly fair (line takes deliver);" + check;
  EXPECT_EQ(verdicts(kLine + strong), "h");
  EXPECT_EQ(verdicts(kLine + strong, {{"fairness", "none"}}), "v");
  EXPECT_EQ(verdicts(kLine + ("assume strongly fair (line takes deliver);" + check)), "v")
      << "the sink starves";
}

}  // namespace
}  // namespace parley::explore
