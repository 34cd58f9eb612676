// Nothing is reported unchecked: the one place where the claims of engines become answers. `parley check` and
// `parley bounds` both come through here. Traces are replayed on the reference semantics, certificates go to
// the independent checkers (certify/registry.hpp); what is left is the word of an exhaustive search, which is
// taken from exhaustive engines only.
#pragma once

#include "bounds/bounds.hpp"
#include "certify/bounds_check.hpp"
#include "semantics/interpreter.hpp"
#include "verdict/verdict.hpp"

namespace parley::driver {

// A trace that does not replay is a failure of the tool: throws InternalError and saves the trace. A proof
// that is rejected becomes Unknown, and the reason says so; one that is not decided in time stands, with an
// assumption that says so.
// `seconds`: for its certificate.
inline constexpr double kCertificateSeconds = 20;
void certify(const semantics::Interpreter& interpreter, verdict::PropertyResult& result,
             double seconds = kCertificateSeconds);

// Checks the answer about every queue; one that is rejected becomes unknown. That all states were seen takes
// a search of its own, one for all queues. `seconds`: for all certificates together, and for that search; if
// that is too short the answers stay and say so.
void certify(const system::System& system, bounds::BoundsReport& report, double seconds);

// What is claimed of a queue: what its certificate proves, and beside it what a search has seen, where that
// is better. Nothing if the answer is unknown.
std::vector<certify::QueueClaim> claims_of(const bounds::QueueReport& queue);

}  // namespace parley::driver
