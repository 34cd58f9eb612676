// GOLDEN 000.4 to 000.7: what the thesis works out by hand (items 1 to 3 are in tests/domain).
#include "cegar/harness.hpp"
#include "semantics/interpreter_run.hpp"

namespace parley::cegar {
namespace {

using test::load;
using test::read;
using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

// The system under the Sign abstraction, its published analysis step by step.
struct Published {
  std::unique_ptr<test::Loaded> model;
  LoopOptions options = LoopOptions::published();
  engine::Request request;
  domain::Precision precision;
  AbstractSystem abstract;
  semantics::Interpreter concrete;

  Published(const std::string& text, const std::map<std::string, std::string>& switches)
      : model(load(text, switches)),
        request(test::request(model->system())),
        precision(domain::initial_precision(model->system(), PropertyId(0), options.start)),
        abstract(model->system(), precision, request.queue_capacities, {options.intermediate, 16, 1 << 16}),
        concrete(model->system()) {}
  const System& s() const { return model->system(); }
};

const std::string kRunning = PARLEY_SOURCE_DIR "/examples/ojala-running.ply";

std::vector<std::string> names(const System& s, const AnalysisTrace& t, const Locations& l) {
  std::vector<std::string> out;
  for (const Location& x : l) out.push_back(show(s, t, x));
  return out;
}

// Abstract counterexamples in depth-first order, the first that `accept` likes.
AbstractTrace find_trace(const Published& p, PropertyId property,
                         const std::function<bool(const AbstractTrace&)>& accept) {
  AbstractTrace found;
  std::function<bool(const State&)> go = [&](const State& state) {
    for (AbstractSuccessor& next : p.abstract.successors(state)) {
      found.steps.push_back(next.step);
      if (step_shows(p.s(), property, next.step.action, next.result)) {
        if (accept(found)) return true;
      } else if (next.result.outcome == semantics::Outcome::Done && found.steps.size() < 12) {
        found.states.push_back(next.result.state);
        if (go(next.result.state)) return true;
        found.states.pop_back();
      }
      found.steps.pop_back();
    }
    return false;
  };
  const auto initial = p.abstract.initial_states();
  found.initial_choices = initial.at(0).choices;
  found.states = {initial.at(0).result.state};
  EXPECT_TRUE(go(found.states[0])) << "no such abstract counterexample";
  return found;
}

// The counterexample of Example 3.1: var4, var5 and var6 all POS at the end (Table 3.1), and so is the sum
// var1 + var2 inside t1 (Example 5.7).
AbstractTrace thesis_trace(const Published& p, PropertyId property) {
  const domain::Interval pos{1, expr::kIntMax};
  return find_trace(p, property, [&](const AbstractTrace& t) {
    for (const char* name : {"o.var4", "o.var5", "o.var6"}) {
      const auto cell = *p.model->cell(name);
      if (p.abstract.domain().meaning(domain::Variable::cell(cell), t.states.back().cells[cell.index()]) !=
          pos)
        return false;
    }
    const Feasibility f = is_counterexample_feasible(p.concrete, p.abstract, property, t);
    const auto analysis = transform(p.concrete, p.abstract, property, t, f);
    return analysis && analysis->steps[0].abstract.at(0).children.at(0).value == pos;
  });
}

class Golden000Item4 : public ::testing::TestWithParam<const char*> {};

TEST_P(Golden000Item4, RunningExample) {
  Published p(read(kRunning), {{"integers", GetParam()}});
  const System& s = p.s();
  const PropertyId property = p.model->property("no assertion failures");
  AbstractTrace trace = thesis_trace(p, property);

  // Feasibility: all events execute, nothing is violated (Example 4.1), and Table 3.2.
  const Feasibility f = is_counterexample_feasible(p.concrete, p.abstract, property, trace);
  EXPECT_FALSE(f.feasible);
  EXPECT_EQ(f.executed, trace.steps.size());
  const verdict::Replay replay = verdict::replay(p.concrete, f.trace);
  ASSERT_TRUE(replay.complete);
  const auto value = [&](const char* name) {
    return replay.states.back().cells[p.model->cell(name)->index()];
  };
  EXPECT_EQ(value("o.var4"), -6);
  EXPECT_EQ(value("o.var5"), -11);
  EXPECT_EQ(value("o.var6"), 6);

  // The thesis' run takes POS for the intermediate sum var1 + var2; so must the analysed one.
  const auto analysis = transform(p.concrete, p.abstract, property, trace, f);
  ASSERT_TRUE(analysis.has_value());
  ASSERT_EQ(analysis->steps.size(), 4u);
  EXPECT_EQ(analysis->steps.back().kind, StepKind::Assert);
  Relevance relevance(s, *analysis, {});
  ASSERT_TRUE(relevance.compute());
  EXPECT_EQ(relevance.initial_number(), 4u);
  EXPECT_THAT(names(s, *analysis, relevance.initial()), ElementsAre("o.var5"));
  EXPECT_THAT(names(s, *analysis, relevance.before(3)), ElementsAre("o.var5"));
  EXPECT_THAT(names(s, *analysis, relevance.before(2)), UnorderedElementsAre("o.var3", "o.var4"));
  EXPECT_THAT(names(s, *analysis, relevance.before(1)), UnorderedElementsAre("o.var1", "o.var2", "o.var3"));

  const Refinement r = find_refinement(s, *analysis, relevance, {});
  EXPECT_EQ(r.step, 1u);
  EXPECT_EQ(r.expression, "o.var1 + o.var2");
  domain::Precision refined = p.precision;
  apply(s, r, true, refined);
  const std::set<std::int64_t> values{-2, -1, 1};
  for (const char* name : {"o.var1", "o.var2"}) {
    const auto v = domain::Variable::cell(*p.model->cell(name));
    EXPECT_EQ(r.values.at(v), values);
    EXPECT_EQ(refined.find(v)->show(), "[min,-3] [-2,-2] [-1,-1] [0,0] [1,1] [2,max]");
  }
  EXPECT_EQ(r.values.size(), 2u);

  // Without wrap-around the refined model satisfies the property at once.
  const AbstractSystem next(s, refined, p.request.queue_capacities, {p.options.intermediate, 16, 1 << 16});
  const AbstractAnswer answer = abstract_check(next, property, {});
  if (std::string(GetParam()) == "no_overflow") {
    EXPECT_TRUE(answer.complete);
  }

  // The loop ends in SAFE either way, as published and improved.
  for (const LoopOptions& o : {LoopOptions::published(), LoopOptions{}}) {
    const LoopResult loop = refine_and_check(p.request, property, o);
    EXPECT_TRUE(loop.result.holds()) << report::show(s, loop);
  }
}
INSTANTIATE_TEST_SUITE_P(Integers, Golden000Item4, ::testing::Values("wrap", "no_overflow", "error"));

// Example 5.4: the two runs look at different objects; the reference is to blame, not what it leads to.
TEST(Golden000, Item5ResolvingThroughReferences) {
  Published p(R"(
    class Node {
      Node var1; Node left; Node right;
      int var2 = 1;
      int x = 5;
      machine {
        initial -> s1;
        state s1 { [left != null] / { var1 = x > 3 ? left : right; } -> s2; }
        state s2 { / { assert var1.var2 == 1; } -> s3; }
        waiting state s3 { }
      }
    }
    system {
      o1 : Node { left = o2; right = o3; };
      o2 : Node { var2 = 1; };
      o3 : Node { var2 = -1; };
    }
    check no assertion failures;)",
              {});
  const PropertyId property(0);
  const AbstractTrace trace = find_trace(p, property, [&](const AbstractTrace& t) {
    const auto cell = p.model->cell("o1.var1")->index();
    const Feasibility f = is_counterexample_feasible(p.concrete, p.abstract, property, t);
    const verdict::Replay r = verdict::replay(p.concrete, f.trace);
    return r.states.size() > 1 && r.states[1].cells[cell] != t.states[1].cells[cell];
  });
  const Feasibility f = is_counterexample_feasible(p.concrete, p.abstract, property, trace);
  const auto analysis = transform(p.concrete, p.abstract, property, trace, f);
  ASSERT_TRUE(analysis.has_value());
  Relevance relevance(p.s(), *analysis, {});
  ASSERT_TRUE(relevance.compute());
  EXPECT_THAT(names(p.s(), *analysis, relevance.initial()), ElementsAre("o1.var1"));
  EXPECT_TRUE(refine_and_check(p.request, property, p.options).result.holds());
}

// Section 4.1: the trace is meant to fail the second assertion; concretely the first one fails on the way.
TEST(Golden000, Item6UnintendedAssertionFailure) {
  Published p(R"(
    class C {
      int var1 = 1; int var2 = 2; int var3 = 5;
      machine {
        initial -> s1;
        state s1 { / { assert var1 == var2; } -> s2; }
        state s2 { / { assert var3 == 5; } -> s3; }
        waiting state s3 { }
      }
    }
    system { c : C; }
    check no assertion failures;
    check never (c in s3);)",
              {});
  const PropertyId property(0);
  const AbstractTrace trace =
      find_trace(p, property, [](const AbstractTrace& t) { return t.steps.size() == 2; });
  const Feasibility f = is_counterexample_feasible(p.concrete, p.abstract, property, trace);
  EXPECT_TRUE(f.feasible);
  EXPECT_EQ(f.trace.steps.size(), 1u);
  EXPECT_TRUE(verdict::confirm(p.concrete, property, f.trace).confirmed);
  // The same events, followed for another property: not its violation, but reported.
  const Feasibility other = is_counterexample_feasible(p.concrete, p.abstract, PropertyId(1), trace);
  EXPECT_FALSE(other.feasible);
  ASSERT_TRUE(other.on_the_way.has_value());
  EXPECT_TRUE(verdict::confirm(p.concrete, property, *other.on_the_way).confirmed);
  EXPECT_TRUE(refine_and_check(p.request, property, p.options).result.violated());
}

