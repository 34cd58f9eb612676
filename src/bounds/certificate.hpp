// The evidence of the boundedness test as JSON text (formats in docs/bounds.md); certify/ reads it.
#pragma once

#include "bounds/extract.hpp"
#include "bounds/phases.hpp"
#include "bounds/search.hpp"
#include "bounds/weights.hpp"

namespace parley::bounds {

// Kind "weights": components with nodes, ranges and potentials, and the weights of kinds. The claim (which
// queue, which limit) is not part of it: queues often share their weights.
std::string weights_payload(const SystemFacts& facts, const Extraction& extraction, const WeightBound& bound);
// Kind "phases": the same components, the kinds that are bounded, and a tree of weights.
std::string phases_payload(const SystemFacts& facts, const Extraction& extraction, const PhaseProof& proof);
// Kind "ordered": one of the others about the System that remembers the order in these queues.
verdict::Certificate ordered_certificate(const std::vector<system::QueueId>& queues,
                                         const verdict::Certificate& inner);
// Kind "exhaustive": the claim that a search with unlimited queues ends with these lengths.
verdict::Certificate exhaustive_certificate(const SearchResult& search);
// Kind "pump": prefix, loop, growth, and what may differ between rounds.
verdict::Certificate pump_certificate(const Pump& pump, const Relevance& relevance);

}  // namespace parley::bounds
