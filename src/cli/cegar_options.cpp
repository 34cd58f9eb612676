#include "cli/cegar_options.hpp"

#include <fmt/format.h>

#include "cegar/choices.hpp"

namespace parley::cli {

std::vector<OptionSpec> refinement_options() {
  return {
      {"start", "HOW", "Data abstraction: the initial partition of every integer.",
       names_of<domain::Start>()},
      {"partition",
       "NAME=CELLS",
       "Data abstraction: the initial partition of one variable: sign, one, K+ or the first values of its "
       "cells, as in "
       "atm.tries=0,1,4.",
       {},
       true},
      {"pin", "NAME", "Data abstraction: keeps a variable exact; may be repeated.", {}, true},
      {"refiner", "NAME",
       "Data abstraction: who splits partitions, improved (the default); interpolants, which asks an SMT "
       "solver first; "
       "published, "
       "the thesis' heuristic alone, from its Sign partition.",
       names_of<cegar::Refiner>()},
      {"without", "NAME",
       "Data abstraction: switches an improvement over the published heuristic off; may be repeated.",
       names_of<cegar::Improvement>(), true},
  };
}

std::vector<OptionSpec> cegar_options() {
  return std::vector<OptionSpec>{
             {"property", "NAME",
              "Which property (its text or number); else the first that the loop decides."},
             {"rounds", "N", "Refines so many rounds first; `all` runs the loop to its end."}} +
         refinement_options() +
         std::vector<OptionSpec>{{"capacity", "N", "Capacity of queues that declare none."}};
}

cegar::LoopOptions cegar_options_of(const Arguments& a) {
  cegar::LoopOptions o = options_for(choice<cegar::Refiner>(a, "refiner").value_or(cegar::Refiner::Improved));
  o.start.start = choice<domain::Start>(a, "start").value_or(o.start.start);
  for (const cegar::Improvement i : choices<cegar::Improvement>(a, "without")) switch_off(i, o);
  for (const std::string& text : a.all("partition")) {
    const std::size_t eq = text.find('=');
    if (eq == std::string::npos || eq == 0)
      throw UsageError{fmt::format("--partition wants NAME=CELLS, not `{}`", diag::sanitise(text)), {}};
    o.start.user[text.substr(0, eq)] = text.substr(eq + 1);
  }
  o.start.pinned = a.all("pin");
  return o;
}

system::PropertyId cegar_property(const Arguments& a, const system::System& s) {
  const std::string wanted = a.get("property");
  for (std::size_t i = 0; i < s.properties.size(); ++i) {
    if (!cegar::decides(s.properties[i].kind)) continue;
    if (wanted.empty() || wanted == s.properties[i].name || wanted == std::to_string(i + 1))
      return system::PropertyId(i);
  }
  if (wanted.empty()) throw UsageError{"the model has no property that the refinement loop decides", {}};
  throw UsageError{
      fmt::format("the model has no property `{}` that the refinement loop decides", diag::sanitise(wanted)),
      "`parley info MODEL` lists them"};
}

engine::Request cegar_request(const Arguments& a, const system::System& s) {
  std::optional<std::uint32_t> capacity;
  if (a.has("capacity")) capacity = static_cast<std::uint32_t>(count_value("capacity", a.get("capacity")));
  return {s, {}, semantics::capacities(s, capacity), limits_of(a), 0, nullptr, {}, {}};
}

domain::Precision start_precision(const system::System& s, system::PropertyId property,
                                  const cegar::LoopOptions& options) {
  std::vector<std::string> errors;
  domain::Precision p = domain::initial_precision(s, property, options.start, &errors);
  if (!errors.empty()) throw UsageError{diag::sanitise(errors.front()), "cells are sign, one, K+ or 0,1,4"};
  return p;
}

domain::Precision cegar_precision(const Arguments& a, const engine::Request& request,
                                  system::PropertyId property, const cegar::LoopOptions& options) {
  domain::Precision p = start_precision(request.system, property, options);
  if (!a.has("rounds")) return p;
  cegar::LoopOptions some = options;
  if (a.get("rounds") != "all") some.max_rounds = count_value("rounds", a.get("rounds"));
  if (some.max_rounds == 0) return p;
  return cegar::refine_and_check(request, property, some).precision;
}

std::string printable(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out += diag::sanitise(std::string_view(text).substr(at, end - at)) + '\n';
    at = end + 1;
  }
  return out;
}

}  // namespace parley::cli
