// parley import: a UML model as a text model, or what the import made of each construct.
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/model_options.hpp"
#include "cli/output.hpp"
#include "front/text/printer.hpp"

namespace parley::cli {
namespace {

int run_import(const Arguments& a, Terminal& t) {
  const std::string& path = a.positional[0];
  const load::Loaded loaded = load::load_model(path, load_options_of(a));
  if (loaded.format == load::Format::Text || loaded.format == load::Format::Promela)
    throw UsageError{fmt::format("`{}` is no diagram: there is nothing to import", diag::sanitise(path)), {}};
  print_diagnostics(loaded, t);
  if (a.has("report")) {
    t.out << (a.get("format", "text") == "json" ? loaded.import.json(loaded.sources)
                                                : loaded.import.text(loaded.sources));
  } else if (loaded.model) {
    // Errors of a model that was read (a choice that leads nowhere) do not keep it from being shown.
    const std::string text = front::text::print(*loaded.model);
    if (a.has("output"))
      write_file(a.get("output"), text);
    else
      t.out << text;
  }
  if (loaded.model && !a.has("quiet")) {
    for (const diag::Assumption& assumption : loaded.model->assumptions)
      t.err << fmt::format("assumes: {}\n", diag::sanitise(assumption.text));
  }
  return loaded.diagnostics.has_errors() ? kBadInput : kAllHold;
}

}  // namespace

Command import_command() {
  Command c;
  c.name = "import";
  c.summary = "turn a UML model into a text model";
  c.arguments = "MODEL.uml";
  c.description =
      "Prints the model in the text language, with the ids of the diagram's elements as annotations. What is "
      "not understood "
      "is an error with its element; --havoc-unknown replaces it by an over-approximation (docs/uml.md).";
  c.options = load_options() + budget_options() +
              std::vector<OptionSpec>{
                  {"output", "FILE", "Writes the text model to this file.", {}, false, 'o'},
                  {"report", "",
                   "Prints what was read, ignored, over-approximated and rejected instead of the model."},
                  format_option({"text", "json"}),
                  {"quiet", "", "Does not list the assumptions.", {}, false, 'q'}};
  c.run = run_import;
  return c;
}

}  // namespace parley::cli
