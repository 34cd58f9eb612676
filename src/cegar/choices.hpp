// What a user may choose about the refinement loop, by name: who refines, and which improvements over the
// published heuristic are switched off. Used by the command line; the loop itself reads LoopOptions only.
#pragma once

#include "cegar/loop.hpp"
#include "support/named_enum.hpp"

namespace parley::cegar {

enum class Refiner : std::uint8_t {
  Improved,
  Interpolants,  // asks an SMT solver first
  Published      // the thesis' heuristic alone
};
constexpr std::string_view name_of(Refiner refiner) {
  switch (refiner) {
    case Refiner::Improved:
      return "improved";
    case Refiner::Interpolants:
      return "interpolants";
    case Refiner::Published:
      return "published";
  }
  return {};
}
LoopOptions options_for(Refiner refiner);

enum class Improvement : std::uint8_t {
  WeakestPreconditions,
  Resimulation,
  WeakCorrespondence,
  PropagationAnalysis,
  ValuesPerLocation,
  SolvedChoices,
  Acceleration,
  ExactFallback,
  Intervals
};
constexpr std::string_view name_of(Improvement improvement) {
  switch (improvement) {
    case Improvement::WeakestPreconditions:
      return "weakest-preconditions";
    case Improvement::Resimulation:
      return "resimulation";
    case Improvement::WeakCorrespondence:
      return "weak-correspondence";
    case Improvement::PropagationAnalysis:
      return "propagation-analysis";
    case Improvement::ValuesPerLocation:
      return "values-per-location";
    case Improvement::SolvedChoices:
      return "solved-choices";
    case Improvement::Acceleration:
      return "acceleration";
    case Improvement::ExactFallback:
      return "exact-fallback";
    case Improvement::Intervals:
      return "intervals";
  }
  return {};
}
void switch_off(Improvement improvement, LoopOptions& options);

}  // namespace parley::cegar
