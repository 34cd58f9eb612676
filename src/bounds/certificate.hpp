// The evidence of the boundedness test as JSON text (formats in docs/bounds.md); certify/ reads it.
#pragma once

#include "bounds/extract.hpp"
#include "bounds/search.hpp"
#include "bounds/weights.hpp"

namespace parley::bounds {

// Kind "weights": components with nodes, ranges and potentials, weights of kinds, the bound.
verdict::Certificate weights_certificate(const SystemFacts& facts, const Extraction& extraction,
                                         const WeightBound& bound, system::QueueId queue);
// Kind "exhaustive": the claim that a search with unlimited queues ends with these lengths.
verdict::Certificate exhaustive_certificate(const SearchResult& search);
// Kind "pump": prefix, loop, growth, and what may differ between rounds.
verdict::Certificate pump_certificate(const Pump& pump, const Relevance& relevance);

}  // namespace parley::bounds
