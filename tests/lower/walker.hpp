// A second meaning of models, written independently of lowering: it walks over the hierarchical Model itself,
// with the set of active states, the line of completion events and the queues as plain data, and decides
// everything at run time. Slow, and only for models without time, threads and split steps; tests compare its
// state graph with that of the lowered System.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "model/resolve.hpp"
#include "semantics/choices.hpp"

namespace parley::lower::test {

struct WalkMessage {
  std::uint32_t signal = 0;
  std::vector<std::int32_t> values;
  friend auto operator<=>(const WalkMessage&, const WalkMessage&) = default;
};

struct WalkObject {
  std::vector<std::vector<std::int32_t>> attributes;
  std::vector<std::int32_t> place;      // by region: vertex, kOut, kDone, or kAtJoin + vertex of the join
  std::vector<std::int32_t> history;    // by region: vertex or kOut
  std::vector<std::uint32_t> finished;  // states whose completion events wait, in order
  std::set<std::uint32_t> armed;        // transitions on change whose condition was false
  std::vector<WalkMessage> queue;
  bool dead = false;
  friend auto operator<=>(const WalkObject&, const WalkObject&) = default;
};
inline constexpr std::int32_t kOut = -1, kDone = -2, kAtJoin = 100000;

struct WalkState {
  std::vector<WalkObject> objects;
  std::vector<std::int32_t> sent;  // by declaration of the environment
  friend auto operator<=>(const WalkState&, const WalkState&) = default;
};

struct WalkGraph {
  std::map<WalkState, std::size_t> states;
  std::set<std::pair<std::size_t, std::size_t>> edges;
  std::size_t discards = 0;  // states with a discard
  bool assertion = false, error = false, overflow = false;
  bool complete = true;  // false: more than `limit` states
};

bool can_walk(const model::Model& m);
WalkGraph walk(const model::Model& m, std::size_t limit);

}  // namespace parley::lower::test