const char* const kDivergent = R"(
    signal s(int v);
    class Peer {
      int mine = 1; int y = 1;
      machine {
        initial -> waiting1;
        waiting state waiting1 { on s(v) / { y = v; } -> got; }
        state got { / { assert mine > 0 && y == 1; } -> rest; }
        waiting state rest { on s(v) / { }; }
      }
    }
    class Main {
      int x = 5; Peer p; Peer q;
      machine {
        initial -> s1;
        state s1 { / { send s(1) to (x > 3 ? p : q); } -> s2; }
        state s2 { / { send s(-1) to p; } -> s3; }
        waiting state s3 { }
      }
    }
    system {
      m : Main { p = a; q = b; };
      a : Peer { mine = 1; };
      b : Peer { mine = -1; };
    }
    check no assertion failures;)";

// Section 4.3: the first message goes elsewhere; b has nothing to receive concretely. The analysis ends in
// the target expression of that send.
TEST(Golden000, Item7DivergentTargets) {
  Published p(kDivergent, {});
  const PropertyId property(0);
  const AbstractTrace trace = find_trace(p, property, [&](const AbstractTrace& t) {
    return p.s().owner(p.s().action(t.steps.back().action).owner).name == "b";
  });
  const Feasibility f = is_counterexample_feasible(p.concrete, p.abstract, property, trace);
  EXPECT_FALSE(f.feasible);
  EXPECT_LT(f.executed, trace.steps.size());
  const auto analysis = transform(p.concrete, p.abstract, property, trace, f);
  ASSERT_TRUE(analysis.has_value());
  EXPECT_EQ(analysis->steps.back().kind, StepKind::Recv);
  Relevance relevance(p.s(), *analysis, {});
  ASSERT_TRUE(relevance.compute());
  EXPECT_EQ(relevance.initial_number(), 1u);  // the first send is the first step
  EXPECT_THAT(names(p.s(), *analysis, relevance.initial()), ElementsAre("m.x"));
  const Refinement r = find_refinement(p.s(), *analysis, relevance, {});
  EXPECT_EQ(r.step, 1u);
  EXPECT_EQ(r.expression, "m.x > 3");
  EXPECT_EQ(r.values.at(domain::Variable::cell(*p.model->cell("m.x"))), (std::set<std::int64_t>{3, 5}));
}

