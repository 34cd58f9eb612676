// Differential test on random models of the text language: search against the reference interpreter (counts,
// levels, verdicts, trace lengths), depth-first against breadth-first, every trace replayed, and the
// formatter's round trip (same text when printed again, same state space). A failure prints its seed and the
// model, shrunk.
#include "random/model.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>

#include "diag/diagnostic.hpp"
#include "explore/compare.hpp"
#include "front/text/parser.hpp"
#include "front/text/printer.hpp"
#include "lower/lower.hpp"
#include "model/resolve.hpp"

namespace parley::testing {
namespace {

#ifndef PARLEY_RANDOM_MODELS
#define PARLEY_RANDOM_MODELS 200
#endif

struct Loaded {
  diag::SourceMap sources;
  diag::Diagnostics diagnostics;
  model::Model model;
  std::optional<lower::Lowered> lowered;
  std::string printed;
};

Loaded load(const std::string& text) {
  Loaded l;
  const diag::FileId file = l.sources.add("random.ply", text);
  l.model = front::text::parse(l.sources, file, l.diagnostics);
  l.printed = front::text::print(l.model, &l.sources);
  model::resolve(l.model, l.diagnostics);
  if (!l.diagnostics.has_errors()) l.lowered = lower::lower(l.model, l.diagnostics);
  return l;
}

struct Tried {
  bool valid = false;     // a model without errors
  bool compared = false;  // small enough for the oracle
  std::size_t states = 0;
  std::vector<std::string> differences;
};

constexpr std::size_t kMostStates = 700;

Tried attempt(const std::string& text) {
  Tried t;
  Loaded l = load(text);
  t.valid = l.lowered.has_value();
  if (!t.valid) return t;
  const system::System& s = l.lowered->system;
  const Comparison c = compare(s, semantics::capacities(s), kMostStates);
  t.compared = c.decided;
  t.states = c.states;
  t.differences = c.differences;
  const Loaded again = load(l.printed);
  if (again.printed != l.printed) t.differences.push_back("printing the printed model changes it");
  if (!again.lowered) {
    t.differences.push_back("the printed model has errors");
    return t;
  }
  const Comparison d =
      compare(again.lowered->system, semantics::capacities(again.lowered->system), kMostStates);
  if (d.decided != c.decided || (c.decided && d.states != c.states))
    t.differences.push_back("the printed model has another state space");
  return t;
}

TEST(RandomModels, EveryoneAgrees) {
  std::uint64_t first = 1, wanted = PARLEY_RANDOM_MODELS;
  if (const char* seed = std::getenv("PARLEY_SEED")) {
    first = std::strtoull(seed, nullptr, 10);
    wanted = 1;
  }
  std::size_t compared = 0, states = 0, invalid = 0, tried = 0;
  for (std::uint64_t seed = first; compared < wanted && tried < 3 * wanted; ++seed, ++tried) {
    const random::Piece piece = random::model(seed);
    const Tried t = attempt(random::text(piece));
    compared += t.compared ? 1 : 0;
    states += t.states;
    if (!t.valid) {
      ++invalid;
      Loaded l = load(random::text(piece));
      ADD_FAILURE() << "seed " << seed << " is no valid model:\n"
                    << diag::render(l.sources, l.diagnostics.sorted());
    }
    if (!t.differences.empty()) {
      const random::Piece small = random::shrink(
          piece, [](const random::Piece& p) { return !attempt(random::text(p)).differences.empty(); });
      const Tried least = attempt(random::text(small));
      ADD_FAILURE() << "seed " << seed << ": " << least.differences.front() << "\n" << random::text(small);
    }
    if (HasFailure()) return;
  }
  std::printf("seeds %llu..%llu: %zu models compared, %zu states, %zu too large\n",
              static_cast<unsigned long long>(first), static_cast<unsigned long long>(first + tried - 1),
              compared, states, tried - compared);
  EXPECT_GE(compared, wanted);
}

}  // namespace
}  // namespace parley::testing
