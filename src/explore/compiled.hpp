// The fast next-state seam: a System compiled to bytecode. Tries only candidates (by location and selected
// signal), runs them in place, packs what changed, takes it back. Walks exclusive stretches to their ends, or
// shows every state inside them, with who holds on as one more word: temporal properties look there too.
// Its parts are owners and actions. What it computes is defined by semantics::Interpreter; tests compare the
// two step by step.
#pragma once

#include <algorithm>
#include <span>
#include <utility>

#include "explore/compile.hpp"
#include "explore/machine.hpp"
#include "explore/seam.hpp"
#include "explore/stretch_set.hpp"
#include "support/check.hpp"

namespace parley::explore {

enum class Stretches : std::uint8_t { Walked, Shown };

class CompiledModel {
 public:
  CompiledModel(const system::System& system, const std::vector<std::uint32_t>& capacities,
                Stretches stretches = Stretches::Walked);
  CompiledModel(const CompiledModel&) = delete;
  CompiledModel& operator=(const CompiledModel&) = delete;

  const Layout& layout() const { return layout_; }
  const Program& program() const { return program_; }
  std::uint32_t words() const { return layout_.words() + (shows_stretches_ ? 1 : 0); }

  template <Listener L>
  void initial(L& listener);
  template <Listener L>
  bool successors(const std::uint32_t* words, L& listener);
  std::uint32_t owners() const { return static_cast<std::uint32_t>(program_.owners.size()); }
  template <Listener L>
  bool successors_of(const std::uint32_t* words, std::uint32_t owner, L& listener);
  template <Listener L>
  bool successors_by(const std::uint32_t* words, const ActionSet& actions, L& listener);
  domain::Truth inspect(const std::uint32_t* words, system::PropertyId property);
  bool at_rest(const std::uint32_t* words);
  Path path() const;
  // The action of the step that is being reported, without its choices; kNone: the start.
  std::uint32_t acting() const { return frames_.empty() ? kNone : frames_.front().action; }
  const std::vector<bool>& reached() const { return machine_.reached(); }
  const std::vector<std::uint32_t>& longest() const { return machine_.longest(); }
  bool may_complete_forever(std::uint32_t owner) const { return program_.may_complete_forever[owner]; }

 private:
  // Actions on the path being walked: more than one only inside a stretch.
  struct Frame {
    std::uint32_t action;
    std::size_t picks;  // where its picks start
  };
  // Stretches are walked by recursion: it ends at this many actions or this much of the stack.
  static constexpr std::size_t kLongestStretch = 10000;
  static constexpr std::ptrdiff_t kMostStack = std::ptrdiff_t{4} << 20;

  // Which actions an owner may try: all of them, at no cost, or those of a set.
  struct Any {
    bool operator()(std::uint32_t) const { return true; }
  };
  struct Member {
    const ActionSet& actions;
    bool operator()(std::uint32_t action) const { return actions[action]; }
  };
  // Asks whether there is a step, and wants neither its successor nor its coverage.
  struct Probe : Deaf {
    bool moved = false;
    bool enough() const { return moved; }
  };

  void load(const std::uint32_t* words) {
    PARLEY_CHECK(frames_.empty() && !in_initial_);  // not while it enumerates
    layout_.move_to(words, current_.data(), machine_.values());
  }
  // The steps of some owners' wanted actions; those that wait for idleness only if nobody else could move.
  template <class Wanted, Listener L>
  bool try_part(std::span<const std::uint32_t> owners, Wanted wanted, L& listener);
  // Somebody has a step that does not wait for idleness.
  bool anybody_moves();
  template <class Wanted, Listener L>
  bool try_owner(std::uint32_t owner, Wanted wanted, L& listener);
  template <Listener L>
  bool attempt(std::uint32_t action, std::uint32_t position, L& listener);
  // The guard has been passed: runs the body for every list of picks.
  template <Listener L>
  bool perform(std::uint32_t action, std::uint32_t position, L& listener);
  template <Listener L>
  bool search_queue(std::uint32_t action, L& listener);
  template <Listener L>
  void stopped_in_guard(std::uint32_t action, L& listener);
  template <Listener L>
  bool finish(Outcome outcome, const ActionCode& action, L& listener);
  template <Listener L>
  void hold(std::uint32_t owner, L& listener);
  template <Listener L>
  void emit(L& listener, std::uint32_t holder = kNone);
  std::uint32_t completing_owner() const;

