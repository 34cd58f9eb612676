// A visible state as a string of bytes, and back: what closed sets are made of. Numbers are written in groups
// of seven bits, low ones first, signed ones folded so that small ones are short (-1 is 1, 1 is 2); every
// state has exactly one form. Reading takes nothing else, so that a set of states from outside contains only
// states that the System can be in by its types and capacities. Order of bytes is not order of values.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "semantics/state.hpp"

namespace parley::certificate {

// Appends the bytes of `state`.
void encode(const semantics::State& state, std::string& bytes);

// Nothing if the bytes are not the form of a state of this system with these capacities.
std::optional<semantics::State> decode(const system::System& system,
                                       const std::vector<std::uint32_t>& capacities, std::string_view bytes);

// A number in the same form, for whoever writes or reads lengths beside states.
void encode_number(std::uint64_t number, std::string& bytes);
// Takes it off the front; nothing if it is cut off, not the shortest form, or has more than 32 bits.
std::optional<std::uint32_t> take_number(std::string_view& bytes);

}  // namespace parley::certificate
