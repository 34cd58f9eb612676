// The test as published, in words and in JSON.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "diag/diagnostic.hpp"
#include "report/bounds_report.hpp"

namespace parley::report {

using bounds::CycleRun;
using bounds::show_cycle;
using bounds::show_effect;
using bounds::published::Answer;
using bounds::published::Report;
using bounds::published::SetAside;
using bounds::published::Undecided;

namespace {

std::size_t other(const Report& r) {
  return r.undecided(Undecided::SharedData) + r.undecided(Undecided::Conditions);
}

}  // namespace

std::string text(const bounds::published::Run& run) {
  const Report& r = run.report;
  std::string answer = word(r.answer);
  if (r.answer != Answer::Stopped)
    std::transform(answer.begin(), answer.end(), answer.begin(),
                   [](unsigned char c) { return std::toupper(c); });
  std::string out = fmt::format(
      "as published: {}, {} cycles, {} programs; {} counterexamples: {} spurious, not decided {} for "
      "received data, {} for executions, {} for other reasons, {} without any condition\n",
      answer, r.cycles.size(), r.programs, r.counterexamples, r.spurious,
      r.undecided(Undecided::ReceivedData), r.undecided(Undecided::Executions), other(r),
      r.undecided(Undecided::Unguarded));
  for (std::size_t i = 0; i < r.log.size(); ++i)
    out += fmt::format("    {}. {}\n", i + 1, diag::sanitise(r.log[i]));
  if (!r.limit.empty()) out += fmt::format("    ended at its limit: {}\n", r.limit);
  if (r.set_aside.empty()) return out;
  out += "    the first that was not decided:\n";
  for (const CycleRun& c : r.set_aside.front().cycles)
    out += fmt::format("        {} goes round {}, {} times\n",
                       diag::sanitise(run.graph.components[c.component].name),
                       diag::sanitise(show_cycle(run.graph.components[c.component], c.edges)), c.times);
  return out;
}

nlohmann::ordered_json to_json(const bounds::published::Run& run) {
  const Report& r = run.report;
  nlohmann::ordered_json j = {{"answer", word(r.answer)},
                              {"cycles", r.cycles.size()},
                              {"programs", r.programs},
                              {"counterexamples", r.counterexamples},
                              {"spurious", r.spurious},
                              {"received_data", r.undecided(Undecided::ReceivedData)},
                              {"executions", r.undecided(Undecided::Executions)}};
  j["other"] = other(r);
  j["unguarded"] = r.undecided(Undecided::Unguarded);
  j["limit"] = r.limit;
  j["log"] = r.log;
  j["set_aside"] = nlohmann::ordered_json::array();
  for (const SetAside& a : r.set_aside) {
    nlohmann::ordered_json x = {{"why", word(a.why)}, {"reason", a.reason}};
    x["cycles"] = nlohmann::ordered_json::array();
    for (const CycleRun& c : a.cycles)
      x["cycles"].push_back({{"component", run.graph.components[c.component].name},
                             {"path", show_cycle(run.graph.components[c.component], c.edges)},
                             {"effect", show_effect(run.graph, c.effect)},
                             {"times", c.times}});
    j["set_aside"].push_back(std::move(x));
  }
  return j;
}

}  // namespace parley::report
