// Temporal checks and fairness as the System has them: which steps an event means, what patterns and
// quantifiers become, which actions are fair, and what is refused.
#include <gtest/gtest.h>

#include "front/text/printer.hpp"
#include "lower/harness.hpp"
#include "random/model.hpp"

namespace parley::lower::test {
namespace {

using system::EventAtom;
using system::PropertyKind;

constexpr const char* kModel = R"(
  signal go(int(0..5) n, bool b); signal stop;
  class A { B to; int(0..3) x;
    machine { initial -> s; state s { left: on stop / { send go(1, true) to to; } -> s; right: on go -> s; } } }
  class B { machine { initial -> s; state s { on go(n, b) -> s; } } }
  system { a[2] : A { to = b; } b : B; c : B; environment sends stop to a; }
)";

std::unique_ptr<Loaded> with(const std::string& text,
                             const std::map<std::string, std::string>& switches = {}) {
  return load(kModel + text, switches);
}

const system::Formula& formula_of(const Loaded& l) {
  return *l.system().properties.at(0).formula;
}

// The one event of a check `F event`.
EventAtom event_of(const std::string& text, const std::map<std::string, std::string>& switches = {}) {
  const auto l = with("check F " + text + ";", switches);
  EXPECT_TRUE(l->lowered) << l->report();
  return l->lowered ? formula_of(*l).operands.at(0).event : EventAtom{};
}

TEST(Events, MeanTheStepsTheyName) {
  const EventAtom receives = event_of("(b receives go)");
  EXPECT_EQ(receives.kind, EventAtom::Kind::Receives);
  EXPECT_EQ(receives.owners.size(), 1u);
  EXPECT_EQ(receives.signals.size(), 1u);
  EXPECT_FALSE(receives.where.valid());
  const EventAtom sends = event_of("(a sends go(_, f) to b where f)");
  EXPECT_EQ(sends.kind, EventAtom::Kind::Sends);
  EXPECT_EQ(sends.owners.size(), 2u) << "one of the family";
  EXPECT_EQ(sends.queues.size(), 1u) << "of b, not of c";
  EXPECT_TRUE(sends.where.valid());
  EXPECT_EQ(sends.shown, "a sends go(_, f) to b where f");
  EXPECT_TRUE(event_of("(a sends go)").queues.empty());
  EXPECT_EQ(event_of("(a[1] discards stop)").kind, EventAtom::Kind::Discards);
  const EventAtom takes = event_of("(a[0] takes left)");
  EXPECT_EQ(takes.kind, EventAtom::Kind::Takes);
  EXPECT_EQ(takes.elements.size(), 1u);
  const EventAtom outside = event_of("(environment sends stop to a)");
  EXPECT_EQ(outside.owners.size(), 1u);
  EXPECT_EQ(outside.queues.size(), 2u);
}

TEST(Events, DiscardedMessagesAreKnownWithSplitStepsToo) {
  const auto l = with("check no deadlock;", {{"run_to_completion", "split"}});
  ASSERT_TRUE(l->lowered) << l->report();
  int discards = 0;
  for (const system::Action& a : l->system().actions) {
    if (a.kind != system::ActionKind::Discard) continue;
    ++discards;
    ASSERT_TRUE(a.drops) << a.name;
    EXPECT_EQ(a.drops->arguments.size(), l->system().signal(a.drops->signal).params.size());
  }
  EXPECT_EQ(discards, 3) << "stop at a[0] and a[1], go at b";
  const auto more = load(R"(
    signal go(int(0..5) n);
    class A { machine { initial -> s; state s; } }
    system { a : A; environment sends go(3) to a; }
    check F a discards go(n) where n == 3;)",
                         {{"run_to_completion", "split"}});
  ASSERT_TRUE(more->lowered) << more->report();
  for (const system::Action& a : more->system().actions)
    if (a.kind == system::ActionKind::Discard) {
      ASSERT_TRUE(a.drops);
      EXPECT_EQ(a.drops->arguments.size(), 1u);
      ++discards;
    }
  EXPECT_EQ(discards, 4);
}

