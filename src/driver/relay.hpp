// Engines one after another on one core: each gets the properties the earlier ones left open, and its share
// of time. The default portfolio runs one beside exhaustive search. It starts late, so that small models are
// always answered by the search and the same input gives the same output.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/engine.hpp"

namespace parley::driver {

struct Leg {
  std::unique_ptr<engine::Engine> engine;
  std::optional<double> seconds;  // its share; absent: whatever is left
  bool for_wide_integers =
      false;  // runs only where there are some: data abstraction has nothing to do elsewhere
};

class Relay : public engine::Engine {
 public:
  Relay(std::vector<Leg> legs, double head_start) : legs_(std::move(legs)), head_start_(head_start) {}

  engine::EngineKind kind() const override { return engine::EngineKind::Relay; }
  std::vector<verdict::PropertyResult> check(const engine::Request& request) override;

 private:
  std::vector<Leg> legs_;
  double head_start_;
};

}  // namespace parley::driver
