// The weights argument of a boundedness test from the first graphs to the last refinement: extracts the
// control graphs, asks the linear program which queues no combination of cycles can pump up, refines the
// graphs by its counterexamples (refine.hpp), and tries trees of weights where one set does not do
// (phases.hpp). Used by bounds.cpp, which decides when; settle.hpp makes answers of what is known in the end.
#pragma once

#include <set>

#include "bounds/bounds.hpp"
#include "bounds/extract.hpp"
#include "bounds/phases.hpp"
#include "bounds/refine.hpp"
#include "bounds/schedule.hpp"
#include "bounds/weights.hpp"

namespace parley::bounds {

class Weighing {
 public:
  // Takes note of sizes, counterexamples and refinements in the report.
  Weighing(SystemFacts& facts, const Options& options, const RaceClock& clock, BoundsReport& report)
      : facts_(facts), o_(options), clock_(clock), report_(report) {}

  // The graphs as they are.
  void start(const Turn& turn);
  // Refinement by data first: it gives the better limits. What is left may be settled by how cycles hang
  // together; if not, the connected counterexamples show more that could be looked at. `unsettled`: which
  // queues are worth it, asked again after every step.
  void refine_and_connect(const Turn& turn, const std::function<std::vector<system::QueueId>()>& unsettled);
  // A program without the cuts of earlier questions, for the limits. False: the time was over before.
  bool ask_for_limits(const Turn& turn);

  bool has_graphs() const { return extraction_.has_value(); }
  bool complete() const { return decision_.complete; }
  bool weighed(system::QueueId queue) const;  // by one set of weights
  bool phased(system::QueueId queue) const;   // by a tree of them
  bool settles(system::QueueId queue) const { return weighed(queue) || phased(queue); }

  // Cycles that together might pump the queue up. Only if complete; the program stops at that share.
  std::vector<CycleRun> counterexample(system::QueueId queue, double finish);

  // Only with graphs.
  const Extraction& extraction() const { return *extraction_; }
  const FlowGraph& graph() const { return extraction_->graph; }
  const std::optional<PhaseProof>& phases() const { return phases_; }
  WeightSolver& solver() { return *solver_; }

 private:
  void make_solver(double finish);
  void decide(double finish);
  void refine(const Turn& turn, const std::function<std::vector<system::QueueId>()>& unsettled,
              std::set<Refinement>& banned);
  void connect();
  bool apply_one(const Turn& turn, const std::vector<CycleRun>& runs, std::set<Refinement>& banned);
  std::vector<Refinement> twins(const TrackCell& t) const;
  bool rebuild(const Turn& turn, const std::vector<Refinement>& batch);

  SystemFacts& facts_;
  const Options& o_;
  const RaceClock& clock_;
  BoundsReport& report_;
  std::optional<Extraction> extraction_;
  std::unique_ptr<WeightSolver> solver_;
  double solver_finish_ = 0;  // who asks later gives it more
  Decision decision_;
  std::optional<PhaseProof> phases_;  // of this extraction
};

}  // namespace parley::bounds
