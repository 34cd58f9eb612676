#include "certify/worlds.hpp"

#include <algorithm>
#include <utility>

#include "certify/totality.hpp"
#include "certify/world_values.hpp"
#include "support/check.hpp"

namespace parley::certify {

using system::CellId;
using system::ExprId;
using system::StmtKind;

Interval interval_of(const system::Type& t) {
  if (t.kind == expr::TypeKind::Ref || t.kind == expr::TypeKind::Chan)
    return {std::min<std::int64_t>(0, t.lo), std::max<std::int64_t>(0, t.hi)};
  return {t.lo, t.hi};
}

void Setting::prepare() {
  place.assign(system.cells.size(), std::nullopt);
  for (std::size_t i = 0; i < cells.size(); ++i) place[cells[i].index()] = i;
}

namespace {

constexpr std::int64_t kMostValues = 4096;
constexpr std::size_t kMostInterruptions = 100000;

class Executor : private WorldValues {
 public:
  using WorldValues::WorldValues;

  // Collects the places where the step may fail after a send, instead of its outcomes.
  std::vector<Outcome> interrupted(const system::Action* a, const std::vector<Interval>& start) {
    collecting_ = true;
    if (a != nullptr)
      action(*a, start);
    else
      initial(start);
    return std::move(interrupted_);
  }

  std::vector<Outcome> action(const system::Action& a, const std::vector<Interval>& start) {
    World w = begin(start, a.locals);
    std::vector<Outcome> all;
    if (!a.trigger) {
      for (World& x : after(a, std::move(w))) all.push_back({std::move(x), std::nullopt});
      return all;
    }
    if (measures(a.trigger->queue)) {
      w.length.lo = std::max<std::int64_t>(w.length.lo, 1);
      if (w.length.empty()) return all;
    }
    const system::Signal& signal = s_.signal(a.trigger->signal);
    const std::vector<Interval>* carried = nullptr;
    if (c_.carried != nullptr) {
      const auto at = c_.carried->find({a.trigger->queue.index(), a.trigger->signal.index()});
      if (at == c_.carried->end()) return all;  // there is no such message
      carried = &at->second;
    }
    for (std::size_t p = 0; p < signal.params.size(); ++p)
      w.params.push_back(
          {carried != nullptr ? (*carried)[p] : interval_of(signal.params[p]), std::nullopt, {}});
    std::optional<Amount> quick = eval(w, a.guard);
    if (!quick || quick->range.hi == 0) return all;
    Worlds fixed{std::move(w)};
    for (std::size_t p = 0; c_.messages && p < signal.params.size(); ++p) {
      if (!apart(a.trigger->signal, p)) continue;
      Worlds next;
      for (const World& x : fixed)
        for (std::int64_t v : values(x.params[p].range)) {
          next.push_back(x);
          next.back().params[p] = {{v, v}, std::nullopt, {}};
        }
      fixed = limited(std::move(next));
    }
    for (World& x : fixed) {
      SentMessage taken{a.trigger->queue, a.trigger->signal, {}, 1};
      for (std::size_t p = 0; p < signal.params.size(); ++p)
        if (apart(a.trigger->signal, p) && c_.messages) taken.values.push_back(x.params[p].range.lo);
      const bool counts = a.trigger->consume && c_.messages;
      taking_ = counts ? std::optional(taken) : std::nullopt;
      for (World& y : after(a, std::move(x)))
        all.push_back({std::move(y), counts ? std::optional(taken) : std::nullopt});
    }
    return all;
  }
  std::vector<Outcome> initial(const std::vector<Interval>& start) {
    std::vector<Outcome> all;
    Worlds worlds{begin(start, s_.initial_locals)};
    if (s_.initial_body.valid()) worlds = run(s_.initial_body, std::move(worlds[0]));
    for (World& w : worlds) all.push_back({std::move(w), std::nullopt});
    return all;
  }

 private:
  World begin(const std::vector<Interval>& start, std::uint32_t locals) const {
    World w;
    w.old = start;
    for (std::size_t i = 0; i < start.size(); ++i) w.now.push_back({start[i], i, {0, 0}});
    w.locals.assign(locals, Amount{{0, 0}, std::nullopt, {}});
    w.length = c_.length;
    return w;
  }
  Worlds after(const system::Action& a, World w) {
    Worlds all;
    for (World& x : suppose(std::move(w), a.guard, true)) {
      if (a.trigger && a.trigger->consume && measures(a.trigger->queue))
        x.length = {x.length.lo - 1, x.length.hi - 1};
      for (World& y : run(a.body, std::move(x))) all.push_back(std::move(y));
    }
    return limited(std::move(all));
  }
  bool apart(system::SignalId s, std::size_t p) const {
    const auto& list = c_.told_apart;
    return s.index() < list.size() && p < list[s.index()].size() && list[s.index()][p];
  }
  static std::vector<std::int64_t> values(const Interval& r) {
    if (r.size() > kMostValues) throw TooMany{};
    std::vector<std::int64_t> list;
    for (std::int64_t v = r.lo; v <= r.hi; ++v) list.push_back(v);
    return list;
  }

