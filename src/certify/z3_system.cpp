#include "certify/z3_system.hpp"

#include <algorithm>
#include <cstdio>

#include "certify/body.hpp"
#include "certify/fold.hpp"
#include "support/check.hpp"

namespace parley::certify {

using system::PropertyKind;
using z3::expr;

namespace {

bool sends_where_it_may_block(const system::System& s, system::StmtId id) {
  const system::Stmt& st = s.stmt(id);
  const auto blocks = [&](const auto& route) {
    return route.queue.valid() && s.queue(route.queue).overflow == system::OverflowPolicy::Block;
  };
  if (st.kind == system::StmtKind::Send && std::any_of(st.routes.begin(), st.routes.end(), blocks))
    return true;
  return std::any_of(st.children.begin(), st.children.end(),
                     [&](system::StmtId child) { return sends_where_it_may_block(s, child); });
}

// The statements of the body in order, up to the last one with such a send.
void statements_up_to_send(const system::System& s, system::StmtId id, std::vector<system::StmtId>& out) {
  const system::Stmt& st = s.stmt(id);
  if (st.kind != system::StmtKind::Block) return out.push_back(id);
  std::size_t count = st.children.size();
  while (count > 0 && !sends_where_it_may_block(s, st.children[count - 1])) --count;
  for (std::size_t i = 0; i + 1 < count; ++i) out.push_back(st.children[i]);
  if (count > 0) statements_up_to_send(s, st.children[count - 1], out);
}

}  // namespace

Z3System::Z3System(z3::context& context, const system::System& system, std::vector<std::uint32_t> capacities,
                   std::function<bool()> give_up)
    : z_(context),
      s_(system),
      capacities_(std::move(capacities)),
      may_hold_(system.owners.size(), false),
      give_up_(std::move(give_up)) {
  for (std::size_t e = 0; e < s_.exprs.size(); ++e)
    uses_idle_ = uses_idle_ || s_.exprs[system::ExprId(e)].op == parley::expr::Op::Idle;
  for (const system::Action& a : s_.actions) {
    if (a.hold.valid()) may_hold_[a.hold.index()] = true;
    may_block_.push_back(sends_where_it_may_block(s_, a.body));
  }
}

namespace {

std::size_t most_params(const system::System& s, std::size_t q) {
  std::size_t n = 0;
  for (system::SignalId id : s.queues[q].signals) n = std::max(n, s.signal(id).params.size());
  return n;
}

}  // namespace

Z3System::State Z3System::fresh(const std::string& prefix) {
  const auto name = [&](const std::string& rest) { return z_.bv_const((prefix + rest).c_str(), 32); };
  State st{{}, {}, name("holder")};
  for (std::size_t i = 0; i < s_.cells.size(); ++i) st.cells.push_back(name("c" + std::to_string(i)));
  for (std::size_t q = 0; q < s_.queues.size(); ++q) {
    const std::string base = "q" + std::to_string(q);
    Queue queue{name(base + "len"), {}};
    for (std::uint32_t k = 0; k < capacities_[q]; ++k) {
      Slot slot{name(base + "s" + std::to_string(k)), {}};
      for (std::size_t p = 0; p < most_params(s_, q); ++p)
        slot.params.push_back(name(base + "s" + std::to_string(k) + "p" + std::to_string(p)));
      queue.slots.push_back(std::move(slot));
    }
    st.queues.push_back(std::move(queue));
  }
  return st;
}

expr Z3System::in_type(const expr& v, const parley::expr::Type& t) {
  const expr inside = number(t.lo) <= v && v <= number(t.hi);
  const bool with_zero = t.kind == parley::expr::TypeKind::Ref || t.kind == parley::expr::TypeKind::Chan;
  return with_zero ? inside || v == number(0) : inside;
}

expr Z3System::well_formed(const State& st) {
  expr ok = st.holder == number(0);
  for (std::size_t o = 0; o < may_hold_.size(); ++o)
    if (may_hold_[o]) ok = ok || st.holder == number(static_cast<std::int64_t>(o) + 1);
  for (std::size_t i = 0; i < st.cells.size(); ++i) ok = ok && in_type(st.cells[i], s_.cells[i].type);
  for (std::size_t q = 0; q < st.queues.size(); ++q) {
    const Queue& queue = st.queues[q];
    ok = ok && z3::ule(queue.length, number(capacities_[q]));
    for (std::size_t k = 0; k < queue.slots.size(); ++k) {
      const Slot& slot = queue.slots[k];
      expr zero = slot.signal == number(0), some = z_.bool_val(false);
      for (const expr& p : slot.params) zero = zero && p == number(0);
      for (std::size_t c = 0; c < s_.queues[q].signals.size(); ++c) {
        expr fits = slot.signal == number(static_cast<std::int64_t>(c));
        const auto& types = s_.signal(s_.queues[q].signals[c]).params;
        for (std::size_t p = 0; p < slot.params.size(); ++p)
          fits = fits && (p < types.size() ? in_type(slot.params[p], types[p]) : slot.params[p] == number(0));
        some = some || fits;
      }
      ok = ok && z3::ite(z3::ugt(queue.length, number(static_cast<std::int64_t>(k))), some, zero);
    }
  }
  return ok;
}

expr Z3System::equal(const State& x, const State& y) {
  expr same = x.holder == y.holder;
  for (std::size_t i = 0; i < x.cells.size(); ++i) same = same && x.cells[i] == y.cells[i];
  for (std::size_t q = 0; q < x.queues.size(); ++q) {
    same = same && x.queues[q].length == y.queues[q].length;
    for (std::size_t k = 0; k < x.queues[q].slots.size(); ++k) {
      const Slot &a = x.queues[q].slots[k], &b = y.queues[q].slots[k];
      same = same && a.signal == b.signal;
      for (std::size_t p = 0; p < a.params.size(); ++p) same = same && a.params[p] == b.params[p];
    }
  }
  return same;
}

// Whether some choice leads to a step that is neither disabled nor blocked.
expr Z3System::may_move(const State& st, const system::Action& a, const expr& idle) {
  expr moves = z_.bool_val(false), guard = moves;
  const bool may_block = may_block_[static_cast<std::size_t>(&a - s_.actions.data())];
  std::vector<system::StmtId> statements;
  if (may_block) statements_up_to_send(s_, a.body, statements);
  semantics::Choices script;
  int runs = 0;
  do {
    if (give_up_ && give_up_()) throw NotExpressible("out of time while writing the formulas");
    if (++runs > 512) throw NotExpressible("too many choices before a blocking send");
    Body body(*this, st, idle);
    body.enter(a);
    guard = body.guard_error || body.guard_assumed;
    if (!may_block) return body.enabled || guard;
    body.follow(&script);
    body.execute(statements, a.locals);
    moves = moves || (body.enabled && !body.blocked && !body.infeasible);
  } while (script.advance());
  return moves || guard;
}

const Z3System::Movers& Z3System::movers(const State& st) {
  for (const auto& [holder, m] : movers_)
    if (z3::eq(holder, st.holder)) return m;
  const expr no = z_.bool_val(false);
  expr calm = no;
  for (const system::Action& a : s_.actions) calm = calm || folded(may_move(st, a, no));
  Movers m{!calm, calm};
  if (uses_idle_)
    for (const system::Action& a : s_.actions) m.somebody = m.somebody || may_move(st, a, m.idle);
  movers_.emplace_back(st.holder, std::move(m));
  return movers_.back().second;
}

const Z3System::Facts& Z3System::facts(const State& st) {
  for (const auto& [holder, f] : facts_)
    if (z3::eq(holder, st.holder)) return f;
  const expr no = z_.bool_val(false);
  std::vector<expr> by_owner(s_.owners.size(), no);
  for (const system::Action& a : s_.actions)
    if (may_hold_[a.owner.index()])
      by_owner[a.owner.index()] = by_owner[a.owner.index()] || folded(may_move(st, a, no));
  Facts f{z_.bool_val(true), {}};
  std::vector<expr> holds;
  for (std::size_t o = 0; o < s_.owners.size(); ++o) {
    holds.push_back(may_hold_[o] ? st.holder == number(static_cast<std::int64_t>(o) + 1) && by_owner[o] : no);
    f.visible = f.visible && !holds.back();
  }
  f.visible = folded(f.visible);
  for (std::size_t o = 0; o < s_.owners.size(); ++o) f.allowed.push_back(folded(f.visible || holds[o]));
  facts_.emplace_back(st.holder, std::move(f));
  return facts_.back().second;
}

namespace {

Z3System::Step finished(Body& body, const expr& allowed) {
  const expr runs = allowed && body.enabled && body.fits;
  return {folded(runs && body.done),
          body.st,
          runs && body.cut,
          (allowed && body.guard_assumed) || (runs && body.assumed),
          runs && body.assertion,
          (allowed && body.guard_error) || (runs && body.error),
          runs && body.overflow,
          runs && body.lost,
          runs,
          runs && !body.blocked && !body.assumed && !body.cut};
}

}  // namespace

Z3System::Step Z3System::initial() {
  State st{{}, {}, number(0)};
  for (const system::Cell& c : s_.cells) st.cells.push_back(number(c.initial));
  for (std::size_t q = 0; q < s_.queues.size(); ++q)
    st.queues.push_back(
        {number(0), std::vector<Slot>(capacities_[q],
                                      Slot{number(0), std::vector<expr>(most_params(s_, q), number(0))})});
  Body body(*this, st, z_.bool_val(false));
  if (s_.initial_body.valid()) body.execute(s_.initial_body, s_.initial_locals);
  return finished(body, z_.bool_val(true));
}

// Steps from one state are asked for several times (does it leave the invariant, is it bad, where does it
// lead).
Z3System::Step Z3System::step(const State& st, system::ActionId id) {
  auto known =
      std::find_if(steps_.begin(), steps_.end(), [&](const auto& s) { return z3::eq(s.first, st.holder); });
  if (known == steps_.end()) {
    steps_.emplace_back(st.holder, std::vector<std::optional<Step>>(s_.actions.size()));
    known = steps_.end() - 1;
  }
  std::optional<Step>& step = known->second[id.index()];
  if (!step) step = new_step(st, id);
  return *step;
}

Z3System::Step Z3System::new_step(const State& st, system::ActionId id) {
  const system::Action& a = s_.action(id);
  if (give_up_ && give_up_()) throw NotExpressible("out of time while writing the formulas");
  const Facts f = facts(st);
  Body body(*this, st, idle(st));
  body.enter(a);
  body.execute(a.body, a.locals);
  body.st.holder = number(a.hold.valid() ? static_cast<std::int64_t>(a.hold.index()) + 1 : 0);
  Step step = finished(body, f.allowed[a.owner.index()]);
  if (a.kind != system::ActionKind::Discard)
    step.discarded = z_.bool_val(false);
  else if (!a.trigger)  // what dispatch took before; it counts if the step ends well
    step.discarded = step.happens;
  return step;
}

expr Z3System::moves_to(const State& x, const State& y) {
  expr some = z_.bool_val(false);
  for (std::size_t a = 0; a < s_.actions.size(); ++a) {
    const Step st = step(x, system::ActionId(a));
    some = some || (st.happens && equal(st.after, y));
  }
  return some;
}

std::optional<expr> Z3System::bit(const State& st, const std::string& name) {
  unsigned a = 0, b = 0, c = 0, d = 0;
  int used = 0;
  const auto whole = [&] { return used == static_cast<int>(name.size()); };
  const auto bit_of = [&](const expr& v, unsigned i) { return v.extract(i, i) == z_.bv_val(1, 1); };
  const auto slot_ok = [&] { return a < st.queues.size() && b < st.queues[a].slots.size(); };
  if (std::sscanf(name.c_str(), "c%u.%u%n", &a, &b, &used) == 2 && whole() && a < st.cells.size() && b < 32)
    return bit_of(st.cells[a], b);
  if (std::sscanf(name.c_str(), "q%u.%u.signal.%u%n", &a, &b, &c, &used) == 3 && whole() && slot_ok() &&
      c < 32)
    return bit_of(st.queues[a].slots[b].signal, c);
  if (std::sscanf(name.c_str(), "q%u.%u.param%u.%u%n", &a, &b, &c, &d, &used) == 4 && whole() && slot_ok() &&
      c < st.queues[a].slots[b].params.size() && d < 32)
    return bit_of(st.queues[a].slots[b].params[c], d);
  used = 0;
  if (std::sscanf(name.c_str(), "q%u.%u.valid%n", &a, &b, &used) == 2 && whole() && slot_ok())
    return z3::ugt(st.queues[a].length, number(b));
  used = 0;
  if (std::sscanf(name.c_str(), "holder%u%n", &a, &used) == 1 && whole() && a < s_.owners.size())
    return st.holder == number(static_cast<std::int64_t>(a) + 1);
  return std::nullopt;
}

expr Z3System::bad_state(const State& st, const system::Property& p) {
  const Facts f = facts(st);
  Body body(*this, st, z_.bool_val(false));
  const auto shows = [&](system::ExprId e, bool wanted) {
    const Body::Val v = body.eval(e);
    return !v.error && !v.assumed && (wanted ? v.v != number(0) : v.v == number(0));
  };
  switch (p.kind) {
    case PropertyKind::NoDeadlock: {
      expr restless = z_.bool_val(false);
      for (const system::Owner& o : s_.owners) restless = restless || shows(o.may_rest, false);
      return !movers(st).somebody && restless;
    }
    case PropertyKind::Always:
      return f.visible && shows(p.expression, false);
    case PropertyKind::Never:
    case PropertyKind::Reachable:
      return f.visible && shows(p.expression, true);
    case PropertyKind::NoLostMessages:
    case PropertyKind::NoAssertionFailure:
    case PropertyKind::NoRuntimeError:
    case PropertyKind::NoOverflow:
    case PropertyKind::NoUnreachableStates:
    case PropertyKind::NoUnreachableTransitions:
    case PropertyKind::NoEndlessCompletion:
    case PropertyKind::NoUnboundedQueues:
    case PropertyKind::Temporal:
      return z_.bool_val(false);
  }
  internal_error("kind of property", __FILE__, __LINE__);
}

namespace {

expr step_violates(z3::context& z, const Z3System::Step& s, PropertyKind kind) {
  switch (kind) {
    case PropertyKind::NoAssertionFailure:
      return s.assertion;
    case PropertyKind::NoRuntimeError:
      return s.error;
    case PropertyKind::NoOverflow:
      return s.overflow || s.cut || (s.lost && s.exists);
    case PropertyKind::NoLostMessages:
      return s.exists && (s.lost || s.discarded);
    case PropertyKind::NoDeadlock:
    case PropertyKind::NoUnreachableStates:
    case PropertyKind::NoUnreachableTransitions:
    case PropertyKind::NoEndlessCompletion:
    case PropertyKind::NoUnboundedQueues:
    case PropertyKind::Always:
    case PropertyKind::Never:
    case PropertyKind::Reachable:
    case PropertyKind::Temporal:
      return z.bool_val(false);
  }
  internal_error("kind of property", __FILE__, __LINE__);
}

}  // namespace

expr Z3System::bad_step(const State& st, const system::Property& p) {
  expr some = z_.bool_val(false);
  if (p.kind == PropertyKind::NoDeadlock || p.expression.valid()) return some;
  for (std::size_t a = 0; a < s_.actions.size(); ++a)
    some = some || step_violates(z_, step(st, system::ActionId(a)), p.kind);
  return some;
}

expr Z3System::bad_start(const Step& start, const system::Property& p) {
  if (p.kind == PropertyKind::NoLostMessages) return start.exists && start.lost;
  return step_violates(z_, start, p.kind);
}

}  // namespace parley::certify
