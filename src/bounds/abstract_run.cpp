// Statements on what is known (bounds/abstract_values.hpp has the expressions).
#include "bounds/abstract_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "bounds/abstract_values.hpp"
#include "support/check.hpp"
#include "system/may_fail.hpp"

namespace parley::bounds {

using system::CellId;
using system::ExprId;
using system::StmtKind;

namespace {

class Run : private AbstractValues {
 public:
  Run(const RunContext& c, const std::vector<Interval>& view, semantics::Choices& choices)
      : AbstractValues(c, view, choices) {}

  // Whether the guard can be true at all; cheap, and false for most actions in most nodes.
  bool may_fire(const system::Action& a) {
    if (a.trigger && !receive(*a.trigger)) return false;
    const std::optional<Interval> r = attempt(a.guard);
    return r && r->hi != 0;
  }

  Way action(const system::Action& a) {
    locals_.assign(a.locals, Known{only(0), -1, {}});
    if (a.trigger) {
      const system::Signal& signal = s_.signal(a.trigger->signal);
      signal_ = a.trigger->signal;
      MessageClass taken{a.trigger->queue, a.trigger->signal, {}};
      if (!receive(*a.trigger)) throw Infeasible{};
      for (std::size_t i = 0; i < signal.params.size(); ++i)
        if (c_.messages && c_.splits.split(a.trigger->signal, i)) {
          params_[i].range = pick_value(params_[i].range);
          taken.values.push_back(static_cast<std::int32_t>(params_[i].range.lo));
        }
      if (a.trigger->consume && c_.messages) way_.taken = taken;
    }
    require(a.guard);
    statement(a.body);
    return std::move(way_);
  }
  Way initial() {
    locals_.assign(s_.initial_locals, Known{only(0), -1, {}});
    if (s_.initial_body.valid()) statement(s_.initial_body);
    return std::move(way_);
  }

 private:
  // What a message of the trigger can carry; false if there is none.
  bool receive(const system::Trigger& t) {
    const std::vector<Interval>* known = c_.params != nullptr ? c_.params->of(t.queue, t.signal) : nullptr;
    if (c_.params != nullptr && known == nullptr) return false;
    params_.clear();
    const std::vector<expr::Type>& types = s_.signal(t.signal).params;
    for (std::size_t i = 0; i < types.size(); ++i)
      params_.push_back({known != nullptr ? (*known)[i] : values_of(types[i]), -1, {}});
    return true;
  }
  // What may be sent from here on, told to who wants to know.
  void note_sent(const system::Route& route, const system::Stmt& st, bool anything) {
    if (c_.sent == nullptr) return;
    std::vector<Interval> ranges;
    for (std::size_t i = 0; i < s_.signal(route.signal).params.size(); ++i) {
      Interval r = values_of(s_.signal(route.signal).params[i]);
      if (!anything && i < st.args.size()) r = intersect(r, eval(st.args[i]).range);
      if (r.empty()) throw Infeasible{};
      ranges.push_back(r);
    }
    c_.sent->add(route.queue, route.signal, ranges);
  }

  // --- statements
  void assign(const system::Stmt& st) {
    CellId cell = st.place.cell;
    if (!cell.valid()) {
      const std::vector<CellId> cells = candidates(st.place.table, st.place.row, st.place.column);
      if (cells.empty()) throw Infeasible{};
      // Which one matters only among exact cells; that it is none of them is one more case.
      std::vector<CellId> exact;
      for (CellId x : cells) {
        const std::int32_t slot = c_.view.slot_of_cell[x.index()];
        if (slot >= 0 && (c_.view.exact[static_cast<std::size_t>(slot)] || cells.size() == 1))
          exact.push_back(x);
      }
      const std::size_t cases = exact.size() + (exact.size() < cells.size() ? 1 : 0);
      const std::size_t k = cases > 1 ? choices_.pick(cases) : 0;
      if (k >= exact.size()) return perhaps_assign(cells, st);
      cell = exact[k];
    }
    const std::int32_t slot = c_.view.slot_of_cell[cell.index()];
    if (slot < 0) return;
    const std::uint32_t place = static_cast<std::uint32_t>(slot);
    Known v = eval(st.value);
    v.range = intersect(v.range, values_of(s_.cell(cell).type));
    if (v.range.empty()) throw Infeasible{};
    if (c_.view.exact[place]) {
      const bool open = !v.range.single();
      if (open) note_open(st.value);
      v.range = pick_value(v.range);
      if (open) v.base = -1;
    }
    way_.after[place] = v;
  }

