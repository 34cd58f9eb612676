// Checks claims that rest on having seen all states. The evidence is a set of visible states; with the
// reference semantics, and nothing else, it is shown that
//  - every way to start leads into the set (or ends in a failure);
//  - every step from every state of the set, through exclusive stretches, leads into the set again;
//  - no state and no step of these violates the property; for `reachable`, no state satisfies it; for
//  elements
//    that are never reached, no step notes them;
//  - for `no endless completion`, the completion steps of one owner make no cycle in the set.
// So the set contains all reachable states, and what is claimed of them is true; states that it has too many
// do no harm. Steps that the run does not follow (full queues, overflows assumed away) are told, and where
// absence is claimed they are a rejection. States are shared out to threads block by block.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "certificate/certificate_file.hpp"
#include "semantics/interpreter.hpp"
#include "verify/closed_set.hpp"
#include "verify/outcome.hpp"

namespace parley::verify {

struct ClosedSetOptions {
  unsigned threads = 1;
  std::optional<double> seconds;
  std::uint64_t memory = 1U << 30;  // for what is kept of completion steps
  std::optional<double> share;      // of the states that are looked at, from 0 to 1; absent: all
  std::uint64_t seed = 1;           // which ones
};

struct ClosedSetReport {
  std::vector<Outcome> outcomes;         // by claim
  std::vector<std::string> assumptions;  // of all of them, as sentences
};

// Whether a closed set can show such a claim at all.
bool shown_by_closed_set(const system::System& system, const certificate::PropertyClaim& claim);

ClosedSetReport check_closed_set(const semantics::Interpreter& interpreter, ClosedSet& set,
                                 const std::vector<certificate::PropertyClaim>& claims,
                                 const ClosedSetOptions& options);

}  // namespace parley::verify