struct Shown {
  const char* check;
  const char* formula;
};

TEST(Formulas, PatternsAndQuantifiersAreWrittenOut) {
  static constexpr Shown kCases[] = {
      {"b in s leads to c in s", "[] ((b in s) -> <> (c in s))"},
      {"c in s precedes b in s", "!(b in s) W (c in s)"},
      {"eventually (forall (p : a) p.x > 0)", "<> ((a[0].x > 0) && (a[1].x > 0))"},
      {"forall (p : a) F p receives stop", "<> (a[0] receives stop) && <> (a[1] receives stop)"},
      {"b receives go -> c in s", "[] ((b receives go) -> (c in s))"},
      {"b receives go at most 1 times", "!(b receives go) W ((b receives go) && X [] !(b receives go))"},
      {"b in s at most 1 times", "!(b in s) W ((b in s) W [] !(b in s))"},
      {"never (b in s) before c in s", "<> (c in s) -> (!(b in s) U (c in s))"},
  };
  for (const Shown& c : kCases) {
    const auto l = with(std::string("check ") + c.check + ";");
    ASSERT_TRUE(l->lowered) << l->report();
    std::string shown = system::show(l->system(), formula_of(*l));
    EXPECT_EQ(shown, c.formula) << c.check;
    EXPECT_EQ(l->system().properties[0].name, c.check) << "as written";
  }
}

TEST(Formulas, WithoutTemporalOperatorAreInvariants) {
  const auto l = with("check b in s; check G (b in s); check always (b in s); check F (b in s);");
  ASSERT_TRUE(l->lowered) << l->report();
  const auto& p = l->system().properties;
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(p[i].kind, PropertyKind::Always) << p[i].name;
  EXPECT_EQ(p[1].name, "G (b in s)");
  EXPECT_EQ(p[3].kind, PropertyKind::Temporal);
}

std::string refused(const std::string& text) {
  const auto l = with(text);
  EXPECT_FALSE(l->lowered);
  for (const diag::Diagnostic& d : l->diagnostics.sorted())
    if (d.severity == diag::Severity::Error) return d.code;
  return "";
}

TEST(Formulas, RefusedWithAReason) {
  EXPECT_EQ(refused("check never (a receives go(n) where n > b.y);"), "unknown-attribute");
  EXPECT_EQ(refused("check never (a receives go(n) where n > a[0].x);"), "where-reads-state");
  EXPECT_EQ(refused("check never (a receives go(n) where 6 / n > 1);"), "where-may-fail");
  EXPECT_EQ(refused("assume weakly fair (c discards stop); check no deadlock;"), "unknown-step");
  EXPECT_EQ(refused("assume weakly fair (clock); check no deadlock;"), "unknown-step");
  EXPECT_EQ(refused("check b in s at most 900 times;"), "formula-too-large");
  std::string many;
  for (int i = 0; i < 65; ++i)
    many += (i > 0 ? " || F " : "F ") + ("(a[0].x + " + std::to_string(i) + " > 3)");
  EXPECT_EQ(refused("check " + many + ";"), "too-many-atoms");
}

// Ten thousand operators, balanced so that no nesting is too deep: an error at once.
TEST(Formulas, OfTenThousandOperatorsAreRefused) {
  std::vector<std::string> parts;
  for (int i = 0; i < 8192; ++i) parts.push_back(i % 2 == 0 ? "G F (b in s)" : "F G (c in s)");
  while (parts.size() > 1) {
    std::vector<std::string> halves;
    for (std::size_t i = 0; i + 1 < parts.size(); i += 2)
      halves.push_back("(" + parts[i] + " && " + parts[i + 1] + ")");
    parts = std::move(halves);
  }
  EXPECT_EQ(refused("check " + parts[0] + ";"), "formula-too-large");
}

