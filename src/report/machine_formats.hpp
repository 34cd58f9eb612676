// Results for other programs: SARIF 2.1.0 (code scanning), JUnit XML (CI servers), GitHub workflow commands,
// and one JSON object per line. Each takes the same results; none decides anything.
#pragma once

#include <string>
#include <vector>

#include "diag/source.hpp"
#include "semantics/interpreter.hpp"
#include "verdict/verdict.hpp"

namespace parley::report {

struct ResultSet {
  const system::System& system;
  const diag::SourceMap& sources;
  const semantics::Interpreter& interpreter;
  const std::vector<verdict::PropertyResult>& results;
  std::string model_path;
  std::string command;  // reproduces the run
  double seconds = 0;
};

std::string to_sarif(const ResultSet& set);
std::string to_junit(const ResultSet& set);
std::string to_github(const ResultSet& set);
std::string to_ndjson(const ResultSet& set);

}  // namespace parley::report