  Worlds store(World w, CellId c, Amount value) const {
    const auto at = c_.place[c.index()];
    if (!at) return {std::move(w)};
    value.range = intersect(value.range, interval_of(s_.cell(c).type));
    if (value.range.empty()) return {};
    if (!c_.single[*at] || value.range.single()) {
      w.now[*at] = value;
      return {std::move(w)};
    }
    Worlds all;
    for (std::int64_t v : values(value.range)) {
      all.push_back(w);
      all.back().now[*at] = {{v, v}, std::nullopt, {}};
    }
    return all;
  }

  Worlds assign(World w, const system::Stmt& st) {
    std::vector<CellId> targets{st.place.cell};
    if (!targets[0].valid()) targets = entries(w, st.place.table, st.place.row, st.place.column);
    if (targets.empty()) return {};
    Worlds all;
    bool elsewhere = false;  // the target may be a cell that need not have one value
    for (CellId c : targets) {
      const auto at = c_.place[c.index()];
      if (!at || (!c_.single[*at] && targets.size() > 1)) {
        elsewhere = true;
        continue;
      }
      const auto v = eval(w, st.value);
      if (!v) continue;
      for (World& x : store(w, c, *v)) all.push_back(std::move(x));
    }
    if (!elsewhere) return limited(std::move(all));
    // Any one of them: each keeps its value or takes the new one.
    const auto v = eval(w, st.value);
    for (CellId c : targets) {
      const auto at = c_.place[c.index()];
      if (!at || c_.single[*at]) continue;
      if (!v) return limited(std::move(all));
      const Interval r = intersect(v->range, interval_of(s_.cell(c).type));
      if (!r.empty()) w.now[*at] = {hull(w.now[*at].range, r), std::nullopt, {}};
    }
    all.push_back(std::move(w));
    return limited(std::move(all));
  }

  // Whether the message can be made at all; throws if it can carry more than claimed. No arguments: anything.
  bool carries_as_claimed(World& w, const system::Route& r, const std::vector<system::ExprId>* args) {
    if (c_.carried == nullptr || collecting_) return true;
    const auto claim = c_.carried->find({r.queue.index(), r.signal.index()});
    const auto& types = s_.signal(r.signal).params;
    for (std::size_t p = 0; p < types.size(); ++p) {
      Interval value = interval_of(types[p]);
      if (args != nullptr && p < args->size()) {
        const auto v = eval(w, (*args)[p]);
        if (!v) return false;
        value = intersect(value, v->range);
        if (value.lo > value.hi) return false;
      }
      if (claim == c_.carried->end() || !claim->second[p].contains(value)) throw CarriesMore{};
    }
    if (claim == c_.carried->end()) throw CarriesMore{};
    return true;
  }
  // What is collected, if anything is: the step gets here, and may fail later.
  Worlds passing(Worlds worlds) {
    if (collecting_ && fails_later_)
      for (const World& w : worlds) interrupted_.push_back({w, taking_});
    if (interrupted_.size() > kMostInterruptions) throw TooMany{};
    return worlds;
  }
  bool may_fail_from(const std::vector<system::StmtId>& statements, std::size_t first) const {
    for (std::size_t i = first; i < statements.size(); ++i)
      if (!total(s_, statements[i])) return true;
    return false;
  }
  Worlds send(World w, const system::Stmt& st) {
    const auto target = eval(w, st.target);
    if (!target) return {};
    std::vector<system::Route> routes;
    for (std::size_t t = 0; t < st.routes.size(); ++t) {
      const system::Route& r = st.routes[t];
      if (!r.queue.valid() || !target->range.contains(static_cast<std::int64_t>(t))) continue;
      bool seen = false;
      for (const system::Route& o : routes) seen = seen || (o.queue == r.queue && o.signal == r.signal);
      if (!seen) routes.push_back(r);
    }
    if (routes.empty()) return {};
    if (c_.measured) return measured_send(std::move(w), st, target->range);
    if (!c_.messages) return {std::move(w)};
    Worlds all;
    for (const system::Route& r : routes) {
      if (!carries_as_claimed(w, r, &st.args)) continue;  // an argument always fails
      std::vector<SentMessage> made{{r.queue, r.signal, {}, 1}};
      for (std::size_t i = 0; i < st.args.size(); ++i) {
        if (!apart(r.signal, i)) continue;
        const auto v = eval(w, st.args[i]);
        if (!v) {
          made.clear();
          break;
        }
        std::vector<SentMessage> next;
        for (const SentMessage& m : made)
          for (std::int64_t x : values(intersect(v->range, interval_of(s_.signal(r.signal).params[i])))) {
            next.push_back(m);
            next.back().values.push_back(x);
          }
        made = std::move(next);
      }
      for (SentMessage& m : made) {
        all.push_back(w);
        all.back().sent.push_back(std::move(m));
      }
    }
    return limited(std::move(all));
  }

