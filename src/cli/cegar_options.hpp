// The options of the refinement loop: those of `parley check --engine cegar`, and what `parley abstract` and
// `parley explain-cex` take besides.
#pragma once

#include "cegar/engine.hpp"
#include "cli/model_options.hpp"

namespace parley::cli {

std::vector<OptionSpec> refinement_options();
std::vector<OptionSpec> cegar_options();
cegar::LoopOptions cegar_options_of(const Arguments& arguments);
// The property named, or the first that the loop decides.
system::PropertyId cegar_property(const Arguments& arguments, const system::System& system);
engine::Request cegar_request(const Arguments& arguments, const system::System& system);
// The precision to start from; unreadable partitions are wrong usage.
domain::Precision start_precision(const system::System& system, system::PropertyId property,
                                  const cegar::LoopOptions& options);
// The same, or the one after so many rounds.
domain::Precision cegar_precision(const Arguments& arguments, const engine::Request& request,
                                  system::PropertyId property, const cegar::LoopOptions& options);

// Several lines of text from a model, safe for a terminal.
std::string printable(const std::string& text);

}  // namespace parley::cli
