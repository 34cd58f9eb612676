// Small models of our own with Spin's numbers: the first line of each says how many states Spin 6.5.2 stores
// and which kinds of error it finds, by
//   spin -o1 -o2 -o3 -a m.pml; gcc -DSAFETY -DNOREDUCE -DNOCLAIM -o pan pan.c; ./pan -c0
// Spin goes on after a failed assertion, so such models are counted with assertions ignored.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "explore/explore.hpp"
#include "front/promela/support.hpp"
#include "verdict/replay.hpp"

namespace parley::front::promela {
namespace {

using testing::count;
using testing::Counted;
using testing::load_text;
using testing::Loaded;
using testing::read_file;

std::vector<std::string> model_files() {
  std::vector<std::string> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(PARLEY_SOURCE_DIR "/tests/front/promela/models"))
    files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

struct Expected {
  std::size_t states = 0;
  bool deadlock = false, assertion = false;
};

Expected expectation(const std::string& text) {
  Expected e;
  char errors[64] = "";
  EXPECT_EQ(std::sscanf(text.c_str(), "/* spin: states=%zu errors=%63s", &e.states, errors), 2);
  e.deadlock = std::string(errors).find("deadlock") != std::string::npos;
  e.assertion = std::string(errors).find("assertion") != std::string::npos;
  return e;
}

// The reference semantics alone.
TEST(Models, HaveAsManyStatesAsInSpin) {
  const auto files = model_files();
  EXPECT_GE(files.size(), 30u);
  for (const std::string& file : files) {
    SCOPED_TRACE(file);
    const std::string text = read_file(file);
    const Expected expected = expectation(text);
    Loaded checked = load_text(text);
    ASSERT_TRUE(checked.system) << checked.messages();
    const Counted found = count(*checked.system);
    EXPECT_EQ(found.assertions > 0, expected.assertion) << found.failure;
    EXPECT_EQ(found.errors, 0u) << found.failure;
    Options options;
    options.ignore_assertions = true;
    Loaded all = load_text(text, options);
    ASSERT_TRUE(all.system);
    const Counted whole = count(*all.system);
    EXPECT_EQ(whole.states, expected.states);
    EXPECT_EQ(whole.deadlocks > 0, expected.deadlock);
  }
}

// The exhaustive engine: the same numbers, and traces that the reference semantics confirms.
TEST(Models, AreSearchedWithTheSameResult) {
  for (const std::string& file : model_files()) {
    SCOPED_TRACE(file);
    const std::string text = read_file(file);
    const Expected expected = expectation(text);
    for (bool ignore : {false, true}) {
      Options options;
      options.ignore_assertions = ignore;
      Loaded l = load_text(text, options);
      ASSERT_TRUE(l.system);
      explore::SearchOptions search;
      search.whole = true;
      explore::Explorer engine(search);
      engine::Request request{*l.system, {}, semantics::capacities(*l.system), {}, 0, nullptr, {}, {}};
      for (std::size_t i = 0; i < l.system->properties.size(); ++i)
        if (l.system->properties[i].kind != system::PropertyKind::Temporal)
          request.properties.push_back(system::PropertyId(i));
      const semantics::Interpreter in(*l.system);
      for (const auto& r : engine.check(request)) {
        if (r.violated()) {
          const auto& v = std::get<verdict::Violated>(r.verdict);
          ASSERT_TRUE(v.trace);
          const auto confirmation = verdict::confirm(in, r.property, *v.trace);
          EXPECT_TRUE(confirmation.confirmed) << confirmation.why;
        }
        const auto kind = l.system->property(r.property).kind;
        if (ignore) {
          EXPECT_EQ(r.coverage.states.value_or(0), expected.states);
          EXPECT_EQ(r.violated(), kind == system::PropertyKind::NoDeadlock && expected.deadlock);
        } else if (kind == system::PropertyKind::NoAssertionFailure) {
          EXPECT_EQ(r.violated(), expected.assertion);
        }
      }
    }
  }
}

// Three processes fit, a fourth is needed: the run is cut, which engines report, and that is no deadlock.
TEST(Models, TooManyProcessesAreCutAndNeverASmallerModel) {
  const char* text =
      "byte n;\nproctype P() { n == 9 }\ninit { do :: n < 4 -> run P(); n++ :: else -> break od }\n";
  Options options;
  options.max_instances = 3;
  Loaded l = load_text(text, options);
  ASSERT_TRUE(l.system) << l.messages();
  EXPECT_EQ(count(*l.system).cut, 1u);
  EXPECT_EQ(count(*l.system).deadlocks, 0u);
  explore::Explorer engine;
  engine::Request request{
      *l.system, {system::PropertyId(0)}, semantics::capacities(*l.system), {}, 0, nullptr, {}, {}};
  const auto results = engine.check(request);
  ASSERT_EQ(results[0].assumptions.size(), 1u);
  EXPECT_EQ(results[0].assumptions[0].code, verdict::AssumptionCode::QueueCapacity);
  options.max_instances = 4;
  Loaded enough = load_text(text, options);
  EXPECT_EQ(count(*enough.system).cut, 0u);
  EXPECT_EQ(count(*enough.system).deadlocks, 1u);
}

TEST(Models, RunTimeErrorsAreFound) {
  const auto failure = [](const char* text) {
    Loaded l = load_text(text);
    return l.system ? count(*l.system).failure : l.messages();
  };
  EXPECT_EQ(failure("byte a[2]; active proctype P() { byte i = 1; i++; a[i] = 1 }"),
            "index 2 of `a` is out of range");
  EXPECT_EQ(failure("byte a[2], i = 3; active proctype P() { (a[i] == 0) }"),
            "index 3 of `a` is out of range");
  EXPECT_EQ(failure("byte x; active proctype P() { x = 1 / x }"), "division by zero");
  EXPECT_EQ(failure("chan c; active proctype P() { c!1 }"),
            "a message is sent to a variable that holds no channel");
  EXPECT_EQ(failure("byte x; active proctype P() { d_step { x = 1; x == 2; x = 3 } }"),
            "nothing can be executed inside a d_step");
  EXPECT_EQ(failure("chan c = [1] of { byte }; active proctype P() { c!1,2 }"),
            "2 values are sent on a channel of 1 fields");
}

// -m: the second message is lost and the sender goes on.
TEST(Models, FullChannelsLoseMessagesWhereAsked) {
  const char* text = "chan c = [1] of { byte }; active proctype P() { c!1; c!2; c!3 }";
  Loaded blocks = load_text(text);
  EXPECT_EQ(count(*blocks.system).deadlocks, 1u);
  Options options;
  options.lose_messages = true;
  Loaded loses = load_text(text, options);
  ASSERT_TRUE(loses.system) << loses.messages();
  EXPECT_EQ(count(*loses.system).deadlocks, 0u);
  EXPECT_EQ(loses.system->properties.back().kind, system::PropertyKind::NoLostMessages);
}

TEST(Models, FormulasAndClaimsAreKept) {
  Loaded l = load_text(
      "byte x;\nactive proctype P() { L: x = 1 }\nltl later { <> (x == 1) && [] (P@L -> X x >= 0) }\n"
      "never { do :: x == 0 :: np_ -> break od }\n");
  ASSERT_TRUE(l.system) << l.messages();
  std::vector<std::string> kept;
  for (const auto& p : l.system->properties)
    if (p.kind == system::PropertyKind::Temporal) kept.push_back(p.name + ": " + p.temporal);
  ASSERT_EQ(kept.size(), 2u);
  EXPECT_EQ(kept[0], "ltl later: <> (x == 1) && [] (P@L -> X x >= 0)");
  EXPECT_EQ(kept[1], "never never_0: never { do :: x == 0 :: np_ -> break od }");
}

TEST(Models, PreprocessingKeepsThePlaces) {
  const std::string text =
      "#define TWICE(a) a; a\n#if 1\nbyte x;\n#endif\nactive proctype P() {\n  TWICE(x++);\n  y = 1\n}\n";
  EXPECT_EQ(load_text(text).messages(), "7:3 error unknown-name: 'y' is not declared\n");
  if (std::system("gcc --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no gcc";
  Options by_compiler;
  by_compiler.preprocess_by = PreprocessBy::Compiler;
  EXPECT_EQ(load_text(text, by_compiler).messages(), "7:3 error unknown-name: 'y' is not declared\n");
  EXPECT_EQ(load_text("#if\n#endif\ninit { skip }\n", by_compiler).messages(),
            "1:1 error preprocessor: #if with no expression\n");
  by_compiler.preprocess_seconds = 0;
  EXPECT_EQ(load_text(text, by_compiler).messages(),
            "1:1 error preprocessor-limit: the time limit ended the C preprocessor (give it more time with "
            "--time)\n");
}

// Every file of the corpus that is small and that Spin accepts is read; the comparison with Spin's numbers is
// `make test-promela`.
TEST(Corpus, SmokeTest) {
  const char* given = std::getenv("PARLEY_SHARED");
  const std::filesystem::path folder =
      std::filesystem::path(given ? given : PARLEY_SOURCE_DIR "/../shared") / "corpus" / "promela";
  if (!std::filesystem::exists(folder / "spin-examples")) GTEST_SKIP() << "no corpus at " << folder;
  std::size_t read = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder / "spin-examples")) {
    if (entry.path().extension() != ".pml") continue;
    const std::string text = read_file(entry.path().string());
    if (text.find("c_code") != std::string::npos || text.find("c_expr") != std::string::npos) continue;
    Loaded l;
    l.system = load(l.sources, entry.path().string(), text, l.diagnostics, {});
    if (l.system) ++read;
  }
  EXPECT_GE(read, 75u);  // as many as Spin accepts
}

}  // namespace
}  // namespace parley::front::promela
