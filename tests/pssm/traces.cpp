#include "pssm/traces.hpp"

#include <map>

#include "lower/lower.hpp"
#include "model/resolve.hpp"
#include "semantics/interpreter.hpp"

namespace parley::conformance {
namespace {

class Search {
 public:
  Search(const PssmTest& test, const system::System& system)
      : test_(test),
        system_(system),
        interpreter_(system, std::vector<std::uint32_t>(system.queues.size(), 32)) {
    for (std::size_t i = 0; i < system.cells.size(); ++i) {
      if (system.cells[i].name == "test.last") last_ = system::CellId(i);
    }
  }

  Traces run(const std::vector<std::string>& stimulus) {
    for (const auto& initial : interpreter_.initial_states()) {
      if (initial.result.outcome != semantics::Outcome::Done) {
        traces_.error = "the initial step fails: " + std::string(semantics::describe(initial.result.outcome));
        return traces_;
      }
      semantics::State state = initial.result.state;
      for (const auto& name : stimulus) {
        bool found = false;
        for (std::size_t s = 0; s < system_.signals.size() && !found; ++s) {
          if (system_.signals[s].name != name) continue;
          state.queues.front().push_back({system::SignalId(s), {}});
          found = true;
        }
        // A signal the machine does not know is lost on arrival.
      }
      walk(state, notes(initial.result));
    }
    return traces_;
  }

 private:
  std::vector<int> notes(const semantics::StepResult& result) const {
    std::vector<int> found;
    for (const auto& e : result.events) {
      if (e.kind == semantics::EventKind::Assigned && e.cell == last_) found.push_back(e.after);
    }
    return found;
  }

  void walk(const semantics::State& state, const std::vector<int>& so_far) {
    if (!traces_.error.empty() || !seen_.insert({state, so_far}).second) return;
    if (so_far.size() > 60 || seen_.size() > 200000) {
      traces_.error = "the run does not end";
      return;
    }
    bool moved = false;
    for (const auto& next : interpreter_.successors(state)) {
      if (system_.action(next.step.action).kind == system::ActionKind::Environment) continue;
      if (next.result.outcome != semantics::Outcome::Done) {
        traces_.error = "a step fails: " + std::string(semantics::describe(next.result.outcome));
        return;
      }
      moved = true;
      auto more = so_far;
      const auto noted = notes(next.result);
      more.insert(more.end(), noted.begin(), noted.end());
      walk(next.result.state, more);
    }
    if (moved) return;
    std::vector<std::string> labels;
    for (const int n : so_far) labels.push_back(test_.labels[static_cast<std::size_t>(n)]);
    traces_.all.insert(std::move(labels));
  }

  const PssmTest& test_;
  const system::System& system_;
  semantics::Interpreter interpreter_;
  system::CellId last_;
  std::set<std::pair<semantics::State, std::vector<int>>> seen_;
  Traces traces_;
};

}  // namespace

Traces all_traces(PssmTest& test, const std::vector<std::string>& stimulus) {
  Traces traces;
  diag::Diagnostics diagnostics;
  model::resolve(test.model, diagnostics);
  const auto lowered = test.model.resolved ? lower::lower(test.model, diagnostics) : std::nullopt;
  if (!lowered) {
    for (const auto& d : diagnostics.all()) {
      if (d.severity == diag::Severity::Error && traces.error.empty())
        traces.error = d.code + ": " + d.message;
    }
    return traces;
  }
  return Search(test, lowered->system).run(stimulus);
}

}  // namespace parley::conformance
