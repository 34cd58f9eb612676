#include "bounds/length_tests.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "bounds/component_graph.hpp"
#include "bounds/failing_steps.hpp"
#include "system/may_fail.hpp"

namespace parley::bounds {

using expr::Op;
using nlohmann::json;
using system::ActionId;
using system::CellId;
using system::ExprId;
using system::QueueId;
using system::StmtId;
using system::StmtKind;

namespace {

constexpr std::int64_t kLongest = 1 << 20;  // beyond this a limit tells nobody anything
constexpr std::uint64_t kMostValues = 16;   // of a parameter that chooses the queue

// By expression: whether it contains the length of the queue. Operands come before what is made of them.
std::vector<char> with_length(const expr::Pool& pool, QueueId queue) {
  std::vector<char> found(pool.size(), 0);
  for (std::size_t e = 0; e < pool.size(); ++e) {
    const expr::Node& n = pool[ExprId(e)];
    found[e] = n.op == Op::QueueLen && n.a == queue.index();
    for (ExprId o : pool.operands(ExprId(e))) found[e] = found[e] || found[o.index()];
  }
  return found;
}

template <class F>
void each_expression(system::Stmt& st, F&& f) {
  for (ExprId* e : {&st.value, &st.lo, &st.hi, &st.target, &st.place.row, &st.place.column})
    if (e->valid()) f(*e);
  for (ExprId& e : st.args) f(e);
  for (ExprId& e : st.conditions) f(e);
}

// Whether somebody asks for the length before a step or in it.
bool asked(const system::System& s, QueueId queue) {
  const std::vector<char> lengths = with_length(s.exprs, queue);
  bool found = std::any_of(s.actions.begin(), s.actions.end(),
                           [&](const system::Action& a) { return lengths[a.guard.index()] != 0; });
  for (system::Stmt st : s.stmts)
    if (st.kind == StmtKind::If || st.kind == StmtKind::Branch || st.kind == StmtKind::Assert)
      each_expression(st, [&](ExprId e) { found = found || lengths[e.index()]; });
  return found;
}

// A copy of the System that counts the queue's messages in a cell.
class Counted {
 public:
  Counted(const system::System& original_system, QueueId counted)
      : s(original_system), queue(counted), lengths_(with_length(s.exprs, counted)) {
    find_senders();
    split_params();
    length = s.add(system::Cell{"len(" + s.queue(queue).name + ")",
                                system::Type::range(0, expr::kIntMax),
                                0,
                                system::CellRole::Bookkeeping,
                                {},
                                false,
                                {}});
    rewrite_all();
    const std::size_t statements = s.stmts.size();
    for (std::size_t i = 0; i < statements; ++i) count_sent(StmtId(i));
    for (system::Action& a : s.actions) count_taken(a);
  }

  system::System s;
  QueueId queue;
  CellId length;
  std::vector<ActionId> original;  // by action of s
  std::vector<char> sends;         // by action of s: may send to the queue
  std::vector<char> fails;         // by action of s: the original may fail
  bool initial_fails = false;
  std::set<CellId> selectors;                              // cells that choose between the queue and others
  std::set<std::pair<std::size_t, std::uint32_t>> splits;  // signal, parameter: the same for parameters

 private:
  bool may_send(StmtId id) const {
    const system::Stmt& st = s.stmt(id);
    if (st.kind == StmtKind::Send &&
        std::any_of(st.routes.begin(), st.routes.end(), [&](const auto& r) { return r.queue == queue; }))
      return true;
    return std::any_of(st.children.begin(), st.children.end(), [&](StmtId c) { return may_send(c); });
  }
  void find_senders() {
    for (std::size_t a = 0; a < s.actions.size(); ++a) {
      original.emplace_back(a);
      sends.push_back(may_send(s.actions[a].body) ? 1 : 0);
      fails.push_back(system::may_fail(s, s.actions[a].body) ? 1 : 0);
    }
    initial_fails = s.initial_body.valid() && may_send(s.initial_body) && system::may_fail(s, s.initial_body);
  }

