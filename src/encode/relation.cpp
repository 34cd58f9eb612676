#include "encode/relation.hpp"

#include <algorithm>

#include "support/check.hpp"
#include "system/footprint.hpp"
#include "system/question.hpp"
#include "system/step_fault.hpp"

namespace parley::encode {

using system::ActionId;
using system::OwnerId;
using system::PropertyKind;
using system::StepFault;

bool Relation::supports(PropertyKind kind) {
  return system::question(kind) == system::Question::Safety;
}

Relation::Relation(const system::System& system, std::vector<std::uint32_t> capacities,
                   std::vector<system::PropertyId> properties, const RelationOptions& options)
    : layout_(system, std::move(capacities)), s_(system), properties_(std::move(properties)) {
  for (std::size_t i = 0; i < layout_.bits().size(); ++i) bits_.push_back(g_.input());
  state_ = layout_.state(bits_);
  well_formed_ = layout_.well_formed(g_, state_);
  build_state_facts();
  build_initial();
  const std::vector<ActionId> order = ordered_actions(s_, options.order);
  switch (options.steps) {
    case Steps::Interleaving:
      build_single_stage(order, true);
      break;
    case Steps::Static:
    case Steps::Dynamic:
      build_steps(order, options.steps == Steps::Dynamic);
      break;
    case Steps::Chained:
      for (OwnerId owner : ordered_owners(s_, options.order)) {
        std::vector<ActionId> mine;
        for (ActionId a : order)
          if (s_.action(a).owner == owner) mine.push_back(a);
        if (!mine.empty()) build_single_stage(mine, true);
      }
      break;
  }
  // The start too may be cut or assumed away, whatever state a step begins in.
  cut_possible_ = g_.conj(initial_.fits, initial_.cut);
  assumed_possible_ = g_.conj(initial_.fits, initial_.assumed);
  for (const Stage& stage : stages_)
    for (std::size_t i = 0; i < stage.effects.size(); ++i) {
      const Effect& e = stage.effects[i];
      const Lit runs = g_.conj(stage.allowed[i], g_.conj(e.enabled, e.fits));
      cut_possible_ = g_.disj(cut_possible_, g_.conj(runs, e.cut));
      assumed_possible_ = g_.disj(
          assumed_possible_, g_.disj(g_.conj(runs, e.assumed), g_.conj(stage.allowed[i], e.guard_assumed)));
    }
}

Lit Relation::moves(ActionId action, Lit idle) {
  Execution x({g_, layout_, state_, idle, nullptr});
  return x.may_move(s_.action(action));
}

// Holders, idleness and the properties of states.
void Relation::build_state_facts() {
  const bool has_holders =
      std::any_of(state_.holder.begin(), state_.holder.end(), [](Lit h) { return h != kFalse; });
  bool uses_idle = false;
  for (std::size_t a = 0; a < s_.actions.size(); ++a)
    uses_idle = uses_idle || system::footprint(s_, ActionId(a)).reads_idle;
  const bool deadlocks = std::any_of(properties_.begin(), properties_.end(), [&](system::PropertyId p) {
    return s_.property(p).kind == PropertyKind::NoDeadlock;
  });
  holding_.assign(s_.owners.size(), kFalse);
  std::vector<Lit> all_moves;
  if (has_holders || uses_idle || deadlocks) {
    std::vector<Lit> by_owner(s_.owners.size(), kFalse);
    for (std::size_t a = 0; a < s_.actions.size(); ++a) {
      all_moves.push_back(moves(ActionId(a), kFalse));
      Lit& mine = by_owner[s_.actions[a].owner.index()];
      mine = g_.disj(mine, all_moves.back());
    }
    for (std::size_t o = 0; o < s_.owners.size(); ++o) {
      holding_[o] = g_.conj(state_.holder[o], by_owner[o]);
      visible_ = g_.conj(visible_, neg(holding_[o]));
    }
  }
  Lit somebody = g_.any(all_moves);
  if (uses_idle) {
    idle_ = neg(somebody);
    for (std::size_t a = 0; a < s_.actions.size(); ++a)
      if (system::footprint(s_, ActionId(a)).reads_idle)
        somebody = g_.disj(somebody, moves(ActionId(a), idle_));
  }
  Execution x({g_, layout_, state_, kFalse, nullptr});
  Arithmetic arithmetic(g_, false);
  // The expression has a value, and it is `wanted`.
  const auto shows = [&](system::ExprId e, bool wanted) {
    const Value v = x.evaluate(e);
    const Lit t = arithmetic.truth(v.word);
    return g_.conj(wanted ? t : neg(t), neg(g_.disj(v.error, v.assumed)));
  };
  for (system::PropertyId id : properties_) {
    const system::Property& p = s_.property(id);
    Lit bad = kFalse;
    if (p.kind == PropertyKind::NoDeadlock) {
      Lit restless = kFalse;
      for (const system::Owner& o : s_.owners) restless = g_.disj(restless, shows(o.may_rest, false));
      bad = g_.conj(restless, neg(somebody));
    } else if (p.kind == PropertyKind::Always) {
      bad = g_.conj(visible_, shows(p.expression, false));
    } else if (p.kind == PropertyKind::Never || p.kind == PropertyKind::Reachable) {
      bad = g_.conj(visible_, shows(p.expression, true));
    }
    state_bad_.push_back(bad);
  }
}

void Relation::build_initial() {
  const SymbolicState declared = layout_.declared();
  Execution x({g_, layout_, declared, kFalse, nullptr});
  InputPool pool(g_);
  initial_ = x.run_initial(pool);
  SymbolicState st = declared;
  for (const auto& [cell, effect] : initial_.cells) st.cells[cell.index()] = effect.value;
  for (const auto& [queue, effect] : initial_.queues) {
    SymbolicQueue& q = st.queues[queue.index()];
    if (effect.replaced) {
      q = effect.contents;
    } else {
      for (const Push& push : effect.pushes) q = appended(g_, q, push);
    }
  }
  initial_bits_ = layout_.bits_of(st);
  initial_ok_ = g_.conj(initial_.done, initial_.fits);
  for (system::PropertyId id : properties_) {
    Lit bad = kFalse;
    if (const auto fault = system::step_fault(s_.property(id).kind)) switch (*fault) {
        case StepFault::AssertionFails:
          bad = initial_.assertion;
          break;
        case StepFault::RuntimeError:
          bad = initial_.error;
          break;
        case StepFault::Overflows:
          bad = g_.any(
              std::vector<Lit>{initial_.overflow, initial_.cut, g_.conj(initial_.lost, happens(initial_))});
          break;
        case StepFault::LosesMessage:
          bad = g_.conj(initial_.lost, happens(initial_));
          break;
      }
    initial_bad_.push_back(g_.conj(bad, initial_.fits));
  }
}

Lit Relation::allowed(OwnerId owner) {
  Lit ok = kTrue;
  for (std::size_t o = 0; o < holding_.size(); ++o)
    if (!owner.valid() || owner.index() != o) ok = g_.conj(ok, neg(holding_[o]));
  return ok;
}

std::vector<Lit> Relation::at_most_one(const std::vector<Lit>& xs) {
  std::vector<Lit> out;
  Lit seen = kFalse;
  for (const Lit x : xs) {
    if (seen != kFalse) out.push_back(neg(g_.conj(seen, x)));
    seen = g_.disj(seen, x);
  }
  return out;
}

void Relation::build_single_stage(const std::vector<ActionId>& order, bool exclusive) {
  Stage stage;
  for (ActionId a : order) {
    Execution x({g_, layout_, state_, idle_, nullptr});
    pool_.rewind();
    stage.actions.push_back(a);
    stage.fire.push_back(g_.input());
    stage.effects.push_back(x.run(s_.action(a), pool_));
  }
  if (exclusive) stage.constraints = at_most_one(stage.fire);
  finish_stage(stage);
}

void Relation::finish_stage(Stage& stage) {
  for (std::size_t i = 0; i < stage.actions.size(); ++i) {
    stage.allowed.push_back(allowed(s_.action(stage.actions[i]).owner));
    const Effect& e = stage.effects[i];
    const std::vector<Lit> needs{stage.allowed[i], e.enabled, e.done, e.fits};
    stage.constraints.push_back(g_.implies(stage.fire[i], g_.all(needs)));
  }
  stage.any_fire = g_.any(stage.fire);
  compose(stage);
  add_stage_bad(stage);
  stages_.push_back(std::move(stage));
}

Lit Relation::happens(const Effect& e) {
  return neg(g_.any(std::vector<Lit>{e.blocked, e.cut, e.assumed}));
}

// semantics::loses: a message finds no room, or a discarding action is executed; where dispatch and discard
// are separate steps, the discarding one has no trigger and counts only if it ends well.
Lit Relation::loses(const system::Action& a, const Effect& e) {
  if (a.kind != system::ActionKind::Discard) return g_.conj(happens(e), e.lost);
  if (a.trigger) return happens(e);
  return g_.disj(e.done, g_.conj(happens(e), e.lost));
}

void Relation::add_stage_bad(Stage& stage) {
  for (system::PropertyId id : properties_) {
    const auto fault = system::step_fault(s_.property(id).kind);
    std::vector<Lit> cases;
    for (std::size_t i = 0; i < stage.actions.size(); ++i) {
      const Effect& e = stage.effects[i];
      const Lit runs = g_.conj(e.enabled, e.fits);
      Lit bad = kFalse;
      if (fault) switch (*fault) {
          case StepFault::AssertionFails:
            bad = g_.conj(runs, e.assertion);
            break;
          case StepFault::RuntimeError:
            bad = g_.disj(e.guard_error, g_.conj(runs, e.error));
            break;
          case StepFault::Overflows:
            bad = g_.conj(runs, g_.any(std::vector<Lit>{e.overflow, e.cut, g_.conj(happens(e), e.lost)}));
            break;
          case StepFault::LosesMessage:
            bad = g_.conj(runs, loses(s_.action(stage.actions[i]), e));
            break;
        }
      cases.push_back(g_.conj(stage.allowed[i], bad));
    }
    stage.bad.push_back(g_.conj(g_.any(cases), neg(stage.any_fire)));
    stage.bad_by_action.push_back(std::move(cases));
  }
}

namespace {

// The one word whose condition is true, or `otherwise` if none is: no priority among the cases.
Word selected_word(Aig& g, const std::vector<std::pair<Lit, const Word*>>& cases, const Word& otherwise) {
  Lit any = kFalse;
  std::size_t width = otherwise.width();
  for (const auto& [when, word] : cases) {
    any = g.disj(any, when);
    width = std::max(width, word->width());
  }
  Word r;
  r.bits.clear();
  for (std::size_t b = 0; b < width; ++b) {
    std::vector<Lit> terms;
    for (const auto& [when, word] : cases) terms.push_back(g.conj(when, word->bit(b)));
    terms.push_back(g.conj(neg(any), otherwise.bit(b)));
    r.bits.push_back(g.any(terms));
  }
  return trimmed(std::move(r));
}

}  // namespace

// The next state: at most one action of a step writes a cell, takes from or puts into a queue.
void Relation::compose(Stage& stage) {
  SymbolicState next = state_;
  std::vector<std::vector<std::size_t>> writers(s_.cells.size()), users(s_.queues.size());
  for (std::size_t i = 0; i < stage.actions.size(); ++i) {
    const system::Action& a = s_.action(stage.actions[i]);
    for (const auto& [cell, effect] : stage.effects[i].cells) writers[cell.index()].push_back(i);
    for (const auto& [queue, effect] : stage.effects[i].queues) users[queue.index()].push_back(i);
    if (a.trigger && a.trigger->consume && !stage.effects[i].queues.contains(a.trigger->queue))
      users[a.trigger->queue.index()].push_back(i);
  }
  for (std::size_t c = 0; c < writers.size(); ++c) {
    if (writers[c].empty()) continue;
    std::vector<std::pair<Lit, const Word*>> cases;
    for (std::size_t i : writers[c]) {
      const CellEffect& e = stage.effects[i].cells.at(system::CellId(c));
      cases.emplace_back(g_.conj(stage.fire[i], e.written), &e.value);
    }
    next.cells[c] = selected_word(g_, cases, state_.cells[c]);
  }
  for (std::size_t q = 0; q < users.size(); ++q) {
    if (users[q].empty()) continue;
    const system::QueueId id(q);
    std::vector<Lit> at(state_.queues[q].slots.size(), kFalse);
    std::size_t rounds = 0;
    for (std::size_t i : users[q]) {
      const system::Action& a = s_.action(stage.actions[i]);
      if (a.trigger && a.trigger->consume && a.trigger->queue == id)
        for (std::size_t k = 0; k < at.size(); ++k)
          at[k] = g_.disj(at[k], g_.conj(stage.fire[i], stage.effects[i].at[k]));
      if (const auto e = stage.effects[i].queues.find(id); e != stage.effects[i].queues.end())
        rounds = std::max(rounds, e->second.pushes.size());
    }
    SymbolicQueue queue = removed_at(g_, state_.queues[q], at);
    for (std::size_t round = 0; round < rounds; ++round) {
      std::vector<std::pair<Lit, const Push*>> cases;
      Push push;
      for (std::size_t i : users[q]) {
        const auto e = stage.effects[i].queues.find(id);
        if (e == stage.effects[i].queues.end() || e->second.pushes.size() <= round) continue;
        const Push& p = e->second.pushes[round];
        cases.emplace_back(g_.conj(stage.fire[i], p.when), &p);
        push.when = g_.disj(push.when, cases.back().first);
      }
      const auto select = [&](auto&& part) {
        if (cases.size() == 1) return *part(*cases[0].second);
        std::vector<std::pair<Lit, const Word*>> words;
        for (const auto& [when, p] : cases)
          if (const Word* w = part(*p)) words.emplace_back(when, w);
        return selected_word(g_, words, Word{});
      };
      push.signal = select([](const Push& p) { return &p.signal; });
      std::size_t params = 0;
      for (const auto& [when, p] : cases) params = std::max(params, p->params.size());
      for (std::size_t k = 0; k < params; ++k)
        push.params.push_back(
            select([k](const Push& p) { return k < p.params.size() ? &p.params[k] : nullptr; }));
      queue = appended(g_, queue, push);
    }
    Arithmetic arithmetic(g_, false);
    for (std::size_t i : users[q]) {
      const auto e = stage.effects[i].queues.find(id);
      if (e == stage.effects[i].queues.end() || !e->second.replaced) continue;
      // Where the action sends elsewhere, others of the step may have sent to this queue.
      const Lit replaces = g_.conj(stage.fire[i], e->second.touched);
      for (std::size_t k = 0; k < queue.slots.size(); ++k) {
        Slot& slot = queue.slots[k];
        const Slot& other = e->second.contents.slots[k];
        slot.occupied = g_.mux(replaces, other.occupied, slot.occupied);
        slot.signal = arithmetic.mux(replaces, other.signal, slot.signal);
        for (std::size_t p = 0; p < slot.params.size(); ++p)
          slot.params[p] = arithmetic.mux(replaces, other.params[p], slot.params[p]);
      }
    }
    next.queues[q] = std::move(queue);
  }
  for (std::size_t o = 0; o < next.holder.size(); ++o) {
    Lit held = g_.conj(neg(stage.any_fire), state_.holder[o]);
    for (std::size_t i = 0; i < stage.actions.size(); ++i)
      if (const OwnerId h = s_.action(stage.actions[i]).hold; h.valid() && h.index() == o)
        held = g_.disj(held, stage.fire[i]);
    next.holder[o] = held;
  }
  stage.next = layout_.bits_of(next);
}

}  // namespace parley::encode
