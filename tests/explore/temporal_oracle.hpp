// Whether some fair run violates a temporal property, computed the obvious way: all positions of all runs of
// the observed System by the reference semantics, beside the automaton of the negated property, and then sets
// of product states from which every mark can be passed again and again, as a greatest fixpoint
// (emerson1986). Fairness from its definition: marks for weak fairness; for strong fairness, every way to
// split it into what is taken for ever and what is never possible again. Shares nothing with src/explore.
#pragma once

#include <deque>
#include <map>
#include <set>

#include "ltl/build.hpp"
#include "passes/observe.hpp"

namespace parley::testing {

class TemporalOracle {
 public:
  TemporalOracle(const passes::Observed& observed, const ltl::Automaton& bad,
                 const semantics::Interpreter& observed_interpreter, std::size_t most)
      : o_(observed), a_(bad), in_(observed_interpreter) {
    for (const auto& i : in_.initial_states())
      if (i.result.outcome == semantics::Outcome::Done) meet({i.result.state, false, a_.initial});
    while (!todo_.empty() && places_.size() <= most) {
      const Place place = todo_.front();
      todo_.pop_front();
      expand(place);
    }
    complete_ = todo_.empty();
  }

  bool complete() const { return complete_; }

  bool violated() const {
    std::vector<std::size_t> strong;
    for (std::size_t f = 0; f < fairness().size(); ++f)
      if (fairness()[f].strength == system::Fairness::Strength::Strong) strong.push_back(f);
    for (std::size_t split = 0; split < std::size_t{1} << strong.size(); ++split) {
      std::set<std::size_t> taken, impossible;
      for (std::size_t k = 0; k < strong.size(); ++k)
        ((split >> k & 1) != 0 ? taken : impossible).insert(strong[k]);
      if (goes_on(taken, impossible)) return true;
    }
    return false;
  }

 private:
  struct Place {
    semantics::State state;
    bool ended;
    ltl::State automaton;
    friend auto operator<=>(const Place&, const Place&) = default;
  };
  struct Arc {
    std::size_t from, to;
    ltl::Marks marks;
    std::set<std::size_t> did;
  };

  const std::vector<system::Fairness>& fairness() const { return o_.system().fairness; }

  std::size_t meet(const Place& place) {
    const auto [at, fresh] = places_.emplace(place, places_.size());
    if (fresh) {
      todo_.push_back(place);
      could_.emplace_back();
    }
    return at->second;
  }

  void expand(const Place& place) {
    const std::size_t from = places_.at(place);
    const ltl::Letter letter = passes::letter(o_, in_, place.state, place.ended);
    std::vector<std::pair<semantics::State, std::set<std::size_t>>> next;
    bool moved = false;
    for (const auto& s : in_.successors(place.state)) {
      if (place.ended || s.result.outcome == semantics::Outcome::Blocked) continue;
      moved = true;
      std::set<std::size_t> did;
      for (std::size_t f = 0; f < fairness().size(); ++f)
        for (const system::ActionId a : fairness()[f].actions)
          if (a == s.step.action) did.insert(f);
      could_[from].insert(did.begin(), did.end());
      if (s.result.outcome == semantics::Outcome::Done) next.emplace_back(s.result.state, did);
    }
    const bool stays = !moved;
    if (stays) next.emplace_back(place.state, std::set<std::size_t>{});
    for (const ltl::Edge& e : a_.edges[place.automaton])
      if (e.label.admits(letter))
        for (const auto& [state, did] : next)
          arcs_.push_back({from, meet({state, stays, e.target}), e.marks, did});
  }

  bool goes_on(const std::set<std::size_t>& taken, const std::set<std::size_t>& impossible) const {
    std::vector<bool> in(places_.size(), true);
    for (std::size_t p = 0; p < in.size(); ++p)
      for (const std::size_t f : impossible) in[p] = in[p] && !could_[p].contains(f);
    for (bool changed = true; changed;) {
      changed = false;
      const auto keep = [&](auto passed) { changed = restrict(in, passed) || changed; };
      keep([](const Arc&) { return true; });
      for (unsigned m = 0; m < a_.marks; ++m) keep([&](const Arc& a) { return (a.marks >> m & 1) != 0; });
      for (const std::size_t f : taken) keep([&](const Arc& a) { return a.did.contains(f); });
      for (std::size_t f = 0; f < fairness().size(); ++f)
        if (fairness()[f].strength == system::Fairness::Strength::Weak)
          keep([&](const Arc& a) { return a.did.contains(f) || !could_[a.from].contains(f); });
    }
    return std::find(in.begin(), in.end(), true) != in.end();
  }

  // Only places from which, staying inside, such an arc can still be passed. True: some were left out.
  template <class Passed>
  bool restrict(std::vector<bool>& in, Passed passed) const {
    std::vector<bool> can(in.size(), false);
    for (bool grows = true; grows;) {
      grows = false;
      for (const Arc& a : arcs_)
        if (in[a.from] && in[a.to] && !can[a.from] && (passed(a) || can[a.to])) grows = can[a.from] = true;
    }
    const bool changed = can != in;
    in = can;
    return changed;
  }

  const passes::Observed& o_;
  const ltl::Automaton& a_;
  const semantics::Interpreter& in_;
  std::map<Place, std::size_t> places_;
  std::deque<Place> todo_;
  std::vector<std::set<std::size_t>> could_;
  std::vector<Arc> arcs_;
  bool complete_ = false;
};

}  // namespace parley::testing
