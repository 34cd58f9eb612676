#include "cli/output.hpp"

#include <fmt/format.h>

#include "diag/diagnostic.hpp"
#include "support/write_file.hpp"

namespace parley::cli {

void write_file(const std::string& path, const std::string& text) {
  const std::string problem = parley::write_file(path, text);
  if (!problem.empty())
    throw OutputError{fmt::format("`{}` cannot be written: {}", diag::sanitise(path), problem)};
}

std::string reproduce(const std::string& command, const Arguments& a) {
  std::string line = "parley " + command;
  const auto quote = [](const std::string& w) {
    const bool plain =
        w.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:+,[]") ==
        std::string::npos;
    return plain && !w.empty() ? w : "'" + w + "'";
  };
  for (const std::string& p : a.positional) line += ' ' + quote(p);
  for (const auto& [name, values] : a.options)
    for (const std::string& v : values) line += " --" + name + (v.empty() ? "" : ' ' + quote(v));
  return line;
}

void write_html(const std::string& path, const load::Loaded& loaded, const report::ResultSet& results) {
  report::HtmlOptions html;
  html.model = loaded.model ? &*loaded.model : nullptr;
  html.map = loaded.map ? &*loaded.map : nullptr;
  html.queue_capacities = results.interpreter.queue_capacities();
  write_file(path, report::to_html(results, html));
}

}  // namespace parley::cli
