#include "ltl/components.hpp"

#include <algorithm>
#include <limits>

namespace parley::ltl {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

class Tarjan {
 public:
  Tarjan(const Automaton& automaton, Marks left_out)
      : automaton_(automaton), left_out_(left_out), index_(automaton.states(), kNone), low_(index_) {
    found_.of.assign(automaton.states(), kNone);
  }

  Components run() {
    for (State s = 0; s < automaton_.states(); ++s)
      if (index_[s] == kNone) search_from(s);
    for (State s = 0; s < automaton_.states(); ++s)
      for (const Edge& edge : automaton_.edges[s])
        if ((edge.marks & left_out_) == 0 && found_.of[s] == found_.of[edge.target]) {
          found_.cyclic[found_.of[s]] = true;
          found_.marks[found_.of[s]] |= edge.marks;
        }
    return std::move(found_);
  }

 private:
  struct Visit {
    State state;
    std::size_t edge = 0;  // the next one to follow
  };

  void enter(State s) {
    index_[s] = low_[s] = counter_++;
    open_.push_back(s);
    path_.push_back({s});
  }

  void search_from(State root) {
    enter(root);
    while (!path_.empty()) {
      const State s = path_.back().state;
      if (path_.back().edge < automaton_.edges[s].size()) {
        const Edge& edge = automaton_.edges[s][path_.back().edge++];
        if ((edge.marks & left_out_) != 0) continue;
        if (index_[edge.target] == kNone)
          enter(edge.target);
        else if (found_.of[edge.target] == kNone)
          low_[s] = std::min(low_[s], index_[edge.target]);
        continue;
      }
      path_.pop_back();
      if (!path_.empty()) low_[path_.back().state] = std::min(low_[path_.back().state], low_[s]);
      if (low_[s] == index_[s]) close(s);
    }
  }

  void close(State root) {
    const auto number = static_cast<std::uint32_t>(found_.count());
    found_.marks.push_back(0);
    found_.cyclic.push_back(false);
    for (State s = kNone; s != root;) {
      s = open_.back();
      open_.pop_back();
      found_.of[s] = number;
    }
  }

  const Automaton& automaton_;
  Marks left_out_;
  std::vector<std::uint32_t> index_, low_;
  std::vector<State> open_;
  std::vector<Visit> path_;
  std::uint32_t counter_ = 0;
  Components found_;
};

}  // namespace

Components components_of(const Automaton& automaton) {
  return Tarjan(automaton, 0).run();
}
Components components_without(const Automaton& automaton, Marks left_out) {
  return Tarjan(automaton, left_out).run();
}

std::vector<std::vector<State>> members_of(const Components& components) {
  std::vector<std::vector<State>> members(components.count());
  for (State s = 0; s < components.of.size(); ++s) members[components.of[s]].push_back(s);
  return members;
}

}  // namespace parley::ltl
