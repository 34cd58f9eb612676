// Connectivity, cut in on demand: the boundedness test when one set of weights is not enough. A combination
// of cycles that might pump a queue up need not be a run: cycles of one component that do not touch can only
// both be repeated if the component goes back and forth between them [leue2005, section 5]. So when the
// cycles of a counterexample fall apart in some component, the test asks whether the way between the parts
// can be taken for ever without a loss: a message "crossing", sent on every edge between the parts and never
// received, is put into the same program (weights.hpp).
//  - It can grow: the cycles that make it grow connect the parts, and join the counterexample.
//  - It cannot: its weights are a rank that every crossing lowers by at least 1, so a run crosses finitely
//    often and in between stays inside one part. The question falls apart into one per part.
// The answer is a tree: ranks at the branches, weights at the leaves (the decomposition is that of
// [kosaraju1988], one component at a time). Each run is a finite sequence of stays, each in one leaf, which
// gives the limits (phase_limit below); they are coarser than those of one set of weights for the whole run,
// which is why this comes after it.
//
// Invariant of a stay: the weight of all contents less the potentials of the nodes never rises. So contents
// at its end are at most (weight at its start + slack) / weight of the kind.
// Complete for the abstraction: what still stands is connected in every component.
#pragma once

#include "bounds/weights.hpp"

namespace parley::bounds {

// The way from one piece to another (or back into the same one, when another component crosses).
struct Crossing {
  std::uint32_t from = 0, to = 0;    // pieces
  std::vector<std::uint32_t> entry;  // nodes of the split component where the next stay may begin
  std::vector<std::int64_t> leap;    // by kind: the most that the step adds
};

// Without children: weights under which no edge gains. With children: a rank; edges that lose at least 1 are
// crossings, all others stay within one of the pieces of `component`.
struct Phase {
  std::vector<Rational> weights;                   // by kind
  std::vector<std::vector<Rational>> potentials;   // by component and node; 0 outside this phase
  std::vector<std::vector<std::uint32_t>> nodes;   // by component: those of this phase
  std::vector<bool> grows;                         // by kind: whether some edge of this phase adds to it
  std::uint32_t component = 0;                     // the one that falls apart
  std::vector<std::vector<std::uint32_t>> pieces;  // its nodes, one set per child
  std::vector<Crossing> crossings;
  std::vector<Phase> children;
};

struct PhaseProof {
  bool complete = false;              // false: stopped, or too many phases
  std::vector<bool> bounded;          // by kind; messages only
  Phase root;                         // if anything is bounded
  std::optional<WeightBound> always;  // of the kinds that one set of weights bounds, for tighter limits
  std::vector<std::vector<CycleRun>> standing;  // counterexamples that are connected
};

struct PhaseLimits {
  std::size_t phases = 200;
  std::function<bool()> stop;
};

// `graph` without a component for the initialisation: its messages are part of Kind::initial.
PhaseProof prove_by_phases(const FlowGraph& graph, const PhaseLimits& limits);

// The most that the watched kinds together can hold in any run. Nothing if the number is beyond all use or
// takes too long to work out.
std::optional<std::int64_t> phase_limit(const FlowGraph& graph, const PhaseProof& proof,
                                        const std::vector<std::uint32_t>& watched);

// The tree in words: which component cannot go back and forth for ever between which of its control states.
std::vector<std::string> tell(const FlowGraph& graph, const PhaseProof& proof);

// The graph that prove_by_phases asks for, `components` of it being real.
FlowGraph started(const FlowGraph& graph, std::size_t components);

// Node sets of one component that its cycles among `runs` keep apart; empty: they are connected.
struct FallenApart {
  std::uint32_t component = 0;
  std::vector<std::vector<std::uint32_t>> parts;
};
std::optional<FallenApart> fallen_apart(const FlowGraph& graph, const std::vector<CycleRun>& runs);

}  // namespace parley::bounds
