#include "symbolic/houdini.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <random>
#include <set>

#include "encode/cnf.hpp"

namespace parley::symbolic {

using encode::BitPart;
using encode::Lit;
using solver::sat::Answer;
using solver::sat::Literal;

namespace {

constexpr std::size_t kSamples = 3000, kWalkLength = 120, kMaxCandidates = 12000;
constexpr std::int64_t kSmallType = 16;

// States of random runs, as bits.
std::vector<std::vector<bool>> sampled(const encode::Layout& layout, const semantics::Interpreter& in,
                                       const solver::sat::Interrupt& interrupt) {
  std::set<std::vector<bool>> seen;
  std::mt19937_64 random(1);
  const auto start_time = std::chrono::steady_clock::now();
  const auto over = [&] {
    return (interrupt.stop && interrupt.stop()) ||
           std::chrono::steady_clock::now() - start_time > std::chrono::milliseconds(500);
  };
  for (std::size_t taken = 0; taken < kSamples && !over();) {
    semantics::Choices choices;
    const semantics::StepResult start = in.attempt_initial(choices);
    if (start.outcome != semantics::Outcome::Done) break;
    semantics::State state = start.state;
    for (std::size_t i = 0; i < kWalkLength && !over(); ++i, ++taken) {
      seen.insert(layout.encode(state));
      std::vector<semantics::State> next;
      for (auto& s : in.successors(state))
        if (s.result.outcome == semantics::Outcome::Done) next.push_back(std::move(s.result.state));
      if (next.empty()) break;
      state = next[random() % next.size()];
    }
    ++taken;
  }
  return {seen.begin(), seen.end()};
}

bool wide_choice(const system::System& s) {
  return std::any_of(s.stmts.begin(), s.stmts.end(), [&](const system::Stmt& st) {
    if (st.kind != system::StmtKind::Choose) return false;
    const expr::Node &lo = s.exprs[st.lo], &hi = s.exprs[st.hi];
    return lo.op != expr::Op::Const || hi.op != expr::Op::Const ||
           static_cast<std::int64_t>(hi.value) - lo.value > 64;
  });
}

// Something one would name when explaining the system: a small cell has a value, a slot holds a signal or is
// free. `group` tells predicates about the same cell or slot; `bits` are those that it may say more about.
struct Predicate {
  Cube cube;
  std::uint32_t group = 0;
  std::vector<int> related;
};

std::vector<Predicate> predicates(const encode::Relation& r) {
  const system::System& s = r.system();
  const auto& bits = r.layout().bits();
  std::map<std::uint32_t, std::vector<int>> cells;  // cell: its bits
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<int>>
      slots;  // queue, slot: bits of the signal
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<int>> params;  // …: other bits
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> occupied;
  std::map<std::uint32_t, std::vector<int>> data;  // owner: bits of its wide cells
  for (std::size_t b = 0; b < bits.size(); ++b) {
    const encode::StateBit& bit = bits[b];
    const int l = static_cast<int>(b) + 1;
    const std::pair<std::uint32_t, std::uint32_t> slot{bit.index, bit.slot};
    if (bit.part == BitPart::Cell) {
      const system::Cell& c = s.cells[bit.index];
      if (c.type.size() <= static_cast<std::uint64_t>(kSmallType))
        cells[bit.index].push_back(l);
      else if (c.owner.valid())
        data[c.owner.value].push_back(l);
    } else if (bit.part == BitPart::Signal) {
      slots[slot].push_back(l);
    } else if (bit.part == BitPart::Occupied) {
      occupied[slot] = l;
    } else if (bit.part == BitPart::Param) {
      params[slot].push_back(l);
    }
  }
  std::vector<Predicate> out;
  std::uint32_t group = 0;
  for (const auto& [index, mine] : cells) {
    const expr::Type& t = s.cells[index].type;
    for (std::int64_t v = std::min(t.lo, 0); v <= t.hi; ++v) {
      if (!t.contains(static_cast<std::int32_t>(v))) continue;
      Predicate p;
      p.group = group;
      for (std::size_t b = 0; b < mine.size(); ++b) p.cube.push_back((v >> b) & 1 ? mine[b] : -mine[b]);
      if (s.cells[index].role == system::CellRole::Location && s.cells[index].owner.valid())
        p.related = data[s.cells[index].owner.value];
      out.push_back(std::move(p));
    }
    ++group;
  }
  for (const auto& [slot, l] : occupied) {
    for (std::size_t k = 0; k < s.queues[slot.first].signals.size(); ++k) {
      Predicate p;
      p.group = group;
      p.cube = {l};
      const auto& mine = slots[slot];
      for (std::size_t b = 0; b < mine.size(); ++b) p.cube.push_back((k >> b) & 1 ? mine[b] : -mine[b]);
      p.related = params[slot];
      out.push_back(std::move(p));
    }
    out.push_back({{-l}, group, {}});
    ++group;
  }
  return out;
}

bool satisfies(const std::vector<bool>& state, const Cube& cube) {
  return std::all_of(cube.begin(), cube.end(),
                     [&](int l) { return state[static_cast<std::size_t>(std::abs(l)) - 1] == (l > 0); });
}

Cube joined(const Cube& x, const Cube& y) {
  Cube c = x;
  c.insert(c.end(), y.begin(), y.end());
  std::sort(c.begin(), c.end(), [](int a, int b) { return std::abs(a) < std::abs(b); });
  c.erase(std::unique(c.begin(), c.end()), c.end());
  return c;
}

// Constant bits, single predicates, pairs of them, and a predicate with a bit it speaks about.
std::vector<Cube> candidates(const encode::Relation& r, const std::vector<std::vector<bool>>& samples) {
  std::vector<Cube> out;
  std::vector<bool> constant(r.layout().bits().size(), true);
  for (std::size_t b = 0; b < constant.size(); ++b) {
    for (const auto& s : samples) constant[b] = constant[b] && s[b] == samples[0][b];
    const int l = static_cast<int>(b) + 1;
    if (constant[b]) out.push_back({samples[0][b] ? -l : l});
  }
  std::vector<Predicate> seen;
  std::vector<std::vector<std::uint32_t>> where;  // samples in which it holds
  for (Predicate& p : predicates(r)) {
    std::vector<std::uint32_t> at;
    for (std::uint32_t i = 0; i < samples.size(); ++i)
      if (satisfies(samples[i], p.cube)) at.push_back(i);
    if (at.empty()) {
      if (p.cube.size() > 1) out.push_back(p.cube);
      continue;
    }
    for (const int l : p.related) {
      const auto b = static_cast<std::size_t>(l) - 1;
      if (constant[b]) continue;
      const bool first = samples[at[0]][b];
      if (std::all_of(at.begin(), at.end(), [&](std::uint32_t i) { return samples[i][b] == first; }))
        out.push_back(joined(p.cube, {first ? -l : l}));
    }
    seen.push_back(std::move(p));
    where.push_back(std::move(at));
  }
  for (std::size_t i = 0; i < seen.size(); ++i)
    for (std::size_t j = i + 1; j < seen.size() && out.size() < kMaxCandidates; ++j) {
      if (seen[i].group == seen[j].group) continue;
      std::vector<std::uint32_t> both;
      std::set_intersection(where[i].begin(), where[i].end(), where[j].begin(), where[j].end(),
                            std::back_inserter(both));
      if (both.empty()) out.push_back(joined(seen[i].cube, seen[j].cube));
    }
  return out;
}

}  // namespace

std::vector<Cube> inductive_facts(encode::Relation& r, const semantics::Interpreter& in,
                                  const solver::sat::Factory& solvers,
                                  const solver::sat::Interrupt& interrupt) {
  if (wide_choice(r.system())) return {};  // the reference interpreter would list every value
  const auto samples = sampled(r.layout(), in, interrupt);
  if (samples.empty()) return {};
  const std::vector<Cube> all = candidates(r, samples);
  const encode::Stage& stage = r.stages()[0];
  std::vector<Lit> roots = stage.next;
  roots.insert(roots.end(), stage.constraints.begin(), stage.constraints.end());
  roots.insert(roots.end(), r.initial_bits().begin(), r.initial_bits().end());
  roots.insert(roots.end(), {stage.any_fire, r.well_formed(), r.initial_ok()});
  const encode::Gates gates(r.aig(), roots);
  const auto solver = solvers();
  solver->interrupt_by(interrupt);
  encode::ClauseSink sink(*solver);
  encode::Frame frame(gates, sink), initial(gates, sink);
  std::vector<Literal> now, next, first;
  for (const Lit bit : r.state_bits()) {
    now.push_back(sink.fresh());
    frame.set(bit, now.back());
  }
  sink.add({frame.literal(r.well_formed())});
  for (const Lit c : stage.constraints) sink.add({frame.literal(c)});
  // Only where steps are asked about: if the system has none, the solver must still know the initial states.
  const Literal step = sink.fresh();
  sink.add({-step, frame.literal(stage.any_fire)});
  for (const Lit bit : stage.next) next.push_back(frame.literal(bit));
  for (const Lit bit : r.initial_bits()) first.push_back(initial.literal(bit));
  const Literal ok = initial.literal(r.initial_ok());
  const auto at = [](const std::vector<Literal>& bits, int l) {
    const Literal x = bits[static_cast<std::size_t>(std::abs(l)) - 1];
    return l > 0 ? x : -x;
  };
  // Find a state that satisfies some remaining cube, drop all cubes that it satisfies, until none is left.
  std::vector<bool> alive(all.size(), true);
  const auto filter = [&](const std::vector<Literal>& bits, bool assume_facts) {
    std::vector<Literal> holds, met;
    for (const Cube& cube : all) {
      holds.push_back(sink.fresh());
      met.push_back(sink.fresh());
      if (assume_facts) {
        std::vector<Literal> clause{-holds.back()};
        for (const int l : cube) clause.push_back(-at(now, l));
        sink.add(std::move(clause));
      }
      for (const int l : cube) sink.add({-met.back(), at(bits, l)});
    }
    for (;;) {
      std::vector<Literal> assumptions{sink.fresh()};
      std::vector<Literal> some{-assumptions[0]};
      assumptions.push_back(assume_facts ? step : ok);
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (!alive[i]) continue;
        if (assume_facts) assumptions.push_back(holds[i]);
        some.push_back(met[i]);
      }
      if (some.size() == 1) return true;
      sink.add(some);
      const Answer answer = solver->solve(assumptions);
      if (answer == Answer::Unknown) return false;
      if (answer == Answer::Unsatisfiable) return true;
      std::vector<bool> model;
      for (const Literal l : bits) model.push_back(solver->value(l));
      for (std::size_t i = 0; i < all.size(); ++i)
        if (alive[i] && satisfies(model, all[i])) alive[i] = false;
      sink.add({some[0]});
    }
  };
  if (!filter(first, false) || !filter(next, true)) return {};
  std::vector<Cube> facts;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (alive[i]) facts.push_back(all[i]);
  return facts;
}

}  // namespace parley::symbolic
