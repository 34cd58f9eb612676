// Compiles a System to a Program for one layout: guards, bodies, property expressions, and for each owner the
// plan that finds the candidates among its actions by its location and the selected signal. Used by the
// compiled successor generator; it changes nothing about what an action means.
#pragma once

#include "explore/code.hpp"

namespace parley::explore {

Program compile(const system::System& system, const Layout& layout);

}  // namespace parley::explore
