// Traces as files: what `parley check --trace` writes and `parley replay` reads, alone or inside a result of
// `parley check --format json`. A file is taken apart strictly (verdict/strict_json.hpp) and says what its
// run is said to show; whether it does is for verdict/replay.hpp to tell. docs/result-schema.json describes
// both forms. Steps name their action twice, by number and by name, so that a stale file is noticed.
#pragma once

#include "verdict/strict_json.hpp"
#include "verdict/verdict.hpp"

namespace parley::verdict {

// A run with the claim that comes with it.
struct ClaimedTrace {
  Trace trace;
  std::optional<PropertyId> shows;                       // violates it, or for `reachable`: is its witness
  std::optional<std::vector<std::uint32_t>> capacities;  // of the run's queues
};

nlohmann::ordered_json to_json(const system::System& system, const ClaimedTrace& claimed);

// The trace of a trace file, or of the first result in a result file that has one; with `property` of the
// result about that. Throws Malformed.
ClaimedTrace read_claimed_trace(const system::System& system, const nlohmann::json& file,
                                const std::string& property = {});

// Only the steps, as they stand inside other files too. Throws Malformed.
Trace read_trace(const system::System& system, const JsonReader& trace);

// By its text, or by its number from 1.
std::optional<PropertyId> property_named(const system::System& system, const std::string& name);

}  // namespace parley::verdict
