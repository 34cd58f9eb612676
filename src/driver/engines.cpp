#include "driver/engines.hpp"

#include <algorithm>

#include "bounds/engine.hpp"
#include "cegar/engine.hpp"
#include "driver/relay.hpp"
#include "explore/explore.hpp"
#include "explore/temporal.hpp"
#include "support/check.hpp"
#include "symbolic/engines.hpp"

namespace parley::driver {
namespace {

std::unique_ptr<engine::Engine> make_explorer(explore::SearchOrder order, const EngineOptions& o = {}) {
  explore::SearchOptions options;
  options.order = order;
  return std::make_unique<explore::Explorer>(options, o.all_states);
}

std::unique_ptr<engine::Engine> make_bmc(const EngineOptions& o) {
  symbolic::BmcOptions options;
  options.bound = o.bound;
  options.steps = o.steps.value_or(options.steps);
  options.order = o.order;
  options.solver = o.solver.value_or(options.solver);
  return symbolic::make_bmc(options);
}

std::unique_ptr<engine::Engine> make_kind(const EngineOptions& o) {
  symbolic::InductionOptions options;
  options.bound = o.bound;
  options.solver = o.solver.value_or(options.solver);
  return symbolic::make_kind(options);
}

std::unique_ptr<engine::Engine> make_ic3(const EngineOptions& o) {
  symbolic::Ic3Options options;
  options.bound = o.bound;
  options.solver = o.solver.value_or(options.solver);
  return symbolic::make_ic3(options);
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

bool asks(const system::System& system, system::PropertyKind kind) {
  return std::any_of(system.properties.begin(), system.properties.end(),
                     [&](const system::Property& p) { return p.kind == kind; });
}

}  // namespace

std::unique_ptr<engine::Engine> make_engine(EngineKind kind, const EngineOptions& options) {
  switch (kind) {
    case EngineKind::BreadthFirst:
      return make_explorer(explore::SearchOrder::BreadthFirst, options);
    case EngineKind::DepthFirst:
      return make_explorer(explore::SearchOrder::DepthFirst, options);
    case EngineKind::Temporal:
      return std::make_unique<explore::TemporalExplorer>();
    case EngineKind::Bmc:
      return make_bmc(options);
    case EngineKind::KInduction:
      return make_kind(options);
    case EngineKind::Ic3:
      return make_ic3(options);
    case EngineKind::Cegar:
      return std::make_unique<cegar::CegarEngine>(options.cegar);
    case EngineKind::Bounds:
      return std::make_unique<bounds::BoundsEngine>(make_explorer(explore::SearchOrder::BreadthFirst),
                                                    make_ic3(options));
    case EngineKind::Relay:
      return make_relay(options);
  }
  PARLEY_CHECK_MSG(false, "no such engine");
  return nullptr;
}

void add_temporal_search(const system::System& system, std::vector<EngineKind>& kinds) {
  const auto has = [&](EngineKind kind) {
    return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
  };
  if (asks(system, system::PropertyKind::Temporal) && !has(EngineKind::Temporal) &&
      (has(EngineKind::BreadthFirst) || has(EngineKind::DepthFirst)))
    kinds.push_back(EngineKind::Temporal);
}

std::vector<EngineKind> default_portfolio(const system::System& system) {
  std::vector<EngineKind> portfolio{EngineKind::BreadthFirst, EngineKind::Relay};
  add_temporal_search(system, portfolio);
  if (asks(system, system::PropertyKind::NoUnboundedQueues)) portfolio.push_back(EngineKind::Bounds);
  return portfolio;
}

}  // namespace parley::driver
