#include "ltl/automaton.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace parley::ltl {
namespace {

std::size_t count_edges(const std::vector<std::vector<Edge>>& edges) {
  std::size_t n = 0;
  for (const auto& of_state : edges) n += of_state.size();
  return n;
}

bool edges_well_formed(const std::vector<std::vector<Edge>>& edges, Marks allowed) {
  for (const auto& of_state : edges)
    for (const Edge& edge : of_state)
      if (edge.target >= edges.size() || !edge.label.satisfiable() || (edge.marks & ~allowed) != 0)
        return false;
  return true;
}

// The one proposition whose sign differs, everything else being equal; 0 if there is no such.
std::uint64_t only_difference(Cube a, Cube b) {
  const std::uint64_t differs = a.positive ^ b.positive;
  return differs == (a.negative ^ b.negative) && std::has_single_bit(differs) &&
                 (a.positive | a.negative) == (b.positive | b.negative)
             ? differs
             : 0;
}

// The other is inside of kept, which has at least its marks: a run over it can take kept.
bool absorbs(const Edge& kept, const Edge& other) {
  return kept.label.includes(other.label) && (other.marks & ~kept.marks) == 0;
}

// Edges of one target: absorbed ones are removed, pairs of which one sign differs become one. True if a pair
// did.
bool join_pairs(std::vector<Edge>& edges) {
  bool joined = false;
  for (std::size_t i = 0; i < edges.size(); ++i)
    for (std::size_t j = edges.size(); j-- > i + 1;) {
      const std::uint64_t differs =
          edges[i].marks == edges[j].marks ? only_difference(edges[i].label, edges[j].label) : 0;
      if (differs != 0) {
        edges[i].label.positive &= ~differs;
        edges[i].label.negative &= ~differs;
        joined = true;
      } else if (absorbs(edges[j], edges[i])) {
        edges[i] = edges[j];
      } else if (!absorbs(edges[i], edges[j])) {
        continue;
      }
      edges.erase(edges.begin() + static_cast<std::ptrdiff_t>(j));
    }
  return joined;
}

// Looks at one case after the other, up to a number of them.
struct CaseSplit {
  int left = 20'000;

  bool covered(Cube cube, std::span<const Cube> others) {
    if (left-- <= 0) return false;
    std::vector<Cube> met;
    for (const Cube other : others) {
      if (other.includes(cube)) return true;
      if ((other & cube).satisfiable()) met.push_back(other);
    }
    if (met.empty()) return false;
    // By a proposition that some other cube mentions: each case leaves fewer of them.
    const std::uint64_t mentioned = (met[0].positive | met[0].negative) & ~(cube.positive | cube.negative);
    const std::uint64_t bit = mentioned & (~mentioned + 1);
    return covered({cube.positive | bit, cube.negative}, met) &&
           covered({cube.positive, cube.negative | bit}, met);
  }
};

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string dot_of(const std::vector<std::vector<Edge>>& edges, const std::vector<bool>& accepting,
                   State initial, std::span<const std::string> names) {
  std::string out = "digraph automaton {\n  rankdir=LR;\n  node [shape=circle];\n  start [shape=point];\n";
  for (State s = 0; s < edges.size(); ++s)
    if (accepting[s]) out += "  " + std::to_string(s) + " [shape=doublecircle];\n";
  out += "  start -> " + std::to_string(initial) + ";\n";
  for (State s = 0; s < edges.size(); ++s)
    for (const Edge& edge : edges[s]) {
      std::string label = show(edge.label, names);
      for (unsigned m = 0; m < kMostMarks; ++m)
        if ((edge.marks >> m) & 1) label += " {" + std::to_string(m) + "}";
      out += "  " + std::to_string(s) + " -> " + std::to_string(edge.target) + " [label=" + quoted(label) +
             "];\n";
    }
  return out + "}\n";
}

}  // namespace

std::size_t Automaton::edge_count() const {
  return count_edges(edges);
}
std::size_t Buchi::edge_count() const {
  return count_edges(edges);
}

bool well_formed(const Automaton& automaton) {
  return automaton.marks <= kMostMarks && automaton.initial < automaton.states() &&
         edges_well_formed(automaton.edges, automaton.all_marks());
}

bool well_formed(const Buchi& automaton) {
  return automaton.accepting.size() == automaton.states() && automaton.initial < automaton.states() &&
         edges_well_formed(automaton.edges, 0);
}

Automaton with_marks(const Buchi& automaton) {
  Automaton marked{automaton.edges, automaton.initial, 1};
  for (State s = 0; s < marked.states(); ++s)
    for (Edge& edge : marked.edges[s]) edge.marks = automaton.accepting[s] ? 1 : 0;
  return marked;
}

bool covered(Cube cube, std::span<const Cube> others) {
  return CaseSplit{}.covered(cube, others);
}

void merge_labels(std::vector<Edge>& edges) {
  constexpr std::size_t kMostPaired = 300;  // more edges to one target are not compared with each other
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
    return std::tie(a.target, a.marks, a.label) < std::tie(b.target, b.marks, b.label);
  });
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  std::vector<Edge> merged;
  for (auto first = edges.begin(); first != edges.end();) {
    const auto last =
        std::find_if(first, edges.end(), [&](const Edge& e) { return e.target != first->target; });
    std::vector<Edge> group(first, last);
    if (group.size() <= kMostPaired)
      while (join_pairs(group)) {
      }
    merged.insert(merged.end(), group.begin(), group.end());
    first = last;
  }
  std::sort(merged.begin(), merged.end());
  edges = std::move(merged);
}

void drop_unreachable(Automaton& automaton) {
  constexpr State kUnseen = std::numeric_limits<State>::max();
  std::vector<State> number(automaton.states(), kUnseen);
  std::vector<State> order = {automaton.initial};
  number[automaton.initial] = 0;
  for (std::size_t i = 0; i < order.size(); ++i)
    for (const Edge& edge : automaton.edges[order[i]])
      if (number[edge.target] == kUnseen) {
        number[edge.target] = static_cast<State>(order.size());
        order.push_back(edge.target);
      }
  std::vector<std::vector<Edge>> edges;
  edges.reserve(order.size());
  for (const State s : order) {
    edges.push_back(std::move(automaton.edges[s]));
    for (Edge& edge : edges.back()) edge.target = number[edge.target];
  }
  automaton.edges = std::move(edges);
  automaton.initial = 0;
}

std::string show(Cube cube, std::span<const std::string> names) {
  std::string out;
  for (std::uint32_t p = 0; p < kMostPropositions; ++p) {
    const bool positive = ((cube.positive >> p) & 1) != 0, negative = ((cube.negative >> p) & 1) != 0;
    if (!positive && !negative) continue;
    if (!out.empty()) out += " & ";
    if (negative) out += "!";
    out += p < names.size() ? names[p] : "p" + std::to_string(p);
  }
  return out.empty() ? "true" : out;
}

std::string to_dot(const Automaton& automaton, std::span<const std::string> names) {
  return dot_of(automaton.edges, std::vector<bool>(automaton.states()), automaton.initial, names);
}

std::string to_dot(const Buchi& automaton, std::span<const std::string> names) {
  return dot_of(automaton.edges, automaton.accepting, automaton.initial, names);
}

}  // namespace parley::ltl
