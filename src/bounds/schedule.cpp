#include "bounds/schedule.hpp"

#include "support/interrupt.hpp"

namespace parley::bounds {

const std::vector<Turn>& schedule() {
  static const std::vector<Turn> turns = {
      {.argument = Argument::Weights, .needs = {.weights = true}, .until = 0.25, .finish = 0.3},
      {.argument = Argument::ShortSearch, .needs = {.search = true}, .until = 0.1},
      {.argument = Argument::LengthTests, .needs = {.weights = true}, .own = 0.1},
      {.argument = Argument::SearchBeside,
       .needs =
           {.search = true, .explorer = true, .no_growth = true, .unsettled_queue = true, .beside = true},
       .finish = 0.9},
      {.argument = Argument::Refining,
       .needs = {.weights = true, .graphs = true},
       .until = 0.25,
       .finish = 0.3},
      {.argument = Argument::WeightLimits, .needs = {.weights = true, .graphs = true}, .finish = 0.45},
      {.argument = Argument::LengthLimits},
      {.argument = Argument::Walks, .needs = {.search = true, .open_queue = true}, .until = 0.34},
      {.argument = Argument::MessageOrder,
       .needs = {.weights = true, .graphs = true, .open_queue = true, .order = true},
       .begins_before = 0.5,
       .own = 0.6},
      {.argument = Argument::Activation,
       .needs = {.weights = true, .prover = true, .graphs = true, .open_queue = true, .no_growth = true},
       .begins_before = 0.6,
       .until = 0.85,
       .finish = 0.6},
      {.argument = Argument::Exhaustive,
       .needs = {.search = true,
                 .explorer = true,
                 .open_queue = true,
                 .no_growth = true,
                 .instead_of_beside = true},
       .until = 0.8},
      {.argument = Argument::LongSearch, .needs = {.search = true, .open_queue = true}, .until = 0.88},
      {.argument = Argument::EndOfSearchBeside, .until = 0.92},
      {.argument = Argument::Stories, .finish = 0.99},
  };
  return turns;
}

RaceClock::RaceClock(double seconds, const engine::CancelToken* cancel)
    : start_(std::chrono::steady_clock::now()), given_(seconds), cancel_(cancel) {}

double RaceClock::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

bool RaceClock::past(double share) const {
  return interrupted() || (cancel_ != nullptr && cancel_->cancelled()) || seconds() > given_ * share ||
         closed_beside();
}

std::function<bool()> RaceClock::until(double share) const {
  return [this, share] { return past(share); };
}

}  // namespace parley::bounds
