// The exhaustive engine for temporal properties: searches the product of the compiled System with the
// automaton of the negated property (docs/temporal.md). A violation is a lasso, or a run that ends; the
// driver replays it and evaluates the formula on it. One property after another: each has its own product.
#pragma once

#include "engine/engine.hpp"

namespace parley::explore {

struct TemporalOptions {
  // After a violation without fairness: does it hold if objects are scheduled fairly? Said beside the
  // verdict.
  bool try_fairness = true;
  // After a proof: would it hold without some part of the formula? Said beside the verdict.
  bool try_vacuity = true;
};

class TemporalExplorer : public engine::Engine {
 public:
  explicit TemporalExplorer(TemporalOptions options = {}) : options_(options) {}
  engine::EngineKind kind() const override { return engine::EngineKind::Temporal; }
  std::vector<verdict::PropertyResult> check(const engine::Request& request) override;

 private:
  TemporalOptions options_;
};

}  // namespace parley::explore
