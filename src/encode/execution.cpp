#include "encode/execution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "support/check.hpp"

namespace parley::encode {

using system::QueueId;
using system::Stmt;
using system::StmtKind;

namespace {

constexpr std::size_t kMaxUnrolledRounds = 4096;
constexpr std::uint64_t kMaxEnumeratedChoices = 64;
constexpr std::size_t kMaxEnumeratedRuns = 512;

bool may_block(const system::System& s, system::StmtId id) {
  const Stmt& st = s.stmt(id);
  for (const system::Route& r : st.routes)
    if (r.queue.valid() && s.queue(r.queue).overflow == system::OverflowPolicy::Block) return true;
  return std::any_of(st.children.begin(), st.children.end(),
                     [&](system::StmtId child) { return may_block(s, child); });
}

bool tracks_overflow(const system::System& s) {
  return s.integers != system::IntegerMode::Wrap;
}

}  // namespace

Execution::Execution(const Setting& setting)
    : g_(setting.aig),
      layout_(setting.layout),
      s_(setting.layout.system()),
      base_(setting.state),
      idle_(setting.idle),
      taken_before_(setting.taken_before),
      a_(setting.aig, tracks_overflow(setting.layout.system())) {
  reset();
}

void Execution::reset() {
  cells_ = base_.cells;
  locals_.clear();
  occupied_.clear();
  message_ = {};
  consumed_ = nullptr;
  effect_ = nullptr;
  infeasible_ = kFalse;
  unrolled_ = 0;
  state_changed();
}

void Execution::state_changed() {
  memo_.clear();
  selected_.clear();
}

// Finds the trigger's message and tests the guard.
void Execution::enter(const system::Action& action, Effect& e) {
  reset();
  effect_ = &e;
  if (!action.trigger) {
    const Value guard = eval(action.guard);
    e.guard_error = guard.error;
    e.guard_assumed = guard.assumed;
    e.enabled = g_.conj(a_.truth(guard.word), neg(g_.disj(guard.error, guard.assumed)));
    return;
  }
  const system::Trigger& t = *action.trigger;
  if (t.selection == system::Selection::Selected) {
    const Selected sel = selected(t.queue);
    message_ = message_at(t.queue, sel.at);
    memo_.clear();
    const Lit stops = g_.disj(sel.error, sel.assumed);
    const Lit there =
        g_.conj(g_.conj(g_.any(sel.at), neg(stops)), is_signal(t.queue, message_.signal, t.signal));
    const Value guard = eval(action.guard);
    e.guard_error = g_.disj(sel.error, g_.conj(there, guard.error));
    e.guard_assumed = g_.disj(sel.assumed, g_.conj(there, guard.assumed));
    e.enabled = g_.conj(there, g_.conj(a_.truth(guard.word), neg(g_.disj(guard.error, guard.assumed))));
    e.at = sel.at;
    return;
  }
  const SymbolicQueue& queue = base_.queues[t.queue.index()];
  Lit open = kTrue;
  for (const Slot& slot : queue.slots) {
    const Lit concerns = g_.conj(open, g_.conj(slot.occupied, is_signal(t.queue, slot.signal, t.signal)));
    const Value guard = holds_for({slot.signal, slot.params}, action.guard);
    const Lit stops = g_.disj(guard.error, guard.assumed);
    e.guard_error = g_.disj(e.guard_error, g_.conj(concerns, guard.error));
    e.guard_assumed = g_.disj(e.guard_assumed, g_.conj(concerns, guard.assumed));
    const Lit here = g_.conj(concerns, g_.conj(a_.truth(guard.word), neg(stops)));
    e.at.push_back(here);
    open = g_.conj(open, neg(g_.disj(here, g_.conj(concerns, stops))));
  }
  e.enabled = g_.any(e.at);
  message_ = message_at(t.queue, e.at);
  memo_.clear();
}

Effect Execution::enabledness(const system::Action& action) {
  Effect e;
  enter(action, e);
  effect_ = nullptr;
  return e;
}

Effect Execution::run(const system::Action& action, InputPool& pool) {
  Effect e;
  enter(action, e);
  pool_ = &pool;
  if (action.trigger && action.trigger->consume) {
    std::vector<Lit>& occ = occupied(action.trigger->queue);
    for (std::size_t k = 0; k < occ.size(); ++k) occ[k] = k + 1 < occ.size() ? occ[k + 1] : kFalse;
    consumed_ = &*action.trigger;
    state_changed();
  }
  perform_body(action.body, action.locals, e);
  return e;
}

Effect Execution::run_initial(InputPool& pool) {
  Effect e;
  reset();
  effect_ = &e;
  e.enabled = kTrue;
  pool_ = &pool;
  if (s_.initial_body.valid()) perform_body(s_.initial_body, s_.initial_locals, e);
  effect_ = nullptr;
  return e;
}

void Execution::perform_body(system::StmtId body, std::uint32_t locals, Effect& e) {
  locals_.assign(locals, Word{});
  e.done = script_ != nullptr ? up_to_last_send(body, kTrue) : statement(body, kTrue);
  for (auto& [cell, effect] : e.cells) effect.value = cells_[cell.index()];
  effect_ = nullptr;
}

// Whether an action can move does not depend on choices unless a send that may block comes after one.
Lit Execution::may_move(const system::Action& action) {
  if (!may_block(s_, action.body)) {
    const Effect e = enabledness(action);
    return g_.disj(e.enabled, g_.disj(e.guard_error, e.guard_assumed));
  }
  InputPool unused(g_);
  Lit moves = kFalse, guard_moves = kFalse;
  semantics::Choices script;
  script_ = &script;
  std::size_t runs = 0;
  do {
    if (++runs > kMaxEnumeratedRuns) {
      script_ = nullptr;
      throw Unsupported("too many choices before a send that may block, in " + action.name);
    }
    const Effect e = run(action, unused);
    moves = g_.disj(moves, g_.conj(e.enabled, neg(g_.disj(e.blocked, infeasible_))));
    guard_moves = g_.disj(e.guard_error, e.guard_assumed);
    if (e.blocked == kFalse) {  // the choices do not matter
      moves = e.enabled;
      break;
    }
  } while (script.advance());
  script_ = nullptr;
  return g_.disj(moves, guard_moves);
}

// The statement without what comes after its last send that may block: whether the step does is known then.
Lit Execution::up_to_last_send(system::StmtId id, Lit path) {
  const Stmt& st = s_.stmt(id);
  if (st.kind != StmtKind::Block) return statement(id, path);
  std::size_t count = st.children.size();
  while (count > 0 && !may_block(s_, st.children[count - 1])) --count;
  for (std::size_t i = 0; i < count; ++i)
    path = i + 1 < count ? statement(st.children[i], path) : up_to_last_send(st.children[i], path);
  return path;
}

Lit Execution::after_value(const Value& v, Lit path) {
  effect_->error = g_.disj(effect_->error, g_.conj(path, v.error));
  effect_->assumed = g_.disj(effect_->assumed, g_.conj(path, v.assumed));
  return g_.conj(path, neg(g_.disj(v.error, v.assumed)));
}

Lit Execution::statement(system::StmtId id, Lit path) {
  if (path == kFalse) return kFalse;
  const Stmt& st = s_.stmt(id);
  switch (st.kind) {
    case StmtKind::Block:
      for (system::StmtId child : st.children) path = statement(child, path);
      return path;
    case StmtKind::Assign:
      return assign(st, path);
    case StmtKind::SetLocal: {
      const Value v = eval(st.value);
      path = after_value(v, path);
      locals_[st.local] = a_.mux(path, v.word, locals_[st.local]);
      memo_.clear();
      return path;
    }
    case StmtKind::Choose:
      return choose(st, path);
    case StmtKind::Send:
      return send(st, path);
    case StmtKind::Assert: {
      const Value v = eval(st.value);
      path = after_value(v, path);
      const Lit ok = a_.truth(v.word);
      effect_->assertion = g_.disj(effect_->assertion, g_.conj(path, neg(ok)));
      return g_.conj(path, ok);
    }
    case StmtKind::If: {
      const Value v = eval(st.value);
      path = after_value(v, path);
      const Lit c = a_.truth(v.word);
      const Lit yes = g_.conj(path, c), no = g_.conj(path, neg(c));
      const Lit yes_after = statement(st.children[0], yes);
      const Lit no_after = st.children.size() > 1 ? statement(st.children[1], no) : no;
      return yes_after == yes && no_after == no ? path : g_.disj(yes_after, no_after);
    }
    case StmtKind::Branch:
      return branch(st, path);
    case StmtKind::While:
      return loop(st, path);
    case StmtKind::Fail:
      effect_->error = g_.disj(effect_->error, path);
      return kFalse;
    case StmtKind::Note:
      return path;
    case StmtKind::Print:
      for (system::ExprId arg : st.args) path = after_value(eval(arg), path);
      return path;
  }
  return path;
}

Lit Execution::assign(const Stmt& st, Lit path) {
  std::vector<std::pair<system::CellId, Lit>> targets{{st.place.cell, kTrue}};
  if (!st.place.cell.valid()) {
    Located place = locate(st.place.table, st.place.row, st.place.column);
    path = after_value({{}, place.error, place.assumed}, path);
    targets = std::move(place.hits);
  }
  const Value v = eval(st.value);
  path = after_value(v, path);
  Lit misfit = kFalse;
  for (const auto& [cell, hit] : targets)
    misfit = g_.disj(misfit, g_.conj(hit, neg(in_type(v.word, s_.cell(cell).type))));
  effect_->error = g_.disj(effect_->error, g_.conj(path, misfit));
  path = g_.conj(path, neg(misfit));
  for (const auto& [cell, hit] : targets) {
    const Lit write = g_.conj(path, hit);
    if (write == kFalse) continue;
    const expr::Type& type = s_.cell(cell).type;
    const std::size_t width = bits_for(std::min(type.lo, 0), std::max(type.hi, 0));
    const Word stored = v.word.width() > width ? trimmed(resized(v.word, width)) : v.word;
    Word& slot = cells_[cell.index()];
    slot = a_.mux(write, stored, slot);
    CellEffect& effect = effect_->cells[cell];
    effect.written = g_.disj(effect.written, write);
  }
  state_changed();
  return path;
}

Lit Execution::send(const Stmt& st, Lit path) {
  const Value target = eval(st.target);
  path = after_value(target, path);
  std::vector<Lit> hits;
  Lit known = kFalse;
  for (std::size_t i = 0; i < st.routes.size(); ++i) {
    hits.push_back(st.routes[i].queue.valid() ? a_.equal(target.word, static_cast<std::int64_t>(i)) : kFalse);
    known = g_.disj(known, hits.back());
  }
  effect_->error = g_.disj(effect_->error, g_.conj(path, neg(known)));
  path = g_.conj(path, known);
  std::vector<Word> args;
  for (std::size_t p = 0; p < st.args.size(); ++p) {
    const Value v = eval(st.args[p]);
    path = after_value(v, path);
    Lit misfit = kFalse;
    for (std::size_t i = 0; i < st.routes.size(); ++i)
      if (hits[i] != kFalse)
        misfit =
            g_.disj(misfit, g_.conj(hits[i], neg(in_type(v.word, s_.signal(st.routes[i].signal).params[p]))));
    effect_->error = g_.disj(effect_->error, g_.conj(path, misfit));
    path = g_.conj(path, neg(misfit));
    args.push_back(v.word);
  }
  std::map<QueueId, Push> by_queue;
  for (std::size_t i = 0; i < st.routes.size(); ++i) {
    if (hits[i] == kFalse) continue;
    const QueueId queue = st.routes[i].queue;
    const auto [at, fresh] = by_queue.try_emplace(queue);
    Push& push = at->second;
    const Word code = constant_word(layout_.code(queue, st.routes[i].signal));
    push.signal = fresh ? code : a_.mux(hits[i], code, push.signal);
    push.when = g_.disj(push.when, hits[i]);
    push.params = args;
  }
  Lit after = kFalse;
  bool all_went_on = true;
  for (const auto& [queue, push] : by_queue) {
    const Lit here = g_.conj(path, push.when);
    const Lit went_on = send_to_queue(st, queue, here, push);
    all_went_on = all_went_on && went_on == here;
    after = g_.disj(after, went_on);
  }
  state_changed();
  return all_went_on ? path : after;
}

// Lexicographic order of the arguments; a shorter list that is a prefix comes first.
Lit Execution::sorts_before(QueueId queue, const Push& push, const Slot& slot) {
  Lit result = kFalse;
  for (system::SignalId id : s_.queue(queue).signals) {
    const std::size_t other = s_.signal(id).params.size();
    Lit smaller = push.params.size() < other ? kTrue : kFalse;
    for (std::size_t p = std::min(push.params.size(), other); p-- > 0;)
      smaller =
          g_.mux(a_.equal(push.params[p], slot.params[p]), smaller, a_.less(push.params[p], slot.params[p]));
    result = g_.disj(result, g_.conj(is_signal(queue, slot.signal, id), smaller));
  }
  return result;
}

Lit Execution::send_to_queue(const Stmt& st, QueueId queue, Lit path, const Push& message) {
  std::vector<Lit>& occ = occupied(queue);
  QueueEffect& effect = effect_->queues[queue];
  effect.touched = g_.disj(effect.touched, path);
  const Lit full = g_.conj(path, occ.empty() ? kTrue : occ.back());
  Lit after = path;
  switch (s_.queue(queue).overflow) {
    case system::OverflowPolicy::Block:
      effect_->blocked = g_.disj(effect_->blocked, full);
      after = g_.conj(path, neg(full));
      break;
    case system::OverflowPolicy::Cut:
      effect_->cut = g_.disj(effect_->cut, full);
      after = g_.conj(path, neg(full));
      break;
    case system::OverflowPolicy::Error:
      effect_->overflow = g_.disj(effect_->overflow, full);
      after = g_.conj(path, neg(full));
      break;
    case system::OverflowPolicy::Lose:
      effect_->lost = g_.disj(effect_->lost, full);
      break;
  }
  Push push = message;
  push.when = g_.conj(path, neg(full));
  // The width of a slot is that of the signal's own parameters.
  for (std::size_t p = 0; p < push.params.size(); ++p) {
    std::size_t width = 1;
    for (const system::Route& r : st.routes)
      if (r.queue == queue) {
        const expr::Type& t = s_.signal(r.signal).params[p];
        width = std::max(width, bits_for(std::min(t.lo, 0), std::max(t.hi, 0)));
      }
    if (push.params[p].width() > width) push.params[p] = trimmed(resized(push.params[p], width));
  }
  if (push.when == kFalse) return after;
  if (st.insertion == system::Insertion::Sorted || effect.replaced) {
    const SymbolicQueue before = contents(queue);
    effect.replaced = true;
    if (st.insertion == system::Insertion::AtBack) {
      effect.contents = appended(g_, before, push);
    } else {
      // passed_k: the place is before slot k.
      SymbolicQueue q = before;
      Lit passed = kFalse;
      for (std::size_t k = 0; k < q.slots.size(); ++k) {
        const Lit smaller = sorts_before(queue, push, before.slots[k]);
        const Lit previous = k == 0 ? kTrue : before.slots[k - 1].occupied;
        const Lit is_end = g_.conj(previous, neg(before.slots[k].occupied));
        const Lit here = g_.conj(neg(passed), g_.disj(g_.conj(before.slots[k].occupied, smaller), is_end));
        const Lit put = g_.conj(push.when, here), move = g_.conj(push.when, passed);
        Slot& slot = q.slots[k];
        const Slot& old = before.slots[k];
        const Slot& left = k == 0 ? old : before.slots[k - 1];
        slot.occupied = g_.mux(put, kTrue, g_.mux(move, left.occupied, old.occupied));
        slot.signal = a_.mux(put, push.signal, a_.mux(move, left.signal, old.signal));
        for (std::size_t p = 0; p < slot.params.size(); ++p)
          slot.params[p] = a_.mux(put, p < push.params.size() ? push.params[p] : Word{},
                                  a_.mux(move, left.params[p], old.params[p]));
        passed = g_.disj(passed, here);
      }
      effect.contents = std::move(q);
    }
  } else {
    effect.pushes.push_back(push);
  }
  Lit previous = kTrue;
  for (Lit& o : occ) {
    const Lit now = g_.disj(o, g_.conj(push.when, previous));
    previous = std::exchange(o, now);
  }
  return after;
}

Lit Execution::choose(const Stmt& st, Lit path) {
  const Value lo = eval(st.lo);
  path = after_value(lo, path);
  const Value hi = eval(st.hi);
  path = after_value(hi, path);
  const Lit empty = a_.less(hi.word, lo.word);
  effect_->error = g_.disj(effect_->error, g_.conj(path, empty));
  path = g_.conj(path, neg(empty));
  Word chosen;
  if (lo.word == hi.word) {
    chosen = lo.word;
  } else if (script_ != nullptr) {
    const auto known = [](const Word& w) { return std::all_of(w.bits.begin(), w.bits.end(), is_constant); };
    const auto number = [](const Word& w) {
      std::int64_t v = w.sign() == kTrue ? -1 : 0;
      for (std::size_t i = w.width(); i-- > 0;) v = v * 2 + (w.bits[i] == kTrue ? 1 : 0);
      return v;
    };
    if (!known(lo.word) || !known(hi.word))
      throw Unsupported("a choice of computed range before a send that may block");
    const std::uint64_t count = static_cast<std::uint64_t>(number(hi.word) - number(lo.word)) + 1;
    if (path != kFalse && count > kMaxEnumeratedChoices) {
      // Only one run: whether it blocks must then not depend on the value.
      throw Unsupported("a wide choice before a send that may block");
    }
    chosen = constant_word(
        path == kFalse ? number(lo.word) : number(lo.word) + static_cast<std::int64_t>(script_->pick(count)));
  } else {
    const std::size_t width = std::max(lo.word.width(), hi.word.width());
    const bool natural = lo.word.sign() == kFalse && hi.word.sign() == kFalse;
    chosen.bits.clear();
    for (std::size_t i = 0; i < width; ++i)
      chosen.bits.push_back(natural && i + 1 == width ? kFalse : pool_->next());
    const Lit inside = g_.conj(neg(a_.less(chosen, lo.word)), neg(a_.less(hi.word, chosen)));
    effect_->fits = g_.conj(effect_->fits, g_.implies(path, inside));
    effect_->choices.push_back({path, false, {}, {}, lo.word, hi.word, chosen});
  }
  locals_[st.local] = a_.mux(path, chosen, locals_[st.local]);
  memo_.clear();
  return path;
}

// The i-th open child is picked when its input says so or no later one is open: every input fits.
Lit Execution::branch(const Stmt& st, Lit path) {
  std::vector<Lit> open;
  for (system::ExprId condition : st.conditions) {
    const Value v = eval(condition);
    path = after_value(v, path);
    open.push_back(a_.truth(v.word));
  }
  const Lit any_open = g_.any(open);
  const Lit none = g_.conj(path, neg(any_open));
  std::vector<Lit> picked(open.size(), kFalse);
  if (script_ != nullptr) {
    if (g_.conj(path, any_open) != kFalse) {
      const std::size_t k = script_->pick(open.size());
      picked[k] = open[k];
      infeasible_ = g_.disj(infeasible_, g_.conj(path, g_.conj(any_open, neg(open[k]))));
    }
  } else {
    Lit before = kFalse;
    for (std::size_t i = 0; i < open.size(); ++i) {
      const Lit later = g_.any(std::span(open).subspan(i + 1));
      const Lit wanted = later == kFalse || open[i] == kFalse || open[i] == neg(later)
                             ? kTrue
                             : g_.disj(pool_->next(), neg(later));
      picked[i] = g_.conj(open[i], g_.conj(neg(before), wanted));
      before = g_.disj(before, picked[i]);
    }
    effect_->choices.push_back({g_.conj(path, any_open), true, open, picked, {}, {}, {}});
  }
  Lit after = kFalse;
  bool went_on = true;
  for (std::size_t i = 0; i < open.size(); ++i) {
    const Lit here = g_.conj(path, picked[i]);
    const Lit end = statement(st.children[i], here);
    went_on = went_on && end == here;
    after = g_.disj(after, end);
  }
  if (st.has_else) {
    const Lit end = statement(st.children.back(), none);
    went_on = went_on && end == none;
    after = g_.disj(after, end);
  } else {
    effect_->error = g_.disj(effect_->error, none);
    went_on = went_on && none == kFalse;
  }
  return went_on && script_ == nullptr ? path : after;
}

Lit Execution::loop(const Stmt& st, Lit path) {
  Lit left = kFalse;
  for (std::uint32_t round = 0; path != kFalse; ++round) {
    if (++unrolled_ > kMaxUnrolledRounds)
      throw Unsupported(fmt::format("a loop of more than {} rounds", kMaxUnrolledRounds));
    const Value v = eval(st.value);
    path = after_value(v, path);
    const Lit again = a_.truth(v.word);
    left = g_.disj(left, g_.conj(path, neg(again)));
    path = g_.conj(path, again);
    if (round == st.limit) {
      effect_->error = g_.disj(effect_->error, path);
      break;
    }
    path = statement(st.children[0], path);
  }
  return left;
}

}  // namespace parley::encode
