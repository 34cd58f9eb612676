#include "report/diagnostic_pages.hpp"

#include <sstream>

#include "report/assets.hpp"

namespace parley::report {

// "## code", the title on the next line, then the page up to the next heading.
const std::vector<DiagnosticPage>& diagnostic_pages() {
  static const std::vector<DiagnosticPage> pages = [] {
    std::vector<DiagnosticPage> list;
    std::istringstream text{std::string(diagnostics_md)};
    for (std::string line; std::getline(text, line);) {
      if (line.starts_with("## ")) {
        list.push_back({line.substr(3), {}, {}});
        std::getline(text, list.back().title);
      } else if (!list.empty()) {
        list.back().page += (list.back().page.empty() ? "" : "\n") + line;
      }
    }
    return list;
  }();
  return pages;
}

const DiagnosticPage* find_diagnostic_page(const std::string& code) {
  for (const DiagnosticPage& p : diagnostic_pages())
    if (p.code == code) return &p;
  return nullptr;
}

}  // namespace parley::report
