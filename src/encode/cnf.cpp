#include "encode/cnf.hpp"

#include <algorithm>

namespace parley::encode {

using solver::sat::Literal;

Gates::Gates(const Aig& aig, const std::vector<Lit>& roots) : gates_(aig.size()) {
  std::vector<std::uint32_t> uses(aig.size(), 0);
  std::vector<bool> live(aig.size(), false);
  for (const Lit r : roots) {
    live[node_of(r)] = true;
    uses[node_of(r)] += 2;  // a root keeps its own variable
  }
  for (std::uint32_t n = static_cast<std::uint32_t>(aig.size()); n-- > 1;) {
    if (!live[n] || !aig.is_gate(n)) continue;
    for (const Lit child : {aig.left(n), aig.right(n)}) {
      live[node_of(child)] = true;
      ++uses[node_of(child)];
    }
  }
  const auto single_gate = [&](Lit x) { return aig.is_gate(node_of(x)) && uses[node_of(x)] == 1; };
  for (std::uint32_t n = 1; n < aig.size(); ++n) {
    if (!aig.is_gate(n)) continue;
    Gate& gate = gates_[n];
    gate.first = static_cast<std::uint32_t>(leaves_.size());
    const Lit l = aig.left(n), r = aig.right(n);
    if (inverted(l) && inverted(r) && aig.is_gate(node_of(l)) && aig.is_gate(node_of(r)) &&
        uses[node_of(l)] <= 2 && uses[node_of(r)] <= 2) {
      const Lit a = aig.left(node_of(l)), b = aig.right(node_of(l));
      const Lit c = aig.left(node_of(r)), d = aig.right(node_of(r));
      Lit when = kFalse, then = kFalse, other = kFalse;
      if (a == neg(c)) when = a, then = b, other = d;
      if (a == neg(d)) when = a, then = b, other = c;
      if (b == neg(c)) when = b, then = a, other = d;
      if (b == neg(d)) when = b, then = a, other = c;
      if (when != kFalse) {  // node = !(when ? then : other)
        gate.kind = Kind::Ite;
        gate.flipped = true;
        gate.count = 3;
        leaves_.insert(leaves_.end(), {when, then, other});
        continue;
      }
    }
    gate.kind = Kind::And;
    std::vector<Lit> open{l, r};
    std::vector<Lit> operands;
    while (!open.empty()) {
      const Lit x = open.back();
      open.pop_back();
      // Already known gates of one use are opened up: their own leaves stand for them.
      if (!inverted(x) && single_gate(x) && gates_[node_of(x)].kind == Kind::And) {
        const Gate& inner = gates_[node_of(x)];
        for (std::uint32_t i = 0; i < inner.count; ++i) operands.push_back(leaves_[inner.first + i]);
      } else {
        operands.push_back(x);
      }
    }
    gate.first = static_cast<std::uint32_t>(leaves_.size());
    gate.count = static_cast<std::uint32_t>(operands.size());
    leaves_.insert(leaves_.end(), operands.begin(), operands.end());
  }
}

ClauseSink::ClauseSink(solver::sat::Solver& solver) : solver_(solver), true_(solver.new_variable()) {
  solver_.add({true_});
}

Literal ClauseSink::fresh() {
  ++variables_;
  return solver_.new_variable();
}

void ClauseSink::add(std::initializer_list<Literal> clause) {
  add(std::vector<Literal>(clause));
}

void ClauseSink::add(std::vector<Literal> clause) {
  if (std::find(clause.begin(), clause.end(), true_) != clause.end()) return;
  std::erase(clause, -true_);
  solver_.add_clause(clause);
  ++clauses_;
}

Frame::Frame(const Gates& gates, ClauseSink& sink)
    : gates_(gates), sink_(sink), map_(gates.gates_.size(), 0) {
  map_[0] = -sink.truth();
}

void Frame::set(Lit input, Literal literal) {
  map_[node_of(input)] = inverted(input) ? -literal : literal;
}

Literal Frame::known(Lit x) const {
  const Literal l = map_[node_of(x)];
  return inverted(x) ? -l : l;
}

Literal Frame::literal(Lit x) {
  if (map_[node_of(x)] == 0) build(node_of(x));
  return known(x);
}

void Frame::build(std::uint32_t root) {
  std::vector<std::uint32_t> open{root}, needed;
  std::vector<bool> seen(map_.size(), false);
  seen[root] = true;
  while (!open.empty()) {
    const std::uint32_t n = open.back();
    open.pop_back();
    if (map_[n] != 0) continue;
    const Gates::Gate& gate = gates_.gates_[n];
    if (gate.kind == Gates::Kind::None) {
      map_[n] = sink_.fresh();
      continue;
    }
    needed.push_back(n);
    for (std::uint32_t i = 0; i < gate.count; ++i) {
      const std::uint32_t child = node_of(gates_.leaves_[gate.first + i]);
      if (map_[child] == 0 && !seen[child]) {
        seen[child] = true;
        open.push_back(child);
      }
    }
  }
  std::sort(needed.begin(), needed.end());  // children have smaller numbers
  for (const std::uint32_t n : needed) {
    const Gates::Gate& gate = gates_.gates_[n];
    const Lit* leaf = &gates_.leaves_[gate.first];
    if (gate.kind == Gates::Kind::Ite) {
      const Literal r = choice(known(leaf[0]), known(leaf[1]), known(leaf[2]));
      map_[n] = gate.flipped ? -r : r;
    } else {
      std::vector<Literal> xs;
      for (std::uint32_t i = 0; i < gate.count; ++i) xs.push_back(known(leaf[i]));
      map_[n] = conjunction(std::move(xs));
    }
  }
}

Literal Frame::conjunction(std::vector<Literal> xs) {
  const Literal t = sink_.truth();
  std::sort(xs.begin(), xs.end());
  xs.erase(std::unique(xs.begin(), xs.end()), xs.end());
  std::erase(xs, t);
  if (std::find(xs.begin(), xs.end(), -t) != xs.end()) return -t;
  for (const Literal x : xs)
    if (x > 0 && std::binary_search(xs.begin(), xs.end(), -x)) return -t;
  if (xs.empty()) return t;
  if (xs.size() == 1) return xs[0];
  const Literal v = sink_.fresh();
  std::vector<Literal> all{v};
  for (const Literal x : xs) {
    sink_.add({-v, x});
    all.push_back(-x);
  }
  sink_.add(std::move(all));
  return v;
}

Literal Frame::choice(Literal c, Literal x, Literal y) {
  const Literal t = sink_.truth();
  if (c == t || x == y) return x;
  if (c == -t) return y;
  if (x == c) x = t;
  if (x == -c) x = -t;
  if (y == c) y = -t;
  if (y == -c) y = t;
  if (x == t && y == -t) return c;
  if (x == -t && y == t) return -c;
  if (x == t) return -conjunction({-c, -y});
  if (x == -t) return conjunction({-c, y});
  if (y == t) return -conjunction({c, -x});
  if (y == -t) return conjunction({c, x});
  const Literal v = sink_.fresh();
  sink_.add({-c, -x, v});
  sink_.add({-c, x, -v});
  sink_.add({c, -y, v});
  sink_.add({c, y, -v});
  if (x != -y) {  // redundant, for propagation
    sink_.add({-x, -y, v});
    sink_.add({x, y, -v});
  }
  return v;
}

}  // namespace parley::encode