  // One of several ranged cells gets the value: each of them may.
  void perhaps_assign(const std::vector<CellId>& cells, const system::Stmt& st) {
    const Known v = eval(st.value);
    for (CellId cell : cells) {
      const std::int32_t slot = c_.view.slot_of_cell[cell.index()];
      if (slot < 0 || c_.view.exact[static_cast<std::size_t>(slot)]) continue;
      const Interval range = intersect(v.range, values_of(s_.cell(cell).type));
      if (range.empty()) continue;
      Known& k = way_.after[static_cast<std::size_t>(slot)];
      k = {hull(k.range, range), -1, {}};
    }
  }

  void send(const system::Stmt& st, std::int64_t times) {
    const Interval targets =
        intersect(eval(st.target).range, {0, static_cast<std::int64_t>(st.routes.size()) - 1});
    std::vector<system::Route> routes;
    for (std::int64_t t = targets.lo; t <= targets.hi; ++t) {
      const system::Route& r = st.routes[static_cast<std::size_t>(t)];
      if (!r.queue.valid()) continue;
      bool seen = false;
      for (const system::Route& o : routes) seen = seen || (o.queue == r.queue && o.signal == r.signal);
      if (!seen) routes.push_back(r);
    }
    if (routes.empty()) throw Infeasible{};
    if (!c_.messages) return;
    if (routes.size() > 1) note_open(st.target);
    const system::Route route = routes.size() == 1 ? routes[0] : routes[choices_.pick(routes.size())];
    note_sent(route, st, false);
    MessageClass m{route.queue, route.signal, {}};
    for (std::size_t i = 0; i < st.args.size(); ++i) {
      if (!c_.splits.split(route.signal, i)) continue;
      const Interval r = intersect(eval(st.args[i]).range, values_of(s_.signal(route.signal).params[i]));
      if (r.empty()) throw Infeasible{};
      if (!r.single()) note_open(st.args[i]);
      m.values.push_back(static_cast<std::int32_t>(pick_value(r).lo));
    }
    way_.sent.emplace_back(std::move(m), times);
    passing();
  }

  // The step gets here, and something behind may fail.
  void passing() {
    if (c_.interrupted != nullptr && fails_later_) (*c_.interrupted)(way_);
  }
  void block(const std::vector<system::StmtId>& statements) {
    const bool fails_behind = fails_later_;
    for (std::size_t i = 0; i < statements.size(); ++i) {
      const auto rest = statements.begin() + static_cast<std::ptrdiff_t>(i) + 1;
      fails_later_ = fails_behind ||
                     (c_.interrupted != nullptr && std::any_of(rest, statements.end(), [&](system::StmtId x) {
                        return system::may_fail(s_, x);
                      }));
      statement(statements[i]);
    }
    fails_later_ = fails_behind;
  }

  void statement(system::StmtId id) {
    const system::Stmt& st = s_.stmt(id);
    switch (st.kind) {
      case StmtKind::Block:
        return block(st.children);
      case StmtKind::Assign:
        return assign(st);
      case StmtKind::SetLocal:
        locals_[st.local] = eval(st.value);
        return;
      case StmtKind::Choose: {
        const Interval lo = eval(st.lo).range, hi = eval(st.hi).range;
        locals_[st.local] = plain({lo.lo, hi.hi});
        return;
      }
      case StmtKind::Send:
        return send(st, 1);
      case StmtKind::Assert:
        return require(st.value);
      case StmtKind::If: {
        if (!matters(id)) return;
        const Interval c = eval(st.value).range;
        if (c.single() || teaches(st.value, true) || teaches(st.value, false)) {
          if (decide(st.value))
            statement(st.children[0]);
          else if (st.children.size() > 1)
            statement(st.children[1]);
          return;
        }
        // Nothing to learn from the condition: one of the parts below that matter, or nothing.
        note_open(st.value);
        bool nothing = st.children.size() < 2;
        std::vector<system::StmtId> parts;
        for (system::StmtId child : st.children) collect_parts(child, parts, nothing);
        const std::size_t cases = parts.size() + (nothing ? 1 : 0);
        const std::size_t k = cases > 1 ? choices_.pick(cases) : 0;
        if (k < parts.size()) statement(parts[k]);
        return;
      }
      case StmtKind::Branch:
        return branch(st);
      case StmtKind::While:
        return loop(st);
      case StmtKind::Fail:
        throw Infeasible{};
      case StmtKind::Note:
      case StmtKind::Print:
        return;
    }
  }

