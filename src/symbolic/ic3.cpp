#include "symbolic/ic3.hpp"

#include <algorithm>
#include <queue>

#include "support/check.hpp"
#include "symbolic/unrolling.hpp"

namespace parley::symbolic {

using encode::Aig;
using encode::Lit;
using encode::Stage;

namespace {

bool subsumes(const Cube& small, const Cube& large) {
  return std::includes(large.begin(), large.end(), small.begin(), small.end(), [](int a, int b) {
    return std::abs(a) != std::abs(b) ? std::abs(a) < std::abs(b) : a < b;
  });
}

// Message contents first, then data, then lengths, control last (measured order of usefulness in invariants).
int importance_of(const encode::StateBit& bit, const system::System& s) {
  switch (bit.part) {
    case encode::BitPart::Param:
      return 0;
    case encode::BitPart::Signal:
      return 2;
    case encode::BitPart::Cell:
      return s.cells[bit.index].role == system::CellRole::Data ? 1 : 4;
    case encode::BitPart::Occupied:
      return 3;
    case encode::BitPart::Holder:
      return 4;
  }
  return 0;
}

}  // namespace

Ic3::Ic3(encode::Relation& relation, std::size_t property, const solver::sat::Factory& solvers,
         const solver::sat::Interrupt& interrupt, std::vector<Cube> known)
    : r_(relation), property_(property), known_(std::move(known)) {
  PARLEY_CHECK(r_.stages().size() == 1);
  const Stage& stage = r_.stages()[0];
  std::vector<Lit> roots = stage.next;
  roots.insert(roots.end(), stage.constraints.begin(), stage.constraints.end());
  roots.insert(roots.end(),
               {stage.bad[property], r_.state_bad()[property], stage.any_fire, r_.well_formed(),
                r_.cut_possible(), r_.assumed_possible(), r_.initial_ok(), r_.initial_bad()[property]});
  roots.insert(roots.end(), r_.initial_bits().begin(), r_.initial_bits().end());
  gates_ = std::make_unique<encode::Gates>(r_.aig(), roots);
  for (std::uint32_t n = 1; n < r_.aig().size(); ++n)
    if (r_.aig().is_input(n)) input_nodes_.push_back(n);
  for (const encode::StateBit& bit : r_.layout().bits())
    importance_.push_back(importance_of(bit, r_.system()));

  const auto bad_of = [&](Instance& in) {
    const Literal state = in.frame->literal(r_.state_bad()[property_]);
    const Literal step = in.frame->literal(stage.bad[property_]);
    const Literal bad = in.sink->fresh();
    in.sink->add({-bad, state, step});
    in.sink->add({bad, -state});
    in.sink->add({bad, -step});
    return bad;
  };
  main_ = make_instance(solvers, interrupt);
  main_.sink->add({main_.frame->literal(r_.well_formed())});
  for (const Lit c : stage.constraints) main_.sink->add({main_.frame->literal(c)});
  moves_ = main_.frame->literal(stage.any_fire);
  bad_main_ = bad_of(main_);
  for (const Lit bit : stage.next) main_.next.push_back(main_.frame->literal(bit));
  lift_ = make_instance(solvers, interrupt);
  for (const Lit c : stage.constraints)
    if (const Literal l = lift_.frame->literal(c); l != lift_.sink->truth()) lift_constraints_.push_back(l);
  lift_any_ = lift_.frame->literal(stage.any_fire);
  bad_lift_ = bad_of(lift_);
  for (const Lit bit : stage.next) lift_.next.push_back(lift_.frame->literal(bit));
  for (const Cube& cube : known_) {
    std::vector<Literal> clause;
    for (const int l : cube) clause.push_back(-now(main_, l));
    main_.sink->add(clause);
  }
  setup_initial(solvers, interrupt);
  add_frame();
  // Frame 0 is the initial state, tied to a copy of the initial body.
  encode::Frame initial(*gates_, *main_.sink);
  main_.sink->add({-active_[0], initial.literal(r_.initial_ok())});
  for (std::size_t b = 0; b < main_.now.size(); ++b) {
    const Literal x = main_.now[b], i = initial.literal(r_.initial_bits()[b]);
    main_.sink->add({-active_[0], -x, i});
    main_.sink->add({-active_[0], x, -i});
  }
}

Ic3::~Ic3() = default;

Ic3::Instance Ic3::make_instance(const solver::sat::Factory& solvers,
                                 const solver::sat::Interrupt& interrupt) {
  Instance in;
  in.solver = solvers();
  in.solver->interrupt_by(interrupt);
  in.sink = std::make_unique<encode::ClauseSink>(*in.solver);
  in.frame = std::make_unique<encode::Frame>(*gates_, *in.sink);
  for (const Lit bit : r_.state_bits()) {
    in.now.push_back(in.sink->fresh());
    in.frame->set(bit, in.now.back());
  }
  return in;
}

void Ic3::setup_initial(const solver::sat::Factory& solvers, const solver::sat::Interrupt& interrupt) {
  start_.solver = solvers();
  start_.solver->interrupt_by(interrupt);
  start_.sink = std::make_unique<encode::ClauseSink>(*start_.solver);
  start_.frame = std::make_unique<encode::Frame>(*gates_, *start_.sink);
  for (const Lit bit : r_.initial_bits()) start_bits_.push_back(start_.frame->literal(bit));
}

Ic3::Answer Ic3::ask(Instance& in, const std::vector<Literal>& assumptions) {
  const Answer answer = in.solver->solve(assumptions);
  if (answer == Answer::Unknown) throw Interrupted{};
  return answer;
}

Ic3::Literal Ic3::now(const Instance& in, int literal) const {
  const Literal l = in.now[static_cast<std::size_t>(std::abs(literal)) - 1];
  return literal > 0 ? l : -l;
}

Ic3::Literal Ic3::next(const Instance& in, int literal) const {
  const Literal l = in.next[static_cast<std::size_t>(std::abs(literal)) - 1];
  return literal > 0 ? l : -l;
}

void Ic3::add_frame() {
  active_.push_back(main_.sink->fresh());
  lemmas_.emplace_back();
}

std::vector<Ic3::Literal> Ic3::frame_assumptions(std::size_t level) const {
  std::vector<Literal> out;
  for (std::size_t i = level; i < active_.size(); ++i) out.push_back(active_[i]);
  return out;
}

std::vector<bool> Ic3::model_inputs(const Instance& in) const {
  std::vector<bool> out(r_.aig().size(), false);
  for (const std::uint32_t n : input_nodes_)
    if (const Literal l = in.frame->known(n * 2); l != 0) out[n] = in.solver->value(l);
  return out;
}

// The state of the model, reduced to the literals that already force `must_hold` under the same inputs.
Cube Ic3::lifted(const std::vector<bool>& model, const std::vector<Literal>& must_hold) {
  const Literal goal = lift_.sink->fresh();
  std::vector<Literal> clause{-goal};
  for (const Literal l : must_hold) clause.push_back(-l);
  lift_.sink->add(clause);
  std::vector<Literal> assumptions{goal};
  for (const std::uint32_t n : input_nodes_)
    if (const Literal l = lift_.frame->known(n * 2); l != 0) assumptions.push_back(model[n] ? l : -l);
  PARLEY_CHECK_MSG(ask(lift_, assumptions) == Answer::Unsatisfiable, "a model determines its successor");
  Cube cube;
  for (std::size_t b = 0; b < lift_.now.size(); ++b) {
    const bool value = model[encode::node_of(r_.state_bits()[b])];
    if (lift_.solver->failed(value ? lift_.now[b] : -lift_.now[b]))
      cube.push_back(value ? static_cast<int>(b) + 1 : -static_cast<int>(b) - 1);
  }
  lift_.sink->add({-goal});
  return cube;
}

bool Ic3::meets_start(const Cube& cube) {
  // Most cubes differ from the initial state in a bit that is known.
  for (const int l : cube) {
    const Literal i = start_bits_[static_cast<std::size_t>(std::abs(l)) - 1];
    if ((l > 0 ? i : -i) == -start_.sink->truth()) return false;
  }
  std::vector<Literal> assumptions{start_.frame->literal(r_.initial_ok())};
  for (const int l : cube) {
    const Literal i = start_bits_[static_cast<std::size_t>(std::abs(l)) - 1];
    assumptions.push_back(l > 0 ? i : -i);
  }
  return ask(start_, assumptions) == Answer::Satisfiable;
}

std::optional<Ic3::Outcome> Ic3::check_start() {
  const Literal failure = start_.frame->literal(r_.initial_bad()[property_]);
  if (ask(start_, {failure}) != Answer::Satisfiable) return std::nullopt;
  std::vector<bool> inputs(r_.aig().size(), false);
  for (const std::uint32_t n : input_nodes_)
    if (const Literal l = start_.frame->known(n * 2); l != 0) inputs[n] = start_.solver->value(l);
  trace_.initial_choices = choices_of(r_.initial_effect(), r_.aig().evaluate(inputs));
  return Outcome::Refuted;
}

std::optional<Ic3::Obligation> Ic3::bad_state() {
  std::vector<Literal> assumptions = frame_assumptions(lemmas_.size() - 1);
  assumptions.push_back(bad_main_);
  if (ask(main_, assumptions) == Answer::Unsatisfiable) return std::nullopt;
  Obligation o;
  o.inputs = model_inputs(main_);
  o.cube = lifted(o.inputs, {bad_lift_});
  o.level = lemmas_.size() - 1;
  return o;
}

Ic3::Obligation Ic3::predecessor(const Cube& target) {
  Obligation o;
  o.inputs = model_inputs(main_);
  std::vector<Literal> must = lift_constraints_;
  must.push_back(lift_any_);
  for (const int l : target) must.push_back(next(lift_, l));
  o.cube = lifted(o.inputs, must);
  return o;
}

// No step from frame level - 1 outside of the cube leads into it. `core`: the part of the cube that suffices.
bool Ic3::blocked(const Cube& cube, std::size_t level, Cube* core) {
  const Literal outside = main_.sink->fresh();
  std::vector<Literal> clause{-outside};
  for (const int l : cube) clause.push_back(-now(main_, l));
  main_.sink->add(clause);
  std::vector<Literal> assumptions = frame_assumptions(level - 1);
  assumptions.push_back(outside);
  assumptions.push_back(moves_);
  for (const int l : cube) assumptions.push_back(next(main_, l));
  const bool yes = ask(main_, assumptions) == Answer::Unsatisfiable;
  if (yes && core != nullptr) {
    core->clear();
    for (const int l : cube)
      if (main_.solver->failed(next(main_, l))) core->push_back(l);
    // The smaller cube must still exclude the initial states.
    if (meets_start(*core)) {
      for (const int l : cube) {
        if (std::find(core->begin(), core->end(), l) != core->end()) continue;
        core->push_back(l);
        if (!meets_start(*core)) break;
      }
      std::sort(core->begin(), core->end(), [](int a, int b) { return std::abs(a) < std::abs(b); });
    }
  }
  // After a model was found it is still needed: the clause is retired by the caller's next call.
  retired_.push_back(-outside);
  return yes;
}

Cube Ic3::generalised(Cube cube, std::size_t level) {
  std::vector<int> order = cube;
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return importance_[static_cast<std::size_t>(std::abs(a)) - 1] <
           importance_[static_cast<std::size_t>(std::abs(b)) - 1];
  });
  int failures = 0;
  for (const int l : order) {
    if (cube.size() <= 1 || failures > 24) break;
    const auto at = std::find(cube.begin(), cube.end(), l);
    if (at == cube.end()) continue;
    Cube smaller = cube;
    smaller.erase(smaller.begin() + (at - cube.begin()));
    if (meets_start(smaller)) continue;
    Cube core;
    if (blocked(smaller, level, &core)) {
      cube = std::move(core);
      failures = 0;
    } else {
      ++failures;
    }
    retire();
  }
  return cube;
}

