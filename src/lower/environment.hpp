// What the world around the system may send: as declared, or (environment = open) everything no object sends.
#pragma once

#include "lower/context.hpp"

namespace parley::lower {

void add_environment(Context& c);
// Signals that some statement may put into a queue.
std::set<std::pair<QueueId, SignalId>> sent_messages(const Context& c);

}  // namespace parley::lower
