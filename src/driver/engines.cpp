#include "driver/engines.hpp"

#include "cegar/engine.hpp"
#include "explore/explore.hpp"
#include "symbolic/engines.hpp"

namespace parley::driver {
namespace {

std::unique_ptr<engine::Engine> make_explorer(explore::Order order) {
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
    options.order = symbolic::parse_order(o.order);
    if (!options.order) return nullptr;
  }
  if (!o.solver.empty()) {
    const auto solver = symbolic::parse_solver(o.solver);
    if (!solver) return nullptr;
    options.solver = *solver;
  }
  return symbolic::make_bmc(options);
}

}  // namespace

const std::vector<std::string>& engine_names() {
  static const std::vector<std::string> names = {"explicit", "dfs", "bmc", "cegar"};
  return names;
}

std::unique_ptr<engine::Engine> make_engine(const std::string& name, const EngineOptions& options) {
  if (name == "explicit") return make_explorer(explore::Order::BreadthFirst);
  if (name == "dfs") return make_explorer(explore::Order::DepthFirst);
  if (name == "bmc") return make_bmc(options);
  if (name == "cegar") return std::make_unique<cegar::CegarEngine>();
  return nullptr;
}

std::vector<std::string> default_portfolio(const system::System&) {
  return {"explicit"};
}

}  // namespace parley::driver
