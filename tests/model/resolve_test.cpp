// What resolve fills in: symbols, types, numbers of objects, initial values, switches. Expected values are
// worked out by hand from docs/language.md.
#include "model/resolve.hpp"

#include <gtest/gtest.h>

#include "front/text/support.hpp"
#include "model/show.hpp"
#include "model/vertex_names.hpp"

namespace parley::model {
namespace {

using front::text::load_text;
using front::text::Loaded;

constexpr const char* kMachine = "machine { initial -> s; state s { on go -> s; } }";

Loaded load_ok(const std::string& text, const ResolveOptions& options = {}) {
  Loaded l = load_text(text, "test.ply", options);
  EXPECT_FALSE(l.diagnostics.has_errors()) << l.rendered;
  EXPECT_TRUE(l.model.resolved);
  return l;
}

TEST(Resolve, NumbersObjectsSoThatClassesAreContiguous) {
  const Loaded l =
      load_ok(std::string("signal go;\nclass A { ") + kMachine +
              " }\nclass B { }\nclass C : A { }\nclass D : A { }\nclass E : C { }\n"
              "system { b : B; e : E; d : D; a1 : A; c[2] : C; a2 : A; environment sends go to a1; }\n");
  std::vector<std::string> names;
  for (const Model::Object& o : l.model.objects) names.push_back(o.name);
  // A with its subclasses, C before D as declared, E below C; then B. Within a class as declared.
  const std::vector<std::string> expected = {"a1", "a2", "c[0]", "c[1]", "e", "d", "b"};
  EXPECT_EQ(names, expected);
  EXPECT_EQ(l.model.system->objects[4].first_object, 2u);
  EXPECT_EQ(l.model.system->objects[4].count, 2u);
}

TEST(Resolve, InitialValuesFollowDeclarationsAndWiring) {
  const Loaded l =
      load_ok(std::string("const int N = 3;\nsignal go;\nenum Colour { red, green }\n"
                          "class Base { int x = N + 1; Base next; }\n"
                          "class A : Base { int(2..5) low; bool flags[3] = true; Colour c = green; ") +
              kMachine +
              " }\nsystem { p[N] : A { next = p[(i + 1) % N]; x = i * i; flags[i] = false; };"
              " q : A { c = red; }; environment sends go to q; }\n");
  using Values = std::vector<std::vector<std::int32_t>>;
  // Attributes: x, next (object number + 1), low (0 is not in 2..5), flags, c.
  EXPECT_EQ(l.model.objects[0].initial, (Values{{0}, {2}, {2}, {0, 1, 1}, {1}}));
  EXPECT_EQ(l.model.objects[2].initial, (Values{{4}, {1}, {2}, {1, 1, 0}, {1}}));
  EXPECT_EQ(l.model.objects[3].initial, (Values{{4}, {0}, {2}, {1, 1, 1}, {0}}));
}

TEST(Resolve, ConstantsAreOverriddenBeforeTheyAreUsed) {
  const std::string text =
      std::string("const int M = N * 2;\nconst int N = 3;\nconst bool B = false;\nsignal go;\nclass A { ") +
      "int x = M; bool y = B; " + kMachine + " }\nsystem { a[N] : A; environment sends go to a; }\n";
  ResolveOptions options;
  options.constants = {{"N", "5"}, {"B", "true"}};
  const Loaded l = load_ok(text, options);
  EXPECT_EQ(l.model.objects.size(), 5u);
  EXPECT_EQ(l.model.constants[0].resolved, 10);
  EXPECT_EQ(l.model.objects[4].initial[0][0], 10);
  EXPECT_EQ(l.model.objects[4].initial[1][0], 1);
  options.constants = {{"N", "many"}, {"K", "1"}};
  const Loaded wrong = load_text(text, "test.ply", options);
  EXPECT_EQ(wrong.diagnostics.error_count(), 2u) << wrong.rendered;
}

TEST(Resolve, SwitchesOfTheModelAndTheCommandLine) {
  const std::string text = std::string("signal go;\nclass A { ") + kMachine +
                           " }\nsystem { a : A; environment sends go to a; semantics { completion = free; "
                           "run-to-completion = split; integers = error; } }\n";
  ResolveOptions options;
  options.switches = {{"integers", "no-overflow"}};
  const Loaded l = load_ok(text, options);
  EXPECT_EQ(l.model.switches.completion, CompletionMode::Free);
  EXPECT_EQ(l.model.switches.run_to_completion, RunToCompletion::Split);
  EXPECT_EQ(l.model.switches.integers, Integers::NoOverflow);
  EXPECT_EQ(l.model.switches.overflow, Overflow::Cut);
  options.switches = {{"integers", "none"}};
  EXPECT_TRUE(load_text(text, "test.ply", options).diagnostics.has_errors());
}

TEST(Resolve, EverySwitchSpellingIsAccepted) {
  for (const auto& [name, values] : switch_spellings()) {
    for (const std::string& value : values) {
      Switches s;
      EXPECT_TRUE(set_switch(s, name, value)) << name << " = " << value;
    }
    Switches s;
    EXPECT_FALSE(set_switch(s, name, "nonsense"));
  }
}

TEST(Resolve, SymbolsOfNames) {
  const Loaded l = load_ok(
      "const int N = 3;\nenum Colour { red }\nsignal go(int n);\nclass A { int x; Colour c;\n"
      "  machine { initial -> s; state s { on go(n) [n > x] / { int k = N; c = red; x = k; } -> s; } } }\n"
      "system { a : A; environment sends go(1) to a; }\n");
  const Transition& t = l.model.classes[0].machine->transitions[1];
  EXPECT_EQ(t.guard->operands[0]->symbol, SymbolKind::Parameter);
  EXPECT_EQ(t.guard->operands[1]->symbol, SymbolKind::Attribute);
  EXPECT_EQ(t.guard->type.tag, TypeTag::Bool);
  const std::vector<StmtPtr>& body = t.effect.body->children;
  EXPECT_EQ(body[0]->value->symbol, SymbolKind::Constant);
  EXPECT_EQ(body[1]->value->symbol, SymbolKind::EnumLiteral);
  EXPECT_EQ(body[2]->value->symbol, SymbolKind::Local);
  EXPECT_EQ(t.effect.slots, 1u);
}

// Targets are looked for in the state's own body first, then outwards, then anywhere if there is only one.
TEST(VertexNames, LooksInwardOutwardAndAnywhere) {
  const Loaded l = load_ok(
      "signal go;\nclass A { machine { initial -> out;\n"
      "  state out { on go -> in; initial -> in; state in { on go -> out; on go -> deep; on go -> other.in; "
      "} }\n"
      "  state other { on go -> lr; initial -> in; state in { on go -> in; initial -> deep; state deep; } }\n"
      "  state lr { on go -> lr.l.s; on go -> r.s; region l { initial -> s; state s; } region r { initial -> "
      "s; state s; } }\n"
      "} }\nsystem { a : A; environment sends go to a; }\n");
  const Machine& m = *l.model.classes[0].machine;
  std::vector<std::string> targets;
  for (const Transition& t : m.transitions) {
    if (!t.triggers.empty()) targets.push_back(m.path(t.target));
  }
  // on go -> in inside other.in means its sibling scope: itself.
  const std::vector<std::string> expected = {"out.in", "out",      "other.in.deep", "other.in",
                                             "lr",     "other.in", "lr.s",          "lr.s"};
  EXPECT_EQ(targets, expected);
  EXPECT_NE(m.transitions[m.transitions.size() - 3].target, m.transitions[m.transitions.size() - 4].target);
}

TEST(VertexNames, PathsLeadBack) {
  const Loaded l =
      load_text(front::text::read_file(std::string(PARLEY_SOURCE_DIR) + "/tests/models/features.ply"));
  const Machine& m = *l.model.classes[1].machine;
  const VertexNames names(m);
  for (std::size_t from = 0; from < m.vertices.size(); ++from) {
    for (std::size_t to = 0; to < m.vertices.size(); ++to) {
      if (m.vertices[to].name.empty() || m.vertices[to].implicit) continue;
      const auto path = names.path_to(VertexId(from), VertexId(to));
      ASSERT_FALSE(path.empty()) << m.path(VertexId(from)) << " to " << m.path(VertexId(to));
      const auto found = names.find(VertexId(from), path);
      ASSERT_EQ(found.size(), 1u);
      EXPECT_EQ(found[0].index(), to);
    }
  }
}

TEST(Show, QuotesNamesThatNeedIt) {
  EXPECT_EQ(quote_name("idle"), "idle");
  EXPECT_EQ(quote_name("zähler"), "zähler");
  EXPECT_EQ(quote_name("Waiting for card"), "`Waiting for card`");
  EXPECT_EQ(quote_name("if"), "`if`");
  EXPECT_EQ(quote_name("2nd"), "`2nd`");
  EXPECT_EQ(quote_name("a`b\\c\n"), "`a\\`b\\\\c\\n`");
  const std::vector<std::string> path = {"a.b", "c`d", "plain", "tab\there\x01"};
  EXPECT_EQ(split_path(join_path(path)), path);
}

TEST(Resolve, WorksTwiceOnOneModel) {
  Loaded l = load_text(front::text::read_file(std::string(PARLEY_SOURCE_DIR) + "/tests/models/features.ply"));
  const std::size_t vertices = l.model.classes[1].machine->vertices.size();
  resolve(l.model, l.diagnostics);
  EXPECT_TRUE(l.model.resolved);
  EXPECT_EQ(l.model.classes[1].machine->vertices.size(), vertices);
}

}  // namespace
}  // namespace parley::model
