// parley fmt: a text model in canonical form.
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/model_options.hpp"
#include "cli/output.hpp"
#include "front/text/parser.hpp"
#include "front/text/printer.hpp"

namespace parley::cli {
namespace {

int run_fmt(const Arguments& a, Terminal& t) {
  int status = kAllHold;
  for (const std::string& path : a.positional) {
    load::Loaded loaded;
    if (load::format_of(path) != load::Format::Text)
      throw UsageError{fmt::format("`{}` is no text model", diag::sanitise(path)), "fmt takes .ply files"};
    const std::optional<std::string> text = load::read_file(path, loaded.diagnostics);
    std::string formatted;
    if (text) {
      const diag::FileId file = loaded.sources.add(path, *text);
      const model::Model m = front::text::parse(loaded.sources, file, loaded.diagnostics);
      if (!loaded.diagnostics.has_errors()) formatted = front::text::print(m, &loaded.sources);
    }
    if (!text || loaded.diagnostics.has_errors()) {
      print_diagnostics(loaded, t);
      status = kBadInput;
      continue;
    }
    if (a.has("check")) {
      if (formatted != *text) {
        t.out << diag::sanitise(path) << " is not in canonical form\n";
        if (status == kAllHold) status = kViolated;
      }
    } else if (a.has("write")) {
      if (formatted == *text) continue;
      write_file(path, formatted);
    } else {
      t.out << formatted;
    }
  }
  return status;
}

}  // namespace

Command fmt_command() {
  Command c;
  c.name = "fmt";
  c.summary = "print a text model in canonical form";
  c.arguments = "MODEL.ply…";
  c.description = "Comments are kept; formatting twice changes nothing.";
  c.options =
      budget_options() +
      std::vector<OptionSpec>{
          {"write", "", "Writes the files in place instead of printing.", {}, false, 'w'},
          {"check", "", "Prints which files are not in canonical form; exit status 1 if any is not."}};
  c.max_arguments = 10000;
  c.run = run_fmt;
  return c;
}

}  // namespace parley::cli
