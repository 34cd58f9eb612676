// parley abstract: the abstract model and its partition.
#include <fmt/format.h>

#include "cli/cegar_options.hpp"
#include "cli/commands.hpp"
#include "report/abstraction.hpp"
#include "verdict/json.hpp"

namespace parley::cli {
namespace {

int run_abstract(const Arguments& a, Terminal& t) {
  const auto loaded = load_or_report(a.positional[0], a, t);
  if (!loaded) return kBadInput;
  const system::System& s = *loaded->system;
  const cegar::LoopOptions options = cegar_options_of(a);
  const engine::Request request = cegar_request(a, s);
  const system::PropertyId property = cegar_property(a, s);
  const domain::Precision precision = cegar_precision(a, request, property, options);
  const std::size_t limit = a.has("states") ? count_value("states", a.get("states")) : 1000;
  const report::AbstractGraph g = report::describe_abstract_system(request, precision, options, limit);
  const std::string format = a.get("format", "text");
  if (format == "json")
    t.out << verdict::dump(g.json) << '\n';
  else if (format == "dot" && g.complete)
    t.out << printable(g.dot);
  else
    t.out << printable(g.text);
  if (!g.complete)
    t.err << fmt::format("parley: more than {} abstract states (--states raises the limit)\n", limit);
  return g.complete ? kAllHold : kUnknown;
}

}  // namespace

Command abstract_command() {
  Command c;
  c.name = "abstract";
  c.summary = "print the abstract model that data abstraction makes, and its partition";
  c.arguments = "MODEL";
  c.description =
      "Integers are seen through partitions into intervals (docs/cegar.md). Prints the partition for one "
      "property, the "
      "abstract states and the steps between them; --rounds shows the model after refinement.";
  c.options = load_options() + limit_options() + cegar_options() +
              std::vector<OptionSpec>{format_option({"text", "json", "dot"})};
  c.run = run_abstract;
  return c;
}

}  // namespace parley::cli
