// The examples of docs/language.md are models without errors and survive the formatter. A fence marked `ply`
// holds a whole model; `ply declarations`, `ply machine`, `ply effect`, `ply system` and `ply checks` hold a
// part, which is put into a small model here.
#include <gtest/gtest.h>

#include <sstream>

#include "front/text/dump.hpp"
#include "front/text/printer.hpp"
#include "front/text/support.hpp"

namespace parley::front::text {
namespace {

struct Example {
  int line = 0;
  std::string kind;
  std::string text;
};

std::vector<Example> examples() {
  std::istringstream in(read_file(std::string(PARLEY_SOURCE_DIR) + "/docs/language.md"));
  std::vector<Example> result;
  bool inside = false;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (!inside && (line == "```ply" || line.starts_with("```ply "))) {
      result.push_back({number, line.substr(6), ""});
      inside = true;
    } else if (inside && line == "```") {
      inside = false;
    } else if (inside) {
      result.back().text += line + "\n";
    }
  }
  return result;
}

std::string whole_model(const Example& e) {
  if (e.kind.empty()) return e.text;
  const auto part = [&](const char* kind, const std::string& otherwise) {
    return e.kind == kind ? e.text : otherwise;
  };
  return "enum Colour { red, green, blue }\nsignal go, stop, ok, refused, ping;\nsignal card(int(0..3) "
         "pin);\n"
         "signal verify(int pin, Atm from);\nsignal level(int(0..7) l, Colour c);\n" +
         part(" declarations", "const int N = 3;\n") +
         "class Bank { machine { initial -> ready; state ready; } }\n"
         "class Atm {\n  Bank bank; int tries; int x; bool flags[4]; Colour c; timer(30) t; Atm next;\n"
         "  void reset(int to) { x = to; }\n  machine {\n" +
         part(" machine", "initial / {" + part(" effect", "") +
                              "} -> idle; state idle { on go -> busy; } state busy;\n") +
         "  }\n}\nsystem {\n" + part(" system", "atm : Atm; ring[3] : Atm; b : Bank;\n") + "}\n" +
         part(" checks", "");
}

TEST(LanguageDocument, ExamplesAreRightModels) {
  const std::vector<Example> all = examples();
  EXPECT_GE(all.size(), 10u);
  for (const Example& e : all) {
    SCOPED_TRACE("docs/language.md:" + std::to_string(e.line));
    const Loaded first = load_text(whole_model(e));
    ASSERT_FALSE(first.diagnostics.has_errors()) << first.rendered;
    const std::string once = print(first.model, &first.sources);
    const Loaded second = load_text(once);
    ASSERT_FALSE(second.diagnostics.has_errors()) << second.rendered;
    EXPECT_EQ(Dump::of(first.model), Dump::of(second.model));
    EXPECT_EQ(print(second.model, &second.sources), once);
  }
}

}  // namespace
}  // namespace parley::front::text
