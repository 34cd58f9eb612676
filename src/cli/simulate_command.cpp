// parley simulate: a random run with a seed, or stepping by hand with undo.
#include <fmt/format.h>

#include <iostream>
#include <random>

#include "cli/commands.hpp"
#include "cli/model_options.hpp"
#include "cli/output.hpp"
#include "report/text.hpp"
#include "verdict/json.hpp"

namespace parley::cli {
namespace {

using semantics::Interpreter;
using semantics::Outcome;
using semantics::Successor;

std::string step_text(const system::System& s, const Successor& n) {
  const system::Action& a = s.action(n.step.action);
  std::string text = fmt::format("{}: {}", s.owner(a.owner).name, a.name);
  for (const semantics::Event& e : n.result.events) {
    if (e.kind == semantics::EventKind::Received) text += " <- " + semantics::show(s, e.message);
    if (e.kind == semantics::EventKind::Discarded) text += " discards " + semantics::show(s, e.message);
    if (e.kind == semantics::EventKind::Sent)
      text += fmt::format(" -> {} to {}", semantics::show(s, e.message), s.queue(e.queue).name);
  }
  if (n.result.outcome != Outcome::Done) text += fmt::format(" [{}]", semantics::describe(n.result.outcome));
  return diag::sanitise(text);
}

std::vector<Successor> open_steps(const Interpreter& in, const semantics::State& state) {
  std::vector<Successor> steps = in.successors(state);
  std::erase_if(steps, [](const Successor& x) { return !semantics::happens(x.result.outcome); });
  return steps;
}

verdict::Trace random_run(const Interpreter& in, std::uint64_t seed, std::uint64_t length, std::string& end) {
  std::mt19937_64 random(seed);
  verdict::Trace trace;
  const auto starts = in.initial_states();
  const auto& start = starts[random() % starts.size()];
  trace.initial_choices = start.choices;
  if (start.result.outcome != Outcome::Done) {
    end = start.result.failure.message;
    return trace;
  }
  semantics::State state = start.result.state;
  end = fmt::format("stopped after {} steps", length);
  for (std::uint64_t i = 0; i < length; ++i) {
    const std::vector<Successor> steps = open_steps(in, state);
    if (steps.empty()) {
      end = in.is_deadlock(state) ? "deadlock: nothing can move"
                                  : "the end: nothing can move, everybody may rest here";
      break;
    }
    const Successor& chosen = steps[random() % steps.size()];
    trace.steps.push_back(chosen.step);
    if (chosen.result.outcome != Outcome::Done) {
      end = chosen.result.failure.message;
      break;
    }
    state = chosen.result.state;
  }
  return trace;
}

int interactive(const Interpreter& in, Terminal& t, std::istream& input) {
  const system::System& s = in.system();
  const auto starts = in.initial_states();
  verdict::Trace trace;
  trace.initial_choices = starts[0].choices;
  std::vector<semantics::State> history = {starts[0].result.state};
  t.out << "number: take that step · u: undo · s: show the state · t: show the trace · r: random step · q: "
           "quit\n";
  std::mt19937_64 random(0);
  for (;;) {
    const std::vector<Successor> steps = open_steps(in, history.back());
    t.out << fmt::format("after {} steps\n", trace.steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i)
      t.out << fmt::format("  {:>2}  {}\n", i + 1, step_text(s, steps[i]));
    if (steps.empty()) t.out << (in.is_deadlock(history.back()) ? "  deadlock\n" : "  nothing can move\n");
    t.out << "> " << std::flush;
    std::string line;
    if (!std::getline(input, line) || line == "q") break;
    if (line == "u") {
      if (trace.steps.empty()) {
        t.out << "nothing to undo\n";
      } else {
        trace.steps.pop_back();
        history.pop_back();
      }
      continue;
    }
    if (line == "s") {
      t.out << report::state_text(s, history.back());
      continue;
    }
    if (line == "t") {
      t.out << report::trace_steps(s, verdict::narrate(in, trace), {t.colour, t.width});
      continue;
    }
    std::size_t k = 0;
    if (line == "r" && !steps.empty())
      k = random() % steps.size() + 1;
    else if (!line.empty() && line.find_first_not_of("0123456789") == std::string::npos && line.size() < 9)
      k = std::stoul(line);
    if (k < 1 || k > steps.size()) {
      t.out << "there is no such step\n";
      continue;
    }
    const Successor& chosen = steps[k - 1];
    if (chosen.result.outcome != Outcome::Done) {
      t.out << fmt::format("{}: {} (the run would end here; not taken)\n",
                           semantics::describe(chosen.result.outcome),
                           diag::sanitise(chosen.result.failure.message));
      continue;
    }
    trace.steps.push_back(chosen.step);
    history.push_back(chosen.result.state);
  }
  return kAllHold;
}

int run_simulate(const Arguments& a, Terminal& t) {
  const auto loaded = load_or_report(a.positional[0], a, t);
  if (!loaded) return kBadInput;
  const system::System& s = *loaded->system;
  std::optional<std::uint32_t> capacity;
  if (a.has("capacity")) capacity = static_cast<std::uint32_t>(count_value("capacity", a.get("capacity")));
  const Interpreter in(s, semantics::capacities(s, capacity));
  if (a.has("interactive")) return interactive(in, t, std::cin);
  const std::uint64_t seed = a.has("seed") ? count_value("seed", a.get("seed")) : 1;
  std::string end;
  const verdict::Trace trace =
      random_run(in, seed, a.has("steps") ? count_value("steps", a.get("steps")) : 20, end);
  if (a.has("trace")) write_file(a.get("trace"), verdict::dump(verdict::to_json(s, trace)) + '\n');
  const verdict::Narration n = verdict::narrate(in, trace);
  if (a.get("format") == "json") {
    t.out << verdict::dump(verdict::to_json(s, loaded->sources, n)) << '\n';
    return kAllHold;
  }
  report::TextOptions options;
  options.colour = t.colour;
  options.width = t.width;
  options.max_steps = SIZE_MAX;
  t.out << report::trace_steps(s, n, options) << fmt::format("{} (seed {})\n", diag::sanitise(end), seed);
  return kAllHold;
}

}  // namespace

Command simulate_command() {
  Command c;
  c.name = "simulate";
  c.summary = "run a model at random, or step through it by hand";
  c.arguments = "MODEL";
  c.options = load_options() + budget_options() +
              std::vector<OptionSpec>{{"interactive", "", "Steps by hand, with undo.", {}, false, 'i'},
                                      {"seed", "N", "Seed of the random run (1)."},
                                      {"steps", "N", "Length of the random run (20)."},
                                      {"capacity", "N", "Capacity of queues that declare none."},
                                      {"trace", "FILE", "Writes the run as a trace file."},
                                      format_option({"text", "json"})};
  c.run = run_simulate;
  return c;
}

}  // namespace parley::cli
