#include "certify/worlds.hpp"

#include <algorithm>

#include "domain/may.hpp"
#include "expr/operators.hpp"
#include "support/check.hpp"

namespace parley::certify {

using expr::Op;
using system::CellId;
using system::ExprId;
using system::StmtKind;
using Worlds = std::vector<World>;

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

struct TooMany {};
constexpr std::size_t kMostWorlds = 20000;
constexpr std::int64_t kMostValues = 4096;
const Interval kAny{expr::kIntMin, expr::kIntMax};
const Interval kEither{0, 1};

class Executor {
 public:
  explicit Executor(const Setting& setting) : c_(setting), s_(setting.system) {}

  std::vector<Outcome> action(const system::Action& a, const std::vector<Interval>& start) {
    World w = begin(start, a.locals);
    std::vector<Outcome> all;
    if (!a.trigger) {
      for (World& x : after(a, std::move(w))) all.push_back({std::move(x), std::nullopt});
      return all;
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
    return w;
  }
  Worlds after(const system::Action& a, World w) {
    Worlds all;
    for (World& x : suppose(std::move(w), a.guard, true))
      for (World& y : run(a.body, std::move(x))) all.push_back(std::move(y));
    return limited(std::move(all));
  }
  bool apart(system::SignalId s, std::size_t p) const {
    const auto& list = c_.told_apart;
    return s.index() < list.size() && p < list[s.index()].size() && list[s.index()][p];
  }
  static Worlds limited(Worlds w) {
    std::sort(w.begin(), w.end());
    w.erase(std::unique(w.begin(), w.end()), w.end());
    if (w.size() > kMostWorlds) throw TooMany{};
    return w;
  }
  static std::vector<std::int64_t> values(const Interval& r) {
    if (r.size() > kMostValues) throw TooMany{};
    std::vector<std::int64_t> list;
    for (std::int64_t v = r.lo; v <= r.hi; ++v) list.push_back(v);
    return list;
  }

  // --- values; nothing: evaluation fails for certain
  // ------------------------------------------------------------
  static std::optional<Amount> some(const Interval& r) {
    if (r.empty()) return std::nullopt;
    return Amount{r, std::nullopt, {}};
  }
  static std::optional<Amount> computed(const expr::Computed& c) {
    if (c.error != expr::EvalError::None) return std::nullopt;
    return some({c.value, c.value});
  }
  Amount cell(const World& w, CellId c) const {
    if (const auto at = c_.place[c.index()]) return w.now[*at];
    return {c_.elsewhere[c.index()], std::nullopt, {}};
  }
  std::vector<CellId> entries(const World& w, system::TableId id, ExprId row, ExprId column) const {
    const expr::Table& t = s_.exprs.table(id);
    const auto r = eval(w, row), k = eval(w, column);
    std::vector<CellId> found;
    if (!r || !k) return found;
    for (std::int64_t i = std::max<std::int64_t>(r->range.lo, t.by_reference ? 1 : 0);
         i <= r->range.hi && i < static_cast<std::int64_t>(t.rows()); ++i)
      for (std::int64_t j = std::max<std::int64_t>(k->range.lo, 0);
           j <= k->range.hi && j < static_cast<std::int64_t>(t.columns); ++j)
        if (const CellId c = t.cells[static_cast<std::size_t>(i * t.columns + j)]; c.valid())
          found.push_back(c);
    return found;
  }

  std::optional<Amount> eval(const World& w, ExprId id) const {
    const expr::Node& n = s_.exprs[id];
    switch (n.op) {
      case Op::Const:
        return some({n.value, n.value});
      case Op::Cell:
        return cell(w, CellId(n.a));
      case Op::Local:
        return w.locals[n.a];
      case Op::Param:
        return n.a < w.params.size() ? std::optional(w.params[n.a]) : some(interval_of(n.type));
      case Op::Elem: {
        const std::vector<CellId> found = entries(w, system::TableId(n.a), n.operands[0], n.operands[1]);
        if (found.empty()) return std::nullopt;
        if (found.size() == 1) return cell(w, found[0]);
        Interval r = cell(w, found[0]).range;
        for (CellId c : found) r = hull(r, cell(w, c).range);
        return some(r);
      }
      case Op::QueueLen:
      case Op::QueueCap:
        return some({0, expr::kIntMax});
      case Op::QueueHas:
      case Op::HeadIs:
      case Op::Idle:
        return some(kEither);
      case Op::AndAlso:
      case Op::OrElse: {
        const auto x = eval(w, n.operands[0]);
        if (!x) return std::nullopt;
        const std::int64_t stop = n.op == Op::AndAlso ? 0 : 1;  // decides alone
        if (x->range.single() && x->range.lo == stop) return x;
        const auto y = eval(w, n.operands[1]);
        if (x->range.single()) return y;
        return some(y ? hull(y->range, {stop, stop}) : Interval{stop, stop});
      }
      case Op::Cond: {
        const auto c = eval(w, n.operands[0]);
        if (!c) return std::nullopt;
        if (c->range.single()) return eval(w, n.operands[c->range.lo != 0 ? 1 : 2]);
        const auto x = eval(w, n.operands[1]), y = eval(w, n.operands[2]);
        if (!x || !y) return x ? some(x->range) : y ? some(y->range) : std::nullopt;
        return some(hull(x->range, y->range));
      }
      default:
        break;
    }
    const auto x = eval(w, n.operands[0]);
    if (!x) return std::nullopt;
    const domain::Word word;
    if (expr::is_unary(n.op)) {
      auto r = x->range.single() ? computed(expr::compute(n.op, static_cast<std::int32_t>(x->range.lo), n.a))
                                 : some(domain::result_hull(n.op, word, x->range, n.a));
      if (r && (n.op == Op::TruncU || n.op == Op::TruncS) && r->range == x->range && keeps(n, x->range))
        return x;
      return r;
    }
    const auto y = eval(w, n.operands[1]);
    if (!y) return std::nullopt;
    if ((n.op == Op::Div || n.op == Op::Rem) && y->range == Interval{0, 0}) return std::nullopt;
    auto r = x->range.single() && y->range.single()
                 ? computed(expr::compute(n.op, static_cast<std::int32_t>(x->range.lo),
                                          static_cast<std::int32_t>(y->range.lo)))
                 : some(domain::result_hull(n.op, word, x->range, y->range));
    if (!r || (n.op != Op::Add && n.op != Op::Sub)) return r;
    const Interval plus = n.op == Op::Add ? y->range : Interval{-y->range.hi, -y->range.lo};
    if (!word.fits(x->range.lo + plus.lo) || !word.fits(x->range.hi + plus.hi)) return r;  // may wrap
    if (x->relative_to) {
      r->relative_to = x->relative_to;
      r->shift = {x->shift.lo + plus.lo, x->shift.hi + plus.hi};
    } else if (n.op == Op::Add && y->relative_to) {
      r->relative_to = y->relative_to;
      r->shift = {y->shift.lo + x->range.lo, y->shift.hi + x->range.hi};
    }
    return r;
  }
  // A truncation that changes nothing.
  static bool keeps(const expr::Node& n, const Interval& x) {
    if (n.a >= 32) return n.op == Op::TruncS || x.lo >= 0;
    const Interval fits = n.op == Op::TruncU
                              ? Interval{0, (std::int64_t{1} << n.a) - 1}
                              : Interval{-(std::int64_t{1} << (n.a - 1)), (std::int64_t{1} << (n.a - 1)) - 1};
    return fits.contains(x);
  }

  // --- conditions: the worlds in which the condition has the given truth
  // -----------------------------------------
  Worlds suppose(World w, ExprId e, bool truth) {
    const auto known = eval(w, e);
    if (!known || !known->range.contains(truth ? 1 : 0)) return {};
    if (known->range.single()) return {std::move(w)};
    const expr::Node& n = s_.exprs[e];
    switch (n.op) {
      case Op::Not:
        return suppose(std::move(w), n.operands[0], !truth);
      case Op::AndAlso:
      case Op::OrElse: {
        Worlds all;
        if ((n.op == Op::AndAlso) == truth) {  // both operands have this truth
          for (World& x : suppose(std::move(w), n.operands[0], truth))
            for (World& y : suppose(std::move(x), n.operands[1], truth)) all.push_back(std::move(y));
          return limited(std::move(all));
        }
        // Two cases only pay if each of them says something about a listed value.
        if (!informative(w, n.operands[0], truth) || !informative(w, n.operands[1], truth))
          return {std::move(w)};
        all = suppose(w, n.operands[0], truth);
        for (World& x : suppose(std::move(w), n.operands[0], !truth))
          for (World& y : suppose(std::move(x), n.operands[1], truth)) all.push_back(std::move(y));
        return limited(std::move(all));
      }
      case Op::Cell:
      case Op::Local:
      case Op::Param:
      case Op::Elem:
        return n.type.kind != expr::TypeKind::Bool || confine(w, e, truth ? Interval{1, 1} : Interval{0, 0})
                   ? Worlds{std::move(w)}
                   : Worlds{};
      case Op::Eq:
      case Op::Ne: {
        const bool equal = (n.op == Op::Eq) == truth;
        const auto x = eval(w, n.operands[0]), y = eval(w, n.operands[1]);
        if (s_.exprs[n.operands[0]].type.kind == expr::TypeKind::Bool && y->range.single() &&
            kEither.contains(y->range.lo))
          return suppose(std::move(w), n.operands[0], (y->range.lo == 1) == equal);
        bool possible = true;
        if (equal) {
          possible = confine(w, n.operands[0], y->range) && confine(w, n.operands[1], x->range);
        } else {
          if (y->range.single()) possible = confine(w, n.operands[0], without(x->range, y->range.lo));
          if (possible && x->range.single())
            possible = confine(w, n.operands[1], without(y->range, x->range.lo));
        }
        return possible ? Worlds{std::move(w)} : Worlds{};
      }
      case Op::Lt:
      case Op::Le:
      case Op::Gt:
      case Op::Ge: {
        // Turned into  small <= large - gap.
        bool less = n.op == Op::Lt || n.op == Op::Le;
        bool strict = n.op == Op::Lt || n.op == Op::Gt;
        if (!truth) {
          less = !less;
          strict = !strict;
        }
        const ExprId small = n.operands[less ? 0 : 1], large = n.operands[less ? 1 : 0];
        const std::int64_t gap = strict ? 1 : 0;
        const Interval a = eval(w, small)->range, b = eval(w, large)->range;
        const bool possible =
            confine(w, small, {kAny.lo, b.hi - gap}) && confine(w, large, {a.lo + gap, kAny.hi});
        return possible ? Worlds{std::move(w)} : Worlds{};
      }
      default:
        return {std::move(w)};
    }
  }
  bool informative(const World& w, ExprId e, bool truth) const {
    const expr::Node& n = s_.exprs[e];
    if (n.op == Op::Not) return informative(w, n.operands[0], !truth);
    if (n.op == Op::AndAlso || n.op == Op::OrElse) {
      const bool x = informative(w, n.operands[0], truth), y = informative(w, n.operands[1], truth);
      return (n.op == Op::AndAlso) == truth ? x || y : x && y;
    }
    if (n.op == Op::Cell) return c_.place[n.a] && !w.now[*c_.place[n.a]].range.single();
    if (n.op == Op::Local) return !w.locals[n.a].range.single();
    if (n.op == Op::Param) return n.a < w.params.size() && !w.params[n.a].range.single();
    if (n.op == Op::Elem) return true;
    if (n.op == Op::QueueHas || n.op == Op::HeadIs) return false;
    for (ExprId o : s_.exprs.operands(e))
      if (informative(w, o, true)) return true;
    return false;
  }
  static Interval without(Interval r, std::int64_t v) {
    if (r.lo == v) ++r.lo;
    if (r.hi == v) --r.hi;
    return r;
  }
  bool confine(World& w, Amount& a, const Interval& r) const {
    a.range = intersect(a.range, r);
    if (a.range.empty()) return false;
    if (!a.relative_to) return true;
    Interval& old = w.old[*a.relative_to];
    old = intersect(old, {a.range.lo - a.shift.hi, a.range.hi - a.shift.lo});
    return !old.empty();
  }
  bool confine_cell(World& w, CellId c, const Interval& r) const {
    if (const auto at = c_.place[c.index()]) return confine(w, w.now[*at], r);
    return c_.elsewhere[c.index()].meets(r);
  }
  // The expression's value lies in r: what follows for its parts. False: impossible.
  bool confine(World& w, ExprId e, const Interval& r) const {
    const expr::Node& n = s_.exprs[e];
    switch (n.op) {
      case Op::Cell:
        return confine_cell(w, CellId(n.a), r);
      case Op::Elem: {
        const std::vector<CellId> found = entries(w, system::TableId(n.a), n.operands[0], n.operands[1]);
        return found.size() != 1 || confine_cell(w, found[0], r);
      }
      case Op::Local:
        return confine(w, w.locals[n.a], r);
      case Op::Param:
        return n.a >= w.params.size() || confine(w, w.params[n.a], r);
      case Op::TruncU:
      case Op::TruncS: {
        const auto x = eval(w, n.operands[0]);
        return !x || !keeps(n, x->range) || confine(w, n.operands[0], r);
      }
      case Op::Add:
      case Op::Sub: {
        const auto x = eval(w, n.operands[0]), y = eval(w, n.operands[1]);
        if (!x || !y) return false;
        const Interval a = x->range, b = y->range;
        const bool add = n.op == Op::Add;
        const domain::Word word;
        if (!word.fits(add ? a.lo + b.lo : a.lo - b.hi) || !word.fits(add ? a.hi + b.hi : a.hi - b.lo))
          return true;
        return add ? confine(w, n.operands[0], {r.lo - b.hi, r.hi - b.lo}) &&
                         confine(w, n.operands[1], {r.lo - a.hi, r.hi - a.lo})
                   : confine(w, n.operands[0], {r.lo + b.lo, r.hi + b.hi}) &&
                         confine(w, n.operands[1], {a.lo - r.hi, a.hi - r.lo});
      }
      default:
        return true;
    }
  }

  // --- statements
  // -------------------------------------------------------------------------------------------------
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
    if (c_.carried == nullptr) return true;
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

  Worlds run(system::StmtId id, World w) {
    const system::Stmt& st = s_.stmt(id);
    switch (st.kind) {
      case StmtKind::Block: {
        Worlds worlds{std::move(w)};
        for (system::StmtId child : st.children) {
          Worlds next;
          for (World& x : worlds)
            for (World& y : run(child, std::move(x))) next.push_back(std::move(y));
          worlds = limited(std::move(next));
        }
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
        return send(std::move(w), st);
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
          for (World& y : any_rounds(st.children[0], std::move(x), std::max<std::int64_t>(st.limit, 1)))
            for (World& z : suppose(std::move(y), st.value, false)) done.push_back(std::move(z));
        }
      }
      active = limited(std::move(next));
    }
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
      w.locals[st.local] = {kAny, std::nullopt, {}};
    if (st.kind == StmtKind::Send && c_.messages)
      for (const system::Route& r : st.routes)
        if (r.queue.valid() && carries_as_claimed(w, r, nullptr))
          add_every_class(w, r, {r.queue, r.signal, {}, times}, 0);
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

  const Setting& c_;
  const system::System& s_;
};

}  // namespace

std::optional<std::vector<Outcome>> outcomes(const Setting& setting, system::ActionId action,
                                             const std::vector<Interval>& start) {
  PARLEY_CHECK(setting.place.size() == setting.system.cells.size());
  try {
    Executor run(setting);
    return action.valid() ? run.action(setting.system.action(action), start) : run.initial(start);
  } catch (const TooMany&) {
    return std::nullopt;
  }
}

}  // namespace parley::certify
