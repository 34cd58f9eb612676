// And-inverter graphs: the common ground of bit-blasting, clause generation and the AIGER export. Nodes are
// hash-consed and simplified while they are built (two levels deep, brummayer2006). Node 0 is the constant
// false; a literal is a node and a sign. Knows nothing of what its inputs stand for.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace parley::encode {

using Lit = std::uint32_t;  // 2 * node + sign
inline constexpr Lit kFalse = 0;
inline constexpr Lit kTrue = 1;

constexpr Lit neg(Lit x) {
  return x ^ 1u;
}
constexpr std::uint32_t node_of(Lit x) {
  return x >> 1;
}
constexpr bool inverted(Lit x) {
  return (x & 1u) != 0;
}
constexpr bool is_constant(Lit x) {
  return x <= kTrue;
}

class Aig {
 public:
  Aig();
  Lit input();
  Lit conj(Lit x, Lit y);
  Lit disj(Lit x, Lit y) { return neg(conj(neg(x), neg(y))); }
  Lit implies(Lit x, Lit y) { return neg(conj(x, neg(y))); }
  Lit exclusive(Lit x, Lit y);
  Lit same(Lit x, Lit y) { return neg(exclusive(x, y)); }
  Lit mux(Lit c, Lit x, Lit y);  // c ? x : y
  Lit all(std::span<const Lit> xs);
  Lit any(std::span<const Lit> xs);

  std::size_t size() const { return left_.size(); }
  bool is_input(std::uint32_t node) const { return node != 0 && left_[node] == kInput; }
  bool is_gate(std::uint32_t node) const { return node != 0 && left_[node] != kInput; }
  Lit left(std::uint32_t node) const { return left_[node]; }
  Lit right(std::uint32_t node) const { return right_[node]; }

  // Values of all nodes, given those of the inputs (indexed by node; others are ignored).
  std::vector<bool> evaluate(const std::vector<bool>& inputs) const;
  static bool value(const std::vector<bool>& nodes, Lit x) { return nodes[node_of(x)] != inverted(x); }

 private:
  static constexpr Lit kInput = 0xffffffffu;
  Lit simplify(Lit x, Lit y);  // kInput: no rule applies
  std::vector<Lit> left_, right_;
  std::unordered_map<std::uint64_t, std::uint32_t> unique_;
};

}  // namespace parley::encode
