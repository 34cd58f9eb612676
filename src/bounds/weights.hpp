// The boundedness test without enumerating cycles, and its dual: weights. A weight y_k >= 0 per kind of
// content such that no cycle of any component gains weight bounds the weighted content for ever; the longest
// path from the initial nodes gives the number. [leue2005, section 2] asks the primal question (does a
// combination of cycles produce something and consume nothing?); linear programming duality makes the two
// answers exclusive.
//
// How: a master program over the weights only, solved exactly; cycles and paths enter it when a longest-path
// search under the current weights finds them violated (cutting planes). So the counterexample is a
// combination of elementary cycles, as in the paper, although they were never listed; and the proof is the
// weights alone, checkable with additions. Ledgers have weights of either sign.
//
// Sound and complete for the abstraction; terminates, since a finite graph has finitely many elementary
// cycles and simple paths and every cut is violated strictly. `stop` ends it early.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "bounds/flow_graph.hpp"
#include "solver/ilp/program.hpp"

namespace parley::bounds {

using solver::ilp::Rational;

// Weighted content never exceeds `value`; floor(value) bounds the targets' total content.
struct WeightBound {
  std::vector<Rational> weights;                  // by kind
  std::vector<std::vector<Rational>> potentials;  // by component and node: heaviest way to get there
  Rational value;
  std::int64_t limit = 0;  // floor(value)
};

struct Decision {
  bool complete = false;        // false: stopped
  std::vector<bool> boundable;  // by kind; meaningful for message kinds
  std::size_t cuts = 0;         // cycles that were looked at
};

class WeightSolver {
 public:
  WeightSolver(const FlowGraph& graph, std::function<bool()> stop);
  ~WeightSolver();

  // Which kinds no combination of cycles can pump up.
  Decision decide();
  // The best bound on the total content of the targets (all of them boundable). Nothing if stopped first.
  std::optional<WeightBound> bound(const std::vector<std::uint32_t>& targets);
  // A combination of cycles, with smallest total number of executions, that adds to the targets' content and
  // consumes nothing on balance. Empty if there is none. Only after decide().
  std::vector<CycleRun> counterexample(const std::vector<std::uint32_t>& targets);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// The weights' own arithmetic, exactly: heaviest paths, or nothing if a cycle gains weight.
std::optional<WeightBound> evaluate_weights(const FlowGraph& graph, const std::vector<Rational>& weights);

}  // namespace parley::bounds
