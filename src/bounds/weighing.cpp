#include "bounds/weighing.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bounds/cycles.hpp"

namespace parley::bounds {

using system::QueueId;

void Weighing::start(const Turn& turn) {
  try {
    GraphLimits limits{o_.max_nodes * 5, 200000, clock_.until(turn.until)};
    extraction_ = extract(facts_, coarsest(facts_.system), limits);
  } catch (const TooWide& e) {
    report_.note = fmt::format("no linear program: {}", e.what());
    return;
  }
  const FlowGraph& g = extraction_->graph;
  report_.nodes = g.node_count();
  report_.edges = g.edge_count();
  report_.kinds = static_cast<std::size_t>(std::count_if(
      g.kinds.begin(), g.kinds.end(), [](const Kind& k) { return k.sort == KindSort::Message; }));
  const CycleList cycles = elementary_cycles(g, o_.max_cycles);
  report_.cycles = cycles.cycles.size();
  report_.cycles_complete = cycles.complete;
  decide(turn.finish);
}

void Weighing::make_solver(double finish) {
  solver_finish_ = finish;
  solver_ =
      std::make_unique<WeightSolver>(extraction_->graph, [this] { return clock_.past(solver_finish_); });
}

void Weighing::decide(double finish) {
  make_solver(finish);
  decision_ = solver_->decide();
}

bool Weighing::ask_for_limits(const Turn& turn) {
  if (!decision_.complete) {
    if (report_.note.empty() && !clock_.closed_beside()) report_.note = "the linear program ran out of time";
    return false;
  }
  make_solver(turn.finish);
  solver_->decide();
  return true;
}

bool Weighing::weighed(QueueId q) const {
  if (!decision_.complete) return false;
  for (std::uint32_t k : extraction_->graph.kinds_of(q))
    if (!decision_.boundable[k]) return false;
  return true;
}

bool Weighing::phased(QueueId q) const {
  if (!phases_ || phases_->bounded.empty()) return false;
  for (std::uint32_t k : extraction_->graph.kinds_of(q))
    if (!phases_->bounded[k]) return false;
  return true;
}

std::vector<CycleRun> Weighing::counterexample(QueueId q, double finish) {
  solver_finish_ = finish;
  std::vector<std::uint32_t> targets;
  for (std::uint32_t k : extraction_->graph.kinds_of(q))
    if (!decision_.boundable[k]) targets.push_back(k);
  return solver_->counterexample(targets);
}

void Weighing::refine_and_connect(const Turn& turn, const std::function<std::vector<QueueId>()>& unsettled) {
  std::set<Refinement> banned;
  while (true) {
    refine(turn, unsettled, banned);
    if (!decision_.complete || unsettled().empty() || clock_.past(turn.finish)) return;
    connect();
    if (unsettled().empty() || clock_.past(turn.until) || report_.refinements >= o_.max_refinements) return;
    bool advanced = false;
    for (const std::vector<CycleRun>& runs : std::vector(phases_->standing))
      if (apply_one(turn, runs, banned)) {
        advanced = true;
        break;
      }
    if (!advanced) return;
  }
}

void Weighing::connect() {
  const FlowGraph graph = started(extraction_->graph, extraction_->components.size());
  phases_ = prove_by_phases(graph, {200, clock_.until(kPhasesUntil)});
  report_.counterexamples += phases_->standing.size();
}

void Weighing::refine(const Turn& turn, const std::function<std::vector<QueueId>()>& unsettled,
                      std::set<Refinement>& banned) {
  while (decision_.complete && report_.refinements < o_.max_refinements && !clock_.past(turn.until)) {
    bool advanced = false;
    const std::vector<QueueId> todo = unsettled();
    if (todo.empty()) return;
    for (QueueId q : todo) {
      if (clock_.past(turn.until)) return;
      const std::vector<CycleRun> runs = counterexample(q, turn.finish);
      if (runs.empty()) continue;
      ++report_.counterexamples;
      if (apply_one(turn, runs, banned)) {
        advanced = true;
        break;  // the graph has changed: ask again
      }
    }
    if (!advanced) return;
  }
}

// Refines by the cheapest candidate that does not blow up. Cells of other components that look alike (same
// name behind the dot, same type of owner) come along, so that symmetric systems need one round.
bool Weighing::apply_one(const Turn& turn, const std::vector<CycleRun>& runs, std::set<Refinement>& banned) {
  while (true) {
    const std::vector<RatedRefinement> list = candidates(facts_, *extraction_, runs, banned);
    if (list.empty()) return false;
    const Refinement first = list.front().what;
    std::vector<Refinement> batch{first};
    if (const auto* t = std::get_if<TrackCell>(&first))
      for (const Refinement& twin : twins(*t))
        if (!banned.contains(twin)) batch.push_back(twin);
    banned.insert(batch.begin(), batch.end());
    if (!rebuild(turn, batch)) continue;
    report_.refinements += 1;
    report_.refinement_log.push_back(
        describe(facts_.system, extraction_->precision, first) +
        (batch.size() > 1 ? fmt::format(" (and {} alike)", batch.size() - 1) : ""));
    decide(turn.finish);
    return true;
  }
}

namespace {

std::string behind_dot(const std::string& name) {
  return name.substr(name.find('.') + 1);
}

// Closer looks nearly always find less; ranges by widening may be an exception.
bool covers(const ParamRanges& all, const ParamRanges& some) {
  for (const auto& [key, ranges] : some.known) {
    const std::vector<Interval>* known = all.of(key.first, key.second);
    if (known == nullptr) return false;
    for (std::size_t i = 0; i < ranges.size(); ++i)
      if (!(*known)[i].contains(ranges[i])) return false;
  }
  return true;
}

}  // namespace

std::vector<Refinement> Weighing::twins(const TrackCell& t) const {
  const system::System& s = facts_.system;
  std::vector<Refinement> found;
  const auto& plans = extraction_->precision.components;
  const system::Owner& mine = s.owner(plans[t.component].owners[0]);
  const system::Cell& cell = s.cell(t.cell);
  if (!cell.owner.valid() || cell.owner != plans[t.component].owners[0]) return found;
  for (std::uint32_t m = 0; m < plans.size(); ++m) {
    const system::OwnerId other = plans[m].owners[0];
    if (m == t.component || s.owner(other).type_name != mine.type_name) continue;
    for (std::size_t c = 0; c < s.cells.size(); ++c)
      if (s.cells[c].owner == other && s.cells[c].type == cell.type &&
          behind_dot(s.cells[c].name) == behind_dot(cell.name) &&
          std::find(plans[m].tracked.begin(), plans[m].tracked.end(), system::CellId(c)) ==
              plans[m].tracked.end())
        found.push_back(TrackCell{m, system::CellId(c)});
  }
  return found;
}

bool Weighing::rebuild(const Turn& turn, const std::vector<Refinement>& batch) {
  Precision next = extraction_->precision;
  for (const Refinement& r : batch) next = refined(std::move(next), r);
  ParamRanges sent;
  const GraphLimits limits{o_.max_nodes, 60000, clock_.until(turn.until), facts_.params ? &sent : nullptr};
  try {
    auto parts = extraction_->components;
    if (std::holds_alternative<SplitParam>(batch[0])) {
      for (std::size_t m = 0; m < parts.size(); ++m)
        parts[m] = std::make_shared<const ComponentGraph>(
            build_component(facts_, next.components[m], next.splits, limits));
    } else {
      for (const Refinement& r : batch) {
        const std::uint32_t m = std::get<TrackCell>(r).component;
        parts[m] = std::make_shared<const ComponentGraph>(
            build_component(facts_, next.components[m], next.splits, limits));
      }
    }
    if (facts_.params && !covers(*facts_.params, sent)) return false;
    extraction_ = assemble(facts_, next, std::move(parts));
    phases_.reset();
    return true;
  } catch (const TooWide&) {
    return false;
  }
}

}  // namespace parley::bounds
