// Checks the certificates of data abstraction: a list of abstract states, each a box of concrete ones (an
// interval per cell, the messages of every queue with an interval per argument). The claim is that the list
// contains the start, is closed under every step of the concrete system, and violates nothing: an inductive
// invariant. It is checked on the second encoding of the semantics (certify/z3_system.hpp), solver query by
// solver query; nothing of cegar/ or domain/ is used, and nothing in the certificate is trusted.
#pragma once

#include "certify/invariant.hpp"

namespace parley::certify {

// `seconds` is for the whole check.
ProofCheck check_closure(const system::System& system, system::PropertyId property,
                         const std::vector<std::uint32_t>& capacities,
                         const verdict::Certificate& certificate,
                         std::optional<double> seconds = std::nullopt);

}  // namespace parley::certify
