// Who checks which kind of certificate: one row per kind, and a kind without a checker for what is claimed is
// rejected, never trusted. The driver and the boundedness test's reports come in here; the checkers
// themselves are in the other files of this room. Links no engine, so that a checker can be a program of its
// own. Three kinds have no checker because they are no certificates that could be read (Witness: the run is
// replayed; Exhaustive and Covered: the word of a search, for a property): the driver judges those.
#pragma once

#include "certify/bounds_check.hpp"
#include "system/question.hpp"

namespace parley::certify {

using PropertyChecker = ProofCheck (*)(const system::System&, system::PropertyId,
                                       const std::vector<std::uint32_t>& capacities,
                                       const verdict::Certificate&, std::optional<double> seconds);
// Of a queue of the system without capacities.
using LimitChecker = Check (*)(const system::System& endless, system::QueueId, std::int64_t limit,
                               const nlohmann::json&, std::optional<double> seconds);
using GrowthChecker = Check (*)(const system::System& endless, system::QueueId, const nlohmann::json&);

// Null: a certificate of this kind says nothing about such a claim.
struct Checkers {
  PropertyChecker property = nullptr;
  system::Questions answers = {};  // which properties
  LimitChecker limit = nullptr;
  GrowthChecker growth = nullptr;
};
Checkers checkers_of(verdict::CertificateKind kind);

// The claim: the property holds (`reachable`: does not) with these capacities.
ProofCheck check_property(const system::System& system, system::PropertyId property,
                          const std::vector<std::uint32_t>& capacities,
                          const verdict::Certificate& certificate,
                          std::optional<double> seconds = std::nullopt);

}  // namespace parley::certify
