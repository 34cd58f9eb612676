#include "cegar/choices.hpp"

namespace parley::cegar {

LoopOptions options_for(Refiner refiner) {
  LoopOptions options = refiner == Refiner::Published ? LoopOptions::published() : LoopOptions{};
  options.interpolants = refiner == Refiner::Interpolants;
  return options;
}

void switch_off(Improvement improvement, LoopOptions& o) {
  switch (improvement) {
    case Improvement::WeakestPreconditions:
      o.weakest_preconditions = false;
      return;
    case Improvement::Resimulation:
      o.resimulate = false;
      return;
    case Improvement::WeakCorrespondence:
      o.weak_message_correspondence = false;
      return;
    case Improvement::PropagationAnalysis:
      o.analyse_propagation = false;
      return;
    case Improvement::ValuesPerLocation:
      o.values_per_location = false;
      return;
    case Improvement::SolvedChoices:
      o.solve_choices = false;
      return;
    case Improvement::Acceleration:
      o.accelerate = false;
      return;
    case Improvement::ExactFallback:
      o.exact_after = 0;
      return;
    case Improvement::Intervals:
      o.intermediate = domain::Intermediate::Cells;
      return;
  }
}

}  // namespace parley::cegar
