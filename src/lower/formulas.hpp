// Temporal formulas of checks as formulas of the System: events as what the System's steps show, patterns and
// quantifiers written out. Private to lowering; checks and assumptions of fairness use it.
#pragma once

#include "lower/expressions.hpp"

namespace parley::lower {

// Reports what it cannot say (c.refuse), also when the formula becomes too large.
system::Formula formula(Context& c, const model::Formula& f);

// The event of each of these objects (of the environment: its own).
system::EventAtom event(Context& c, const model::EventAtom& e, Scope& scope);

// Whose steps an event, or an assumption of fairness, is about.
std::vector<OwnerId> actors(Context& c, const model::EventAtom& e, Scope& scope);

}  // namespace parley::lower