void Ic3::retire() {
  for (const Literal l : retired_) main_.sink->add({l});
  retired_.clear();
}

void Ic3::add_lemma(const Cube& cube, std::size_t level) {
  for (std::size_t i = 1; i <= level; ++i)
    std::erase_if(lemmas_[i], [&](const Cube& old) { return subsumes(cube, old); });
  lemmas_[level].push_back(cube);
  std::vector<Literal> clause{-active_[level]};
  for (const int l : cube) clause.push_back(-now(main_, l));
  main_.sink->add(clause);
}

// Blocks the cube and everything that leads to it; false: a run from the start to the violation exists.
bool Ic3::discharge(Obligation first) {
  std::vector<Obligation> chain{std::move(first)};
  const auto later = [&](std::size_t a, std::size_t b) {
    return chain[a].level != chain[b].level ? chain[a].level > chain[b].level
                                            : chain[a].depth < chain[b].depth;
  };
  std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(later)> open(later);
  chain[0].next = 0;
  if (meets_start(chain[0].cube)) {
    reconstruct(chain, 0);
    return false;
  }
  open.push(0);
  while (!open.empty()) {
    const std::size_t at = open.top();
    const Cube cube = chain[at].cube;
    const std::size_t level = chain[at].level;
    const bool known = std::any_of(
        lemmas_.begin() + static_cast<std::ptrdiff_t>(level), lemmas_.end(), [&](const auto& frame) {
          return std::any_of(frame.begin(), frame.end(), [&](const Cube& c) { return subsumes(c, cube); });
        });
    if (known) {
      open.pop();
      continue;
    }
    Cube core;
    if (blocked(cube, level, &core)) {
      retire();
      core = generalised(std::move(core), level);
      std::size_t up = level;
      while (up + 1 < lemmas_.size() && blocked(core, up + 1, nullptr)) {
        retire();
        ++up;
      }
      retire();
      add_lemma(core, up);
      open.pop();
      if (up + 1 < lemmas_.size()) {
        chain[at].level = up + 1;
        open.push(at);
      }
    } else {
      Obligation before = predecessor(cube);
      retire();
      before.level = level - 1;
      before.depth = chain[at].depth + 1;
      before.next = at;
      const bool from_start = meets_start(before.cube);
      chain.push_back(std::move(before));
      if (from_start) {
        reconstruct(chain, chain.size() - 1);
        return false;
      }
      PARLEY_CHECK(level > 1);
      open.push(chain.size() - 1);
    }
  }
  return true;
}

