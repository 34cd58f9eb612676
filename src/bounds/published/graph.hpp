// The FlowGraph as [leue2005] has it: one edge per statement, effects over message types only; no counters
// and no ledgers for started processes or shared variables. A rendezvous is a message of capacity 0: the
// System has one joint action per pair of statements that may meet, here each statement has one edge again,
// which sends or takes one message of its type. Statements are of one type when they may meet, directly or
// through others; what is sent is taken at once, so the balance of such a type (a ledger) is 0.
#pragma once

#include "bounds/extract.hpp"

namespace parley::bounds::published {

FlowGraph graph_of(const system::System& system, const Extraction& extraction);

}  // namespace parley::bounds::published
