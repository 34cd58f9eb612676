// Several searches on one core: groups of properties, each of which has a search of its own, take turns with
// growing shares of time until all are decided or have nothing more to say. So that an endless search for one
// group does not starve the others. A search starts again with every turn, which costs no more than half of
// the time again.
#pragma once

#include <functional>

#include "engine/engine.hpp"

namespace parley::symbolic {

using Groups = std::vector<std::vector<system::PropertyId>>;
using GroupSearch = std::function<std::vector<verdict::PropertyResult>(const engine::Request&)>;

// One result per property of the request, in its order; the groups contain each of them once.
std::vector<verdict::PropertyResult> take_turns(const engine::Request& request, Groups groups,
                                                const GroupSearch& search);

}  // namespace parley::symbolic