  const system::System& system_;
  Layout layout_;
  Program program_;
  Machine machine_;
  std::vector<std::uint32_t> current_;  // packed form of the state at log position 0
  std::vector<Frame> frames_;
  StretchSet stretches_;
  std::vector<std::uint32_t> inner_;   // packed inner state and its holder
  std::vector<std::uint32_t> active_;  // owners that have actions
  std::optional<std::size_t> loop_;    // while an endless stretch is reported
  bool in_initial_ = false;
  bool shows_stretches_;
  std::uintptr_t stack_start_ = 0;
};

template <Listener L>
void CompiledModel::emit(L& listener, std::uint32_t holder) {
  std::uint32_t* to = listener.room();
  std::copy(current_.begin(), current_.end(), to);
  machine_.pack_changes(to);
  if (shows_stretches_) to[layout_.words()] = holder + 1;  // kNone is 0
  listener.arrive(completing_owner());
}

inline std::uint32_t CompiledModel::completing_owner() const {
  if (frames_.empty()) return kNone;
  const ActionCode& first = program_.actions[frames_[0].action];
  if (!first.completes) return kNone;
  for (const Frame& f : frames_)
    if (program_.actions[f.action].owner != first.owner) return kNone;
  return first.owner;
}

template <Listener L>
void CompiledModel::initial(L& listener) {
  std::int32_t* m = machine_.values();
  for (std::uint32_t i = 0; i < layout_.slots(); ++i) m[i] = layout_.filler(i);
  for (std::size_t i = 0; i < system_.cells.size(); ++i) m[i] = system_.cells[i].initial;
  layout_.pack(m, current_.data());
  frames_.clear();
  in_initial_ = true;
  const std::size_t base = machine_.pick_base();
  do {
    machine_.begin_picks(base);
    const std::size_t mark = machine_.mark();
    const Outcome outcome = machine_.execute(program_.initial_body, program_.initial_locals);
    if (semantics::happens(outcome)) {
      machine_.commit();
      if (machine_.lost_message()) {
        listener.happen(Event::Lost);
        listener.happen(Event::Overflowed);
      }
    } else {
      machine_.drop_pending();
      listener.omit(outcome, machine_.stopped_queue());
    }
    if (outcome == Outcome::Done) emit(listener);
    if (outcome == Outcome::AssertionFailed) listener.happen(Event::AssertionFailed);
    if (outcome == Outcome::RuntimeError) listener.happen(Event::RuntimeError);
    if (outcome == Outcome::QueueOverflow) listener.happen(Event::Overflowed);
    machine_.undo(mark);
  } while (machine_.advance(base) && !listener.enough());
  machine_.drop_picks(base);
  in_initial_ = false;
}

template <Listener L>
bool CompiledModel::successors(const std::uint32_t* words, L& listener) {
  const std::uint32_t holder = shows_stretches_ ? words[layout_.words()] : 0;
  load(words);
  stretches_.clear();
  bool moved = holder != 0 && try_owner(holder - 1, Any{}, listener);
  if (moved) return true;
  for (std::uint32_t owner : active_) moved |= try_owner(owner, Any{}, listener);
  if (moved || !program_.reads_idle) return moved;
  machine_.values()[program_.idle] = 1;
  for (std::uint32_t owner : active_) moved |= try_owner(owner, Any{}, listener);
  machine_.values()[program_.idle] = 0;
  return moved;
}

template <Listener L>
bool CompiledModel::successors_of(const std::uint32_t* words, std::uint32_t owner, L& listener) {
  load(words);
  return try_part(std::span(&owner, 1), Any{}, listener);
}

template <Listener L>
bool CompiledModel::successors_by(const std::uint32_t* words, const ActionSet& actions, L& listener) {
  load(words);
  return try_part(active_, Member{actions}, listener);
}

template <class Wanted, Listener L>
bool CompiledModel::try_part(std::span<const std::uint32_t> owners, Wanted wanted, L& listener) {
  stretches_.clear();
  bool moved = false;
  for (std::uint32_t owner : owners) moved |= try_owner(owner, wanted, listener);
  if (moved || !program_.reads_idle || anybody_moves()) return moved;
  machine_.values()[program_.idle] = 1;
  for (std::uint32_t owner : owners) moved |= try_owner(owner, wanted, listener);
  machine_.values()[program_.idle] = 0;
  return moved;
}

inline bool CompiledModel::anybody_moves() {
  Probe probe;
  return std::any_of(active_.begin(), active_.end(),
                     [&](std::uint32_t owner) { return try_owner(owner, Any{}, probe); });
}

template <class Wanted, Listener L>
bool CompiledModel::try_owner(std::uint32_t owner, Wanted wanted, L& listener) {
  const OwnerPlan& plan = program_.owners[owner];
  const std::int32_t* m = machine_.values();
  const std::uint32_t value = plan.cell == kNone ? 0 : static_cast<std::uint32_t>(m[plan.cell] - plan.lo);
  bool moved = false;
  auto attempt_wanted = [&](std::uint32_t action, std::uint32_t position) {
    if (wanted(action)) moved |= attempt(action, position, listener);
  };
  for (std::uint32_t i = plan.spontaneous.begin[value]; i < plan.spontaneous.begin[value + 1]; ++i)
    attempt_wanted(plan.spontaneous.actions[i], 0);
  for (const OwnerPlan::Consuming& c : plan.consuming) {
    const Layout::QueuePlace& place = program_.queues[c.queue].place;
    const auto length = static_cast<std::uint32_t>(m[place.length]);
    if (length == 0) continue;
    bool failed = false;
    const std::uint32_t at = machine_.select(c.queue, failed);
    if (failed) {
      for (std::uint32_t action : c.all) {
        if (!wanted(action)) continue;
        stopped_in_guard(action, listener);
        moved = true;
      }
      continue;
    }
    if (at >= length) continue;
    const auto signal = static_cast<std::uint32_t>(m[place.first + at * place.stride]);
    const std::uint32_t list = value * c.signals + signal;
    for (std::uint32_t i = c.begin[list]; i < c.begin[list + 1]; ++i) attempt_wanted(c.actions[i], at);
  }
  for (std::uint32_t action : plan.first_matching)
    if (wanted(action)) moved |= search_queue(action, listener);
  return moved;
}

template <Listener L>
bool CompiledModel::attempt(std::uint32_t action, std::uint32_t position, L& listener) {
  const ActionCode& a = program_.actions[action];
  if (a.guard != kNone) {
    if (a.params != 0) machine_.bind(a.queue, position, a.params, program_.params);
    const Machine::Answer answer = machine_.test(a.guard);
    if (answer == Machine::Answer::No) return false;
    if (answer == Machine::Answer::Stopped) {
      stopped_in_guard(action, listener);
      return true;
    }
  }
  return perform(action, position, listener);
}

template <Listener L>
bool CompiledModel::search_queue(std::uint32_t action, L& listener) {
  const ActionCode& a = program_.actions[action];
  const Layout::QueuePlace& place = program_.queues[a.queue].place;
  const std::int32_t* m = machine_.values();
  const auto length = static_cast<std::uint32_t>(m[place.length]);
  for (std::uint32_t at = 0; at < length; ++at) {
    if (static_cast<std::uint32_t>(m[place.first + at * place.stride]) != a.signal) continue;
    machine_.bind(a.queue, at, a.params, program_.params);
    const Machine::Answer answer = machine_.test(a.guard);
    if (answer == Machine::Answer::Yes) return perform(action, at, listener);
    if (answer == Machine::Answer::Stopped) {
      stopped_in_guard(action, listener);
      return true;
    }
  }
  return false;
}

template <Listener L>
void CompiledModel::stopped_in_guard(std::uint32_t action, L& listener) {
  frames_.push_back({action, machine_.pick_base()});
  machine_.set_next_pick(machine_.pick_base());
  if (machine_.stopped_by() == Outcome::RuntimeError)
    listener.happen(Event::RuntimeError);
  else
    listener.omit(machine_.stopped_by(), kNone);
  frames_.pop_back();
}

template <Listener L>
bool CompiledModel::perform(std::uint32_t action, std::uint32_t position, L& listener) {
  const ActionCode& a = program_.actions[action];
  const std::size_t base = machine_.pick_base();
  frames_.push_back({action, base});
  bool moved = false;
  do {
    machine_.begin_picks(base);
    const std::size_t mark = machine_.mark();
    // Bound anew for every run: a stretch walked meanwhile has looked at other messages.
    if (a.params != 0) machine_.bind(a.queue, position, a.params, program_.params);
    if (a.queue != kNone && a.consume) machine_.take(a.queue, position);
    const Outcome outcome = machine_.execute(a.body, a.locals);
    if constexpr (std::same_as<L, Probe>) {
      machine_.drop_pending();
      listener.moved = moved = outcome != Outcome::Blocked;
    } else {
      moved |= finish(outcome, a, listener);
    }
    machine_.undo(mark);
  } while (machine_.advance(base) && !listener.enough());
  machine_.drop_picks(base);
  frames_.pop_back();
  return moved;
}

template <Listener L>
bool CompiledModel::finish(Outcome outcome, const ActionCode& action, L& listener) {
  if (!semantics::happens(outcome)) {
    if (machine_.has_pending()) machine_.drop_pending();
    if (outcome == Outcome::Blocked) return false;
    listener.omit(outcome, outcome == Outcome::Cut ? machine_.stopped_queue() : kNone);
    return true;
  }
  if (machine_.has_pending()) machine_.commit();
  const bool lost = machine_.lost_message();
  const bool discarded = action.discards && (action.queue != kNone || outcome == Outcome::Done);
  if (lost || discarded) listener.happen(Event::Lost);
  if (lost || outcome == Outcome::QueueOverflow) listener.happen(Event::Overflowed);
  switch (outcome) {
    case Outcome::Done:
      if (action.hold == kNone || shows_stretches_)
        emit(listener, action.hold);
      else
        hold(action.hold, listener);
      break;
    case Outcome::AssertionFailed:
      listener.happen(Event::AssertionFailed);
      break;
    case Outcome::RuntimeError:
      listener.happen(Event::RuntimeError);
      break;
    default:
      break;
  }
  return true;
}

template <Listener L>
void CompiledModel::hold(std::uint32_t owner, L& listener) {
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  if (frames_.size() == 1) stack_start_ = here;
  if (frames_.size() >= kLongestStretch || static_cast<std::ptrdiff_t>(stack_start_ - here) > kMostStack)
    return listener.happen(Event::LongStretch);
  std::copy(current_.begin(), current_.end(), inner_.begin());
  machine_.pack_changes(inner_.data());
  inner_.back() = owner;
  bool fresh = false;
  const std::size_t entry =
      stretches_.insert(inner_.data(), static_cast<std::uint32_t>(frames_.size()), fresh);
  if (!fresh) {
    if (stretches_[entry].stuck) emit(listener);
    if (!stretches_[entry].open) return;
    loop_ = stretches_[entry].depth;
    listener.happen(Event::EndlessStretch);
    loop_.reset();
    return;
  }
  std::int32_t& idle = machine_.values()[program_.idle];
  const std::int32_t idle_before = std::exchange(idle, 0);
  const bool moved = try_owner(owner, Any{}, listener);
  idle = idle_before;
  stretches_[entry].open = false;
  stretches_[entry].stuck = !moved;
  if (!moved) emit(listener);
}

static_assert(Divisible<CompiledModel> && !AsksForArrivals<CompiledModel>);

}  // namespace parley::explore
