// Reader of the small state-machine metamodel in which the PSSM tests of the corpus are written. Test code:
// the product reads UML. Every behaviour becomes an assignment of its own number to the attribute `last`, so
// that a run of the interpreter shows which behaviours ran, in order.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/model.hpp"

namespace parley::conformance {

struct PssmTest {
  model::Model model;
  std::vector<std::string> labels;  // behaviour number -> "S1(entry)"
  bool has_do_activity = false;     // run to their ends when their state has been entered
  bool has_values = false;          // events carry values
  std::string error;                // not empty: the file could not be read
};

PssmTest read_pssm(const std::string& path);

struct Scenario {
  std::string model;                  // file name without .xmi
  std::vector<std::string> expected;  // labels, values in brackets removed
  bool expects_values = false;
  std::vector<std::string> stimulus;  // names of signals and operations
};

// scenarios.tsv; model -> scenario
std::vector<Scenario> read_scenarios(const std::string& path);

}  // namespace parley::conformance
