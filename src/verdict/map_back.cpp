#include "verdict/map_back.hpp"

#include "support/check.hpp"
#include "verdict/reason.hpp"

namespace parley::verdict {

PropertyResult mapped_back(const semantics::Interpreter& original, const semantics::Interpreter& transformed,
                           const passes::BackMap& map, const PropertyResult& result) {
  PropertyResult r = result;
  r.property = map.properties[result.property.index()];
  PARLEY_CHECK(r.property.valid());  // else it answers a question that only the pass asked
  r.coverage.unreached = passes::unreached_back(map, result.coverage.unreached);
  r.coverage.max_queue_length =
      passes::lengths_back(map, original.system(), result.coverage.max_queue_length);
  std::optional<Trace>* trace = nullptr;
  if (auto* holds = std::get_if<Holds>(&r.verdict)) trace = &holds->witness;
  if (auto* violated = std::get_if<Violated>(&r.verdict)) {
    trace = &violated->trace;
    violated->unreached = passes::unreached_back(map, violated->unreached);
  }
  if (trace == nullptr || !*trace) return r;
  passes::TraceBack back = passes::trace_back(original, transformed, map, **trace);
  if (!back.trace) {
    r.verdict = Unknown{"a run was found that the model cannot follow: " + back.why};
    return r;
  }
  if (const Confirmation c = confirm(original, r.property, *back.trace); !c.confirmed) {
    r.verdict = Unknown{"a run was found that shows nothing in the model: " + c.why};
    return r;
  }
  *trace = std::move(back.trace);
  if (auto* violated = std::get_if<Violated>(&r.verdict)) {
    Reason reason = reason_for(original, r.property, *violated->trace);
    violated->reason = std::move(reason.text);
    violated->origin = std::move(reason.origin);
  }
  return r;
}

}  // namespace parley::verdict
