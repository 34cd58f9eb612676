#include "lower/partitions.hpp"

#include <algorithm>
#include <map>

namespace parley::lower {

using model::PartitionDecl;

namespace {

std::size_t depth(const Context& c, ClassId id) {
  std::size_t n = 0;
  for (; id.valid(); id = c.model.of(id).base_class) ++n;
  return n;
}

}  // namespace

// An object's own partition is preferred to that of its class, and a subclass's to that of its base.
void add_partitions(Context& c) {
  std::map<CellId, std::pair<std::size_t, const PartitionDecl*>> cells;  // with how special it is
  std::map<std::pair<SignalId, std::uint32_t>, const PartitionDecl*> params;
  for (const PartitionDecl& p : c.model.partitions) {
    for (const Object& o : c.objects) {
      const bool by_class = p.of_class.valid() && model::is_a(c.model, o.of_class, p.of_class);
      const bool by_object = p.of_object && c.model.objects[o.number].declaration == *p.of_object;
      if (by_class || by_object) {
        const std::size_t special = by_object ? SIZE_MAX : depth(c, p.of_class);
        for (CellId cell : o.attributes[p.index]) {
          auto& best = cells[cell];
          if (best.second == nullptr || special >= best.first) best = {special, &p};
        }
      }
      if (p.of_signal.valid() && p.of_signal.index() < o.signals.size())
        params[{o.signals[p.of_signal.index()], p.index}] = &p;
    }
  }
  const auto add = [&c](system::DataPartition d, const PartitionDecl& p) {
    d.exact = p.kind == PartitionDecl::Kind::Exact;
    d.starts = p.starts;
    c.system.partitions.push_back(std::move(d));
  };
  for (const auto& [cell, best] : cells) add({cell, {}, 0, false, {}}, *best.second);
  for (const auto& [param, p] : params) add({{}, param.first, param.second, false, {}}, *p);
}

}  // namespace parley::lower
