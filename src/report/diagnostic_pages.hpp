// A help page for every code that a diagnostic about a model can carry, for `parley explain`. The pages are
// in src/report/assets/diagnostics.md; tests/cli checks that no code in the sources is without one.
#pragma once

#include <string>
#include <vector>

namespace parley::report {

struct DiagnosticPage {
  std::string code;   // as printed in brackets behind the message
  std::string title;  // one line
  std::string page;   // what it means and what to do
};

const std::vector<DiagnosticPage>& diagnostic_pages();  // by code
const DiagnosticPage* find_diagnostic_page(const std::string& code);

}  // namespace parley::report
