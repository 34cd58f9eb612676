// The page, style and script of the HTML report, compiled into the program (cmake/embed.cmake makes the
// definitions from src/report/assets).
#pragma once

#include <string_view>

namespace parley::report {

extern const std::string_view report_html;
extern const std::string_view report_css;
extern const std::string_view report_js;
extern const std::string_view sequence_js;
extern const std::string_view stories_js;
extern const std::string_view truth_js;
extern const std::string_view diagnostics_md;

}  // namespace parley::report
