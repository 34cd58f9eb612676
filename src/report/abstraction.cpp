#include "report/abstraction.hpp"

#include <fmt/format.h>

#include <unordered_map>

#include "cegar/precision_json.hpp"
#include "report/quoting.hpp"
#include "report/refinement_report.hpp"

namespace parley::report {

using namespace cegar;

using domain::Interval;
using domain::Variable;
using json = nlohmann::ordered_json;

namespace {

std::string show_value(const AbstractSystem& a, const Variable& v, const expr::Type& type,
                       std::int32_t code) {
  if (!a.domain().precision().is_abstracted(v)) return system::show_value(a.system(), type, code);
  const Interval i = a.domain().meaning(v, code);
  return i.single() ? fmt::format("{}", i.lo) : domain::show(i);
}

std::string show_message(const AbstractSystem& a, const semantics::Message& m) {
  const system::Signal& signal = a.system().signal(m.signal);
  std::vector<std::string> args;
  for (std::size_t i = 0; i < m.args.size(); ++i)
    args.push_back(
        show_value(a, Variable::param(m.signal, static_cast<std::uint32_t>(i)), signal.params[i], m.args[i]));
  return args.empty() ? signal.name : fmt::format("{}({})", signal.name, fmt::join(args, ", "));
}

// Name and value of what differs between two states; everything if there is no state before.
std::vector<std::string> changes(const AbstractSystem& a, const State* before, const State& after) {
  std::vector<std::string> out;
  const System& s = a.system();
  for (std::size_t i = 0; i < s.cells.size(); ++i) {
    if (before != nullptr && before->cells[i] == after.cells[i]) continue;
    if (before == nullptr && s.cells[i].role == system::CellRole::Bookkeeping) continue;
    out.push_back(
        fmt::format("{} = {}", s.cells[i].name,
                    show_value(a, Variable::cell(expr::CellId(i)), s.cells[i].type, after.cells[i])));
  }
  for (std::size_t q = 0; q < s.queues.size(); ++q) {
    if (before != nullptr ? before->queues[q] == after.queues[q] : after.queues[q].empty()) continue;
    std::vector<std::string> messages;
    for (const semantics::Message& m : after.queues[q]) messages.push_back(show_message(a, m));
    out.push_back(fmt::format("queue of {}: {}", s.queues[q].name,
                              messages.empty() ? "empty" : fmt::format("{}", fmt::join(messages, " "))));
  }
  return out;
}

std::string event_name(const System& s, const AbstractStep& step) {
  const system::Action& a = s.action(step.action);
  return fmt::format("{}: {}", s.owner(a.owner).name, a.name);
}

std::string show_tree_value(const Tree& t) {
  if (t.failed) return "error";
  return t.value.single() ? fmt::format("{}", t.value.lo) : domain::show(t.value);
}

}  // namespace

std::string show_state(const AbstractSystem& a, const State& state) {
  return fmt::format("{}", fmt::join(changes(a, nullptr, state), ", "));
}

Explanation explain_counterexample(const engine::Request& request, PropertyId property,
                                   const domain::Precision& precision, const LoopOptions& options) {
  const System& s = request.system;
  Explanation out;
  const AbstractSystem abstract(s, precision, request.queue_capacities, {options.intermediate, 16, 1 << 16});
  const engine::Deadline deadline(request);
  SearchLimits limits;
  limits.deadline = &deadline;
  limits.states = options.max_states;
  const AbstractAnswer answer = abstract_check(abstract, property, limits);
  out.json["property"] = s.property(property).name;
  out.json["precision"] = cegar::to_json(s, precision);
  out.json["abstract_states"] = answer.states;
  out.text = "precision:\n" + show(s, precision);
  if (!answer.trace) {
    out.text += answer.complete
                    ? fmt::format("no abstract counterexample: the property holds ({} abstract states)\n",
                                  answer.states)
                    : fmt::format("no abstract counterexample found: {}\n", answer.stopped->text);
    out.json["counterexample"] = nullptr;
    return out;
  }
  out.counterexample = true;
  const AbstractTrace& trace = *answer.trace;
  json events = json::array();
  out.text += fmt::format("abstract counterexample of {} events:\n", trace.steps.size());
  if (!trace.states.empty()) out.text += fmt::format("  start  {}\n", show_state(abstract, trace.states[0]));
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    std::vector<std::string> changed{"fails"};
    if (i + 1 < trace.states.size()) changed = changes(abstract, &trace.states[i], trace.states[i + 1]);
    out.text +=
        fmt::format("  {:>5}  {}  -> {}\n", i + 1, event_name(s, trace.steps[i]), fmt::join(changed, ", "));
    events.push_back({{"event", event_name(s, trace.steps[i])}, {"changes", changed}});
  }
  out.json["events"] = std::move(events);

