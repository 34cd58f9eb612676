// The checker for certificates of kind "phases"; see bounds_check.hpp. `never`: actions known not to fire.
#pragma once

#include <nlohmann/json.hpp>

#include "certify/bounds_check.hpp"
#include "certify/flow.hpp"

namespace parley::certify {

Check check_phases(const system::System& system, system::QueueId queue, std::int64_t limit,
                   const nlohmann::json& certificate, const ActionSet& never = {},
                   const Patience& patience = Patience());

}  // namespace parley::certify
