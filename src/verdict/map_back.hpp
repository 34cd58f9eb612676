// An engine's answer about a System that a pass made (passes/), as an answer about the original: the
// property, the run (confirmed), what was reached, the lengths of queues. A run that the original cannot
// follow makes it Unknown. What an answer means for the original is the pass's promise, said in its header;
// that is for the caller to know. Certificates are not rewritten: they prove something about the transformed
// System, so whoever ran the pass wraps them with what the checker needs to run it again, as the kinds
// "ordered" and "activation" do (docs/passes.md).
#pragma once

#include "passes/trace_back.hpp"
#include "verdict/verdict.hpp"

namespace parley::verdict {

// `result` must be about a property that the original has.
PropertyResult mapped_back(const semantics::Interpreter& original, const semantics::Interpreter& transformed,
                           const passes::BackMap& map, const PropertyResult& result);

}  // namespace parley::verdict