  const semantics::Interpreter concrete(s, request.queue_capacities);
  const Feasibility f = is_counterexample_feasible(concrete, abstract, property, trace, options.feasibility);
  out.feasible = f.feasible;
  out.json["feasible"] = f.feasible;
  out.json["executed"] = f.executed;
  if (f.feasible) {
    out.text += fmt::format("feasible: the concrete system violates the property in {} steps\n",
                            f.trace.steps.size());
    return out;
  }
  out.text += fmt::format("spurious: {} of {} events can be followed{}\n", f.executed, trace.steps.size(),
                          f.exhausted ? "" : " (not every value of wide choices was tried)");
  const auto analysis = transform(concrete, abstract, property, trace, f);
  if (!analysis) {
    out.text += "the runs never part at a statement\n";
    return out;
  }
  Relevance relevance(s, *analysis, {options.weak_message_correspondence, options.analyse_propagation});
  const bool explained = relevance.compute();
  out.text += fmt::format("{}\nanalysis trace (concrete / abstract value; relevant before the step):\n",
                          analysis->why);
  json steps = json::array();
  for (std::size_t i = 1; i <= analysis->steps.size(); ++i) {
    const AnalysisStep& step = analysis->steps[i - 1];
    std::vector<std::string> values, relevant;
    for (std::size_t k = 0; k < std::min(step.concrete.size(), step.abstract.size()); ++k)
      values.push_back(fmt::format("{}: {} / {}", system::show(s, step.concrete[k].expr),
                                   show_tree_value(step.concrete[k]), show_tree_value(step.abstract[k])));
    if (explained)
      for (const Location& l : relevance.before(i)) relevant.push_back(show(s, *analysis, l));
    std::string target;
    if (step.kind == StepKind::Assign && step.target_concrete.valid())
      target = s.cell(step.target_concrete).name + " = ";
    out.text +=
        fmt::format("  {:>5}  {:<6} {}{}{}{}\n", i, describe(step.kind), target, fmt::join(values, "; "),
                    step.bottom        ? "  (they part)"
                    : step.corresponds ? ""
                                       : "  (differ)",
                    relevant.empty() ? "" : fmt::format("   [{}]", fmt::join(relevant, ", ")));
    steps.push_back({{"number", i},
                     {"kind", describe(step.kind)},
                     {"event", step.event},
                     {"values", values},
                     {"corresponds", step.corresponds && !step.bottom},
                     {"relevant", relevant}});
  }
  out.json["why"] = analysis->why;
  out.json["steps"] = std::move(steps);
  if (!explained) return out;
  json refiners = json::array();
  const auto tell = [&](const Refinement& r) {
    if (r.empty()) return;
    std::vector<std::string> split;
    for (const auto& [v, values] : r.values)
      split.push_back(fmt::format("{} at {}", domain::show(s, v), fmt::join(values, ", ")));
    for (const auto& [v, cuts] : r.cuts)
      if (!cuts.empty())
        split.push_back(fmt::format("{} below {}", domain::show(s, v), fmt::join(cuts, ", ")));
    out.text += fmt::format("{}: from step {}, `{}`: split {}\n", r.refiner, r.step, r.expression,
                            fmt::join(split, "; "));
    refiners.push_back(
        {{"refiner", r.refiner}, {"step", r.step}, {"expression", r.expression}, {"split", split}});
  };
  tell(find_refinement(s, *analysis, relevance, {options.values_per_location}));
  if (options.interpolants) tell(interpolating_refinement(s, *analysis, relevance));
  if (options.weakest_preconditions) tell(wp_refinement(s, *analysis, relevance));
  out.json["refinements"] = std::move(refiners);
  return out;
}

AbstractGraph describe_abstract_system(const engine::Request& request, const domain::Precision& precision,
                                       const LoopOptions& options, std::size_t max_states) {
  const System& s = request.system;
  AbstractGraph g;
  const AbstractSystem abstract(s, precision, request.queue_capacities, {options.intermediate, 16, 1 << 16});
  std::unordered_map<State, std::size_t, StateHash> seen;
  std::vector<const State*> states;
  const auto add = [&](const State& state) {
    const auto [at, fresh] = seen.try_emplace(state, states.size());
    if (fresh) states.push_back(&at->first);
    return at->second;
  };
  std::string edges_text, dot;
  json edges = json::array(), initial = json::array();
  for (const semantics::InitialState& i : abstract.initial_states())
    if (i.result.outcome == semantics::Outcome::Done) initial.push_back(add(i.result.state));
  g.complete = true;
  const engine::Deadline deadline(request);
  for (std::size_t at = 0; at < states.size(); ++at) {
    if (states.size() > max_states || (at % 64 == 0 && deadline.reached())) {
      g.complete = false;
      break;
    }
    const State from = *states[at];
    for (const AbstractSuccessor& next : abstract.successors(from)) {
      ++g.transitions;
      const std::string name = event_name(s, next.step);
      if (next.result.outcome != semantics::Outcome::Done) {
        edges.push_back({{"from", at}, {"event", name}, {"ends", semantics::describe(next.result.outcome)}});
        edges_text += fmt::format("  {} -> {} by {}\n", at, semantics::describe(next.result.outcome), name);
        continue;
      }
      const std::size_t to = add(next.result.state);
      edges.push_back({{"from", at}, {"to", to}, {"event", name}});
      edges_text += fmt::format("  {} -> {} by {}\n", at, to, name);
      dot += fmt::format("  s{} -> s{} [label={}];\n", at, to, dot_string(name));
    }
  }
  g.states = states.size();
  g.text = "partition:\n" + show(s, precision);
  g.json["precision"] = cegar::to_json(s, precision);
  g.json["initial"] = std::move(initial);
  g.json["complete"] = g.complete;
  if (g.complete) {
    g.text += "states:\n";
    json list = json::array();
    g.dot = "digraph abstract {\n  node [shape=box, fontname=monospace];\n";
    for (std::size_t i = 0; i < states.size(); ++i) {
      const std::string text = show_state(abstract, *states[i]);
      g.text += fmt::format("  {}: {}\n", i, text);
      list.push_back(text);
      g.dot += fmt::format("  s{} [label={}];\n", i, dot_string(text));
    }
    g.dot += dot + "}\n";
    g.text += "steps:\n" + edges_text;
    g.json["states"] = std::move(list);
    g.json["edges"] = std::move(edges);
  }
  g.text += fmt::format("{} abstract states, {} transitions{}\n", g.states, g.transitions,
                        g.complete ? "" : " (not complete)");
  return g;
}

}  // namespace parley::report
