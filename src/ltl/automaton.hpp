// Automata on infinite words. An Automaton is a transition-based generalised Büchi automaton: it accepts a
// word if some run over it passes edges with each of its marks infinitely often (with no marks: if some run
// never gets stuck). A Buchi automaton has one set of accepting states instead, as Spin's never claims have.
// Made by ltl/translate.hpp and ltl/degeneralise.hpp; products with systems are made of them elsewhere.
//
// Invariants (`well_formed`): targets and the initial state are states, labels are satisfiable, marks are
// below `marks`. A state without edges is stuck: it accepts nothing.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ltl/lasso.hpp"

namespace parley::ltl {

using State = std::uint32_t;
// Bit m: acceptance mark m.
using Marks = std::uint64_t;

inline constexpr unsigned kMostMarks = 64;

// A conjunction of literals: the propositions that must be true and those that must be false.
struct Cube {
  std::uint64_t positive = 0;
  std::uint64_t negative = 0;

  bool satisfiable() const { return (positive & negative) == 0; }
  bool admits(Letter letter) const { return (positive & ~letter) == 0 && (negative & letter) == 0; }
  // Whether every letter of the other is one of this.
  bool includes(Cube other) const {
    return (positive & ~other.positive) == 0 && (negative & ~other.negative) == 0;
  }
  bool is_true() const { return (positive | negative) == 0; }
  Cube operator&(Cube other) const { return {positive | other.positive, negative | other.negative}; }
  friend bool operator==(Cube, Cube) = default;
  friend auto operator<=>(Cube, Cube) = default;
};

struct Edge {
  Cube label;
  State target = 0;
  Marks marks = 0;
  friend bool operator==(const Edge&, const Edge&) = default;
  friend auto operator<=>(const Edge&, const Edge&) = default;
};

struct Automaton {
  std::vector<std::vector<Edge>> edges;  // of each state
  State initial = 0;
  unsigned marks = 0;  // how many

  std::size_t states() const { return edges.size(); }
  std::size_t edge_count() const;
  Marks all_marks() const { return marks == 64 ? ~Marks{0} : (Marks{1} << marks) - 1; }
};

struct Buchi {
  std::vector<std::vector<Edge>> edges;  // with no marks
  std::vector<bool> accepting;
  State initial = 0;

  std::size_t states() const { return edges.size(); }
  std::size_t edge_count() const;
};

bool well_formed(const Automaton& automaton);
bool well_formed(const Buchi& automaton);

// The same automaton with one mark, on all edges that leave accepting states.
Automaton with_marks(const Buchi& automaton);

// Whether every letter of the cube is admitted by one of the others. Exponential at worst, so it gives up,
// with false, after many cases; nobody takes false for a proof.
bool covered(Cube cube, std::span<const Cube> others);

// Fewer cubes for the same letters, for edges with the same target and marks: drops those inside others and
// joins pairs that differ in the sign of one proposition. Sorts the edges.
void merge_labels(std::vector<Edge>& edges);

// Removes states that cannot be reached; numbers the rest in the order of a search from the initial state.
void drop_unreachable(Automaton& automaton);

// "a & !b", "true"; propositions without a name are p<number>.
std::string show(Cube cube, std::span<const std::string> names);

// For Graphviz: marks as numbers behind labels, accepting states with a double border.
std::string to_dot(const Automaton& automaton, std::span<const std::string> names);
std::string to_dot(const Buchi& automaton, std::span<const std::string> names);

}  // namespace parley::ltl
