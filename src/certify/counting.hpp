// Checks proofs of temporal properties by counting (claessen2012): the automaton of the negated property
// completes fewer than k rounds in every run, so no fair run is accepted. The System with the automaton and
// the counter inside is made again from the original (passes/monitored.hpp), and the certificate inside, an
// inductive invariant or one of its kin, is checked on that by certify/invariant.hpp. Trusted besides that
// checker: the pass, and the translation of formulas to automata (ltl/).
#pragma once

#include "certify/invariant.hpp"

namespace parley::certify {

ProofCheck check_counting(const system::System& system, system::PropertyId property,
                          const std::vector<std::uint32_t>& capacities,
                          const verdict::Certificate& certificate, std::optional<double> seconds);

}  // namespace parley::certify
