#include "bounds/published/graph.hpp"

#include <fmt/format.h>

#include <map>
#include <numeric>
#include <set>
#include <tuple>

namespace parley::bounds::published {

namespace {

// Statements that meet, as classes that grow together.
class Meetings {
 public:
  // A statement of a component: where it leads, and what the user wrote.
  using Statement = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, system::ElementId>;

  void meet(system::ActionId action, const Statement& s) {
    const auto [at, fresh] = first_.try_emplace(action, number(s));
    if (!fresh) parent_[root(at->second)] = root(number(s));
  }
  std::size_t type(const Statement& s) { return root(number(s)); }

 private:
  std::size_t number(const Statement& s) {
    const auto [at, fresh] = numbers_.try_emplace(s, parent_.size());
    if (fresh) parent_.push_back(parent_.size());
    return at->second;
  }
  std::size_t root(std::size_t x) const {
    while (parent_[x] != x) x = parent_[x];
    return x;
  }

  std::map<Statement, std::size_t> numbers_;
  std::map<system::ActionId, std::size_t> first_;
  std::vector<std::size_t> parent_;
};

}  // namespace

FlowGraph graph_of(const system::System& s, const Extraction& x) {
  FlowGraph g = x.graph;
  // +1: the sender's half, -1: the receiver's, 0: no rendezvous.
  const auto half = [&](const Edge& e) -> std::int64_t {
    if (!e.action.valid() || !s.action(e.action).partner.valid()) return 0;
    for (const auto& [k, amount] : e.effect)
      if (x.graph.kinds[k].sort == KindSort::Ledger && x.graph.kinds[k].action == e.action)
        return amount > 0 ? 1 : -1;
    return 0;
  };
  const auto statement = [&](std::uint32_t component, const Edge& e, bool sender) {
    const auto& elements = s.action(e.action).elements;
    return Meetings::Statement(component, e.from, e.to,
                               elements.empty() ? system::ElementId{}
                               : sender         ? elements.front()
                                                : elements.back());
  };
  Meetings meetings;
  for (std::uint32_t c = 0; c < g.components.size(); ++c)
    for (const Edge& e : g.components[c].edges)
      if (const std::int64_t h = half(e)) meetings.meet(e.action, statement(c, e, h > 0));

  std::map<std::size_t, std::uint32_t> kinds;  // by type
  for (std::uint32_t c = 0; c < g.components.size(); ++c) {
    std::vector<Edge> edges;
    std::set<Meetings::Statement> seen;
    for (Edge& e : g.components[c].edges) {
      const std::int64_t h = half(e);
      std::erase_if(e.effect, [&](const auto& a) { return g.kinds[a.first].sort != KindSort::Message; });
      if (h != 0) {
        const Meetings::Statement here = statement(c, e, h > 0);
        if (!seen.insert(here).second) continue;
        const auto [at, fresh] =
            kinds.try_emplace(meetings.type(here), static_cast<std::uint32_t>(g.kinds.size()));
        if (fresh) {
          Kind k;
          k.sort = KindSort::Ledger;
          k.action = e.action;
          k.name = fmt::format("rendezvous {}", kinds.size());
          g.kinds.push_back(std::move(k));
        }
        add_to(e.effect, at->second, h);
      }
      edges.push_back(std::move(e));
    }
    g.components[c].edges = std::move(edges);
  }
  return g;
}

}  // namespace parley::bounds::published
