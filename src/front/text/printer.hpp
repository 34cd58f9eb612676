// The formatter: a Model back to text in canonical form, resolved or not. Comments are put back before the
// item that followed them or behind the one they stood beside; printing what was printed changes nothing; a
// resolved Model printed, parsed and resolved is the same Model. Models of other front ends print too,
// without comments.
#pragma once

#include <string>

#include "diag/source.hpp"
#include "model/model.hpp"

namespace parley::front::text {

// `sources` holds the text the model was parsed from: it says where empty lines were. May be null.
std::string print(const model::Model& model, const diag::SourceMap* sources = nullptr);

}  // namespace parley::front::text
