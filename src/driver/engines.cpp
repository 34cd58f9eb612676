#include "driver/engines.hpp"

#include "explore/explore.hpp"

namespace parley::driver {

const std::vector<std::string>& engine_names() {
  static const std::vector<std::string> names = {"explicit", "dfs"};
  return names;
}

std::unique_ptr<engine::Engine> make_engine(const std::string& name) {
  explore::SearchOptions options;
  if (name == "dfs") options.order = explore::Order::DepthFirst;
  if (name == "explicit" || name == "dfs") return std::make_unique<explore::Explorer>(options);
  return nullptr;
}

std::vector<std::string> default_portfolio(const system::System&) { return {"explicit"}; }

}  // namespace parley::driver
