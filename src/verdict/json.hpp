// The versioned JSON form of traces and results, written (docs/result-schema.json describes it). Reading them
// back is verdict/trace_file.hpp.
#pragma once

#include <nlohmann/json.hpp>

#include "diag/source.hpp"
#include "verdict/narrate.hpp"

namespace parley::verdict {

inline constexpr int kTraceFormat = 1;
inline constexpr int kResultFormat = 1;

nlohmann::ordered_json to_json(const system::System& system, const Trace& trace);

// JSON text; bytes that are no UTF-8 (names of hostile models) are replaced instead of thrown at.
std::string dump(const nlohmann::ordered_json& json, int indent = 2);

nlohmann::ordered_json place_json(const diag::SourceMap& sources, const system::Origin& origin);
nlohmann::ordered_json to_json(const system::System& system, const diag::SourceMap& sources,
                               const Narration& narration);
// One property's result, with narrated trace where there is one. `story`: the result's, which only report/
// can write (report::result_json); null: none.
nlohmann::ordered_json to_json(const system::System& system, const diag::SourceMap& sources,
                               const semantics::Interpreter& interpreter, const PropertyResult& result,
                               const nlohmann::ordered_json& story);

}  // namespace parley::verdict