  // Only the length counts: one world where the queue gets the message, one for each other target.
  Worlds measured_send(World w, const system::Stmt& st, const Interval& targets) {
    Worlds all;
    for (std::size_t t = 0; t < st.routes.size(); ++t) {
      if (!st.routes[t].queue.valid() || !targets.contains(static_cast<std::int64_t>(t))) continue;
      World x = w;
      const auto value = static_cast<std::int64_t>(t);
      if (!confine(x, st.target, {value, value})) continue;
      if (measures(st.routes[t].queue)) x.length = {x.length.lo + 1, x.length.hi + 1};
      all.push_back(std::move(x));
    }
    return limited(std::move(all));
  }

  Worlds run(system::StmtId id, World w) {
    const system::Stmt& st = s_.stmt(id);
    switch (st.kind) {
      case StmtKind::Block: {
        Worlds worlds{std::move(w)};
        const bool fails_behind = fails_later_;
        for (std::size_t i = 0; i < st.children.size(); ++i) {
          fails_later_ = fails_behind || (collecting_ && may_fail_from(st.children, i + 1));
          Worlds next;
          for (World& x : worlds)
            for (World& y : run(st.children[i], std::move(x))) next.push_back(std::move(y));
          worlds = limited(std::move(next));
        }
        fails_later_ = fails_behind;
        return worlds;
      }
      case StmtKind::Assign:
        return assign(std::move(w), st);
      case StmtKind::SetLocal: {
        const auto v = eval(w, st.value);
        if (!v) return {};
        w.locals[st.local] = *v;
        return {std::move(w)};
      }
      case StmtKind::Choose: {
        const auto lo = eval(w, st.lo), hi = eval(w, st.hi);
        if (!lo || !hi || lo->range.lo > hi->range.hi) return {};
        w.locals[st.local] = {{lo->range.lo, hi->range.hi}, std::nullopt, {}};
        return {std::move(w)};
      }
      case StmtKind::Send:
        return passing(send(std::move(w), st));
      case StmtKind::Assert:
        return suppose(std::move(w), st.value, true);
      case StmtKind::If: {
        Worlds all;
        for (World& x : suppose(w, st.value, true))
          for (World& y : run(st.children[0], std::move(x))) all.push_back(std::move(y));
        for (World& x : suppose(std::move(w), st.value, false)) {
          if (st.children.size() < 2) {
            all.push_back(std::move(x));
            continue;
          }
          for (World& y : run(st.children[1], std::move(x))) all.push_back(std::move(y));
        }
        return limited(std::move(all));
      }
      case StmtKind::Branch: {
        Worlds all;
        for (std::size_t i = 0; i < st.conditions.size(); ++i)
          for (World& x : suppose(w, st.conditions[i], true))
            for (World& y : run(st.children[i], std::move(x))) all.push_back(std::move(y));
        if (st.has_else) {
          Worlds none{std::move(w)};
          for (ExprId e : st.conditions) {
            Worlds next;
            for (World& x : none)
              for (World& y : suppose(std::move(x), e, false)) next.push_back(std::move(y));
            none = limited(std::move(next));
          }
          for (World& x : none)
            for (World& y : run(st.children.back(), std::move(x))) all.push_back(std::move(y));
        }
        return limited(std::move(all));
      }
      case StmtKind::While:
        return loop(std::move(w), st);
      case StmtKind::Fail:
        return {};
      case StmtKind::Note:
      case StmtKind::Print:
        return {std::move(w)};
    }
    return {};
  }

