// The next-state seam over the reference interpreter, of any value domain: slow, for differential tests of
// the search itself and for searching abstract systems, whose codes are packed by the shape the caller gives.
// An abstract interpreter must be instantiated by its user (semantics/interpreter_run.hpp).
#pragma once

#include <algorithm>
#include <map>

#include "explore/layout.hpp"
#include "explore/seam.hpp"
#include "semantics/interpreter.hpp"
#include "support/check.hpp"

namespace parley::explore {

// States of the reference semantics to words and back; only visible ones.
void pack(const Layout& layout, const semantics::State& state, std::uint32_t* words);
semantics::State unpack(const Layout& layout, const std::uint32_t* words);

template <class Interpreter>
class InterpretedModel {
 public:
  InterpretedModel(const Interpreter& interpreter, Shape shape)
      : in_(interpreter),
        layout_(std::move(shape)),
        reached_(interpreter.system().elements.size(), false),
        longest_(interpreter.system().queues.size(), 0) {}

  const Layout& layout() const { return layout_; }
  std::uint32_t words() const { return layout_.words(); }
  const std::vector<bool>& reached() const { return reached_; }
  const std::vector<std::uint32_t>& longest() const { return longest_; }
  bool may_complete_forever(std::uint32_t) const { return true; }
  Path path() const { return path_; }
  domain::Truth inspect(const std::uint32_t* words, system::PropertyId property) {
    return in_.truth(unpack(layout_, words), in_.system().property(property).expression);
  }
  bool at_rest(const std::uint32_t* words) { return in_.all_at_rest(unpack(layout_, words)); }

  template <Listener L>
  void initial(L& listener) {
    for (const semantics::InitialState& i : in_.initial_states()) {
      path_ = {};
      path_.initial_choices = i.choices;
      if (report(i.result, nullptr, listener)) emit(i.result.state, listener);
    }
    path_ = {};
  }

  template <Listener L>
  bool successors(const std::uint32_t* words, L& listener) {
    return start(words, kAnything, listener);
  }

  std::uint32_t owners() const { return static_cast<std::uint32_t>(in_.system().owners.size()); }
  template <Listener L>
  bool successors_of(const std::uint32_t* words, std::uint32_t owner, L& listener) {
    const system::OwnerId id(owner);
    return start(
        words, [&](system::ActionId a) { return in_.system().action(a).owner == id; }, listener);
  }
  template <Listener L>
  bool successors_by(const std::uint32_t* words, const ActionSet& actions, L& listener) {
    return start(
        words, [&](system::ActionId a) { return actions[a.index()]; }, listener);
  }

 private:
  struct Inner {
    std::size_t depth;
    bool open;
  };

  static constexpr auto kAnything = [](system::ActionId) { return true; };

  template <class Wanted, Listener L>
  bool start(const std::uint32_t* words, Wanted wanted, L& listener) {
    inner_.clear();
    path_ = {};
    return expand(unpack(layout_, words), wanted, listener);
  }

  template <class Wanted, Listener L>
  bool expand(const semantics::State& state, Wanted wanted, L& listener) {
    bool moved = false;
    for (semantics::Successor& s : in_.successors(state)) {
      if (s.result.outcome == semantics::Outcome::Blocked) continue;
      if (!wanted(s.step.action)) continue;
      moved = true;
      path_.steps.push_back(std::move(s.step));
      if (report(s.result, &in_.system().action(path_.steps.back().action), listener))
        arrive(s.result.state, listener);
      path_.steps.pop_back();
    }
    return moved;
  }

  template <Listener L>
  void arrive(const semantics::State& state, L& listener) {
    if (state.visible()) return emit(state, listener);
    const auto [at, fresh] = inner_.try_emplace(state, Inner{path_.steps.size(), true});
    if (fresh) {
      expand(state, kAnything, listener);
      at->second.open = false;
    } else if (at->second.open) {
      path_.loop_start = at->second.depth;
      listener.happen(Event::EndlessStretch);
      path_.loop_start.reset();
    }
  }

  // Tells the listener what happened; true if there is a state to go on from.
  template <Listener L>
  bool report(const semantics::StepResult& r, const system::Action* action, L& listener) {
    if (!semantics::happens(r.outcome)) {
      const bool cut = r.outcome == semantics::Outcome::Cut || r.outcome == semantics::Outcome::Blocked;
      listener.omit(r.outcome, cut ? r.failure.queue.value : Id<void>::kNone);
      return false;
    }
    // A step that fails has made its queues as long as they get.
    for (std::size_t q = 0; q < r.state.queues.size(); ++q)
      longest_[q] = std::max(longest_[q], static_cast<std::uint32_t>(r.state.queues[q].size()));
    bool lost = false;
    for (const semantics::Event& e : r.events) {
      if (e.kind == semantics::EventKind::Noted) reached_[e.element.index()] = true;
      lost = lost || e.kind == semantics::EventKind::Lost;
    }
    if (semantics::loses(action, r)) listener.happen(Event::Lost);
    if (lost || r.outcome == semantics::Outcome::QueueOverflow) listener.happen(Event::Overflowed);
    if (r.outcome == semantics::Outcome::AssertionFailed) listener.happen(Event::AssertionFailed);
    if (r.outcome == semantics::Outcome::RuntimeError) listener.happen(Event::RuntimeError);
    return r.outcome == semantics::Outcome::Done;
  }

  template <Listener L>
  void emit(const semantics::State& state, L& listener) {
    pack(layout_, state, listener.room());
    listener.arrive(completing_owner());
  }

  std::uint32_t completing_owner() const {
    if (path_.steps.empty()) return Id<void>::kNone;
    const system::System& s = in_.system();
    const system::Action& first = s.action(path_.steps[0].action);
    const bool alone = std::all_of(path_.steps.begin(), path_.steps.end(), [&](const semantics::Step& step) {
      return s.action(step.action).owner == first.owner;
    });
    return first.kind == system::ActionKind::Complete && alone ? first.owner.value : Id<void>::kNone;
  }

  const Interpreter& in_;
  Layout layout_;
  std::vector<bool> reached_;
  std::vector<std::uint32_t> longest_;
  Path path_;
  std::map<semantics::State, Inner> inner_;
};

}  // namespace parley::explore
