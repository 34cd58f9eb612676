// The part of a strongly connected component in which a run can go round for ever and be strongly fair: what
// can be taken infinitely often is taken. Where something is possible inside and never taken inside, the
// states in which it is possible are left out, and what remains is looked at again (emerson1987). Used by
// explore/emptiness.hpp for components that have all marks; the product is asked for their steps once more.
#pragma once

#include <unordered_map>

#include "explore/store.hpp"
#include "explore/temporal_product.hpp"

namespace parley::explore {

// A violation: the states that the loop may use, all strongly connected, and what it must contain.
struct BadComponent {
  std::vector<std::uint32_t> states;
  ltl::Marks marks = 0;     // accepting ones
  std::uint64_t taken = 0;  // strong fairness that must be taken inside, since it can be
};

template <class Product>
class FairPart {
 public:
  FairPart(Product& product, const StateStore& store, std::uint64_t strong)
      : product_(product), store_(store), strong_(strong) {}

  std::optional<BadComponent> of(const std::vector<std::uint32_t>& states) {
    load(states);
    std::vector<std::vector<std::uint32_t>> open{{}};
    for (std::uint32_t i = 0; i < graph_.size(); ++i) open.back().push_back(i);
    while (!open.empty()) {
      const std::vector<std::uint32_t> part = std::move(open.back());
      open.pop_back();
      for (const std::vector<std::uint32_t>& component : components(part)) {
        const ArcMarks inside = marks_inside(component);
        if ((product_.all_marks() & ~inside.accepting) != 0) continue;
        const std::uint64_t unfair = strong_ & inside.could & ~inside.did;
        if (unfair == 0 && cycles_) return answer(component, strong_ & inside.could);
        std::vector<std::uint32_t> rest;
        for (const std::uint32_t i : component)
          if ((graph_[i].could & unfair) == 0) rest.push_back(i);
        if (unfair != 0 && !rest.empty()) open.push_back(std::move(rest));
      }
    }
    return std::nullopt;
  }

 private:
  struct Arc {
    std::uint32_t target;
    ArcMarks marks;
  };
  struct Node {
    std::uint32_t id;
    std::uint64_t could = 0;
    std::vector<Arc> arcs;
  };

  void load(const std::vector<std::uint32_t>& states) {
    std::unordered_map<std::uint32_t, std::uint32_t> place;
    for (const std::uint32_t id : states) {
      place[id] = static_cast<std::uint32_t>(graph_.size());
      graph_.push_back({id, 0, {}});
    }
    for (Node& node : graph_)
      product_.successors(store_.record(node.id), [&](const std::uint32_t* words, const ArcMarks& marks) {
        node.could = marks.could;
        const auto at = place.find(store_.find(words, store_.hash(words)));
        if (at != place.end()) node.arcs.push_back({at->second, marks});
      });
  }

  // Tarjan's algorithm on some of the nodes, without recursion.
  std::vector<std::vector<std::uint32_t>> components(const std::vector<std::uint32_t>& part) {
    std::vector<std::uint32_t> order(graph_.size(), kOutside), low(graph_.size(), 0), stack;
    std::vector<bool> on_stack(graph_.size(), false);
    for (const std::uint32_t i : part) order[i] = kNew;
    std::vector<std::vector<std::uint32_t>> result;
    std::uint32_t next = 0;
    struct Frame {
      std::uint32_t node;
      std::size_t arc;
    };
    for (const std::uint32_t start : part) {
      if (order[start] != kNew) continue;
      std::vector<Frame> path{{start, 0}};
      while (!path.empty()) {
        const std::uint32_t node = path.back().node;
        if (path.back().arc == 0) {
          order[node] = low[node] = next++;
          stack.push_back(node);
          on_stack[node] = true;
        }
        if (path.back().arc < graph_[node].arcs.size()) {
          const std::uint32_t target = graph_[node].arcs[path.back().arc++].target;
          if (order[target] == kNew)
            path.push_back({target, 0});
          else if (order[target] != kOutside && on_stack[target])
            low[node] = std::min(low[node], order[target]);
          continue;
        }
        path.pop_back();
        if (!path.empty()) low[path.back().node] = std::min(low[path.back().node], low[node]);
        if (low[node] != order[node]) continue;
        result.emplace_back();
        do {
          result.back().push_back(stack.back());
          on_stack[stack.back()] = false;
          stack.pop_back();
        } while (result.back().back() != node);
      }
    }
    return result;
  }

  ArcMarks marks_inside(const std::vector<std::uint32_t>& component) {
    std::vector<bool> member(graph_.size(), false);
    for (const std::uint32_t i : component) member[i] = true;
    ArcMarks inside;
    cycles_ = false;
    for (const std::uint32_t i : component)
      for (const Arc& arc : graph_[i].arcs) {
        if (!member[arc.target]) continue;
        cycles_ = true;
        inside.accepting |= arc.marks.accepting;
        inside.could |= arc.marks.could;
        inside.did |= arc.marks.did;
      }
    return inside;
  }

  BadComponent answer(const std::vector<std::uint32_t>& component, std::uint64_t taken) const {
    BadComponent result{{}, product_.all_marks(), taken};
    for (const std::uint32_t i : component) result.states.push_back(graph_[i].id);
    return result;
  }

  static constexpr std::uint32_t kOutside = ~0U, kNew = ~0U - 1;
  Product& product_;
  const StateStore& store_;
  std::uint64_t strong_;
  std::vector<Node> graph_;
  bool cycles_ = false;  // of the last marks_inside: there is a step at all
};

}  // namespace parley::explore
