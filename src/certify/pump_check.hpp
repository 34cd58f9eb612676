// The checker for certificates of kind "pump"; see bounds_check.hpp.
#pragma once

#include <nlohmann/json.hpp>

#include "certify/bounds_check.hpp"

namespace parley::certify {

Check check_pump(const system::System& system, system::QueueId queue, const nlohmann::json& certificate);

}  // namespace parley::certify
