// The checker for certificates of kind "length-tests"; see bounds_check.hpp.
#pragma once

#include <nlohmann/json.hpp>

#include "certify/bounds_check.hpp"
#include "certify/patience.hpp"

namespace parley::certify {

Check check_lengths(const system::System& system, system::QueueId queue, std::int64_t limit,
                    const nlohmann::json& certificate, const Patience& patience = Patience());

}  // namespace parley::certify
