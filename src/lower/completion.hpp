// Completion events (PSSM 8.5.5, 8.5.9; docs/semantics.md rule 15): when a state has finished, an event for
// it waits and is dispatched before any message. Where several can wait at once, a cell holds the event's
// place in line (1: next); where one at most can wait, a flag; where being in the state says it all, nothing.
#pragma once

#include "lower/context.hpp"

namespace parley::lower {

// The region has ended: in a final state, completed, or never entered by default.
ExprId region_done(Context& c, const Object& o, RegionId r);
// The state is active and has finished.
ExprId finished(Context& c, const Object& o, VertexId state);

// Puts the completion event of a state in line; takes it away again (dispatched, or the state is left).
StmtId generate_completion(Context& c, const Object& o, VertexId state);
StmtId retract_completion(Context& c, const Object& o, VertexId state);
// After a region ended: the state around it may have finished.
StmtId after_region_end(Context& c, const Object& o, RegionId r);

ExprId completion_is_next(Context& c, const Object& o, VertexId state);  // waits, first in line
// No completion event waits in the object, or in any object of its thread: messages may be dispatched. States
// known to be active rule out the events of states that cannot have finished beside them.
ExprId no_completion(Context& c, const Object& o, const std::vector<VertexId>& active = {});
ExprId thread_has_no_completion(Context& c, const Object& o, const std::vector<VertexId>& active = {});

}  // namespace parley::lower