std::vector<std::string> fairness_of(const std::string& text,
                                     const std::map<std::string, std::string>& switches = {}) {
  const auto l = with(text + " check no deadlock;", switches);
  EXPECT_TRUE(l->lowered) << l->report();
  std::vector<std::string> list;
  if (!l->lowered) return list;
  for (const system::Fairness& f : l->system().fairness)
    list.push_back(f.shown + ": " + std::to_string(f.actions.size()));
  return list;
}

TEST(Fairness, IsOfTheActionsThatAreMeant) {
  using List = std::vector<std::string>;
  // Each A takes stop and go, each B go; and what can arrive can be discarded: stop at A, go at b, nothing at
  // c.
  EXPECT_EQ(fairness_of("assume fair scheduling;"),
            (List{"weak fairness of a[0]: 3", "weak fairness of a[1]: 3", "weak fairness of b: 2",
                  "weak fairness of c: 1"}));
  EXPECT_EQ(fairness_of("assume weakly fair (a);"),
            (List{"weak fairness of a[0]: 3", "weak fairness of a[1]: 3"}));
  EXPECT_EQ(fairness_of("assume strongly fair (a[1] takes left);"),
            (List{"strong fairness of a[1] takes left: 1"}));
  EXPECT_EQ(fairness_of("assume weakly fair (a[0] receives stop); assume weakly fair (a[0] sends go);"),
            (List{"weak fairness of a[0] receives stop: 1"}))
      << "the same action, so the same assumption";
  EXPECT_EQ(fairness_of("assume strongly fair (queue of b);"),
            (List{"strong fairness of the queue of b: 2"}));
  EXPECT_EQ(fairness_of("assume weakly fair (environment sends stop);"),
            (List{"weak fairness of environment sends stop: 2"}));
  EXPECT_EQ(fairness_of("", {{"fairness", "strong"}}).size(), 4u);
  EXPECT_EQ(fairness_of("assume fair scheduling;", {{"fairness", "none"}}), List{});
  EXPECT_EQ(fairness_of("assume fair scheduling;", {{"fairness", "weak"}}).size(), 4u);
}

// What the generator writes is right, survives the formatter, and has the temporal checks it should.
TEST(RandomModels, WithTemporalChecksAndFairnessAreLowered) {
  random::Profile profile;
  profile.temporal = 3;
  profile.fairness = 50;
  int lowered = 0, fair = 0, temporal = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const std::string text = random::text(random::model(seed, profile));
    const auto l = load(text);
    ASSERT_FALSE(l->diagnostics.has_errors()) << "seed " << seed << "\n" << l->report() << text;
    ++lowered;
    fair += l->system().fairness.empty() ? 0 : 1;
    for (const system::Property& p : l->system().properties) temporal += p.formula ? 1 : 0;
    const std::string printed = front::text::print(l->model, &l->sources);
    const auto again = load(printed);
    ASSERT_TRUE(again->lowered) << "seed " << seed << "\n" << again->report() << printed;
    ASSERT_EQ(again->system().properties.size(), l->system().properties.size());
    for (std::size_t i = 0; i < l->system().properties.size(); ++i) {
      const system::Property& p = l->system().properties[i];
      const system::Property& q = again->system().properties[i];
      ASSERT_EQ(p.name, q.name) << "seed " << seed;
      if (p.formula) {
        ASSERT_EQ(system::show(l->system(), *p.formula), system::show(again->system(), *q.formula));
      }
    }
  }
  EXPECT_GT(fair, lowered / 4);
  EXPECT_GT(temporal, 2 * lowered);
}

TEST(Runs, ThatEndAreReadAsTheSwitchSays) {
  EXPECT_EQ(with("check no deadlock;")->system().run_end, system::RunEnd::Stutters);
  EXPECT_EQ(with("check no deadlock;", {{"runs", "finite"}})->system().run_end, system::RunEnd::Ends);
}

}  // namespace
}  // namespace parley::lower::test