// Runs forward from an initial state in the cube with the recorded inputs.
void Ic3::reconstruct(const std::vector<Obligation>& chain, std::size_t at) {
  PARLEY_CHECK(meets_start(chain[at].cube));  // fixes the model
  std::vector<bool> inputs(r_.aig().size(), false);
  for (const std::uint32_t n : input_nodes_)
    if (const Literal l = start_.frame->known(n * 2); l != 0) inputs[n] = start_.solver->value(l);
  std::vector<bool> values = r_.aig().evaluate(inputs);
  trace_ = {};
  trace_.initial_choices = choices_of(r_.initial_effect(), values);
  std::vector<bool> state;
  for (const Lit bit : r_.initial_bits()) state.push_back(Aig::value(values, bit));
  const Stage& stage = r_.stages()[0];
  for (;;) {
    inputs = chain[at].inputs;
    for (std::size_t b = 0; b < state.size(); ++b) inputs[encode::node_of(r_.state_bits()[b])] = state[b];
    values = r_.aig().evaluate(inputs);
    if (chain[at].next == at) break;
    for (std::size_t i = 0; i < stage.actions.size(); ++i)
      if (Aig::value(values, stage.fire[i]))
        trace_.steps.push_back({stage.actions[i], choices_of(stage.effects[i], values)});
    for (std::size_t b = 0; b < state.size(); ++b) state[b] = Aig::value(values, stage.next[b]);
    at = chain[at].next;
  }
  if (Aig::value(values, r_.state_bad()[property_])) return;
  for (std::size_t i = 0; i < stage.actions.size(); ++i)
    if (Aig::value(values, stage.bad_by_action[property_][i])) {
      trace_.steps.push_back({stage.actions[i], choices_of(stage.effects[i], values)});
      return;
    }
  internal_error("a violation at the end of the chain", __FILE__, __LINE__);
}

