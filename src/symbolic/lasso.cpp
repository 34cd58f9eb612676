#include "symbolic/lasso.hpp"

#include <algorithm>

namespace parley::symbolic {

using encode::BitPart;
using encode::Lit;
using system::Fairness;

std::vector<Lit> Lasso::enabledness(encode::Relation& relation) {
  std::vector<Lit> could;
  for (const Fairness& f : relation.system().fairness) {
    Lit some = encode::kFalse;
    for (const system::ActionId a : f.actions) some = relation.aig().disj(some, relation.possible(a));
    could.push_back(some);
  }
  return could;
}

Lasso::Lasso(encode::Relation& relation, const passes::Monitored& monitored, Unrolling& unrolling,
             encode::ClauseSink& sink)
    : s_(relation.system()), unrolling_(unrolling), sink_(sink), inside_(-sink.truth()) {
  const auto& bits = relation.layout().bits();
  const auto of_cell = [&](std::size_t bit, system::CellId cell) {
    return bits[bit].part == BitPart::Cell && bits[bit].index == cell.value;
  };
  for (std::size_t b = 0; b < bits.size(); ++b)
    if (std::none_of(monitored.forgotten.begin(), monitored.forgotten.end(),
                     [&](system::CellId cell) { return of_cell(b, cell); })) {
      compared_.push_back(b);
      begin_state_.push_back(sink_.fresh());
    }
  for (const system::CellId mark : monitored.marks) {
    marks_.emplace_back();
    for (std::size_t b = 0; b < bits.size(); ++b)
      if (of_cell(b, mark)) marks_.back() = b;
    passed_.push_back({-sink_.truth()});
  }
  for (const Fairness& f : s_.fairness)
    if (f.strength == Fairness::Strength::Weak)
      weak_.push_back({-sink_.truth()});
    else
      strong_.push_back({-sink_.truth(), sink_.fresh()});
}

void Lasso::same(Literal condition, const std::vector<Literal>& state) {
  for (std::size_t i = 0; i < compared_.size(); ++i) {
    const Literal here = state[compared_[i]], there = begin_state_[i];
    sink_.add({-condition, -here, there});
    sink_.add({-condition, here, -there});
  }
}

// The last state may be where the loop begins.
void Lasso::may_begin_here() {
  const Literal begins = sink_.fresh(), inside = sink_.fresh();
  same(begins, unrolling_.state(unrolling_.steps()));
  sink_.add({-inside, inside_, begins});
  sink_.add({inside, -inside_});
  sink_.add({inside, -begins});
  begins_.push_back(begins);
  inside_ = inside;
}

Literal Lasso::or_now(Literal before, const std::vector<std::vector<Literal>>& all_of) {
  const Literal now = sink_.fresh(), either = sink_.fresh();
  sink_.add({-now, inside_});
  for (const std::vector<Literal>& list : all_of) {
    std::vector<Literal> clause = list;
    clause.push_back(-now);
    sink_.add(std::move(clause));
  }
  sink_.add({-either, before, now});
  return either;
}

std::vector<Literal> Lasso::taken(const Fairness& fairness, const Unrolling::StageInstance& stage) const {
  std::vector<Literal> fires;
  for (std::size_t i = 0; i < stage.fire.size(); ++i)
    if (std::find(fairness.actions.begin(), fairness.actions.end(), stage.stage->actions[i]) !=
        fairness.actions.end())
      fires.push_back(stage.fire[i]);
  return fires;
}

Literal Lasso::add_step() {
  may_begin_here();
  unrolling_.add_step();
  for (const Unrolling::StageInstance& stage : unrolling_.stages(unrolling_.steps() - 1)) {
    for (std::size_t m = 0; m < marks_.size(); ++m)
      if (marks_[m]) passed_[m].met = or_now(passed_[m].met, {{stage.fires}, {stage.after[*marks_[m]]}});
    std::size_t weak = 0, strong = 0;
    for (std::size_t f = 0; f < s_.fairness.size(); ++f) {
      std::vector<Literal> fires = taken(s_.fairness[f], stage);
      const Literal could = stage.watched[f];
      if (s_.fairness[f].strength == Fairness::Strength::Weak) {
        fires.push_back(-could);
        weak_[weak].met = or_now(weak_[weak].met, {fires});
        ++weak;
      } else {
        strong_[strong].met = or_now(strong_[strong].met, {fires});
        sink_.add({-strong_[strong].never, -inside_, -could});
        ++strong;
      }
    }
  }
  const Literal closes = sink_.fresh();
  sink_.add({-closes, inside_});
  same(closes, unrolling_.state(unrolling_.steps()));
  for (const std::vector<Goal>* goals : {&passed_, &weak_})
    for (const Goal& g : *goals) sink_.add({-closes, g.met});
  for (const Strong& f : strong_) sink_.add({-closes, f.met, f.never});
  return closes;
}

verdict::Trace Lasso::trace() const {
  verdict::Trace trace = unrolling_.run(unrolling_.steps());
  const auto first = std::find_if(begins_.begin(), begins_.end(),
                                  [&](Literal begins) { return sink_.solver().value(begins); });
  trace.loop_start = unrolling_.run(static_cast<std::size_t>(first - begins_.begin())).steps.size();
  return trace;
}

}  // namespace parley::symbolic
