#include "report/refinement_report.hpp"

#include <fmt/format.h>

#include "cegar/precision_json.hpp"

namespace parley::report {

using json = nlohmann::ordered_json;
using cegar::LoopResult;
using cegar::RefinementReport;
using cegar::RefinementStory;
using cegar::RoundReport;
using system::System;

std::string show(const System& s, const domain::Precision& p) {
  std::string text;
  for (const auto& [v, part] : p.partitions()) {
    if (v.kind == domain::Variable::Kind::Local && part.size() == 1) continue;
    text += fmt::format("  {}: {}\n", domain::show(s, v), part.show());
  }
  return text;
}

std::string show(const System& s, const LoopResult& r) {
  std::string text;
  for (const RoundReport& round : r.rounds) {
    text += fmt::format("round {}: {} variables in {} cells, {} abstract states, {} transitions\n",
                        round.round, round.variables, round.cells, round.states, round.transitions);
    if (round.counterexample)
      text += fmt::format("  counterexample of {} events{}\n", round.length, round.feasible ? ", real" : "");
    for (const RefinementReport& f : round.refinements) {
      text += fmt::format("  spurious: {} of {} events can be followed; {}\n", f.executed, f.length, f.why);
      if (!f.initial.empty())
        text += fmt::format("    relevant at {}: {}; in all {}\n", f.initial_number,
                            fmt::join(f.initial, ", "), fmt::join(f.relevant, " "));
      if (!f.split.empty())
        text +=
            fmt::format("    {}{}: split {}\n", f.refiner,
                        f.expression.empty() ? "" : fmt::format(" at step {}, `{}`", f.step, f.expression),
                        fmt::join(f.split, "; "));
    }
  }
  text +=
      fmt::format("{}: {} after {} rounds, {} refinements, {} cells\n", s.property(r.result.property).name,
                  verdict::word(r.result.verdict), r.rounds.size(), r.refinements(), r.precision.cells());
  if (const auto* u = std::get_if<verdict::Unknown>(&r.result.verdict)) text += "  " + u->reason + "\n";
  return text;
}

json to_json(const System& s, const RefinementStory& r) {
  json j;
  j["property"] = s.property(r.property).name;
  j["verdict"] = r.verdict;
  json rounds = json::array();
  for (const RoundReport& round : r.rounds) {
    json one;
    one["round"] = round.round;
    one["variables"] = round.variables;
    one["cells"] = round.cells;
    one["abstract_states"] = round.states;
    one["transitions"] = round.transitions;
    if (round.counterexample) {
      one["counterexample_length"] = round.length;
      one["feasible"] = round.feasible;
    }
    json refinements = json::array();
    for (const RefinementReport& f : round.refinements) {
      json x;
      x["length"] = f.length;
      x["executed"] = f.executed;
      x["why"] = f.why;
      x["initial_relevant"] = f.initial;
      x["initial_number"] = f.initial_number;
      x["relevant"] = f.relevant;
      x["refiner"] = f.refiner;
      x["step"] = f.step;
      x["expression"] = f.expression;
      x["split"] = f.split;
      refinements.push_back(std::move(x));
    }
    one["refinements"] = std::move(refinements);
    rounds.push_back(std::move(one));
  }
  j["rounds"] = std::move(rounds);
  j["precision"] = cegar::to_json(s, r.precision);
  return j;
}

}  // namespace parley::report