  // What decides which queue is meant: in the choice of a length, and in the target of a send.
  void selectors_in(ExprId e, std::set<std::uint32_t>& params) {
    // Made while copies were made: nothing new about lengths.
    if (e.index() >= lengths_.size() || !lengths_[e.index()]) return;
    const expr::Node& n = s.exprs[e];
    if (n.op == Op::Cond && (lengths_[n.operands[1].index()] || lengths_[n.operands[2].index()]))
      leaves(n.operands[0], params);
    for (ExprId o : s.exprs.operands(e)) selectors_in(o, params);
  }
  void leaves(ExprId e, std::set<std::uint32_t>& params) {
    const expr::Node& n = s.exprs[e];
    if (n.op == Op::Cell) selectors.insert(CellId(n.a));
    if (n.op == Op::Param) params.insert(n.a);
    if (n.op == Op::QueueHas || n.op == Op::HeadIs) return;  // their Param is another message's
    for (ExprId o : s.exprs.operands(e)) leaves(o, params);
  }
  void selectors_in(StmtId id, std::set<std::uint32_t>& params) {
    system::Stmt st = s.stmt(id);
    each_expression(st, [&](ExprId e) { selectors_in(e, params); });
    if (st.kind == StmtKind::Send && chooses(st)) leaves(st.target, params);
    for (StmtId c : st.children) selectors_in(c, params);
  }
  bool chooses(const system::Stmt& send) const {
    const auto here = std::count_if(send.routes.begin(), send.routes.end(),
                                    [&](const system::Route& r) { return r.queue == queue; });
    return here > 0 && here < static_cast<std::ptrdiff_t>(send.routes.size());
  }

  // An action whose parameter chooses the queue becomes one action per value.
  void split_params() {
    const std::size_t count = s.actions.size();
    for (std::size_t a = 0; a < count; ++a) {
      std::set<std::uint32_t> params;
      selectors_in(s.actions[a].guard, params);
      selectors_in(s.actions[a].body, params);
      if (!s.actions[a].trigger) continue;
      const system::SignalId signal = s.actions[a].trigger->signal;
      for (std::uint32_t p : params) {
        const expr::Type type = s.signal(signal).params[p];
        const Interval values = values_of(type);
        if (static_cast<std::uint64_t>(values.hi - values.lo) >= kMostValues) continue;
        splits.emplace(signal.index(), p);
        // Copies made for an earlier parameter are split as well.
        const std::size_t now = s.actions.size();
        for (std::size_t x = 0; x < now; ++x) {
          if (original[x].index() != a) continue;
          for (std::int64_t v = values.lo + 1; v <= values.hi; ++v)
            add_copy(x, p, static_cast<std::int32_t>(v), type);
          restrict(s.actions[x], p, static_cast<std::int32_t>(values.lo), type);
        }
      }
    }
  }
  void add_copy(std::size_t from, std::uint32_t param, std::int32_t value, const expr::Type& type) {
    system::Action copy = s.actions[from];
    restrict(copy, param, value, type);
    const ActionId source = original[from];
    const char sending = sends[from], failing = fails[from];
    s.add(std::move(copy));
    original.push_back(source);
    sends.push_back(sending);
    fails.push_back(failing);
  }
  void restrict(system::Action& a, std::uint32_t param, std::int32_t value, const expr::Type& type) {
    const auto fix = [&](ExprId& e) {
      e = s.exprs.rewrite(e, [&](ExprId x) -> ExprId {
        const expr::Node& n = s.exprs[x];
        if (n.op == Op::QueueHas || n.op == Op::HeadIs) return x;
        return n.op == Op::Param && n.a == param ? s.exprs.constant(value, n.type) : ExprId{};
      });
    };
    fix(a.guard);
    a.guard = s.exprs.both(s.exprs.equals(s.exprs.param(param, type), value), a.guard);
    a.body = cloned(a.body, fix);
  }
  template <class F>
  StmtId cloned(StmtId id, const F& fix) {
    system::Stmt st = s.stmt(id);
    each_expression(st, fix);
    for (StmtId& c : st.children) c = cloned(c, fix);
    return s.add(std::move(st));
  }

