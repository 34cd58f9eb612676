// The worked facts of dubrovin2007 that the step encodings must reproduce; the numbers in the names are those
// of the project's list of golden facts.
#include <gtest/gtest.h>

#include <map>

#include "encode/relation.hpp"
#include "semantics/interpreter.hpp"
#include "solver/sat/cadical.hpp"
#include "symbolic/engines.hpp"
#include "symbolic/load_text.hpp"
#include "symbolic/shortest.hpp"
#include "symbolic/unrolling.hpp"

namespace parley::symbolic {
namespace {

using encode::ActionOrder;
using encode::Steps;

using testing::example;
using testing::from_text;

std::optional<std::uint64_t> bound_of(const system::System& s, const std::string& property, Steps steps,
                                      std::optional<ActionOrder> order = std::nullopt,
                                      std::uint32_t most = 40) {
  engine::Request request{s, {}, semantics::capacities(s), {}, 0, nullptr, {}, {}};
  for (std::size_t p = 0; p < s.properties.size(); ++p)
    if (s.properties[p].name == property) request.properties.emplace_back(p);
  EXPECT_EQ(request.properties.size(), 1u) << property;
  BmcOptions options;
  options.steps = steps;
  options.order = order;
  options.bound = most;
  const auto results = make_bmc(options)->check(request);
  if (const auto* v = std::get_if<verdict::Violated>(&results[0].verdict)) return *v->found_in_steps;
  if (const auto* h = std::get_if<verdict::Holds>(&results[0].verdict); h != nullptr && h->witness)
    return results[0].coverage.bound;
  return std::nullopt;
}

// One step from a given state in which exactly the named actions fire.
bool one_step(const system::System& s, const semantics::State& from, const std::vector<std::string>& names,
              Steps steps, const std::vector<std::string>& order_of_names) {
  encode::Relation relation(s, semantics::capacities(s), {}, {steps, ActionOrder::Declared});
  const encode::Stage& stage = relation.stages()[0];
  // The order of execution must be the one asked for; it is that of the declaration here.
  std::vector<std::string> order;
  std::vector<bool> inputs(relation.aig().size(), false);
  const auto bits = relation.layout().encode(from);
  for (std::size_t b = 0; b < bits.size(); ++b) inputs[encode::node_of(relation.state_bits()[b])] = bits[b];
  for (std::size_t i = 0; i < stage.actions.size(); ++i) {
    const system::Action& a = s.action(stage.actions[i]);
    const std::string full = s.owner(a.owner).name + ": " + a.name;
    for (const std::string& n : names)
      if (full.find(n) != std::string::npos) {
        inputs[encode::node_of(stage.fire[i])] = true;
        order.push_back(n);
      }
  }
  EXPECT_EQ(order, order_of_names);
  const auto values = relation.aig().evaluate(inputs);
  const auto holds = [&](const std::vector<encode::Lit>& all) {
    return std::all_of(all.begin(), all.end(), [&](encode::Lit l) { return encode::Aig::value(values, l); });
  };
  return holds(stage.constraints) && holds(stage.step_constraints);
}

// Figure 1(d): T22 makes the value fresh and so disables T7; the step {T7, T22} exists in the order T7, T22
// only. The classes are declared in either order to fix it.
std::string heartbeat(bool display_first) {
  const std::string meter = R"(
class Meter { Record record; machine { initial -> measuring; waiting state measuring {
  T22: on tick(bps) / { record.bps = bps; record.inval = 0; } -> measuring; } } })";
  const std::string display = R"(
class Display { Record record; bool dashes = false; machine { initial -> showing; waiting state showing {
  T6: on refresh [record.inval <= 2] / { dashes = false; } -> showing;
  T7: on refresh [record.inval > 2] / { dashes = true; } -> showing; } } })";
  const std::string o1 = "meter : Meter { record = record; };",
                    o4 = "display : Display { record = record; };";
  return "signal tick(int bps); signal refresh; class Record { int bps = 0; int inval = 3; }" + meter +
         display +
         R"(class Start { Meter meter; Display display; machine { initial -> a;
              state a { / { send tick(70) to meter; send refresh to display; } -> final; } } }
            system { record : Record; start : Start { meter = meter; display = display; };)" +
         (display_first ? o4 + o1 : o1 + o4) + "semantics { completion = free; } } check no deadlock;";
}

TEST(Golden002, Item1_AStepMayWorkInOneOrderOnly) {
  for (const bool display_first : {true, false}) {
    const system::System s = from_text(heartbeat(display_first));
    const semantics::Interpreter in(s);
    const auto start = in.initial_states()[0].result.state;
    const auto after = in.successors(start);
    ASSERT_EQ(after.size(), 1u);
    std::vector<std::string> t7, t22;
    std::map<std::string, std::string> names;
    for (const auto& next : in.successors(after[0].result.state)) {
      const system::Action& a = s.action(next.step.action);
      names[s.owner(a.owner).name] = s.owner(a.owner).name + ": " + a.name;
    }
    ASSERT_TRUE(names.contains("display") && names.contains("meter"));
    const std::vector<std::string> order = display_first ? std::vector{names["display"], names["meter"]}
                                                         : std::vector{names["meter"], names["display"]};
    EXPECT_EQ(one_step(s, after[0].result.state, order, Steps::Dynamic, order), display_first);
    EXPECT_EQ(one_step(s, after[0].result.state, order, Steps::Static, order), display_first);
  }
}

