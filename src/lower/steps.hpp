// The actions of one object: firing transitions on messages, completion, discarding what nobody wants,
// deferral, and the separate dispatch and end of step of split run-to-completion (meller2014).
#pragma once

#include "lower/selection.hpp"

namespace parley::lower {

// Firing, completion and deferral; fills queue deferrals.
void add_reactions(Context& c, Object& o);
// Discarding (and, split, dispatching) of every signal that may come; after everything that sends was
// lowered.
void add_arrivals(Context& c, Object& o, const std::set<SignalId>& arriving);
// Split run-to-completion: the step is over.
void add_end_of_step(Context& c, Object& o);

// Builds the body of an option: one transition, or several of orthogonal regions in any order.
StmtId fire_all(Context& c, Object& o, Configuration& configuration, const Option& option);
std::vector<BackMap::Fired> fired_by(const Object& o, const Option& option);
std::string option_name(const Object& o, const Option& option, const std::string& event);
// A transition that needs no message is enabled (`completion = free`), or a time event is waiting to fire.
ExprId spontaneous(Context& c, Object& o);

bool is_split(const Context& c);
// May start a step that no message starts: nobody of the thread is in the middle of one.
ExprId may_start(Context& c, const Object& o);
// Marks the object as running (split); nothing otherwise.
StmtId start_step(Context& c, const Object& o);

}  // namespace parley::lower
