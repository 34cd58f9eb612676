// Help for the tests of the Promela front end: loading a text, its diagnostics as short lines, and counting
// states with the reference semantics alone.
#pragma once

#include <string>
#include <vector>

#include "front/promela/flow.hpp"
#include "front/promela/promela.hpp"
#include "semantics/interpreter.hpp"

namespace parley::front::promela::testing {

struct Loaded {
  diag::SourceMap sources;
  diag::Diagnostics diagnostics;
  std::optional<system::System> system;
  // One line per diagnostic: "2:7 error unknown-name: 'y' is not declared (did you mean 'x'?)".
  std::string messages() const;
};

Loaded load_text(const std::string& text, const Options& options = {});
std::string read_file(const std::string& path);

struct Counted {
  std::size_t states = 0, deadlocks = 0, assertions = 0, errors = 0, cut = 0;
  std::string failure;  // message of the first failure
};
// Breadth-first over the reference semantics; only visible states count. Checks the footprint of every step.
Counted count(const system::System& system, std::size_t limit = 100000);

// "from flags-> to line statement-kind" per transition of a proctype, as `pan -d` lists them.
std::string show_automaton(const std::string& text, const std::string& proctype);

}  // namespace parley::front::promela::testing