  bool matters(system::StmtId id) const {
    return (c_.messages ? c_.view.matters : c_.view.matters_quietly)[id.index()] != 0;
  }
  // The parts of a tree of Ifs that may run and matter.
  void collect_parts(system::StmtId id, std::vector<system::StmtId>& parts, bool& nothing) {
    const system::Stmt* st = &s_.stmt(id);
    while (st->kind == StmtKind::Block && st->children.size() == 1) {
      id = st->children[0];
      st = &s_.stmt(id);
    }
    if (!matters(id)) {
      nothing = true;
      return;
    }
    if (st->kind == StmtKind::If) {
      const std::optional<Interval> c = attempt(st->value);
      if (!c) return;
      if (!c->single() && !teaches(st->value, true) && !teaches(st->value, false)) {
        for (system::StmtId child : st->children) collect_parts(child, parts, nothing);
        nothing = nothing || st->children.size() < 2;
        return;
      }
    }
    parts.push_back(id);
  }

  void branch(const system::Stmt& st) {
    // Alternatives that change nothing and whose conditions teach nothing are one case.
    std::vector<std::size_t> cases;
    bool nothing = false;
    for (std::size_t i = 0; i < st.conditions.size(); ++i) {
      const std::optional<Interval> c = attempt(st.conditions[i]);
      if (!c || c->hi == 0) continue;
      if (!matters(st.children[i]) && !teaches(st.conditions[i], true))
        nothing = true;
      else
        cases.push_back(i);
    }
    if (st.has_else) cases.push_back(st.conditions.size());
    const std::size_t count = cases.size() + (nothing ? 1 : 0);
    if (count == 0) throw Infeasible{};
    const std::size_t k = count > 1 ? choices_.pick(count) : 0;
    if (k >= cases.size()) return;
    if (cases[k] < st.conditions.size()) {
      require(st.conditions[cases[k]]);
    } else {
      for (ExprId e : st.conditions) check(e, false);
    }
    statement(st.children[cases[k]]);
  }

  void loop(const system::Stmt& st) {
    const bool fails_behind = std::exchange(fails_later_, true);  // a later round, or the limit
    rounds(st);
    fails_later_ = fails_behind;
  }
  void rounds(const system::Stmt& st) {
    for (std::uint32_t round = 0; round < st.limit; ++round) {
      const Interval c = eval(st.value).range;
      if (c.hi == 0) return;
      if (c.lo != 1) break;
      if (round > 1000) break;
      statement(st.children[0]);
    }
    const Interval c = eval(st.value).range;
    if (c.hi == 0) return;
    if (c.lo == 1 && c.hi == 1 && st.limit <= 1000) throw Infeasible{};  // the limit is an error
    forget(st.children[0], std::max<std::int64_t>(st.limit, 1));
    passing();
    check(st.value, false);
  }

