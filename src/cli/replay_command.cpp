// parley replay: a trace file on a model; says where it stops fitting, and whether it shows what it claims.
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/model_options.hpp"
#include "report/text.hpp"
#include "verdict/narrate.hpp"
#include "verdict/trace_file.hpp"

namespace parley::cli {
namespace {

using verdict::ClaimedTrace;

// Nothing if the file is none, or not of this model; then the message says why.
std::optional<ClaimedTrace> read(const std::string& path, const system::System& s,
                                 const std::string& property, Terminal& t) {
  diag::Diagnostics diagnostics;
  const auto text = load::read_file(path, diagnostics);
  if (!text) {
    t.err << diag::render({}, diagnostics.sorted());
    return std::nullopt;
  }
  try {
    return verdict::read_claimed_trace(s, verdict::parse_strictly(*text), property);
  } catch (const verdict::Malformed& e) {
    t.err << fmt::format("parley: {}: {}\n", diag::sanitise(path), diag::sanitise(e.why));
    return std::nullopt;
  }
}

std::vector<std::uint32_t> capacities_of(const Arguments& a, const system::System& s,
                                         const ClaimedTrace& claimed) {
  if (a.has("capacity"))
    return semantics::capacities(s, static_cast<std::uint32_t>(count_value("capacity", a.get("capacity"))));
  return claimed.capacities.value_or(semantics::capacities(s));
}

// A queue that grows for ever is shown without capacities (verdict::confirm); the others by one replay.
bool fits(const semantics::Interpreter& interpreter, const ClaimedTrace& claimed, Terminal& t) {
  const system::System& s = interpreter.system();
  if (claimed.shows && s.property(*claimed.shows).kind == system::PropertyKind::NoUnboundedQueues)
    return true;
  const verdict::Replay r = verdict::replay(interpreter, claimed.trace);
  if (r.complete)
    t.out << fmt::format("fits: all {} steps\n", claimed.trace.steps.size());
  else
    t.out << fmt::format("does not fit: {}\n", diag::sanitise(r.why));
  return r.complete;
}

int run_replay(const Arguments& a, Terminal& t) {
  const auto loaded = load_or_report(a.positional[0], a, t);
  if (!loaded) return kBadInput;
  const system::System& s = *loaded->system;
  const std::optional<ClaimedTrace> claimed = read(a.positional[1], s, a.get("property"), t);
  if (!claimed) return kBadInput;
  const semantics::Interpreter interpreter(s, capacities_of(a, s, *claimed));
  report::TextOptions options;
  options.colour = t.colour;
  options.width = t.width;
  options.max_steps = a.has("full-trace") ? SIZE_MAX : options.max_steps;
  t.out << report::trace_steps(s,
                               claimed->shows ? verdict::narrate(interpreter, *claimed->shows, claimed->trace)
                                              : verdict::narrate(interpreter, claimed->trace),
                               options);
  if (!fits(interpreter, *claimed, t)) return kViolated;
  for (std::size_t i = 0; i < s.properties.size(); ++i)
    if (verdict::confirm(interpreter, system::PropertyId(i), claimed->trace).confirmed)
      t.out << fmt::format("shows: {}\n", diag::sanitise(s.properties[i].name));
  if (!claimed->shows) return kAllHold;
  const verdict::Confirmation c = verdict::confirm(interpreter, *claimed->shows, claimed->trace);
  if (c.confirmed) return kAllHold;
  t.out << fmt::format("does not show what it claims, {}: {}\n",
                       diag::sanitise(s.property(*claimed->shows).name), diag::sanitise(c.why));
  return kViolated;
}

}  // namespace

Command replay_command() {
  Command c;
  c.name = "replay";
  c.summary = "replay a trace file on a model and say where it stops fitting";
  c.arguments = "MODEL TRACE.json";
  c.description =
      "TRACE.json is a trace written by `parley check --trace`, or the JSON result of `parley check`. Exit "
      "status 0: it fits and shows what the file claims, 1: it does not, 3: the file is malformed or of "
      "another "
      "model.";
  c.options = load_options() + budget_options() +
              std::vector<OptionSpec>{
                  {"property", "NAME",
                   "Which result's trace to take from a result file; the property that a trace file "
                   "must show."},
                  {"capacity", "N", "Capacity of queues that declare none."},
                  {"full-trace", "", "Shows all steps of long traces."}};
  c.min_arguments = c.max_arguments = 2;
  c.run = run_replay;
  return c;
}

}  // namespace parley::cli
