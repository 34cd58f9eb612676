// The lowering of a Promela program to the System. Used by promela.cpp only; everybody else uses promela.hpp.
// Its parts are listed in translation.hpp.
#pragma once

#include <optional>

#include "diag/diagnostic.hpp"
#include "front/promela/ast.hpp"
#include "front/promela/promela.hpp"
#include "system/system.hpp"

namespace parley::front::promela {

// Nothing when there were errors.
std::optional<system::System> lower(const Program& program, const diag::SourceMap& sources,
                                    diag::Diagnostics& diagnostics, const Options& options);

}  // namespace parley::front::promela
