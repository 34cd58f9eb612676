#include "verify/closed_set_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <thread>

#include "certificate/state_code.hpp"
#include "verdict/strict_json.hpp"
#include "verify/step_watch.hpp"

namespace parley::verify {
namespace {

using semantics::OwnerId;
using semantics::State;
using semantics::Successor;
using system::PropertyKind;

constexpr std::size_t kLongestStretch = 1'000'000;  // states inside one

// Why the checking of the whole set ends at once.
struct Stop {
  Result result;
  std::string why;
};

// One thread's walk over states of the set.
class Walker {
 public:
  Walker(const semantics::Interpreter& in, ClosedSet& set, StepWatch& watch)
      : in_(in), set_(set), watch_(watch) {}

  void start() {
    for (const semantics::InitialState& i : in_.initial_states()) {
      watch_.step(nullptr, i.result);
      if (i.result.outcome != semantics::Outcome::Done) continue;
      stretch_.clear();
      arrive(i.result.state, OwnerId{}, std::nullopt);
      walk_stretches(std::nullopt);
    }
  }

  void expand(std::uint64_t number, const State& state) {
    const std::vector<Successor> steps = in_.successors(state);
    const bool moves = std::any_of(steps.begin(), steps.end(), [](const Successor& s) {
      return s.result.outcome != semantics::Outcome::Blocked;
    });
    watch_.state(state, moves);
    stretch_.clear();
    for (const Successor& s : steps) {
      const system::Action& action = in_.system().action(s.step.action);
      watch_.step(&action, s.result);
      if (s.result.outcome != semantics::Outcome::Done) continue;
      arrive(s.result.state, action.kind == system::ActionKind::Complete ? action.owner : OwnerId{}, number);
      walk_stretches(number);
    }
  }

 private:
  // A state inside an exclusive stretch, and whose completion all steps to it are, if they are one owner's.
  using Inside = std::pair<State, OwnerId>;
  struct Frame {
    const Inside* inside = nullptr;
    std::vector<Successor> steps;
    std::size_t next = 0;
  };

  // Visible states must be in the set; others are walked from.
  void arrive(const State& state, OwnerId completing, std::optional<std::uint64_t> source) {
    if (!state.visible()) {
      const auto [at, fresh] = stretch_.emplace(Inside{state, completing}, true);
      if (fresh)
        path_.push_back({&at->first, in_.successors(state), 0});
      else if (at->second)  // on the path to itself
        watch_.endless_stretch();
      if (stretch_.size() > kLongestStretch)
        throw Stop{Result::Undecided, "an exclusive stretch is too long"};
      return;
    }
    code_.clear();
    certificate::encode(state, code_);
    const std::optional<std::uint64_t> target = set_.find(code_);
    if (!target)
      throw Stop{Result::Rejected, source ? fmt::format("a step leads out of the set, from state {}", *source)
                                          : std::string("a start is not in the set")};
    if (completing.valid() && source) watch_.completion({completing.value, *source, *target});
  }

  void walk_stretches(std::optional<std::uint64_t> source) {
    while (!path_.empty()) {
      Frame& top = path_.back();
      if (top.next == top.steps.size()) {
        stretch_[*top.inside] = false;
        path_.pop_back();
        continue;
      }
      const Successor step = std::move(top.steps[top.next++]);
      const OwnerId so_far = top.inside->second;
      const system::Action& action = in_.system().action(step.step.action);
      watch_.step(&action, step.result);
      if (step.result.outcome == semantics::Outcome::Done)
        arrive(step.result.state, action.owner == so_far ? so_far : OwnerId{}, source);
    }
  }

  const semantics::Interpreter& in_;
  ClosedSet& set_;
  StepWatch& watch_;
  std::map<Inside, bool> stretch_;  // true: on the path
  std::vector<Frame> path_;
  std::string code_;
};

// Scatters numbers over all 64 bits (Steele, Lea and Flood's mixer of splitmix64).
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

// The whole check, shared by its threads.
class Check {
 public:
  Check(const semantics::Interpreter& in, ClosedSet& set,
        const std::vector<certificate::PropertyClaim>& claims, const ClosedSetOptions& options)
      : in_(in), set_(set), claims_(claims), options_(options) {}

