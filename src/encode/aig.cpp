#include "encode/aig.hpp"

#include <utility>

namespace parley::encode {

Aig::Aig() : left_{kInput}, right_{kInput} {}

Lit Aig::input() {
  left_.push_back(kInput);
  right_.push_back(kInput);
  return static_cast<Lit>((left_.size() - 1) * 2);
}

// The rules of brummayer2006 (table 2) that never grow the graph: contradiction, subsumption, idempotence,
// substitution and resolution, seen from the operand `x` and, by the second call, from `y`.
Lit Aig::simplify(Lit x, Lit y) {
  for (int round = 0; round < 2; ++round, std::swap(x, y)) {
    const std::uint32_t n = node_of(x);
    if (!is_gate(n)) continue;
    const Lit a = left_[n], b = right_[n];
    if (!inverted(x)) {
      if (y == neg(a) || y == neg(b)) return kFalse;
      if (y == a || y == b) return x;
    } else {
      if (y == neg(a) || y == neg(b)) return y;
      if (y == b) return conj(neg(a), b);
      if (y == a) return conj(neg(b), a);
    }
    const std::uint32_t m = node_of(y);
    if (!is_gate(m)) continue;
    const Lit c = left_[m], d = right_[m];
    if (!inverted(x) && !inverted(y)) {
      if (a == neg(c) || a == neg(d) || b == neg(c) || b == neg(d)) return kFalse;
      if (a == c || b == c) return conj(x, d);
      if (a == d || b == d) return conj(x, c);
    } else if (!inverted(x) && inverted(y)) {
      if (a == neg(c) || a == neg(d) || b == neg(c) || b == neg(d)) return x;
      if (a == c || b == c) return conj(x, neg(d));
      if (a == d || b == d) return conj(x, neg(c));
    } else if (inverted(x) && inverted(y)) {
      if ((a == c && b == neg(d)) || (a == d && b == neg(c))) return neg(a);
      if ((b == c && a == neg(d)) || (b == d && a == neg(c))) return neg(b);
    }
  }
  return kInput;
}

Lit Aig::conj(Lit x, Lit y) {
  if (x == kFalse || y == kFalse || x == neg(y)) return kFalse;
  if (x == kTrue || x == y) return y;
  if (y == kTrue) return x;
  if (x > y) std::swap(x, y);
  const std::uint64_t key = (static_cast<std::uint64_t>(x) << 32) | y;
  if (const auto found = unique_.find(key); found != unique_.end()) return found->second * 2;
  if (const Lit simpler = simplify(x, y); simpler != kInput) return simpler;
  left_.push_back(x);
  right_.push_back(y);
  const auto node = static_cast<std::uint32_t>(left_.size() - 1);
  unique_.emplace(key, node);
  return node * 2;
}

Lit Aig::exclusive(Lit x, Lit y) {
  if (is_constant(x)) return x == kTrue ? neg(y) : y;
  if (is_constant(y)) return y == kTrue ? neg(x) : x;
  // Signs move out, so that x ^ y and !x ^ y share their gates.
  const bool flip = inverted(x) != inverted(y);
  x &= ~1u;
  y &= ~1u;
  const Lit r = conj(neg(conj(x, y)), neg(conj(neg(x), neg(y))));
  return flip ? neg(r) : r;
}

Lit Aig::mux(Lit c, Lit x, Lit y) {
  if (is_constant(c)) return c == kTrue ? x : y;
  if (x == y) return x;
  if (x == neg(y)) return neg(exclusive(c, x));
  if (inverted(c)) return mux(neg(c), y, x);
  if (x == kTrue || x == c) return disj(c, y);
  if (x == kFalse || x == neg(c)) return conj(neg(c), y);
  if (y == kTrue || y == neg(c)) return disj(neg(c), x);
  if (y == kFalse || y == c) return conj(c, x);
  return neg(conj(neg(conj(c, x)), neg(conj(neg(c), y))));
}

Lit Aig::all(std::span<const Lit> xs) {
  if (xs.empty()) return kTrue;
  if (xs.size() == 1) return xs[0];
  const std::size_t half = xs.size() / 2;
  return conj(all(xs.first(half)), all(xs.subspan(half)));
}

Lit Aig::any(std::span<const Lit> xs) {
  if (xs.empty()) return kFalse;
  if (xs.size() == 1) return xs[0];
  const std::size_t half = xs.size() / 2;
  return disj(any(xs.first(half)), any(xs.subspan(half)));
}

std::vector<bool> Aig::evaluate(const std::vector<bool>& inputs) const {
  std::vector<bool> values(size(), false);
  for (std::uint32_t n = 1; n < size(); ++n)
    values[n] =
        is_input(n) ? (n < inputs.size() && inputs[n]) : value(values, left_[n]) && value(values, right_[n]);
  return values;
}

}  // namespace parley::encode
