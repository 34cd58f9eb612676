// Results for people at a terminal: the summary table, traces step by step, text sequence diagrams. Lays out
// what verdict/narrate.hpp tells; decides nothing.
#pragma once

#include <string>

#include "diag/source.hpp"
#include "verdict/narrate.hpp"

namespace parley::report {

struct TextOptions {
  bool colour = false;
  std::size_t width = 100;      // of the terminal
  bool diagram = true;          // add the sequence diagram
  std::size_t max_steps = 400;  // longer traces are shown at both ends
};

struct Palette {
  const char *bold, *good, *bad, *unsure, *dim, *reset;
};
const Palette& palette(bool colour);

// One line per property: verdict, property, engine and figures, its notes below it; assumptions at the end.
std::string summary(const system::System& system, const std::vector<verdict::PropertyResult>& results,
                    const TextOptions& options);

// Everything about one property's finding: trace, diagram, reason with its place and excerpt.
std::string finding(const system::System& system, const diag::SourceMap& sources,
                    const semantics::Interpreter& interpreter, const verdict::PropertyResult& result,
                    const TextOptions& options);

std::string trace_steps(const system::System& system, const verdict::Narration& narration,
                        const TextOptions& options);
std::string sequence_diagram(const system::System& system, const verdict::Narration& narration,
                             const TextOptions& options);

// A whole state: active states, attributes, queues. For simulate and replay.
std::string state_text(const system::System& system, const semantics::State& state);

// "3 + 4 steps": a stem of 3 and a loop of 4.
std::string length_text(const verdict::Trace& trace);

// "1234567" as "1,234,567"; bytes as "12.3 MB"; a rate as "0.41 M/s".
std::string with_commas(std::uint64_t n);
std::string bytes_text(std::uint64_t n);

}  // namespace parley::report
