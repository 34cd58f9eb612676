// The checker for certificates of kind "length-tests"; see bounds_check.hpp.
#pragma once

#include <nlohmann/json.hpp>

#include "certify/bounds_check.hpp"

namespace parley::certify {

Check check_lengths(const system::System& system, system::QueueId queue, std::int64_t limit,
                    const nlohmann::json& certificate);

}  // namespace parley::certify
