// Checks the evidence of the boundedness test on the original System, without the code that found it: weights
// with potentials (additions and comparisons over every action and control state), trees of them, tests of
// lengths (the same for one queue), pumps (replay and the word condition, by iterating the words), closed
// searches (searched again). A certificate is text from outside: anything malformed is a rejection with a
// reason. All claims are about the System without its capacities (passes/capacities.hpp). Formats:
// docs/bounds.md.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "certify/invariant.hpp"
#include "system/system.hpp"
#include "verdict/verdict.hpp"

namespace parley::certify {

struct Check {
  bool accepted = false;
  std::string why;       // if not accepted
  bool gave_up = false;  // neither: a limit of the checker was reached
  static Check yes() { return {true, {}, false}; }
  static Check no(std::string reason) { return {false, std::move(reason), false}; }
  static Check out_of_time() { return {false, "out of time", true}; }
};

// The claim: `queue` never holds more than `limit` messages. Which kinds of certificate say so:
// certify/registry.hpp.
Check check_bounded(const system::System& system, system::QueueId queue, std::int64_t limit,
                    const verdict::Certificate& certificate, std::optional<double> seconds = std::nullopt);

// Several claims that rest on having seen all states (CertificateKind::Exhaustive), by one search. It gives
// up after `seconds`.
struct Claim {
  system::QueueId queue;
  std::int64_t limit = 0;
};
Check check_searched(const system::System& system, const std::vector<Claim>& claims,
                     std::optional<double> seconds = std::nullopt);

// The claim: some run makes `queue` longer and longer, for ever.
Check check_unbounded(const system::System& system, system::QueueId queue,
                      const verdict::Certificate& certificate);

// The same for whichever queue the certificate says.
Check check_growing(const system::System& system, const verdict::Certificate& certificate);

// What is claimed of one queue: a limit, or that it grows for ever.
struct QueueClaim {
  system::QueueId queue;
  std::optional<std::int64_t> limit;  // absent: it grows for ever
  verdict::Certificate certificate;

  bool searched() const { return limit && certificate.kind == verdict::CertificateKind::Exhaustive; }
};
struct QueueCheckTimes {
  std::optional<double> proof;   // for all certificates together
  std::optional<double> search;  // for the search that is shared by all claims that rest on one
};
// One answer per claim.
std::vector<Check> check_queues(const system::System& system, const std::vector<QueueClaim>& claims,
                                const QueueCheckTimes& times);

// The claim: no queue grows for ever. CertificateKind::Bounds: for every queue of the system that is a
// channel at all, a limit with its certificate. A search that is not over after `seconds` is Undecided.
ProofCheck check_all_bounded(const system::System& system, const verdict::Certificate& certificate,
                             std::optional<double> seconds = std::nullopt);

// The checkers of limits that are made of others; called through the registry. `endless` is the system
// without its capacities.
Check check_ordered(const system::System& endless, system::QueueId queue, std::int64_t limit,
                    const nlohmann::json& certificate, std::optional<double> seconds);
Check check_activation(const system::System& endless, system::QueueId queue, std::int64_t limit,
                       const nlohmann::json& certificate, std::optional<double> seconds);

}  // namespace parley::certify
