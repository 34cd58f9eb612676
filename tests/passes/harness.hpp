// Before and after a pass: random Systems and random text models, searched on the reference semantics
// (explore/oracle.hpp) and by the explicit engine; what that finds after the pass goes back and is confirmed.
#pragma once

#include <gtest/gtest.h>

#include <optional>

#include "diag/diagnostic.hpp"
#include "explore/explore.hpp"
#include "explore/oracle.hpp"
#include "explore/random_system.hpp"
#include "front/text/parser.hpp"
#include "lower/lower.hpp"
#include "model/resolve.hpp"
#include "passes/back_map.hpp"
#include "random/model.hpp"
#include "verdict/map_back.hpp"
#include "verdict/replay.hpp"

namespace parley::passes::testing {

inline std::optional<system::System> text_model(std::uint64_t seed) {
  diag::SourceMap sources;
  diag::Diagnostics diagnostics;
  const diag::FileId file = sources.add("random.ply", random::text(random::model(seed)));
  model::Model m = front::text::parse(sources, file, diagnostics);
  model::resolve(m, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  auto lowered = lower::lower(m, diagnostics);
  if (!lowered) return std::nullopt;
  return std::move(lowered->system);
}

// Every third is a text model.
inline system::System random_system(std::uint64_t seed) {
  if (seed % 3 == 0)
    if (auto s = text_model(seed)) return std::move(*s);
  return parley::testing::RandomSystem(seed).make();
}

constexpr std::size_t kMostStates = 1500;

inline parley::testing::Oracle searched(const semantics::Interpreter& in) {
  return parley::testing::OracleSearch(in, kMostStates).run();
}

inline std::vector<verdict::PropertyResult> answers(const system::System& s,
                                                    const std::vector<std::uint32_t>& room) {
  engine::Request request{s, {}, room, {}, 0, nullptr, {}, {}};
  request.limits.states = 20'000;
  for (std::size_t p = 0; p < s.properties.size(); ++p) request.properties.emplace_back(p);
  return explore::Explorer().check(request);
}

struct Verdicts {
  std::size_t compared = 0, violated = 0;  // properties; traces that went back and were confirmed
};

// The same verdict for every property that both have; runs found after the pass are runs of the original that
// show it, of the same length. (Loops may take another round to close; levels do not count steps of
// stretches.)
inline void same_verdicts(const system::System& original, const Passed& passed,
                          const std::vector<std::uint32_t>& room, Verdicts& tally) {
  const std::vector<verdict::PropertyResult> before = answers(original, room),
                                             after = answers(passed.system, room);
  const semantics::Interpreter mine(original, room), theirs(passed.system, room);
  for (const verdict::PropertyResult& r : after) {
    if (!passed.back.properties[r.property.index()].valid()) continue;
    const verdict::PropertyResult back = verdict::mapped_back(mine, theirs, passed.back, r);
    const verdict::PropertyResult& expected = before[back.property.index()];
    ++tally.compared;
    const auto* unknown = std::get_if<verdict::Unknown>(&back.verdict);
    ASSERT_STREQ(verdict::word(back.verdict), verdict::word(expected.verdict))
        << original.property(back.property).name << ": " << (unknown != nullptr ? unknown->reason : "");
    const auto *v = std::get_if<verdict::Violated>(&back.verdict),
               *w = std::get_if<verdict::Violated>(&expected.verdict);
    if (v == nullptr) continue;
    ASSERT_EQ(v->trace.has_value(), w->trace.has_value());
    ASSERT_EQ(v->unreached, w->unreached);
    if (!v->trace) continue;
    ++tally.violated;
    const bool counted =
        !v->trace->loop_start && std::none_of(original.actions.begin(), original.actions.end(),
                                              [](const auto& a) { return a.hold.valid(); });
    if (counted) {
      ASSERT_EQ(v->trace->steps.size(), w->trace->steps.size());
    }
  }
}

}  // namespace parley::passes::testing