// Pushes clauses forward; true when a frame equals the next one.
bool Ic3::propagate() {
  for (std::size_t i = 1; i + 1 < lemmas_.size(); ++i) {
    const std::vector<Cube> here = lemmas_[i];
    for (const Cube& cube : here) {
      if (std::find(lemmas_[i].begin(), lemmas_[i].end(), cube) == lemmas_[i].end()) continue;
      std::vector<Literal> assumptions = frame_assumptions(i);
      assumptions.push_back(moves_);
      for (const int l : cube) assumptions.push_back(next(main_, l));
      if (ask(main_, assumptions) == Answer::Unsatisfiable) {
        std::erase(lemmas_[i], cube);
        add_lemma(cube, i + 1);
      }
    }
    if (lemmas_[i].empty()) {
      invariant_ = known_;
      for (std::size_t j = i + 1; j < lemmas_.size(); ++j)
        invariant_.insert(invariant_.end(), lemmas_[j].begin(), lemmas_[j].end());
      return true;
    }
  }
  return false;
}

Ic3::Outcome Ic3::run(std::optional<std::uint32_t> most_frames) {
  try {
    if (const auto at_start = check_start()) return *at_start;
    // Frame 0 first: a violation in an initial state.
    while (auto bad = bad_state()) {
      std::vector<Obligation> chain{*bad};
      chain[0].next = 0;
      if (meets_start(chain[0].cube)) {
        reconstruct(chain, 0);
        return Outcome::Refuted;
      }
      internal_error("a bad initial state that is not initial", __FILE__, __LINE__);
    }
    for (;;) {
      if (most_frames && frames() >= *most_frames) return Outcome::Stopped;
      add_frame();
      while (auto bad = bad_state())
        if (!discharge(std::move(*bad))) return Outcome::Refuted;
      if (propagate()) return Outcome::Proved;
    }
  } catch (const Interrupted&) {
    return Outcome::Stopped;
  }
}

bool Ic3::possible(Lit function) {
  if (function == encode::kFalse) return false;
  const Literal in_invariant = main_.sink->fresh();
  for (const Cube& cube : invariant_) {
    std::vector<Literal> clause{-in_invariant};
    for (const int l : cube) clause.push_back(-now(main_, l));
    main_.sink->add(clause);
  }
  return main_.solver->solve(std::vector<Literal>{in_invariant, main_.frame->literal(function)}) !=
         Answer::Unsatisfiable;
}

}  // namespace parley::symbolic
