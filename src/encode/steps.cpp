// Static and dynamic steps (dubrovin2007, sections 3.4 and B.5) and the order of actions within a step.
#include <algorithm>
#include <numeric>
#include <set>

#include "encode/relation.hpp"
#include "system/footprint.hpp"

namespace parley::encode {

using system::ActionId;
using system::OwnerId;

// Invariant of the loop: the prefix literals say what the fired actions before the current one did.
void Relation::build_steps(const std::vector<ActionId>& order, bool dynamic) {
  Stage stage;
  std::vector<InputPool> pools(s_.owners.size() + 1, InputPool(g_));
  std::vector<Lit> written(s_.cells.size(), kFalse), put(s_.queues.size(), kFalse),
      taken(s_.queues.size(), kFalse), sorted(s_.queues.size(), kFalse);
  Lit any = kFalse, lone = kFalse;
  std::vector<std::vector<Lit>> by_owner(s_.owners.size());
  for (ActionId id : order) {
    const system::Action& a = s_.action(id);
    const system::Footprint f = system::footprint(s_, id);
    const Lit fire = g_.input();
    Execution x({g_, layout_, state_, idle_, &taken});
    InputPool& pool = pools[a.owner.valid() ? a.owner.index() : s_.owners.size()];
    pool.rewind();
    Effect e = x.run(a, pool);
    const auto forbid = [&](Lit condition) {
      const Lit c = neg(g_.conj(fire, condition));
      if (c != kTrue) stage.step_constraints.push_back(c);
    };
    // (9): it must not read what an earlier one wrote; nor write it again.
    if (dynamic) {
      for (const auto& [cell, when] : e.reads) forbid(g_.conj(written[cell.index()], when));
      for (const auto& [cell, effect] : e.cells) forbid(g_.conj(written[cell.index()], effect.written));
    } else {
      for (system::CellId c : f.reads) forbid(written[c.index()]);
      for (system::CellId c : f.writes) forbid(written[c.index()]);
    }
    // (8): one sender per queue; and one taker. (53): static steps do not let a receiver follow a sender;
    // dynamic ones need no constraint (52), since the sender sees the queue as it is at its turn.
    for (system::QueueId q : f.puts) {
      const auto effect = e.queues.find(q);
      const Lit touches = !dynamic ? kTrue : effect == e.queues.end() ? kFalse : effect->second.touched;
      forbid(g_.conj(put[q.index()], touches));
      // A sorted send looks at the contents.
      if (effect != e.queues.end() && effect->second.replaced) forbid(taken[q.index()]);
    }
    for (system::QueueId q : f.takes) {
      forbid(taken[q.index()]);
      forbid(dynamic ? sorted[q.index()] : put[q.index()]);
    }
    for (system::QueueId q : f.tests) forbid(g_.disj(put[q.index()], taken[q.index()]));
    // Stretches and idleness are seen by everybody: such actions make a step alone.
    const bool alone = a.hold.valid() || f.reads_idle;
    forbid(alone ? any : lone);
    if (alone) lone = g_.disj(lone, fire);
    any = g_.disj(any, fire);
    for (OwnerId o : {a.owner, a.partner})
      if (o.valid()) by_owner[o.index()].push_back(fire);

    if (dynamic) {
      for (const auto& [cell, effect] : e.cells)
        written[cell.index()] = g_.disj(written[cell.index()], g_.conj(fire, effect.written));
    } else {
      for (system::CellId c : f.writes) written[c.index()] = g_.disj(written[c.index()], fire);
    }
    for (system::QueueId q : f.puts) {
      const auto effect = e.queues.find(q);
      const Lit touches = !dynamic ? kTrue : effect == e.queues.end() ? kFalse : effect->second.touched;
      put[q.index()] = g_.disj(put[q.index()], g_.conj(fire, touches));
      if (effect != e.queues.end() && effect->second.replaced)
        sorted[q.index()] = g_.disj(sorted[q.index()], fire);
    }
    if (a.trigger && a.trigger->consume) {
      Lit& t = taken[a.trigger->queue.index()];
      t = g_.disj(t, fire);
    }
    stage.actions.push_back(id);
    stage.fire.push_back(fire);
    stage.effects.push_back(std::move(e));
  }
  for (const auto& fires : by_owner)
    for (const Lit c : at_most_one(fires)) stage.constraints.push_back(c);
  finish_stage(stage);
}

namespace {

// Orders nodes so that few edges point backwards: repeatedly a sink goes to the end, a source to the front,
// else the node with the largest surplus of outgoing edges to the front (eades1993).
std::vector<std::size_t> few_back_edges(const std::vector<std::set<std::size_t>>& successors) {
  const std::size_t n = successors.size();
  std::vector<std::set<std::size_t>> out = successors, in(n);
  for (std::size_t i = 0; i < n; ++i) {
    out[i].erase(i);
    for (std::size_t j : out[i]) in[j].insert(i);
  }
  std::set<std::size_t> left;
  for (std::size_t i = 0; i < n; ++i) left.insert(i);
  std::vector<std::size_t> front, back;
  const auto remove = [&](std::size_t i) {
    for (std::size_t j : out[i]) in[j].erase(i);
    for (std::size_t j : in[i]) out[j].erase(i);
    left.erase(i);
  };
  while (!left.empty()) {
    const auto sink = std::find_if(left.rbegin(), left.rend(), [&](std::size_t i) { return out[i].empty(); });
    if (sink != left.rend()) {
      back.push_back(*sink);
      remove(back.back());
      continue;
    }
    std::size_t best = *left.begin();
    for (std::size_t i : left) {
      if (in[i].empty()) {
        best = i;
        break;
      }
      const auto surplus = [&](std::size_t k) {
        return static_cast<long>(out[k].size()) - static_cast<long>(in[k].size());
      };
      if (surplus(i) > surplus(best)) best = i;
    }
    front.push_back(best);
    remove(best);
  }
  front.insert(front.end(), back.rbegin(), back.rend());
  return front;
}

template <class T>
bool overlap(const std::vector<T>& x, const std::vector<T>& y) {
  return std::any_of(x.begin(), x.end(),
                     [&](const T& t) { return std::binary_search(y.begin(), y.end(), t); });
}

// `later` changes something that `earlier` looks at.
bool disturbs(const system::Footprint& later, const system::Footprint& earlier) {
  return overlap(later.writes, earlier.reads) || overlap(later.puts, earlier.takes) ||
         overlap(later.puts, earlier.tests) || overlap(later.takes, earlier.tests);
}

}  // namespace

std::vector<ActionId> ordered_actions(const system::System& s, ActionOrder order) {
  std::vector<ActionId> declared;
  for (std::size_t i = 0; i < s.actions.size(); ++i) declared.push_back(ActionId(i));
  if (order == ActionOrder::Declared) return declared;
  std::vector<system::Footprint> footprints;
  for (ActionId a : declared) footprints.push_back(system::footprint(s, a));
  std::vector<std::set<std::size_t>> edges(declared.size());
  for (std::size_t i = 0; i < declared.size(); ++i)
    for (std::size_t j = 0; j < declared.size(); ++j) {
      // Actions of one owner never share a step, so their order does not matter.
      if (i == j || s.actions[i].owner == s.actions[j].owner) continue;
      const bool i_first = order == ActionOrder::ReadersFirst
                               ? disturbs(footprints[j], footprints[i])
                               : overlap(footprints[i].puts, footprints[j].takes);
      if (i_first) edges[i].insert(j);
    }
  std::vector<ActionId> out;
  for (std::size_t i : few_back_edges(edges)) out.push_back(declared[i]);
  return out;
}

std::vector<OwnerId> ordered_owners(const system::System& s, ActionOrder order) {
  std::vector<std::set<std::size_t>> edges(s.owners.size());
  if (order != ActionOrder::Declared) {
    std::vector<system::Footprint> footprints;
    for (std::size_t a = 0; a < s.actions.size(); ++a)
      footprints.push_back(system::footprint(s, ActionId(a)));
    for (std::size_t i = 0; i < s.actions.size(); ++i)
      for (std::size_t j = 0; j < s.actions.size(); ++j) {
        const OwnerId x = s.actions[i].owner, y = s.actions[j].owner;
        if (x == y) continue;
        const bool first = order == ActionOrder::WritersFirst
                               ? overlap(footprints[i].puts, footprints[j].takes) ||
                                     overlap(footprints[i].writes, footprints[j].guard_reads)
                               : disturbs(footprints[j], footprints[i]);
        if (first) edges[x.index()].insert(y.index());
      }
  }
  std::vector<OwnerId> out;
  if (order == ActionOrder::Declared) {
    for (std::size_t o = 0; o < s.owners.size(); ++o) out.push_back(OwnerId(o));
    return out;
  }
  for (std::size_t o : few_back_edges(edges)) out.push_back(OwnerId(o));
  return out;
}

}  // namespace parley::encode
