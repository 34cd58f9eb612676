#include "cegar/precision_json.hpp"

namespace parley::cegar {

nlohmann::ordered_json to_json(const system::System& s, const domain::Precision& p) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const auto& [v, part] : p.partitions()) {
    if (v.kind == domain::Variable::Kind::Local && part.size() == 1) continue;
    list.push_back(
        {{"variable", domain::show(s, v)}, {"cells_start_at", part.starts()}, {"last", part.range().hi}});
  }
  return list;
}

}  // namespace parley::cegar