  ClosedSetReport run() {
    StepWatch all(in_, claims_);
    guarded([&] { Walker(in_, set_, all).start(); });
    std::vector<StepWatch> watches(std::max(1U, options_.threads), StepWatch(in_, claims_));
    {
      std::vector<std::jthread> threads;
      for (StepWatch& watch : watches) threads.emplace_back([&] { guarded([&] { work(watch); }); });
    }
    for (StepWatch& watch : watches) all.merge(std::move(watch));
    const bool whole = !stop_ && !options_.share;
    if (whole) all.conclude();
    ClosedSetReport report;
    for (std::size_t i = 0; i < claims_.size(); ++i) report.outcomes.push_back(outcome(all, i));
    report.assumptions = all.assumptions();
    return report;
  }

 private:
  template <class F>
  void guarded(F f) {
    try {
      f();
    } catch (const Stop& stop) {
      end(stop);
    } catch (const verdict::Malformed& e) {  // a block that has changed under our eyes
      end({Result::Rejected, e.why});
    }
  }
  void end(Stop stop) {
    const std::lock_guard lock(mutex_);
    // A rejection says more than a limit.
    if (!stop_ || stop_->result == Result::Undecided) stop_ = std::move(stop);
    stopping_ = true;
  }

  bool wanted(std::uint64_t number) const {
    return !options_.share ||
           static_cast<double>(mixed(number ^ mixed(options_.seed)) >> 11) * 0x1p-53 < *options_.share;
  }

  void work(StepWatch& watch) {
    Walker walker(in_, set_, watch);
    for (std::size_t b = next_++; b < set_.blocks(); b = next_++) {
      const std::shared_ptr<const Block> block = set_.block(b);
      for (std::size_t i = 0; i < block->states(); ++i) {
        if (stopping_) return;
        look_at_limits(watch);
        const std::uint64_t number = set_.first_number(b) + i;
        const std::optional<State> state =
            certificate::decode(in_.system(), in_.queue_capacities(), block->state(i));
        if (!state)
          throw Stop{Result::Rejected, fmt::format("state {} of the set is no state of the model", number)};
        if (!wanted(number)) continue;
        walker.expand(number, *state);
        ++looked_at_;
      }
    }
  }

  void look_at_limits(const StepWatch& watch) const {
    if (options_.seconds &&
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count() > *options_.seconds)
      throw Stop{Result::Undecided,
                 fmt::format("out of time after {} of {} states", looked_at_.load(), set_.states())};
    if (watch.bytes() > options_.memory / std::max(1U, options_.threads))
      throw Stop{Result::Undecided, "out of memory for the completion steps"};
  }

  Outcome outcome(const StepWatch& all, std::size_t claim) const {
    if (stop_ && stop_->result == Result::Rejected) return {Result::Rejected, stop_->why};
    if (!all.objection(claim).empty()) return {Result::Rejected, all.objection(claim)};
    if (stop_) return {stop_->result, stop_->why};
    if (options_.share)
      return {Result::Sampled,
              fmt::format("{} of {} states and their steps", looked_at_.load(), set_.states())};
    return {Result::Confirmed, fmt::format("closed set of {} states", set_.states())};
  }

  const semantics::Interpreter& in_;
  ClosedSet& set_;
  const std::vector<certificate::PropertyClaim>& claims_;
  const ClosedSetOptions& options_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::atomic<std::size_t> next_{0};
  std::atomic<std::uint64_t> looked_at_{0};
  std::atomic<bool> stopping_{false};
  std::mutex mutex_;
  std::optional<Stop> stop_;
};

}  // namespace

bool shown_by_closed_set(const system::System& s, const certificate::PropertyClaim& claim) {
  switch (s.property(claim.property).kind) {
    case PropertyKind::NoDeadlock:
    case PropertyKind::NoLostMessages:
    case PropertyKind::NoAssertionFailure:
    case PropertyKind::NoRuntimeError:
    case PropertyKind::NoOverflow:
    case PropertyKind::NoEndlessCompletion:
    case PropertyKind::Always:
    case PropertyKind::Never:
      return claim.holds;
    case PropertyKind::Reachable:
    case PropertyKind::NoUnreachableStates:
    case PropertyKind::NoUnreachableTransitions:
      return !claim.holds;
    case PropertyKind::NoUnboundedQueues:
    case PropertyKind::Temporal:
      return false;
  }
  return false;
}

ClosedSetReport check_closed_set(const semantics::Interpreter& interpreter, ClosedSet& set,
                                 const std::vector<certificate::PropertyClaim>& claims,
                                 const ClosedSetOptions& options) {
  return Check(interpreter, set, claims, options).run();
}

}  // namespace parley::verify
