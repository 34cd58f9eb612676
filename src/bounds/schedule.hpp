// When the arguments of the boundedness test have their turn: one list, in order, with what each of them
// needs and its shares of the time. bounds.cpp goes through the list; nothing else knows a share. The numbers
// come from the figures in docs/bounds.md: weights settle most queues at once, so refinement of what they
// leave open may not eat the time of the loops that a search finds, nor those the time of seeing everything.
#pragma once

#include <functional>
#include <vector>

#include "bounds/exhaustive.hpp"
#include "engine/engine.hpp"

namespace parley::bounds {

enum class Argument : std::uint8_t {
  Weights,            // of the graphs as they are
  ShortSearch,        // settles small systems, finds obvious loops, before anything is refined
  LengthTests,        // who asks for the length before it sends
  SearchBeside,       // begins: everything is seen on a thread of its own
  Refining,           // of the graphs, by counterexamples, and trees of weights for what is left
  WeightLimits,       // the numbers
  LengthLimits,       //
  Walks,              // loops that an exhaustive search would meet too late
  MessageOrder,       // the same test on a system that remembers the order of messages
  Activation,         // whether cycles that nobody has seen can be entered at all
  Exhaustive,         // everything is seen now
  LongSearch,         // whatever time is left for
  EndOfSearchBeside,  // it may still see everything
  Stories             // the cycles to blame for what is open
};

// What must be so when the turn comes; otherwise it is passed over.
struct Needs {
  bool weights = false, search = false;   // the option
  bool explorer = false, prover = false;  // another engine to ask
  bool graphs = false;                    // weights got as far as a linear program
  bool open_queue = false,
       no_growth = false;        // a queue without answer; none that grows (no search would end)
  bool unsettled_queue = false;  // neither answered nor about to be
  bool order = false;            // the option
  bool beside = false, instead_of_beside = false;  // a search beside is wanted or runs; none runs
};

struct Turn {
  Argument argument = Argument::Weights;
  Needs needs = {};
  // Shares of the whole time: not begun after `begins_before`; begins nothing new after `until`; a solver
  // that was asked in time stops at `finish`.
  double begins_before = 1, until = 1, finish = 1;
  double own = 0;  // share for itself, counted from when it begins; 0: as long as `until` allows
};

const std::vector<Turn>& schedule();

// Beside the turns.
inline constexpr double kFactsUntil = 0.15;        // ranges, before the first turn
inline constexpr double kPhasesUntil = 0.36;       // trees of weights, within Refining
inline constexpr double kWalksAfterSearch = 0.07;  // more than the search had
// A short search is short in seconds too: less where weights have settled everything.
inline constexpr double kShortSearchSeconds = 2.0, kShortSearchSecondsIfSettled = 0.3;

// The time of one test, and everything that ends it early.
class RaceClock {
 public:
  RaceClock(double seconds, const engine::CancelToken* cancel);
  double seconds() const;  // since the start
  double given() const { return given_; }
  // Until that share of the time is over; may be negative.
  double left_until(double share) const { return given_ * share - seconds(); }
  // The share is over, the test is cancelled, or a search beside has seen everything.
  bool past(double share) const;
  std::function<bool()> until(double share) const;
  // Null: there is none, or no longer.
  void watch(const BackgroundSearch* beside) { beside_ = beside; }
  bool closed_beside() const { return beside_ != nullptr && beside_->closed(); }
  const engine::CancelToken* cancel() const { return cancel_; }

 private:
  std::chrono::steady_clock::time_point start_;
  double given_;
  const engine::CancelToken* cancel_;
  const BackgroundSearch* beside_ = nullptr;
};

}  // namespace parley::bounds
