// How much memory the process has, and how much there is for it. Used by the supervisor of the command line
// and by engines whose libraries do not say what they use. Linux; elsewhere zero, which means: not known.
#pragma once

#include <cstdint>

namespace parley {

std::uint64_t resident_bytes();
// The physical memory, or the limit of the control group if that is less.
std::uint64_t machine_bytes();

}  // namespace parley
