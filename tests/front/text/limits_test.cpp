// Texts that are too deep, too long or no text at all must get a proper answer, never a crash.
#include <gtest/gtest.h>

#include <random>

#include "front/text/printer.hpp"
#include "front/text/support.hpp"

namespace parley::front::text {
namespace {

std::string repeat(const std::string& text, std::size_t times) {
  std::string out;
  out.reserve(text.size() * times);
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

std::string with_initial_value(const std::string& value) {
  return "class A { A n; int x = " + value + "; machine { initial -> s; state s; } }\nsystem { a : A; }\n";
}

std::string with_effect(const std::string& effect) {
  return "class A { int x; machine { initial / { " + effect + " } -> s; state s; } }\nsystem { a : A; }\n";
}

TEST(Limits, DeepNestingIsOneError) {
  const std::string texts[] = {
      with_initial_value(repeat("(", 10000) + "1" + repeat(")", 10000)),
      with_initial_value(repeat("1 + ", 100000) + "1"),
      with_initial_value(repeat("!", 100000) + "true"),
      with_initial_value(repeat("- ", 100000) + "n"),
      with_initial_value(repeat("n.", 100000) + "x"),
      with_initial_value(repeat("n[", 100000) + "x"),
      with_initial_value(repeat("f(", 100000) + "x"),
      with_initial_value(repeat("true ? 1 : ", 100000) + "1"),
      with_effect(repeat("{", 100000) + repeat("}", 100000)),
      with_effect(repeat("if (x == 1) { x = 2; } else ", 50000) + "x = 3;"),
      with_effect(repeat("while (x > 0) limit 3 ", 50000) + "x = 3;"),
      "class A { machine { " + repeat("state s { ", 100000) + repeat("}", 100000) +
          " } }\nsystem { a : A; }\n",
      "class A { machine { } }\nsystem { a : A; }\ncheck " + repeat("G ", 100000) + "a.x;\n",
      "class A { machine { } }\nsystem { a : A; }\ncheck " + repeat("a -> ", 100000) + "a;\n",
  };
  for (const std::string& text : texts) {
    SCOPED_TRACE(text.substr(0, 60));
    const Loaded l = load_text(text);
    std::size_t deep = 0;
    for (const diag::Diagnostic& d : l.diagnostics.all()) {
      if (d.severity == diag::Severity::Error) {
        EXPECT_EQ(d.code, "too-deep");
      }
      deep += d.code == "too-deep" ? 1 : 0;
    }
    EXPECT_EQ(deep, 1u);
    EXPECT_FALSE(l.model.resolved);
  }
}

TEST(Limits, AThousandNestedStatesAreFine) {
  std::string text = "class A { machine { initial -> s0;\n";
  for (int i = 0; i < 1000; ++i)
    text += "state s" + std::to_string(i) + " { initial -> s" + std::to_string(i + 1) + ";\n";
  text += "state s1000;\n" + repeat("}", 1000) + " } }\nsystem { a : A; }\ncheck reachable (a in s1000);\n";
  const Loaded l = load_text(text);
  EXPECT_TRUE(l.model.resolved) << l.rendered;
  const std::string once = print(l.model, &l.sources);
  const Loaded again = load_text(once);
  EXPECT_TRUE(again.model.resolved);
  EXPECT_EQ(print(again.model, &again.sources), once);
}

// Open blocks at the end of the text are one error, not one per block.
TEST(Limits, TextThatStopsInTheMiddle) {
  const Loaded l = load_text("class A { machine { " + repeat("state s { ", 1000));
  EXPECT_EQ(l.diagnostics.error_count(), 1u) << l.rendered;
}

TEST(Limits, TenMegabytes) {
  std::string text = "signal go;\nclass A {\n  int x = 0;\n  machine {\n    initial -> s0;\n";
  const int count = 128000;
  for (int i = 0; i < count; ++i) {
    text += "    state s" + std::to_string(i) + " {\n      on go [x > " + std::to_string(i) +
            "] / { x = x + " + std::to_string(i) + "; } -> s" + std::to_string((i + 1) % count) +
            ";\n    }\n";
  }
  text += "  }\n}\nsystem {\n  a : A;\n  environment sends go to a;\n}\n";
  ASSERT_GT(text.size(), 10'000'000u);
  const Loaded l = load_text(text);
  EXPECT_TRUE(l.model.resolved);
  EXPECT_EQ(l.model.classes[0].machine->transitions.size(), static_cast<std::size_t>(count) + 1);
}

// The same size with an error in each line: no wait for hints, and an end to the list.
TEST(Limits, TenMegabytesOfErrors) {
  std::string text = "signal go;\nclass A {\n  machine {\n    initial -> s0;\n";
  for (int i = 0; i < 150000; ++i) {
    text += "    state s" + std::to_string(i) + " {\n      on gone [y > 1] / { z = 1; } -> t" +
            std::to_string(i) + ";\n    }\n";
  }
  text += "  }\n}\nsystem {\n  a : A;\n}\n";
  const Loaded l = load_text(text);
  EXPECT_FALSE(l.model.resolved);
  EXPECT_LE(l.diagnostics.error_count(), 1001u);
}

TEST(Limits, NoTextAtAll) {
  std::mt19937 random(20240601);  // any fixed seed: bytes must not matter
  const std::string alphabets[] = {std::string(), "{}()[];,.=<>+-*/%&|^~!?@ab1 \n\"`:->",
                                   "state on go { } ( ) [ ] ; -> / class system check G F"};
  for (const std::string& alphabet : alphabets) {
    std::string text;
    for (int i = 0; i < 300000; ++i) {
      text += alphabet.empty() ? static_cast<char>(random() % 256) : alphabet[random() % alphabet.size()];
    }
    const Loaded l = load_text(text);
    EXPECT_TRUE(l.diagnostics.has_errors());
    EXPECT_NO_THROW(print(l.model, &l.sources));
  }
  EXPECT_TRUE(load_text("").diagnostics.has_errors());  // no system
}

}  // namespace
}  // namespace parley::front::text
