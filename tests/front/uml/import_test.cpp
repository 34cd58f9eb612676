// The examples of examples/uml, read, printed, read again, and explored.
#include <gtest/gtest.h>

#include <algorithm>

#include "explore/explore.hpp"
#include "front/text/parser.hpp"
#include "front/text/printer.hpp"
#include "front/uml/importing.hpp"
#include "lower/lower.hpp"
#include "model/resolve.hpp"
#include "semantics/interpreter.hpp"

namespace parley::front::uml {
namespace {

std::uint64_t count_states(model::Model& model, diag::Diagnostics& diagnostics, std::uint32_t capacity = 2) {
  model::resolve(model, diagnostics);
  if (!model.resolved) return 0;
  const auto lowered = lower::lower(model, diagnostics);
  if (!lowered) return 0;
  explore::Explorer explorer({explore::SearchOrder::BreadthFirst, true});
  engine::Request request{
      lowered->system, {}, semantics::capacities(lowered->system, capacity), {}, 0, nullptr, {}, {}};
  request.limits.states = 100000;
  for (std::size_t i = 0; i < lowered->system.properties.size(); ++i)
    request.properties.push_back(system::PropertyId(i));
  (void)explorer.check(request);
  return explorer.statistics().states;
}

const model::Vertex* vertex(const model::Class& c, const std::string& name) {
  for (const auto& v : c.machine->vertices) {
    if (v.name == name) return &v;
  }
  return nullptr;
}

const model::Class* class_named(const model::Model& m, const std::string& name) {
  for (const auto& c : m.classes) {
    if (c.name == name) return &c;
  }
  return nullptr;
}

TEST(Import, TurnstileKeepsNamesAndIds) {
  auto in = import_example("turnstile.uml");
  ASSERT_TRUE(in.model) << in.rendered();
  EXPECT_TRUE(in.diagnostics.all().empty()) << in.rendered();
  const auto* turnstile = class_named(*in.model, "Turnstile");
  ASSERT_NE(turnstile, nullptr);
  EXPECT_EQ(turnstile->element_id, "c_turnstile");
  ASSERT_NE(vertex(*turnstile, "Reporting"), nullptr);
  EXPECT_EQ(vertex(*turnstile, "Reporting")->element_id, "v_wait");
  EXPECT_EQ(vertex(*turnstile, "Reporting")->defers, std::vector<std::string>{"Coin"});
  const auto& t = turnstile->machine->transitions;
  const auto pay = std::find_if(t.begin(), t.end(), [](const auto& x) { return x.name == "pay"; });
  ASSERT_NE(pay, t.end());
  EXPECT_EQ(pay->element_id, "t_pay");
  EXPECT_EQ(pay->triggers.front().parameters, std::vector<std::string>{"value"});
  EXPECT_EQ(pay->effect.name, "take");
  ASSERT_EQ(in.model->system->objects.size(), 2u);
  EXPECT_EQ(in.model->system->objects[0].name, "north gate");
  EXPECT_EQ(in.model->system->objects[0].element_id, "i_gate");
  // Coin and Push are sent by nobody; Passed and Ack are.
  ASSERT_EQ(in.model->system->environment.size(), 2u);
}

TEST(Import, PingPongIsWiredByItsConnector) {
  auto in = import_example("ping_pong_rt.uml");
  ASSERT_TRUE(in.model) << in.rendered();
  ASSERT_EQ(in.model->system->objects.size(), 2u);
  EXPECT_TRUE(in.model->system->environment.empty());
  // By hand: serve twice and answer twice, one message under way at each moment, then none: 5 states.
  EXPECT_EQ(count_states(*in.model, in.diagnostics), 5u) << in.rendered();
}

TEST(Import, PlayerOfAnotherTool) {
  auto in = import_example("player.xmi");
  ASSERT_TRUE(in.model) << in.rendered();
  EXPECT_EQ(in.report.tool, "Enterprise Architect");
  const auto& machine = *in.model->classes.front().machine;
  const auto kinds = [&](model::VertexKind kind) {
    return std::count_if(machine.vertices.begin(), machine.vertices.end(),
                         [&](const auto& v) { return v.kind == kind; });
  };
  EXPECT_EQ(kinds(model::VertexKind::State), 6);
  EXPECT_EQ(kinds(model::VertexKind::Initial), 3);
  EXPECT_EQ(kinds(model::VertexKind::Choice), 1);
  EXPECT_EQ(kinds(model::VertexKind::ShallowHistory), 1);
  EXPECT_EQ(kinds(model::VertexKind::EntryPoint), 1);
  EXPECT_EQ(machine.transitions.size(), 13u);
  EXPECT_EQ(machine.regions.size(), 3u);
  EXPECT_EQ(in.model->classes.front().attributes.front().type.name, "bool");
}

TEST(Import, Uml14) {
  auto in = import_example("lamp_uml14.xmi");
  ASSERT_TRUE(in.model) << in.rendered();
  EXPECT_EQ(in.report.dialect, "UML 1.x");
  const auto* lamp = class_named(*in.model, "Lamp");
  ASSERT_NE(lamp, nullptr);
  EXPECT_EQ(lamp->machine->transitions.size(), 5u);
  EXPECT_EQ(lamp->machine->path(model::VertexId(4)), "On.Dim");
  const auto& t = lamp->machine->transitions;
  const auto tired = std::find_if(t.begin(), t.end(), [](const auto& x) { return x.element_id == "t4"; });
  ASSERT_NE(tired, t.end());
  ASSERT_EQ(tired->triggers.size(), 1u);
  EXPECT_EQ(tired->triggers.front().kind, model::TriggerKind::After);
  EXPECT_EQ(tired->triggers.front().value->value, 5);
}

TEST(Import, UnknownTextIsAnErrorWithItsElement) {
  auto in = import_example("door_unknown.uml");
  EXPECT_FALSE(in.model);
  EXPECT_TRUE(in.has("uml-text"));
  EXPECT_NE(in.rendered().find("`mayOpen`"), std::string::npos) << in.rendered();
  EXPECT_NE(in.rendered().find("[t1]"), std::string::npos);
  EXPECT_FALSE(in.report.control_structure_lost());
}

TEST(Import, UnknownTextOnRequestIsAnAssumption) {
  Options options;
  options.havoc_unknown = true;
  auto in = import_example("door_unknown.uml", options);
  ASSERT_TRUE(in.model) << in.rendered();
  EXPECT_TRUE(std::any_of(in.model->assumptions.begin(), in.model->assumptions.end(), [](const auto& a) {
    return a.code == diag::AssumptionCode::Approximated && a.text.find("mayOpen") != std::string::npos;
  }));
  // The submachine is expanded between its connection points.
  const auto& c = in.model->classes.front();
  ASSERT_NE(vertex(c, "turning"), nullptr);
  EXPECT_EQ(vertex(c, "begin")->kind, model::VertexKind::EntryPoint);
  EXPECT_EQ(vertex(c, "end")->kind, model::VertexKind::ExitPoint);
  EXPECT_GT(count_states(*in.model, in.diagnostics), 0u) << in.rendered();
}

// Two behaviours without text and a guard that the file does not have: each kind is one line of every answer.
TEST(Import, WhatIsLeftOutIsAssumedOncePerKind) {
  auto in = import_text(R"(<?xml version="1.0" encoding="UTF-8"?>
<uml:Model xmi:version="20131001" xmlns:xmi="http://www.omg.org/spec/XMI/20131001"
    xmlns:uml="http://www.eclipse.org/uml2/5.0.0/UML" xmi:id="m" name="m">
  <packagedElement xmi:type="uml:Class" xmi:id="c" name="C" classifierBehavior="sm">
    <ownedBehavior xmi:type="uml:StateMachine" xmi:id="sm" name="C">
      <region xmi:id="r" name="r">
        <subvertex xmi:type="uml:Pseudostate" xmi:id="i" name=""/>
        <subvertex xmi:type="uml:State" xmi:id="s" name="s">
          <entry xmi:type="uml:OpaqueBehavior" xmi:id="b1" name="prepare"/>
          <exit xmi:type="uml:OpaqueBehavior" xmi:id="b2" name="tidy"/>
        </subvertex>
        <subvertex xmi:type="uml:State" xmi:id="t" name="t"/>
        <transition xmi:id="t1" source="i" target="s"/>
        <transition xmi:id="t2" source="s" target="t"/>
      </region>
    </ownedBehavior>
  </packagedElement>
</uml:Model>)");
  ASSERT_TRUE(in.model) << in.rendered();
  const auto ignored = [](const diag::Assumption& a) { return a.code == diag::AssumptionCode::Ignored; };
  const auto& all = in.model->assumptions;
  ASSERT_EQ(std::count_if(all.begin(), all.end(), ignored), 1) << in.report.text(in.sources);
  const std::string text = std::find_if(all.begin(), all.end(), ignored)->text;
  EXPECT_NE(text.find("does nothing: it has no text"), std::string::npos) << text;
  EXPECT_NE(text.find("and 1 more of this kind"), std::string::npos) << text;
}

TEST(Import, RoundTripThroughTheTextLanguage) {
  for (const char* name :
       {"turnstile.uml", "ping_pong_rt.uml", "player.xmi", "lamp_uml14.xmi", "door_unknown.uml"}) {
    Options options;
    options.havoc_unknown = true;
    auto in = import_example(name, options);
    ASSERT_TRUE(in.model) << in.rendered();
    const std::string text = text::print(*in.model);
    diag::SourceMap sources;
    diag::Diagnostics diagnostics;
    auto again = text::parse(sources, sources.add("again.ply", text), diagnostics);
    ASSERT_FALSE(diagnostics.has_errors()) << name << "\n"
                                           << diag::render(sources, diagnostics.sorted()) << text;
    const auto before = count_states(*in.model, in.diagnostics);
    const auto after = count_states(again, diagnostics);
    EXPECT_GT(before, 1u) << name;
    EXPECT_EQ(before, after) << name << "\n" << diag::render(sources, diagnostics.sorted());
    EXPECT_EQ(text::print(again), text) << name;
  }
}

TEST(Import, SystemFileTakesThePlaceOfTheDiagram) {
  diag::SourceMap sources;
  diag::Diagnostics diagnostics;
  auto given = text::parse(
      sources,
      sources.add("system.ply",
                  "const int N = 2;\nsystem { g : Turnstile { keeper = k; }; k : Keeper { gate = g; };\n"
                  "environment sends Coin(N) to g; }\ncheck always (g.paid <= N);\n"),
      diagnostics);
  ASSERT_FALSE(diagnostics.has_errors()) << diag::render(sources, diagnostics.sorted());
  Options options;
  options.system = &given;
  auto in = import_example("turnstile.uml", options);
  ASSERT_TRUE(in.model) << in.rendered();
  EXPECT_EQ(in.model->system->objects.size(), 2u);
  EXPECT_EQ(in.model->checks.size(), 1u);
  EXPECT_GT(count_states(*in.model, in.diagnostics), 1u) << in.rendered();
}

TEST(Import, SystemFileWithClassesIsRefused) {
  diag::SourceMap sources;
  diag::Diagnostics diagnostics;
  auto given = text::parse(sources, sources.add("system.ply", "signal extra;\n"), diagnostics);
  Options options;
  options.system = &given;
  auto in = import_example("turnstile.uml", options);
  EXPECT_FALSE(in.model);
  EXPECT_TRUE(in.has("system-file"));
}

TEST(Import, ReportNamesEverything) {
  Options options;
  options.havoc_unknown = true;
  const auto in = import_example("door_unknown.uml", options);
  const std::string text = in.report.text(in.sources);
  EXPECT_NE(text.find("over-approximated:"), std::string::npos);
  EXPECT_NE(text.find("[g] mayOpen"), std::string::npos) << text;
  const std::string json = in.report.json(in.sources);
  EXPECT_NE(json.find("\"guard text\""), std::string::npos);
  EXPECT_NE(json.find("\"control_structure_lost\": false"), std::string::npos);
}

TEST(Import, SameInputSameOutput) {
  for (const char* name : {"turnstile.uml", "player.xmi", "ping_pong_rt.uml"}) {
    const auto a = import_example(name);
    const auto b = import_example(name);
    ASSERT_TRUE(a.model && b.model);
    EXPECT_EQ(text::print(*a.model), text::print(*b.model));
    EXPECT_EQ(a.report.text(a.sources), b.report.text(b.sources));
  }
}

}  // namespace
}  // namespace parley::front::uml