// Figure 2: three nodes in a list, each may increment its successor's data. o11 writes o12.data, o12 writes
// o13.data: independent here, but not in every configuration.
TEST(Golden002, Item2_DynamicStepsSeeTheConfiguration) {
  const system::System s = from_text(R"(
    signal go;
    class Node { Node succ; int data = 0;
      machine { initial -> a; state a { [succ != null] / { succ.data = succ.data + 1; } -> final; [else] -> final; } } }
    class Other { Node n; machine { initial -> a; waiting state a { on go / { n.succ = null; } -> a; } } }
    system { o11 : Node { succ = o12; }; o12 : Node { succ = o13; }; o13 : Node; other : Other { n = o13; };
      semantics { completion = free; } }
    check reachable (o12.data == 1 && o13.data == 1);)");
  const std::string name = s.properties[0].name;
  EXPECT_EQ(bound_of(s, name, Steps::Interleaving), 2u);
  EXPECT_EQ(bound_of(s, name, Steps::Static), 2u);
  EXPECT_EQ(bound_of(s, name, Steps::Dynamic), 1u);
}

// Item 3 on the reconstructed models: k(interleaving) >= k(static) >= k(dynamic), k(interleaving) >=
// k(chained). mtravel's interleaving bound is its explicit length, 33 by the count in the model's comment; as
// in the paper, BMC over interleavings does not get there in reasonable time, so it is not asked to.
TEST(Golden002, Item3_Bounds) {
  const std::vector<std::pair<std::string, std::string>> rows = {{"travel", "no deadlock"},
                                                                 {"scp", "no deadlock"},
                                                                 {"scp", "no lost messages"},
                                                                 {"giop", "no run-time errors"},
                                                                 {"heartbeat", "no assertion failures"},
                                                                 {"mtravel", "no deadlock"}};
  for (const auto& [model, property] : rows) {
    const system::System s = example(model);
    std::uint64_t k = 33;
    if (model != "mtravel") {
      const auto want = testing::shortest_runs(semantics::Interpreter(s), 20000);
      std::uint32_t p = 0;
      while (s.properties[p].name != property) ++p;
      k = want.length.at(p);
      EXPECT_EQ(bound_of(s, property, Steps::Interleaving), k) << model;
    }
    const auto dynamic = bound_of(s, property, Steps::Dynamic, std::nullopt, 40);
    const auto chained = bound_of(s, property, Steps::Chained, std::nullopt, 40);
    ASSERT_TRUE(dynamic && chained) << model;
    EXPECT_LE(*dynamic, k) << model;
    EXPECT_LE(*chained, k) << model;
    if (model == "mtravel") {
      EXPECT_LE(*dynamic, 14u) << "the paper's models: 36 / 14 / 11";
      continue;
    }
    const auto fixed = bound_of(s, property, Steps::Static, std::nullopt, 40);
    ASSERT_TRUE(fixed) << model;
    EXPECT_LE(*fixed, k) << model;
    EXPECT_LE(*dynamic, *fixed) << model;
  }
}

// Item 4: step constraints are a small part of the instance. The paper measured 4 to 8 % (static) and 5 to
// 15 % (dynamic) of SAT instances made by NuSMV; ours share more of the rest, so the bound here is 30 %.
TEST(Golden002, Item4_StepConstraintsAreFew) {
  for (const std::string model : {"travel", "mtravel", "scp", "giop"})
    for (const Steps steps : {Steps::Static, Steps::Dynamic}) {
      const system::System s = example(model);
      encode::Relation relation(s, semantics::capacities(s), {system::PropertyId(0)},
                                {steps, default_action_order(steps)});
      const auto solver = solver::sat::make_cadical();
      encode::ClauseSink sink(*solver);
      Unrolling unrolling(relation, sink, Unrolling::Start::AnyWellFormed);
      unrolling.add_step();
      const double share =
          static_cast<double>(unrolling.step_constraint_clauses()) / static_cast<double>(sink.clauses());
      EXPECT_GT(share, 0.0) << model;
      EXPECT_LT(share, 0.30) << model << ' ' << name_of(steps);
    }
}

// Several free 32-bit attributes: 2^96 states for a search, a few clauses for a solver. The sum of three free
// numbers meets a given value only by wrapping around, and the assertion that it never does fails.
TEST(WideData, IsDecidedInAMoment) {
  const std::string text = R"(
    class Adder { int a = 0; int b = 0; int c = 0;
      machine { initial -> pick; 
        state pick { / { a = any(-2147483648..2147483647); b = any(-2147483648..2147483647); c = any(-2147483648..2147483647); } -> test; }
        state test { [a > 1000 && b > a && c > b] / { assert a + b + c != CASE; } -> final; [else] -> final; } } }
    system { x : Adder; semantics { completion = free; } }
    check no assertion failures;)";
  auto with = [&](const std::string& value) {
    std::string t = text;
    t.replace(t.find("CASE"), 4, value);
    return from_text(t);
  };
  const system::System broken = with("-5");
  EXPECT_EQ(bound_of(broken, "no assertion failures", Steps::Interleaving), 2u);
  const system::System fine = from_text(R"(
    class Walker { int a = 0; int b = 0; int c = 7;
      machine { initial -> go; state go { / { a = any(-2147483648..2147483647); b = a & 1; c = c ^ (b << 3); } -> go; } } }
    system { x : Walker; semantics { completion = free; } }
    check always (x.b >= 0 && (x.c & 7) == 7);)");
  engine::Request request{fine, {system::PropertyId(0)}, semantics::capacities(fine), {}, 0, nullptr, {}, {}};
  request.limits.seconds = 60;
  EXPECT_TRUE(make_ic3({})->check(request)[0].holds());
}

}  // namespace
}  // namespace parley::symbolic