  void rewrite_all() {
    const ExprId cell = s.read(length);
    const auto fix = [&](ExprId& e) {
      e = s.exprs.rewrite(e, [&](ExprId x) -> ExprId {
        const expr::Node& n = s.exprs[x];
        return n.op == Op::QueueLen && n.a == queue.index() ? cell : ExprId{};
      });
    };
    for (system::Action& a : s.actions) fix(a.guard);
    for (system::Stmt& st : s.stmts) each_expression(st, fix);
  }

  StmtId add(std::int32_t change) {
    system::Stmt st;
    st.kind = StmtKind::Assign;
    st.place.cell = length;
    st.value = s.exprs.binary(Op::Add, s.read(length), s.exprs.constant(change));
    return s.add(std::move(st));
  }
  // After the send, since its target and arguments may ask for the length.
  void count_sent(StmtId id) {
    const system::Stmt send = s.stmt(id);
    if (send.kind != StmtKind::Send) return;
    std::vector<ExprId> here;
    bool elsewhere = false;
    for (std::size_t t = 0; t < send.routes.size(); ++t) {
      if (send.routes[t].queue == queue)
        here.push_back(s.exprs.equals(send.target, static_cast<std::int32_t>(t)));
      else
        elsewhere = elsewhere || send.routes[t].queue.valid();
    }
    if (here.empty()) return;
    StmtId count = add(1);
    if (elsewhere) {
      system::Stmt choice;
      choice.kind = StmtKind::If;
      choice.value = s.exprs.any(here);
      choice.children = {count};
      count = s.add(std::move(choice));
    }
    system::Stmt both;
    both.children = {s.add(send), count};
    s.stmts[id.index()] = std::move(both);
  }
  void count_taken(system::Action& a) {
    if (!a.trigger || a.trigger->queue != queue) return;
    a.guard = s.exprs.both(s.exprs.binary(Op::Gt, s.read(length), s.exprs.constant(0)), a.guard);
    if (!a.trigger->consume) return;
    system::Stmt both;
    both.children = {add(-1), a.body};
    a.body = s.add(std::move(both));
  }

  std::vector<char> lengths_;  // with_length of the original
};

class Prover {
 public:
  Prover(const Counted& counted, std::int64_t reached, const std::function<bool()>& stop)
      : c_(counted), facts_(counted.s, [] { return true; }), reached_(reached) {
    limits_.max_nodes = 2000;
    limits_.max_edges = 40000;
    // Lengths are small, and one that was widened too far never comes back: whoever takes a message keeps a
    // length below anything alive.
    limits_.patience = 150;
    limits_.stop = stop;
    facts_.start.reset();  // the certificate speaks of all starts
    facts_.bury({});
    none_.by_signal.resize(counted.s.signals.size());
  }

  std::optional<LengthBound> run() {
    std::vector<CellId> chosen(c_.selectors.begin(), c_.selectors.end()), places = chosen;
    std::set<system::OwnerId> senders;
    for (std::size_t a = 0; a < c_.s.actions.size(); ++a)
      if (c_.sends[a]) senders.insert(c_.s.actions[a].owner);
    for (system::OwnerId o : senders)
      for (CellId c : c_.s.owner(o).locations)
        if (!c_.selectors.contains(c)) places.push_back(c);
    // From the coarsest look to the finest.
    std::vector<std::vector<CellId>> looks{{}};
    for (const auto& look : {chosen, places})
      if (look.size() > looks.back().size()) looks.push_back(look);
    std::optional<LengthBound> best;
    for (const std::vector<CellId>& tracked : looks) {
      if (best && best->limit <= reached_) break;
      std::optional<LengthBound> b = with(tracked);
      if (b && (!best || b->limit < best->limit)) best = std::move(b);
    }
    return best;
  }

 private:
  std::optional<LengthBound> with(const std::vector<CellId>& tracked) {
    ComponentPlan plan;
    plan.name = "senders";
    plan.tracked = tracked;
    std::set<system::OwnerId> owners;
    for (ActionId a : facts_.writers[c_.length.index()]) owners.insert(c_.s.action(a).owner);
    plan.owners.assign(owners.begin(), owners.end());
    try {
      const ComponentGraph graph = build_component(facts_, plan, none_, limits_);
      const std::int32_t at = graph.view.slot_of_cell[c_.length.index()];
      if (at < 0) return std::nullopt;
      const auto slot = static_cast<std::size_t>(at);
      LengthBound b;
      for (const auto& node : graph.nodes) b.limit = std::max(b.limit, node[slot].hi);
      for_each_failing(graph, slot, [&](ActionId, std::int64_t n) { b.limit = std::max(b.limit, n); });
      if (b.limit > kLongest) return std::nullopt;
      b.certificate = {verdict::CertificateKind::LengthTests, payload(graph, slot)};
      b.senders = senders(graph, slot);
      return b;
    } catch (const TooWide&) {
      return std::nullopt;
    }
  }

