// What the search must answer when a state arrives, kept a second time from nothing but the order in which
// states arrive and are expanded. The order itself is checked on the way: a breadth-first search expands
// states as they were found, a depth-first one the last that waits. Used by the self-checking wrapper.
#pragma once

#include <map>
#include <optional>

#include "explore/search.hpp"

namespace parley::testing {

class SearchMirror {
 public:
  using Words = std::vector<std::uint32_t>;
  explicit SearchMirror(explore::SearchOrder order)
      : depth_first_(order == explore::SearchOrder::DepthFirst) {}

  bool started() const { return started_; }
  void start() { started_ = true; }
  bool was_entered(const Words& state) const {
    const auto at = known_.find(state);
    return at != known_.end() && at->second.entered;
  }

  // The search starts to expand a state; false if it is not that one's turn.
  bool enter(const Words& state) {
    const bool expected = depth_first_ ? next_by_depth() == state : next_by_breadth() == state;
    known_[state].entered = true;
    source_ = state;
    if (depth_first_) {
      known_[state].on_path = true;
      path_.push_back({state, {}});
    }
    return expected;
  }
  // The right answer for a state that arrives now.
  explore::Arrival arrive(const Words& state) {
    const auto at = known_.find(state);
    const explore::Arrival answer = at == known_.end() ? explore::Arrival::New : standing(state, at->second);
    if (depth_first_) {
      (path_.empty() ? roots_ : path_.back().waiting).push_back(state);
    } else if (at == known_.end()) {
      known_.emplace(state, Standing{});
      found_.push_back(state);
    }
    return answer;
  }

 private:
  struct Standing {
    bool entered = false, on_path = false;
  };
  struct Frame {
    Words state;
    std::vector<Words> waiting;
  };

  explore::Arrival standing(const Words& state, const Standing& s) const {
    if (source_ == state || s.on_path) return explore::Arrival::OnPath;
    return s.entered ? explore::Arrival::Expanded : explore::Arrival::Waiting;
  }
  std::optional<Words> next_by_breadth() {
    if (expanded_ == found_.size()) return std::nullopt;
    return found_[expanded_++];
  }
  std::optional<Words> next_by_depth() {
    for (;;) {
      std::vector<Words>& waiting = path_.empty() ? roots_ : path_.back().waiting;
      if (waiting.empty()) {
        if (path_.empty()) return std::nullopt;
        known_[path_.back().state].on_path = false;
        path_.pop_back();
        continue;
      }
      const Words last = waiting.back();
      waiting.pop_back();
      if (!was_entered(last)) return last;
    }
  }

  bool depth_first_;
  bool started_ = false;
  std::map<Words, Standing> known_;
  std::optional<Words> source_;
  std::vector<Words> found_;  // breadth-first, in this order
  std::size_t expanded_ = 0;  // of them
  std::vector<Words> roots_;  // depth-first: what waits, below the path and along it
  std::vector<Frame> path_;
};

}  // namespace parley::testing
