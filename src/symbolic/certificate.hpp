// The JSON form of invariants: clauses over the names of state bits (encode/layout.hpp), the capacities they
// are for, and the property. certify/ reads it with code of its own.
#pragma once

#include <string>
#include <vector>

#include "encode/relation.hpp"
#include "symbolic/ic3.hpp"
#include "verdict/verdict.hpp"

namespace parley::symbolic {

verdict::Certificate inductive_certificate(const encode::Relation& relation, const system::Property& property,
                                           const std::vector<Cube>& excluded);
// Holds up to k, and k good steps are followed by a good one; `simple`: on paths without repetition.
verdict::Certificate induction_certificate(const encode::Relation& relation, const system::Property& property,
                                           std::uint32_t k, bool simple, const std::vector<Cube>& excluded);
// For a temporal property: its automaton completes fewer than k rounds (passes/monitored.hpp), by `inner`.
verdict::Certificate counting_certificate(const system::Property& property, std::uint32_t k,
                                          const verdict::Certificate& inner);

}  // namespace parley::symbolic
