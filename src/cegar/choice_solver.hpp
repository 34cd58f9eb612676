// Wide choices solved for. The concrete run that follows a counterexample tries the values of a wide `any`
// that look interesting; if none gets past the point where the runs part, this asks an SMT solver which
// values would: the choices are unknowns, everything assigned, sent and received on the way a term over them,
// and what is decided differently must be decided as in the abstract run. The values found are only
// candidates: they are tried on the concrete system like all others, so nothing rests on the solver being
// right.
#pragma once

#include "cegar/analysis_trace.hpp"

namespace parley::cegar {

// Values worth trying, in the order of the choices; none if there is no choice on the way or no solution.
std::vector<std::int64_t> solve_choices(const System& system, const AnalysisTrace& trace);

}  // namespace parley::cegar
