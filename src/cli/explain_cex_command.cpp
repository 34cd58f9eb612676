// parley explain-cex: why an abstract counterexample is real or spurious, or the whole refinement loop told.
#include "cli/cegar_options.hpp"
#include "cli/commands.hpp"
#include "report/abstraction.hpp"
#include "report/refinement_report.hpp"
#include "verdict/json.hpp"

namespace parley::cli {
namespace {

int run_explain_cex(const Arguments& a, Terminal& t) {
  const auto loaded = load_or_report(a.positional[0], a, t);
  if (!loaded) return kBadInput;
  const system::System& s = *loaded->system;
  const cegar::LoopOptions options = cegar_options_of(a);
  const engine::Request request = cegar_request(a, s);
  const system::PropertyId property = cegar_property(a, s);
  const bool json = a.get("format") == "json";
  if (a.get("rounds") == "all") {
    cegar_precision(Arguments{}, request, property, options);  // names wrong partitions
    const cegar::LoopResult r = cegar::refine_and_check(request, property, options);
    t.out << (json ? verdict::dump(report::to_json(s, cegar::story_of(r))) + '\n'
                   : printable(report::show(s, r)));
    return r.result.holds() ? kAllHold : r.result.violated() ? kViolated : kUnknown;
  }
  const domain::Precision precision = cegar_precision(a, request, property, options);
  const report::Explanation e = report::explain_counterexample(request, property, precision, options);
  t.out << (json ? verdict::dump(e.json) + '\n' : printable(e.text));
  if (e.feasible) return kViolated;
  return e.counterexample ? kUnknown : kAllHold;
}

}  // namespace

Command explain_cex_command() {
  Command c;
  c.name = "explain-cex";
  c.summary = "explain an abstract counterexample: feasible or not, what is relevant, what to split";
  c.arguments = "MODEL";
  c.description =
      "Shows the counterexample of the abstract model, whether the concrete system can follow it, the two "
      "runs "
      "statement by statement, the relevant locations, and what the refiners would split. With --rounds N "
      "the "
      "counterexample after N rounds; with --rounds all every round of the loop in short.";
  c.options = load_options() + limit_options() + cegar_options() +
              std::vector<OptionSpec>{format_option({"text", "json"})};
  c.run = run_explain_cex;
  return c;
}

}  // namespace parley::cli