// Line 29 of figure 5.11: a relevant parameter comes from a queue whose history differs; start over there.
TEST(Golden000, Item7DivergentTargetsRestart) {
  Published p(kDivergent, {});
  const PropertyId property(0);
  const auto y = p.model->cell("a.y")->index();
  const AbstractTrace trace = find_trace(p, property, [&](const AbstractTrace& t) {
    // a received s(-1) first, and its y is NEG (cell 0 of Sign).
    return p.s().owner(p.s().action(t.steps.back().action).owner).name == "a" &&
           t.states.back().cells[y] == 0;
  });
  const Feasibility f = is_counterexample_feasible(p.concrete, p.abstract, property, trace);
  EXPECT_FALSE(f.feasible);
  const auto analysis = transform(p.concrete, p.abstract, property, trace, f);
  ASSERT_TRUE(analysis.has_value());
  EXPECT_EQ(analysis->steps.back().kind, StepKind::Assert);
  Relevance relevance(p.s(), *analysis, {});
  ASSERT_TRUE(relevance.compute());
  EXPECT_EQ(relevance.restarts(), 1u);
  EXPECT_EQ(relevance.initial_number(), 1u);
  EXPECT_THAT(names(p.s(), *analysis, relevance.initial()), ElementsAre("m.x"));
  EXPECT_EQ(find_refinement(p.s(), *analysis, relevance, {}).expression, "m.x > 3");
  for (const LoopOptions& o : {p.options, LoopOptions{}})
    EXPECT_TRUE(refine_and_check(p.request, property, o).result.holds());
}

}  // namespace
}  // namespace parley::cegar
