// The second refiner: weakest preconditions over intervals. Where the published search makes single values
// cells of their own, this one asks what would have been enough: which interval around the concrete value of
// each variable makes the diverging condition come out as it does concretely. It starts at the end of the
// analysis trace and walks back: x < 5 asks x in [min,4]; an assignment x = y + 2 turns that into y in
// [min,2]; a parameter hands it to the argument of the send. Every interval contains the concrete value, so
// the intervals form a sequence interpolant of the concrete run and the divergence, in the shape this domain
// can represent; their borders become cuts. Needs no solver. For traces without free choices, a model refined
// with the cuts cannot repeat the divergence along the same events (a step maps each interval into the next).
//
// The idea is that of refinement by weakest preconditions without interpolants (dietsch2017, section 3).
#pragma once

#include "cegar/refinement.hpp"

namespace parley::cegar {

Refinement wp_refinement(const System& system, const AnalysisTrace& trace, const Relevance& relevance);

}  // namespace parley::cegar
