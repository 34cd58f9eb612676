#include "bounds/cycles.hpp"

#include <algorithm>

namespace parley::bounds {

namespace {

std::vector<std::vector<std::uint32_t>> outgoing(const Component& c) {
  std::vector<std::vector<std::uint32_t>> out(c.nodes.size());
  for (std::uint32_t e = 0; e < c.edges.size(); ++e) out[c.edges[e].from].push_back(e);
  return out;
}

// Tarjan's algorithm over the nodes with number >= first, without recursion.
class Tarjan {
 public:
  Tarjan(const Component& c, const std::vector<std::vector<std::uint32_t>>& out, std::uint32_t first)
      : c_(c),
        out_(out),
        first_(first),
        index_(c.nodes.size(), 0),
        low_(c.nodes.size(), 0),
        on_stack_(c.nodes.size(), 0),
        number(c.nodes.size(), kNone) {
    for (std::uint32_t v = first; v < c.nodes.size(); ++v)
      if (index_[v] == 0) visit(v);
  }
  static constexpr std::uint32_t kNone = 0xffffffffU;

 private:
  void visit(std::uint32_t root) {
    std::vector<std::pair<std::uint32_t, std::size_t>> calls;
    open(root, calls);
    while (!calls.empty()) {
      const std::uint32_t v = calls.back().first;
      if (calls.back().second < out_[v].size()) {
        const std::uint32_t w = c_.edges[out_[v][calls.back().second++]].to;
        if (w < first_) continue;
        if (index_[w] == 0)
          open(w, calls);
        else if (on_stack_[w])
          low_[v] = std::min(low_[v], index_[w]);
        continue;
      }
      calls.pop_back();
      if (!calls.empty()) low_[calls.back().first] = std::min(low_[calls.back().first], low_[v]);
      if (low_[v] != index_[v]) continue;
      std::uint32_t w = 0;
      do {
        w = stack_.back();
        stack_.pop_back();
        on_stack_[w] = 0;
        number[w] = count_;
      } while (w != v);
      ++count_;
    }
  }
  void open(std::uint32_t v, std::vector<std::pair<std::uint32_t, std::size_t>>& calls) {
    index_[v] = low_[v] = ++next_;
    stack_.push_back(v);
    on_stack_[v] = 1;
    calls.emplace_back(v, 0);
  }

  const Component& c_;
  const std::vector<std::vector<std::uint32_t>>& out_;
  std::uint32_t first_;
  std::vector<std::uint32_t> index_, low_;
  std::vector<char> on_stack_;
  std::vector<std::uint32_t> stack_;
  std::uint32_t next_ = 0, count_ = 0;

 public:
  std::vector<std::uint32_t> number;
};

class Johnson {
 public:
  Johnson(const FlowGraph& g, std::uint32_t component, std::size_t limit, CycleList& list)
      : c_(g.components[component]),
        component_(component),
        limit_(limit),
        list_(list),
        out_(outgoing(c_)),
        blocked_(c_.nodes.size(), 0),
        waiting_(c_.nodes.size()) {}

  void run() {
    for (start_ = 0; start_ < c_.nodes.size() && list_.complete; ++start_) {
      scc_ = Tarjan(c_, out_, start_).number;
      std::fill(blocked_.begin(), blocked_.end(), 0);
      for (auto& w : waiting_) w.clear();
      circuit(start_);
    }
  }

 private:
  bool circuit(std::uint32_t v) {
    bool found = false;
    blocked_[v] = 1;
    for (std::uint32_t e : out_[v]) {
      const std::uint32_t w = c_.edges[e].to;
      if (w < start_ || scc_[w] != scc_[start_]) continue;
      path_.push_back(e);
      if (w == start_) {
        found = true;
        emit();
      } else if (!blocked_[w] && circuit(w)) {
        found = true;
      }
      path_.pop_back();
      if (!list_.complete) return found;
    }
    if (found) {
      unblock(v);
    } else {
      for (std::uint32_t e : out_[v]) {
        const std::uint32_t w = c_.edges[e].to;
        if (w < start_ || scc_[w] != scc_[start_]) continue;
        if (std::find(waiting_[w].begin(), waiting_[w].end(), v) == waiting_[w].end())
          waiting_[w].push_back(v);
      }
    }
    return found;
  }
  void unblock(std::uint32_t v) {
    blocked_[v] = 0;
    std::vector<std::uint32_t> list = std::move(waiting_[v]);
    waiting_[v].clear();
    for (std::uint32_t w : list)
      if (blocked_[w]) unblock(w);
  }
  void emit() {
    if (list_.cycles.size() == limit_) {
      list_.complete = false;
      return;
    }
    CycleRun run;
    run.component = component_;
    run.edges = path_;
    for (std::uint32_t e : path_) add_to(run.effect, c_.edges[e].effect);
    list_.cycles.push_back(std::move(run));
  }

  const Component& c_;
  std::uint32_t component_;
  std::size_t limit_;
  CycleList& list_;
  std::vector<std::vector<std::uint32_t>> out_;
  std::vector<char> blocked_;
  std::vector<std::vector<std::uint32_t>> waiting_;
  std::vector<std::uint32_t> path_, scc_;
  std::uint32_t start_ = 0;
};

}  // namespace

std::vector<std::uint32_t> strong_components(const Component& component) {
  const auto out = outgoing(component);
  return Tarjan(component, out, 0).number;
}

CycleList elementary_cycles(const FlowGraph& graph, std::uint32_t component, std::size_t limit) {
  CycleList list;
  Johnson(graph, component, limit, list).run();
  return list;
}

CycleList elementary_cycles(const FlowGraph& graph, std::size_t limit) {
  CycleList list;
  for (std::uint32_t m = 0; m < graph.components.size() && list.complete; ++m)
    Johnson(graph, m, limit, list).run();
  return list;
}

}  // namespace parley::bounds