  // Calls f(action, length) for how long the queue can be when a step fails; an invalid action: the
  // initialisation. A send is told before it is counted.
  template <class F>
  void for_each_failing(const ComponentGraph& g, std::size_t length, F&& f) const {
    const RunContext context{c_.s, g.view, none_, facts_.ranges, true, limits_.max_ways};
    const auto look = [&](ActionId a, const std::vector<Interval>& from) {
      for_each_interruption(context, a, from, [&](const Way& way) {
        const bool here = !way.sent.empty() && way.sent.back().first.queue == c_.queue;
        f(a, way.after[length].range.hi + (here ? 1 : 0));
      });
    };
    if (c_.initial_fails) {
      std::vector<Interval> first;
      for (CellId c : g.view.cells) first.push_back(only(c_.s.cell(c).initial));
      look({}, first);
    }
    for (std::size_t a = 0; a < c_.s.actions.size(); ++a)
      if (c_.sends[a] && c_.fails[a])
        for (const auto& node : g.nodes) look(ActionId(a), node);
  }

  // Ranges that say no more than the type are listed too: what a step learns about a listed cell is kept to
  // its end.
  std::string payload(const ComponentGraph& g, std::size_t length) const {
    json tracked = json::array(), ranged = json::array(), nodes = json::array(), splits = json::array();
    for (std::size_t i = 0; i < g.view.cells.size(); ++i)
      if (i != length) (i < g.exact ? tracked : ranged).push_back(g.view.cells[i].index());
    for (const auto& node : g.nodes) {
      json values = json::array(), ranges = json::array();
      for (std::size_t i = 0; i < g.exact; ++i) values.push_back(node[i].lo);
      for (std::size_t i = g.exact; i < node.size(); ++i)
        if (i != length) ranges.push_back(json::array({node[i].lo, node[i].hi}));
      nodes.push_back({{"values", values},
                       {"ranges", ranges},
                       {"length", json::array({node[length].lo, node[length].hi})}});
    }
    for (const auto& [signal, param] : c_.splits) splits.push_back(json::array({signal, param}));
    return json{{"splits", splits}, {"tracked", tracked}, {"ranged", ranged}, {"nodes", nodes}}.dump();
  }

  std::vector<Sender> senders(const ComponentGraph& g, std::size_t length) const {
    std::map<ActionId, std::int64_t> most;
    const RunContext context{c_.s, g.view, none_, facts_.ranges, false, limits_.max_ways};
    for (std::size_t a = 0; a < c_.s.actions.size(); ++a) {
      if (!c_.sends[a]) continue;
      for (const auto& node : g.nodes)
        for_each_way(context, ActionId(a), node, [&](const Way& way) {
          std::int64_t& m = most[c_.original[a]];
          m = std::max(m, way.after[length].range.hi);
        });
    }
    for_each_failing(g, length, [&](ActionId a, std::int64_t n) {
      if (!a.valid()) return;
      std::int64_t& m = most[c_.original[a.index()]];
      m = std::max(m, n);
    });
    std::vector<Sender> list;
    for (const auto& [action, n] : most) list.push_back({action, n});
    return list;
  }

  const Counted& c_;
  SystemFacts facts_;
  GraphLimits limits_;
  Splits none_;
  std::int64_t reached_;
};

}  // namespace

std::optional<LengthBound> bound_by_tests(const system::System& system, QueueId queue, std::int64_t reached,
                                          const std::function<bool()>& stop) {
  if (!asked(system, queue)) return std::nullopt;
  const Counted counted(system, queue);
  return Prover(counted, reached, stop).run();
}

}  // namespace parley::bounds
