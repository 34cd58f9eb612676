#include "symbolic/unrolling.hpp"

#include <algorithm>

#include "support/check.hpp"

namespace parley::symbolic {

using encode::Aig;
using encode::Effect;
using encode::Lit;
using encode::Stage;

namespace {

std::vector<Lit> all_roots(const encode::Relation& r) {
  std::vector<Lit> roots = r.initial_bits();
  const auto add = [&](const std::vector<Lit>& xs) { roots.insert(roots.end(), xs.begin(), xs.end()); };
  roots.push_back(r.initial_ok());
  roots.push_back(r.well_formed());
  roots.push_back(r.cut_possible());
  roots.push_back(r.assumed_possible());
  add(r.initial_bad());
  add(r.state_bad());
  for (const Stage& stage : r.stages()) {
    add(stage.next);
    add(stage.constraints);
    add(stage.step_constraints);
    add(stage.bad);
    roots.push_back(stage.any_fire);
  }
  return roots;
}

std::int64_t number(const std::vector<bool>& values, const encode::Word& w) {
  std::int64_t v = Aig::value(values, w.sign()) ? -1 : 0;
  for (std::size_t i = w.width(); i-- > 0;) v = v * 2 + (Aig::value(values, w.bits[i]) ? 1 : 0);
  return v;
}

}  // namespace

std::vector<std::uint64_t> choices_of(const Effect& effect, const std::vector<bool>& values) {
  std::vector<std::uint64_t> out;
  if (Aig::value(values, effect.guard_error)) return out;  // the body is not reached
  for (const encode::ChoicePoint& c : effect.choices) {
    if (!Aig::value(values, c.asked)) continue;
    if (c.is_branch) {
      std::uint64_t open = 0, index = 0;
      for (std::size_t i = 0; i < c.open.size(); ++i) {
        if (Aig::value(values, c.picked[i])) index = open;
        if (Aig::value(values, c.open[i])) ++open;
      }
      if (open > 1) out.push_back(index);
    } else {
      const std::int64_t lo = number(values, c.lo), hi = number(values, c.hi);
      if (hi > lo) out.push_back(static_cast<std::uint64_t>(number(values, c.value) - lo));
    }
  }
  return out;
}

Unrolling::Unrolling(encode::Relation& relation, encode::ClauseSink& sink, Start start)
    : relation_(relation), sink_(sink) {
  const std::vector<Lit> roots = all_roots(relation);
  gates_ = std::make_unique<encode::Gates>(relation.aig(), roots);
  for (std::uint32_t n = 1; n < relation.aig().size(); ++n)
    if (relation.aig().is_input(n)) input_nodes_.push_back(n);
  std::vector<std::vector<Literal>> places(relation.properties().size());
  std::vector<Literal> state;
  if (start == Start::Initial) {
    encode::Frame initial(*gates_, sink_);
    for (const Lit bit : relation.initial_bits()) state.push_back(initial.literal(bit));
    for (std::size_t p = 0; p < places.size(); ++p) {
      initial_bad_.push_back(initial.literal(relation.initial_bad()[p]));
      places[p].push_back(initial_bad_.back());
    }
    // The initial body ends well, or this very failure is what is asked for.
    const Literal ok = initial.literal(relation.initial_ok());
    frame_ = std::make_unique<encode::Frame>(std::move(initial));
    initial_inputs_ = known_inputs();
    open_frame(state);
    for (std::size_t p = 0; p < places.size(); ++p) {
      const Literal bad = frame_->literal(relation.state_bad()[p]);
      const Literal at_start = sink_.fresh();
      sink_.add({-at_start, bad});
      sink_.add({-at_start, ok});
      sink_.add({at_start, -bad, -ok});
      places[p].push_back(at_start);
    }
    close_targets(std::move(places), {ok});
    states_.push_back(std::move(state));
    return;
  }
  for (std::size_t i = 0; i < relation.state_bits().size(); ++i) state.push_back(sink_.fresh());
  open_frame(state);
  sink_.add({frame_->literal(relation.well_formed())});
  for (std::size_t p = 0; p < places.size(); ++p)
    places[p].push_back(frame_->literal(relation.state_bad()[p]));
  close_targets(std::move(places), {sink_.truth()});
  states_.push_back(std::move(state));
}

Unrolling::~Unrolling() = default;

void Unrolling::open_frame(const std::vector<Literal>& state) {
  frame_ = std::make_unique<encode::Frame>(*gates_, sink_);
  for (std::size_t i = 0; i < state.size(); ++i) frame_->set(relation_.state_bits()[i], state[i]);
}

std::vector<std::pair<std::uint32_t, Literal>> Unrolling::known_inputs() const {
  std::vector<std::pair<std::uint32_t, Literal>> out;
  for (const std::uint32_t n : input_nodes_)
    if (const Literal l = frame_->known(n * 2); l != 0) out.emplace_back(n, l);
  return out;
}

// One literal per property that implies a violation at one of the places; a step in which nothing fires
// exists only for the sake of a violation.
void Unrolling::close_targets(std::vector<std::vector<Literal>> places, std::vector<Literal> fires) {
  std::vector<Literal> targets;
  for (auto& mine : places) {
    std::erase(mine, -sink_.truth());
    const Literal t = sink_.fresh();
    std::vector<Literal> clause = mine;
    clause.push_back(-t);
    sink_.add(std::move(clause));
    targets.push_back(t);
    fires.push_back(t);
  }
  sink_.add(std::move(fires));
  targets_.push_back(std::move(targets));
  places_.push_back(std::move(places));
}

void Unrolling::add_step() {
  const std::size_t count = relation_.properties().size();
  std::vector<std::vector<Literal>> places(count);
  std::vector<Literal> fires, state = states_.back();
  std::vector<StageInstance> instances;
  for (const Stage& stage : relation_.stages()) {
    StageInstance instance;
    instance.stage = &stage;
    for (const Lit f : watched_) instance.watched.push_back(frame_->literal(f));
    for (const Lit c : stage.constraints) sink_.add({frame_->literal(c)});
    std::vector<Literal> next;
    for (const Lit bit : stage.next) next.push_back(frame_->literal(bit));
    for (std::size_t p = 0; p < count; ++p) {
      instance.bad.push_back(frame_->literal(stage.bad[p]));
      places[p].push_back(instance.bad.back());
    }
    instance.fires = frame_->literal(stage.any_fire);
    fires.push_back(instance.fires);
    const std::uint64_t before = sink_.clauses();
    for (const Lit c : stage.step_constraints) sink_.add({frame_->literal(c)});
    step_constraint_clauses_ += sink_.clauses() - before;
    for (const Lit f : stage.fire) instance.fire.push_back(frame_->literal(f));
    instance.inputs = known_inputs();
    state = std::move(next);
    instance.after = state;
    open_frame(state);
    for (std::size_t p = 0; p < count; ++p) {
      const Literal bad = frame_->literal(relation_.state_bad()[p]);
      // A state counts after an action led to it; the one before is the previous place.
      Literal after = -sink_.truth();
      if (bad != -sink_.truth()) {
        after = sink_.fresh();
        sink_.add({-after, bad});
        sink_.add({-after, fires.back()});
        sink_.add({after, -bad, -fires.back()});
      }
      instance.bad_after.push_back(after);
      places[p].push_back(after);
    }
    instances.push_back(std::move(instance));
  }
  close_targets(std::move(places), std::move(fires));
  steps_.push_back(std::move(instances));
  states_.push_back(std::move(state));
}

std::vector<bool> Unrolling::values(const std::vector<std::pair<std::uint32_t, Literal>>& inputs) const {
  std::vector<bool> given(relation_.aig().size(), false);
  for (const auto& [node, literal] : inputs) given[node] = sink_.solver().value(literal);
  return relation_.aig().evaluate(given);
}

void Unrolling::add_fired(const StageInstance& instance, const std::vector<bool>& all,
                          verdict::Trace& trace) const {
  const Stage& stage = *instance.stage;
  for (std::size_t i = 0; i < stage.actions.size(); ++i)
    if (Aig::value(all, stage.fire[i]))
      trace.steps.push_back({stage.actions[i], choices_of(stage.effects[i], all)});
}

verdict::Trace Unrolling::run(std::size_t k) const {
  verdict::Trace trace;
  trace.initial_choices = choices_of(relation_.initial_effect(), values(initial_inputs_));
  for (std::size_t step = 0; step < k; ++step)
    for (const StageInstance& instance : steps_[step]) add_fired(instance, values(instance.inputs), trace);
  return trace;
}

verdict::Trace Unrolling::trace(std::size_t k, std::size_t property) const {
  const auto holds = [&](Literal l) { return sink_.solver().value(l); };
  if (k == 0) return run(0);
  verdict::Trace trace = run(k - 1);
  for (const StageInstance& instance : steps_[k - 1]) {
    const Stage& stage = *instance.stage;
    const std::vector<bool> all = values(instance.inputs);
    if (holds(instance.bad[property])) {
      for (std::size_t i = 0; i < stage.actions.size(); ++i)
        if (Aig::value(all, stage.bad_by_action[property][i])) {
          trace.steps.push_back({stage.actions[i], choices_of(stage.effects[i], all)});
          return trace;
        }
      internal_error("a failing action in the model", __FILE__, __LINE__);
    }
    add_fired(instance, all, trace);
    if (holds(instance.bad_after[property])) return trace;
  }
  return trace;
}

}  // namespace parley::symbolic
