#include "symbolic/houdini.hpp"

#include <algorithm>
#include <random>

#include "encode/cnf.hpp"

namespace parley::symbolic {

using encode::Lit;
using solver::sat::Answer;
using solver::sat::Literal;

namespace {

constexpr std::size_t kWalks = 24, kWalkLength = 60, kMaxPairsBits = 96, kMaxCandidates = 6000;

// States of random runs. Models with very many successors are left after a few states.
std::vector<std::vector<bool>> sampled(const encode::Layout& layout, const semantics::Interpreter& in,
                                       const solver::sat::Interrupt& interrupt) {
  std::vector<std::vector<bool>> out;
  std::mt19937_64 random(1);
  for (std::size_t walk = 0; walk < kWalks; ++walk) {
    semantics::Choices choices;
    semantics::StepResult start = in.attempt_initial(choices);
    if (start.outcome != semantics::Outcome::Done) return out;
    semantics::State state = start.state;
    for (std::size_t i = 0; i < kWalkLength; ++i) {
      out.push_back(layout.encode(state));
      if (interrupt.stop && interrupt.stop()) return out;
      std::vector<semantics::State> next;
      for (auto& s : in.successors(state))
        if (s.result.outcome == semantics::Outcome::Done) next.push_back(std::move(s.result.state));
      if (next.empty()) break;
      state = next[random() % next.size()];
    }
  }
  return out;
}

bool wide_choice(const system::System& s) {
  return std::any_of(s.stmts.begin(), s.stmts.end(), [&](const system::Stmt& st) {
    if (st.kind != system::StmtKind::Choose) return false;
    const expr::Node &lo = s.exprs[st.lo], &hi = s.exprs[st.hi];
    return lo.op != expr::Op::Const || hi.op != expr::Op::Const ||
           static_cast<std::int64_t>(hi.value) - lo.value > 64;
  });
}

std::vector<Cube> candidates(const encode::Relation& r, const std::vector<std::vector<bool>>& samples) {
  std::vector<Cube> out;
  const std::size_t n = r.layout().bits().size();
  std::vector<int> varying;
  for (std::size_t b = 0; b < n; ++b) {
    const bool first = samples[0][b];
    const bool constant =
        std::all_of(samples.begin(), samples.end(), [&](const auto& s) { return s[b] == first; });
    const int l = static_cast<int>(b) + 1;
    if (constant)
      out.push_back({first ? -l : l});
    else if (const encode::StateBit& bit = r.layout().bits()[b]; bit.part == encode::BitPart::Occupied ||
                                                                 bit.part == encode::BitPart::Signal ||
                                                                 bit.part == encode::BitPart::Cell)
      varying.push_back(l);
  }
  if (varying.size() > kMaxPairsBits) varying.resize(kMaxPairsBits);
  for (std::size_t i = 0; i < varying.size(); ++i)
    for (std::size_t j = i + 1; j < varying.size(); ++j)
      for (const int si : {1, -1})
        for (const int sj : {1, -1}) {
          const auto bi = static_cast<std::size_t>(varying[i]) - 1,
                     bj = static_cast<std::size_t>(varying[j]) - 1;
          const bool seen = std::any_of(samples.begin(), samples.end(), [&](const auto& s) {
            return s[bi] == (si > 0) && s[bj] == (sj > 0);
          });
          if (!seen && out.size() < kMaxCandidates) out.push_back({si * varying[i], sj * varying[j]});
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
  std::vector<Cube> facts = candidates(r, samples);
  // They must hold at the start; drop those that some initial state refutes.
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
  sink.add({frame.literal(stage.any_fire)});
  for (const Lit bit : stage.next) next.push_back(frame.literal(bit));
  for (const Lit bit : r.initial_bits()) first.push_back(initial.literal(bit));
  const Literal ok = initial.literal(r.initial_ok());
  const auto at = [](const std::vector<Literal>& bits, int l) {
    const Literal x = bits[static_cast<std::size_t>(std::abs(l)) - 1];
    return l > 0 ? x : -x;
  };
  // One round per side: find a state that satisfies some cube, drop all cubes it satisfies.
  const auto filter = [&](const std::vector<Literal>& bits, bool assume_facts) {
    for (;;) {
      std::vector<Literal> assumptions;
      if (!assume_facts) assumptions.push_back(ok);
      const Literal round = sink.fresh();
      std::vector<Literal> some{-round};
      for (const Cube& cube : facts) {
        if (assume_facts) {
          std::vector<Literal> clause{-round};
          for (const int l : cube) clause.push_back(-at(now, l));
          sink.add(std::move(clause));
        }
        const Literal met = sink.fresh();
        for (const int l : cube) sink.add({-met, at(bits, l)});
        some.push_back(met);
      }
      sink.add(std::move(some));
      assumptions.push_back(round);
      const Answer answer = solver->solve(assumptions);
      if (answer == Answer::Unknown) return false;
      if (answer == Answer::Unsatisfiable) return true;
      std::vector<bool> model;
      for (const Literal l : bits) model.push_back(solver->value(l));
      std::erase_if(facts, [&](const Cube& cube) {
        return std::all_of(cube.begin(), cube.end(), [&](int l) {
          return model[static_cast<std::size_t>(std::abs(l)) - 1] == (l > 0);
        });
      });
      sink.add({-round});
    }
  };
  if (!filter(first, false) || !filter(next, true)) return {};
  return facts;
}

}  // namespace parley::symbolic
