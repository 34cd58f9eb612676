// The partitions of a precision as JSON: part of the certificate of an abstract closure (certify/closure.hpp
// reads it), and of what reports tell about a refinement loop.
#pragma once

#include <nlohmann/json.hpp>

#include "domain/precision.hpp"

namespace parley::cegar {

nlohmann::ordered_json to_json(const system::System& system, const domain::Precision& precision);

}  // namespace parley::cegar