  // Whatever the statement may do, any number of times up to `times`.
  void forget(system::StmtId id, std::int64_t times) {
    const system::Stmt& st = s_.stmt(id);
    switch (st.kind) {
      case StmtKind::Assign: {
        std::vector<CellId> cells{st.place.cell};
        if (!cells[0].valid()) cells = s_.exprs.table(st.place.table).cells;
        for (CellId cell : cells) {
          if (!cell.valid()) continue;
          const std::int32_t slot = c_.view.slot_of_cell[cell.index()];
          if (slot < 0) continue;
          Known& k = way_.after[static_cast<std::size_t>(slot)];
          k = {values_of(s_.cell(cell).type), -1, {}};
          if (c_.view.exact[static_cast<std::size_t>(slot)]) k.range = pick_value(k.range);
        }
        return;
      }
      case StmtKind::SetLocal:
      case StmtKind::Choose:
        locals_[st.local] = {domain::kWord32, -1, {}};
        return;
      case StmtKind::Send:
        if (!c_.messages) return;
        for (const system::Route& r : st.routes) {
          if (!r.queue.valid()) continue;
          note_sent(r, st, true);
          forget_send(st, r, 0, MessageClass{r.queue, r.signal, {}}, times);
        }
        return;
      case StmtKind::While:
        times *= std::max<std::int64_t>(st.limit, 1);
        if (times > (std::int64_t{1} << 40)) throw TooWide("nested loops that send");
        break;
      case StmtKind::Block:
      case StmtKind::Assert:
      case StmtKind::If:
      case StmtKind::Branch:
      case StmtKind::Fail:
      case StmtKind::Note:
      case StmtKind::Print:
        break;
    }
    for (system::StmtId child : st.children) forget(child, times);
  }
  // Every class the message may belong to, each as often as all of them together.
  void forget_send(const system::Stmt& st, const system::Route& r, std::size_t arg, MessageClass m,
                   std::int64_t times) {
    if (arg == st.args.size()) {
      way_.sent.emplace_back(std::move(m), times);
      return;
    }
    if (!c_.splits.split(r.signal, arg)) return forget_send(st, r, arg + 1, std::move(m), times);
    const Interval values = values_of(s_.signal(r.signal).params[arg]);
    for (std::int64_t v = values.lo; v <= values.hi; ++v) {
      MessageClass next = m;
      next.values.push_back(static_cast<std::int32_t>(v));
      forget_send(st, r, arg + 1, std::move(next), times);
    }
  }

  bool fails_later_ = false;  // something behind the statement that is run may fail
};

// Memoised over the statements; bodies are trees.
char mark(const system::System& s, const View& v, system::StmtId id, bool messages, std::vector<char>& memo) {
  const system::Stmt& st = s.stmt(id);
  bool matters = false;
  switch (st.kind) {
    case StmtKind::Assign:
      if (st.place.cell.valid()) {
        matters = v.slot_of_cell[st.place.cell.index()] >= 0;
      } else {
        for (CellId c : s.exprs.table(st.place.table).cells)
          matters = matters || (c.valid() && v.slot_of_cell[c.index()] >= 0);
      }
      break;
    case StmtKind::SetLocal:
    case StmtKind::Choose:
    case StmtKind::Fail:
      matters = true;
      break;
    case StmtKind::Send:
      matters = messages;
      break;
    case StmtKind::Block:
    case StmtKind::Assert:
    case StmtKind::If:
    case StmtKind::Branch:
    case StmtKind::While:
    case StmtKind::Note:
    case StmtKind::Print:
      break;
  }
  for (system::StmtId child : st.children) matters = mark(s, v, child, messages, memo) != 0 || matters;
  return memo[id.index()] = matters ? 1 : 0;
}

}  // namespace

void View::prepare(const system::System& s) {
  matters.assign(s.stmts.size(), 0);
  matters_quietly.assign(s.stmts.size(), 0);
  const auto both = [&](system::StmtId body) {
    if (!body.valid()) return;
    mark(s, *this, body, true, matters);
    mark(s, *this, body, false, matters_quietly);
  };
  both(s.initial_body);
  for (const system::Action& a : s.actions) both(a.body);
}

void for_each_way(const RunContext& context, system::ActionId action, const std::vector<Interval>& view,
                  const std::function<void(const Way&)>& found) {
  semantics::Choices choices;
  if (action.valid() && !Run(context, view, choices).may_fire(context.system.action(action))) return;
  std::size_t count = 0;
  do {
    if (++count > context.max_ways)
      throw TooWide(action.valid()
                        ? fmt::format("`{}` can go too many ways", context.system.action(action).name)
                        : "the initialisation can go too many ways");
    try {
      Run run(context, view, choices);
      found(action.valid() ? run.action(context.system.action(action)) : run.initial());
    } catch (const Infeasible&) {
    }
  } while (choices.advance());
}

}  // namespace parley::bounds
