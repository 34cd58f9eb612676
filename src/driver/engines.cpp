#include "driver/engines.hpp"

#include <algorithm>

#include "bounds/engine.hpp"
#include "cegar/engine.hpp"
#include "driver/relay.hpp"
#include "explore/explore.hpp"
#include "symbolic/engines.hpp"

namespace parley::driver {
namespace {

std::unique_ptr<engine::Engine> make_explorer(explore::SearchOrder order) {
  explore::SearchOptions options;
  options.order = order;
  return std::make_unique<explore::Explorer>(options);
}

std::unique_ptr<engine::Engine> make_bmc(const EngineOptions& o) {
  symbolic::BmcOptions options;
  options.bound = o.bound;
  if (!o.steps.empty()) {
    const auto steps = symbolic::parse_steps(o.steps);
    if (!steps) return nullptr;
    options.steps = *steps;
  }
  if (!o.order.empty()) {
    options.order = symbolic::parse_action_order(o.order);
    if (!options.order) return nullptr;
  }
  if (!o.solver.empty()) {
    const auto solver = symbolic::parse_solver(o.solver);
    if (!solver) return nullptr;
    options.solver = *solver;
  }
  return symbolic::make_bmc(options);
}

template <class Options>
bool set_proof_options(const EngineOptions& o, Options& options) {
  options.bound = o.bound;
  if (o.solver.empty()) return true;
  const auto solver = symbolic::parse_solver(o.solver);
  if (solver) options.solver = *solver;
  return solver.has_value();
}

std::unique_ptr<engine::Engine> make_kind(const EngineOptions& o) {
  symbolic::InductionOptions options;
  return set_proof_options(o, options) ? symbolic::make_kind(options) : nullptr;
}

std::unique_ptr<engine::Engine> make_ic3(const EngineOptions& o) {
  symbolic::Ic3Options options;
  return set_proof_options(o, options) ? symbolic::make_ic3(options) : nullptr;
}

// Exhaustive search answers small models before anything else starts, so that their answers are always its.
constexpr double kHeadStart = 2.0;
constexpr double kRefinement = 4.0;
constexpr double kBugHunt = 8.0;

// The second core: where integers are wide the refinement loop, which answers at once or hardly ever, then a
// hunt for bugs, then a proof.
std::unique_ptr<engine::Engine> make_relay(const EngineOptions& o) {
  std::vector<Leg> legs;
  legs.push_back({std::make_unique<cegar::CegarEngine>(o.cegar), kRefinement, true});
  legs.push_back({make_bmc(o), kBugHunt, false});
  legs.push_back({make_ic3(o), std::nullopt, false});
  return std::make_unique<Relay>(std::move(legs), kHeadStart);
}

}  // namespace

const std::vector<std::string>& engine_names() {
  static const std::vector<std::string> names = {"explicit", "dfs",   "bmc",    "kind",
                                                 "ic3",      "cegar", "bounds", "relay"};
  return names;
}

std::unique_ptr<engine::Engine> make_engine(const std::string& name, const EngineOptions& options) {
  if (name == "explicit") return make_explorer(explore::SearchOrder::BreadthFirst);
  if (name == "dfs") return make_explorer(explore::SearchOrder::DepthFirst);
  if (name == "bmc") return make_bmc(options);
  if (name == "kind") return make_kind(options);
  if (name == "ic3") return make_ic3(options);
  if (name == "relay") return make_relay(options);
  if (name == "cegar") return std::make_unique<cegar::CegarEngine>(options.cegar);
  if (name == "bounds")
    return std::make_unique<bounds::BoundsEngine>(make_explorer(explore::SearchOrder::BreadthFirst),
                                                  make_ic3(options));
  return nullptr;
}

std::vector<std::string> default_portfolio(const system::System& system) {
  const bool asks_for_bounds = std::any_of(
      system.properties.begin(), system.properties.end(),
      [](const system::Property& p) { return p.kind == system::PropertyKind::NoUnboundedQueues; });
  if (asks_for_bounds) return {"explicit", "relay", "bounds"};
  return {"explicit", "relay"};
}

}  // namespace parley::driver
