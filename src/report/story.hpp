// How answers were found, told: the JSON of each engine's story (docs/result-schema.json describes each
// kind). The one place that knows which engines tell stories.
#pragma once

#include <nlohmann/json.hpp>

#include "diag/source.hpp"
#include "semantics/interpreter.hpp"
#include "verdict/verdict.hpp"

namespace parley::report {

// With its "kind"; null if the result has none.
nlohmann::ordered_json story_json(const system::System& system, const verdict::PropertyResult& result);

// One property's result with its story.
nlohmann::ordered_json result_json(const system::System& system, const diag::SourceMap& sources,
                                   const semantics::Interpreter& interpreter,
                                   const verdict::PropertyResult& result);

}  // namespace parley::report
