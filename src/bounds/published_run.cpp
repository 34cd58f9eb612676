#include "bounds/published_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "bounds/extract.hpp"
#include "bounds/published_graph.hpp"
#include "diag/diagnostic.hpp"
#include "system/capacities.hpp"

namespace parley::bounds {

namespace {

// Message types are told apart from the start, as in the publication (the default test splits only when it
// has to): Promela's mtype in first position, if every statement writes it down. One that is passed on in a
// variable would make a statement an edge per type.
class MessageTypes {
 public:
  explicit MessageTypes(const system::System& s) : s_(s), written_(s.signals.size(), true) {
    for (const system::Action& a : s.actions) statement(a.body, a.trigger);
    if (s.initial_body.valid()) statement(s.initial_body, std::nullopt);
  }

  Precision precision() const {
    Precision p = coarsest(s_);
    for (std::size_t i = 0; i < s_.signals.size(); ++i) {
      const auto& params = s_.signals[i].params;
      if (!params.empty() && params[0].names != Id<void>::kNone && written_[i])
        p.splits.by_signal[i][0] = true;
    }
    return p;
  }

 private:
  bool is_type(system::ExprId e) const {
    const expr::Node& n = s_.exprs[e];
    if (n.op == expr::Op::Param) return n.a == 0;
    return (n.op == expr::Op::TruncU || n.op == expr::Op::TruncS) && is_type(n.operands[0]);
  }
  void statement(system::StmtId id, const std::optional<system::Trigger>& trigger) {
    const system::Stmt& st = s_.stmt(id);
    if (st.kind == system::StmtKind::Send && !st.args.empty() && s_.exprs[st.args[0]].op != expr::Op::Const)
      for (const system::Route& r : st.routes)
        if (r.signal.valid()) written_[r.signal.index()] = false;
    const bool stores = st.kind == system::StmtKind::Assign || st.kind == system::StmtKind::SetLocal;
    if (trigger && stores && is_type(st.value)) written_[trigger->signal.index()] = false;
    for (system::StmtId child : st.children) statement(child, trigger);
  }

  const system::System& s_;
  std::vector<bool> written_;  // by signal
};

}  // namespace

PublishedRun run_published(const system::System& original, PublishedOptions options) {
  const system::System s = system::without_capacities(original);
  SystemFacts facts(s, options.stop);
  GraphLimits limits;
  limits.stop = options.stop;
  const Extraction extraction = extract(facts, MessageTypes(s).precision(), limits);
  options.range = [&](std::uint32_t component, std::uint32_t node, system::CellId cell) {
    return range_at(extraction, component, node, cell);
  };
  options.start = [&](std::uint32_t component, system::CellId cell) {
    return start_at(extraction, component, cell);
  };
  PublishedRun run{published_graph(s, extraction), {}};
  run.report = published_test(s, run.graph, options);
  return run;
}

namespace {

std::size_t other(const PublishedReport& r) {
  return r.undecided(Undecided::SharedData) + r.undecided(Undecided::Conditions);
}

}  // namespace

std::string text(const PublishedRun& run) {
  const PublishedReport& r = run.report;
  std::string answer = word(r.answer);
  if (r.answer != PublishedAnswer::Stopped)
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

nlohmann::ordered_json to_json(const PublishedRun& run) {
  const PublishedReport& r = run.report;
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

}  // namespace parley::bounds