  // Rounds that certainly happen are run; what is left is any number of rounds up to the limit.
  Worlds loop(World w, const system::Stmt& st) {
    Worlds done, active{std::move(w)};
    const bool fails_behind = std::exchange(fails_later_, true);  // a later round, or the limit
    for (std::uint32_t round = 0; !active.empty(); ++round) {
      Worlds next;
      for (World& x : active) {
        const auto c = eval(x, st.value);
        if (!c) continue;
        if (c->range.hi == 0) {
          done.push_back(std::move(x));
        } else if (c->range.lo == 1 && round == st.limit) {
          continue;  // one round too many is an error
        } else if (c->range.lo == 1 && round <= 1000) {
          for (World& y : run(st.children[0], std::move(x))) next.push_back(std::move(y));
        } else {
          for (World& y :
               passing(any_rounds(st.children[0], std::move(x), std::max<std::int64_t>(st.limit, 1))))
            for (World& z : suppose(std::move(y), st.value, false)) done.push_back(std::move(z));
        }
      }
      active = limited(std::move(next));
    }
    fails_later_ = fails_behind;
    return limited(std::move(done));
  }

  Worlds any_rounds(system::StmtId id, World w, std::int64_t times) {
    const system::Stmt& st = s_.stmt(id);
    Worlds worlds;
    if (st.kind == StmtKind::Assign) {
      std::vector<CellId> targets{st.place.cell};
      if (!targets[0].valid()) targets = s_.exprs.table(st.place.table).cells;
      worlds = {std::move(w)};
      for (CellId c : targets) {
        if (!c.valid()) continue;
        Worlds next;
        for (World& x : worlds)
          for (World& y : store(std::move(x), c, {interval_of(s_.cell(c).type), std::nullopt, {}}))
            next.push_back(std::move(y));
        worlds = limited(std::move(next));
      }
      return worlds;
    }
    if (st.kind == StmtKind::SetLocal || st.kind == StmtKind::Choose)
      w.locals[st.local] = {kAnyNumber, std::nullopt, {}};
    if (st.kind == StmtKind::Send && c_.messages && !c_.measured)
      for (const system::Route& r : st.routes)
        if (r.queue.valid() && carries_as_claimed(w, r, nullptr))
          add_every_class(w, r, {r.queue, r.signal, {}, times}, 0);
    if (st.kind == StmtKind::Send &&
        std::any_of(st.routes.begin(), st.routes.end(),
                    [&](const system::Route& r) { return r.queue.valid() && measures(r.queue); }))
      w.length.hi += times;
    if (st.kind == StmtKind::While) {
      times *= std::max<std::int64_t>(st.limit, 1);
      if (times > (std::int64_t{1} << 40)) throw TooMany{};
    }
    worlds = {std::move(w)};
    for (system::StmtId child : st.children) {
      Worlds next;
      for (World& x : worlds)
        for (World& y : any_rounds(child, std::move(x), times)) next.push_back(std::move(y));
      worlds = limited(std::move(next));
    }
    return worlds;
  }
  void add_every_class(World& w, const system::Route& r, const SentMessage& m, std::size_t param) {
    const auto& params = s_.signal(r.signal).params;
    if (param == params.size()) {
      w.sent.push_back(m);
      return;
    }
    if (!apart(r.signal, param)) return add_every_class(w, r, m, param + 1);
    for (std::int64_t v : values(interval_of(params[param]))) {
      SentMessage next = m;
      next.values.push_back(v);
      add_every_class(w, r, next, param + 1);
    }
  }

  bool collecting_ = false;            // interruptions
  bool fails_later_ = false;           // something behind the statement that is run may fail
  std::optional<SentMessage> taking_;  // what the step took
  std::vector<Outcome> interrupted_;
};

}  // namespace

std::optional<std::vector<Outcome>> outcomes(const Setting& setting, system::ActionId action,
                                             const std::vector<Interval>& start) {
  PARLEY_CHECK(setting.place.size() == setting.system.cells.size());
  if (setting.patience != nullptr) setting.patience->ask();
  try {
    Executor run(setting);
    return action.valid() ? run.action(setting.system.action(action), start) : run.initial(start);
  } catch (const TooMany&) {
    return std::nullopt;
  }
}

std::optional<std::vector<Outcome>> interruptions(const Setting& setting, system::ActionId action,
                                                  const std::vector<Interval>& start) {
  PARLEY_CHECK(setting.place.size() == setting.system.cells.size());
  if (setting.patience != nullptr) setting.patience->ask();
  try {
    return Executor(setting).interrupted(action.valid() ? &setting.system.action(action) : nullptr, start);
  } catch (const TooMany&) {
    return std::nullopt;
  }
}

}  // namespace parley::certify
