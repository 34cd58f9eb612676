// Diagrams that want to hurt: they end in a diagnostic, or are read, without taking the stack or the memory
// along.
#include <gtest/gtest.h>

#include "front/diagram/diagram.hpp"

namespace parley::front::diagram {
namespace {

std::string codes(const std::string& text, Notation notation) {
  diag::SourceMap sources;
  diag::Diagnostics diagnostics;
  uml::ImportReport report;
  uml::Options options;
  options.havoc_unknown = true;
  const auto model = load(sources, "hostile", text, notation, diagnostics, options, report);
  std::string out;
  for (const auto& d : diagnostics.all())
    if (d.severity == diag::Severity::Error) out += d.code + " ";
  EXPECT_EQ(model.has_value(), out.empty());
  return out;
}

std::string repeated(const std::string& text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

TEST(HostileDiagrams, DeepNesting) {
  EXPECT_EQ(codes("@startuml\n[*] --> a\n" + repeated("state a {\n", 100000), Notation::PlantUml),
            "diagram-syntax ");
  EXPECT_EQ(codes("{\"states\":" + repeated("{\"a\":{\"states\":", 100000), Notation::XState),
            "json-syntax ");
  EXPECT_EQ(codes("{\"states\":" + repeated("{\"a\":{\"states\":", 200) + "{}" + repeated("}}", 200) + "}",
                  Notation::XState),
            "diagram-syntax ");
}

TEST(HostileDiagrams, ManyStatesAndArrows) {
  std::string text = "stateDiagram-v2\n";
  for (int i = 0; i < 100000; ++i) text += "s" + std::to_string(i) + " --> t" + std::to_string(i) + "\n";
  EXPECT_EQ(codes(text, Notation::Mermaid), "diagram-syntax ");
  EXPECT_EQ(codes("stateDiagram-v2\n[*] --> a\n" + repeated("a --> b : x\n", 100000), Notation::Mermaid),
            "diagram-syntax ");
}

TEST(HostileDiagrams, OneLongLine) {
  EXPECT_EQ(
      codes("@startuml\n[*] --> A\nA --> B : " + repeated("[", 1 << 20) + "\n@enduml\n", Notation::PlantUml),
      "");
  EXPECT_EQ(codes("stateDiagram-v2\n[*] --> " + repeated("a", 1 << 20), Notation::Mermaid), "");
  EXPECT_EQ(codes(repeated("x", 9 << 20), Notation::Mermaid), "file-too-large ");
}

TEST(HostileDiagrams, Rubbish) {
  EXPECT_EQ(codes("", Notation::PlantUml), "diagram-none ");
  EXPECT_EQ(codes("```mermaid\nstateDiagram-v2\n", Notation::Markdown), "diagram-none ");
  EXPECT_EQ(codes(std::string("@startuml\n[*] --> A\n\0\xff\xfe{{{\n", 27), Notation::PlantUml),
            "diagram-syntax ");
  EXPECT_EQ(codes("@startuml\n[*] --> A\n}\n@enduml", Notation::PlantUml), "diagram-syntax ");
  EXPECT_EQ(codes("{\"initial\": 3, \"states\": {\"a\": 7}}", Notation::XState), "diagram-syntax ");
  EXPECT_EQ(codes("{\"states\": [1]}", Notation::XState), "diagram-none ");
  EXPECT_EQ(codes("[[[", Notation::XState), "json-syntax ");
}

}  // namespace
}  // namespace parley::front::diagram
