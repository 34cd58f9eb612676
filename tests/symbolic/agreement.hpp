// What the symbolic engines must agree on with breadth-first search over the reference semantics: the bounds
// of the four relations, and the verdicts of the proof engines. For random Systems, random models of the text
// language and the examples alike.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "semantics/interpreter.hpp"
#include "support/check.hpp"
#include "symbolic/engines.hpp"
#include "symbolic/shortest.hpp"

namespace parley::testing {

inline std::vector<system::PropertyId> supported_properties(const system::System& s) {
  std::vector<system::PropertyId> out;
  for (std::size_t p = 0; p < s.properties.size(); ++p)
    if (encode::Relation::supports(s.properties[p].kind)) out.emplace_back(p);
  return out;
}

// The bound at which the run that decides a property was found.
inline std::optional<std::uint64_t> found_at(const verdict::PropertyResult& r) {
  if (const auto* v = std::get_if<verdict::Violated>(&r.verdict); v != nullptr && v->trace)
    return *v->found_in_steps;
  if (const auto* h = std::get_if<verdict::Holds>(&r.verdict); h != nullptr && h->witness)
    return r.coverage.bound;
  return std::nullopt;
}

inline std::size_t run_length(const verdict::PropertyResult& r) {
  if (const auto* v = std::get_if<verdict::Violated>(&r.verdict)) return v->trace->steps.size();
  return std::get<verdict::Holds>(r.verdict).witness->steps.size();
}

// The encoding said what it cannot express; the tests count how often.
inline bool refused(const std::vector<verdict::PropertyResult>& results) {
  for (const auto& r : results)
    if (const auto* u = std::get_if<verdict::Unknown>(&r.verdict))
      if (u->reason.find("before a send that may block") != std::string::npos ||
          u->reason.find("rounds") != std::string::npos)
        return true;
  return false;
}

// All relations and two orders against the shortest runs: the interleaving bound is the shortest length, the
// others need no more, and with the same order dynamic steps need no more than static ones (GOLDEN 002.3).
// False when the system cannot be encoded.
inline bool bounds_agree(const system::System& s, const std::string& label, std::size_t most_states,
                         std::uint32_t bound) {
  using encode::ActionOrder;
  using encode::Steps;
  const semantics::Interpreter in(s);
  const Shortest want = shortest_runs(in, most_states);
  const auto sure = std::min<std::size_t>(bound, want.complete ? bound : want.depth);
  std::map<std::tuple<std::uint32_t, ActionOrder, Steps>, std::uint64_t> bounds;
  for (const Steps steps : {Steps::Interleaving, Steps::Static, Steps::Dynamic, Steps::Chained})
    for (const ActionOrder order :
         {ActionOrder::Declared, ActionOrder::ReadersFirst, ActionOrder::WritersFirst}) {
      if (steps == Steps::Interleaving && order != ActionOrder::Declared) continue;  // one action per step
      symbolic::BmcOptions options;
      options.steps = steps;
      options.order = order;
      options.bound = static_cast<std::uint32_t>(sure);
      std::vector<verdict::PropertyResult> results;
      try {
        results = symbolic::make_bmc(options)->check(
            {s, supported_properties(s), semantics::capacities(s), {}, 0, nullptr, {}, {}});
      } catch (const InternalError& e) {
        ADD_FAILURE() << label << ", " << encode::name_of(steps) << ", " << encode::name_of(order) << ": "
                      << e.what();
        return true;
      }
      if (refused(results)) return false;
      for (const auto& r : results) {
        const auto p = r.property.value;
        const auto k = found_at(r);
        const auto at = want.length.find(p);
        const std::string where = label + ", " + std::string(name_of(steps)) + ", " +
                                  std::string(name_of(order)) + ", " + s.property(r.property).name;
        if (k) bounds[{p, order, steps}] = *k;
        if (at == want.length.end() || at->second > sure) {
          EXPECT_FALSE(k.has_value() && at == want.length.end() && want.complete) << where;
          continue;
        }
        EXPECT_TRUE(k.has_value()) << where << " must be found at " << at->second;
        if (!k) continue;
        EXPECT_LE(*k, at->second) << where;
        EXPECT_GE(run_length(r), at->second) << where;
        if (steps == Steps::Interleaving) {
          EXPECT_EQ(*k, at->second) << where;
          EXPECT_EQ(run_length(r), at->second) << where;
        }
      }
    }
  for (const auto& [key, k] : bounds) {
    const auto& [p, order, steps] = key;
    if (steps != Steps::Dynamic) continue;
    const auto other = bounds.find({p, order, Steps::Static});
    if (other == bounds.end()) continue;
    EXPECT_GE(other->second, k) << label << ", " << s.properties[p].name;
  }
  return true;
}

struct Tally {
  int proved = 0, refuted = 0, open = 0;
};

// A proof engine against search, where search sees everything.
inline void verdicts_agree(engine::Engine& engine, const system::System& s, const std::string& label,
                           std::size_t most_states, double seconds, Tally& tally) {
  const semantics::Interpreter in(s);
  const Shortest want = shortest_runs(in, most_states);
  if (!want.complete) return;
  engine::Request request{s, supported_properties(s), semantics::capacities(s), {}, 0, nullptr, {}, {}};
  request.limits.seconds = seconds;
  for (const auto& r : engine.check(request)) {
    const bool expected = want.length.contains(r.property.value);
    const bool reachable = s.property(r.property).kind == system::PropertyKind::Reachable;
    if (r.unknown()) {
      ++tally.open;
      continue;
    }
    const bool found = r.violated() != reachable;
    EXPECT_EQ(found, expected) << shown_name(engine.kind()) << ", " << label << ", "
                               << s.property(r.property).name;
    ++(found ? tally.refuted : tally.proved);
  }
}

}  // namespace parley::testing
