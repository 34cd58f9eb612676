// Looks for cycles of completion steps of one owner: a run-to-completion that never ends. Started from an
// edge that closes a cycle if there is one; remembers states from which there is none, so that each is walked
// once per owner. Depth-first over the seam; used by the search, which only asks when the static test could
// not exclude cycles.
#pragma once

#include <algorithm>
#include <vector>

#include "explore/seam.hpp"
#include "explore/store.hpp"

namespace parley::explore {

template <NextState M>
class CompletionCycles {
 public:
  explicit CompletionCycles(M& model) : model_(model), known_(model.words() + 1, 0) {}

  struct Lasso {
    std::vector<semantics::Step> steps;  // from the given state
    std::size_t loop_start = 0;
  };
  // A lasso of completion steps of the owner that starts in the state, if there is one. `enough` is asked
  // between the runs of an action: when it says yes, the answer is "none found" and no later one is to be
  // relied on.
  template <class Enough>
  std::optional<Lasso> find(const std::uint32_t* words, std::uint32_t owner, Enough enough);

 private:
  struct Node {
    std::vector<std::uint32_t> words;  // and the owner
    std::uint32_t id = 0;              // in known_
    std::vector<std::vector<std::uint32_t>> next;
    std::vector<std::vector<semantics::Step>> paths;  // to each of them
    std::size_t at = 0;
  };
  // Collects the completion successors of one owner.
  template <class Enough>
  struct Collector {
    M& model;
    std::uint32_t owner;
    Node& node;
    std::vector<std::uint32_t> buffer;
    Enough& stop;
    std::uint32_t* room() { return buffer.data(); }
    Arrival arrive(std::uint32_t completing) {
      if (completing == owner) {
        node.next.push_back(buffer);
        node.paths.push_back(model.path().steps);
      }
      return Arrival::Expanded;
    }
    void happen(Event) {}
    void omit(semantics::Outcome, std::uint32_t) {}
    bool enough() { return stop(); }
  };
  template <class Enough>
  Node open(std::vector<std::uint32_t> words, std::uint32_t owner, std::uint32_t id, Enough& enough);

  M& model_;
  StateStore known_;           // states with their owner
  std::vector<bool> on_path_;  // by id
};

template <NextState M>
template <class Enough>
typename CompletionCycles<M>::Node CompletionCycles<M>::open(std::vector<std::uint32_t> words,
                                                             std::uint32_t owner, std::uint32_t id,
                                                             Enough& enough) {
  Node node;
  node.words = std::move(words);
  node.id = id;
  Collector<Enough> collector{model_, owner, node, std::vector<std::uint32_t>(model_.words() + 1, owner),
                              enough};
  if constexpr (Divisible<M>)
    model_.successors_of(node.words.data(), owner, collector);
  else
    model_.successors(node.words.data(), collector);
  return node;
}

template <NextState M>
template <class Enough>
std::optional<typename CompletionCycles<M>::Lasso> CompletionCycles<M>::find(const std::uint32_t* words,
                                                                             std::uint32_t owner,
                                                                             Enough enough) {
  std::vector<std::uint32_t> start(words, words + model_.words());
  start.push_back(owner);
  auto meet = [&](const std::vector<std::uint32_t>& key) {
    const auto inserted = known_.insert(key.data(), known_.hash(key.data()), StateStore::kNoState);
    if (inserted.outcome == StateStore::Outcome::New) on_path_.push_back(false);
    return inserted;
  };
  const auto first = meet(start);
  if (first.outcome != StateStore::Outcome::New) return std::nullopt;
  std::vector<Node> path;
  path.push_back(open(std::move(start), owner, first.id, enough));
  on_path_[first.id] = true;
  while (!path.empty() && !enough()) {
    Node& top = path.back();
    if (top.at == top.next.size()) {
      on_path_[top.id] = false;
      path.pop_back();
      continue;
    }
    const std::size_t k = top.at++;
    const auto met = meet(top.next[k]);
    if (met.outcome == StateStore::Outcome::New) {
      on_path_[met.id] = true;
      path.push_back(open(top.next[k], owner, met.id, enough));
    } else if (met.outcome == StateStore::Outcome::Found && on_path_[met.id]) {
      Lasso lasso;
      for (const Node& n : path) {
        if (n.id == met.id) lasso.loop_start = lasso.steps.size();
        const auto& steps = n.paths[n.at - 1];
        lasso.steps.insert(lasso.steps.end(), steps.begin(), steps.end());
      }
      return lasso;
    }
  }
  return std::nullopt;
}

}  // namespace parley::explore
