// The model's partitions of integers, handed on to the System for engines that abstract data.
#pragma once

#include "lower/context.hpp"

namespace parley::lower {

void add_partitions(Context& c);

}  // namespace parley::lower
