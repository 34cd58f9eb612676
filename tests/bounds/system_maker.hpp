// Systems written by hand or at random for the boundedness tests, independent of any front end: owners with
// one location each, mailboxes, guarded transitions that receive, send and assign.
#pragma once

#include <random>

#include "system/system.hpp"

namespace parley::bounds::testing {

using namespace parley::system;

class Maker {
 public:
  System s;

  OwnerId owner(const std::string& name, std::int32_t locations, const std::string& type = "") {
    Owner o;
    o.name = name;
    o.type_name = type.empty() ? name : type;
    o.may_rest = s.exprs.boolean(true);
    const OwnerId id = s.add(o);
    const CellId loc = s.add(Cell{name,
                                  Type{expr::TypeKind::Location, 0, locations - 1, Id<void>::kNone},
                                  0,
                                  CellRole::Location,
                                  id,
                                  false,
                                  {}});
    s.owners[id.index()].locations = {loc};
    return id;
  }
  CellId cell(const std::string& name, OwnerId owner, std::int32_t lo, std::int32_t hi,
              std::int32_t initial) {
    return s.add(Cell{name, Type::range(lo, hi), initial, CellRole::Data, owner, false, {}});
  }
  SignalId signal(const std::string& name, std::vector<Type> params = {}) {
    Signal g;
    g.name = name;
    g.params = std::move(params);
    for (std::size_t i = 0; i < g.params.size(); ++i) g.param_names.push_back("p" + std::to_string(i));
    return s.add(g);
  }
  QueueId queue(const std::string& name, OwnerId owner = {}) {
    Queue q;
    q.name = name;
    q.owner = owner;
    return s.add(q);
  }
  ExprId num(std::int32_t v) { return s.exprs.constant(v); }
  ExprId get(CellId c) { return s.read(c); }
  ExprId op(expr::Op o, ExprId x, ExprId y) { return s.exprs.binary(o, x, y); }
  ExprId is(CellId c, std::int32_t v) { return op(expr::Op::Eq, get(c), num(v)); }

  StmtId assign(CellId c, ExprId v) {
    Stmt st;
    st.kind = StmtKind::Assign;
    st.place.cell = c;
    st.value = v;
    return s.add(st);
  }
  StmtId send(QueueId q, SignalId g, std::vector<ExprId> args = {}) {
    Stmt st;
    st.kind = StmtKind::Send;
    st.target = num(0);
    st.routes = {Route{q, g}};
    st.args = std::move(args);
    if (std::find(s.queues[q.index()].signals.begin(), s.queues[q.index()].signals.end(), g) ==
        s.queues[q.index()].signals.end())
      s.queues[q.index()].signals.push_back(g);
    return s.add(st);
  }
  StmtId block(std::vector<StmtId> children) {
    Stmt st;
    st.children = std::move(children);
    return s.add(st);
  }
  // from -> to [guard], receiving `trigger` if given, then the statements.
  ActionId step(OwnerId o, std::int32_t from, std::int32_t to, std::vector<StmtId> body = {},
                ExprId guard = {}, std::optional<Trigger> trigger = std::nullopt) {
    const CellId loc = s.owners[o.index()].locations[0];
    Action a;
    a.owner = o;
    a.name = s.owners[o.index()].name + ": " + std::to_string(from) + " -> " + std::to_string(to);
    a.trigger = trigger;
    a.guard = is(loc, from);
    if (guard.valid()) a.guard = s.exprs.both(a.guard, guard);
    if (from != to) body.push_back(assign(loc, s.exprs.constant(to, s.cell(loc).type)));
    a.body = block(std::move(body));
    return s.add(a);
  }
  ActionId receive(OwnerId o, std::int32_t from, std::int32_t to, QueueId q, SignalId g,
                   std::vector<StmtId> body = {}, ExprId guard = {}) {
    return step(o, from, to, std::move(body), guard, Trigger{q, g, Selection::Selected, true});
  }
};

// Figure 1 of [leue2005], one Promela statement per step.
inline System figure1() {
  Maker m;
  const OwnerId left = m.owner("Left", 2), right = m.owner("Right", 5);
  const QueueId ch1 = m.queue("ch1"), ch2 = m.queue("ch2");
  const SignalId a = m.signal("a"), b = m.signal("b");
  const CellId x = m.cell("Right.x", right, 0, 255, 0);
  m.receive(left, 0, 1, ch2, b);
  m.step(left, 1, 0, {m.send(ch1, a)});
  m.step(right, 0, 1, {}, m.is(x, 0));
  m.step(right, 1, 2, {m.send(ch2, b)});
  m.step(right, 2, 0, {m.assign(x, m.num(1))});
  m.step(right, 0, 3, {}, m.is(x, 1));
  m.receive(right, 3, 4, ch1, a);
  m.step(right, 4, 0, {m.assign(x, m.num(0))});
  return std::move(m.s);
}

// The client-server example of the design notes: n clients, one server whose attribute `owner` says who holds
// the resource (0: free); the reply goes back to the sender.
inline System client_server(std::int32_t n) {
  Maker m;
  const OwnerId server = m.owner("server", 1);
  const QueueId inbox = m.queue("server", server);
  const CellId owner = m.cell("server.owner", server, 0, n, 0);
  const SignalId grant = m.signal("grant"), deny = m.signal("deny");
  for (std::int32_t i = 1; i <= n; ++i) {
    const std::string name = "client" + std::to_string(i);
    const OwnerId client = m.owner(name, 3, "Client");
    const QueueId own = m.queue(name, client);
    const SignalId req = m.signal("req" + std::to_string(i)), rel = m.signal("rel" + std::to_string(i));
    m.step(client, 0, 1, {m.send(inbox, req)});
    m.receive(client, 1, 2, own, grant);
    m.receive(client, 1, 0, own, deny);
    m.step(client, 2, 0, {m.send(inbox, rel)});
    m.receive(server, 0, 0, inbox, req, {m.send(own, grant), m.assign(owner, m.num(i))}, m.is(owner, 0));
    m.receive(server, 0, 0, inbox, req, {m.send(own, deny)}, m.s.exprs.negate(m.is(owner, 0)));
    m.receive(server, 0, 0, inbox, rel, {m.assign(owner, m.num(0))});
  }
  return std::move(m.s);
}

// Asks for lengths of queues at random; a stream of its own, so that systems without it stay as they are.
class RandomTests {
 public:
  RandomTests(Maker& m, std::uint64_t seed) : m_(m), random_(seed * 7919 + 1) {}

  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }
  // About `queue` more often than about others.
  ExprId condition(const std::vector<QueueId>& queues, QueueId queue) {
    const ExprId length = m_.s.exprs.queue_len(below(5) != 0 ? queue : queues[below(queues.size())]);
    const ExprId number = m_.num(static_cast<std::int32_t>(below(4)));
    static constexpr expr::Op kOps[] = {expr::Op::Lt, expr::Op::Le, expr::Op::Eq,
                                        expr::Op::Ne, expr::Op::Gt, expr::Op::Ge};
    const expr::Op op = kOps[below(3) != 0 ? below(3) : below(6)];
    ExprId e = below(3) == 0 ? m_.op(op, number, length) : m_.op(op, length, number);
    if (below(6) == 0) e = m_.s.exprs.negate(e);
    if (below(4) != 0) return e;
    const ExprId more = condition(queues, queue);
    return below(2) == 0 ? m_.s.exprs.both(e, more) : m_.s.exprs.either(e, more);
  }
  // The send only if; or the send to whichever of two queues a cell says.
  StmtId around(StmtId send, const std::vector<QueueId>& queues, CellId cell) {
    const QueueId queue = m_.s.stmt(send).routes[0].queue;
    if (below(6) == 0) {
      Stmt& st = m_.s.stmts[send.index()];
      st.routes.push_back({queues[below(queues.size())], st.routes[0].signal});
      st.target = m_.get(cell);
      return send;
    }
    if (below(3) != 0) return send;
    Stmt st;
    st.kind = StmtKind::If;
    st.value = condition(queues, queue);
    st.children = {send};
    return m_.s.add(st);
  }

 private:
  Maker& m_;
  std::mt19937_64 random_;
};

// A random system: 2-3 machines of 1-3 states with a mailbox each, 2-3 signals some with a parameter, one
// small attribute per machine, deferral and discard; with tests of lengths if asked for.
inline System random_system(std::uint64_t seed, bool length_tests = false) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  Maker m;
  RandomTests tests(m, seed);
  const std::size_t machines = 2 + below(2), signals = 2 + below(2);
  std::vector<OwnerId> owners;
  std::vector<QueueId> queues;
  std::vector<CellId> cells;
  std::vector<SignalId> names;
  std::vector<std::size_t> states;
  for (std::size_t i = 0; i < signals; ++i)
    names.push_back(m.signal("s" + std::to_string(i),
                             below(3) == 0 ? std::vector<Type>{Type::range(0, 1)} : std::vector<Type>{}));
  for (std::size_t i = 0; i < machines; ++i) {
    states.push_back(1 + below(3));
    owners.push_back(m.owner("m" + std::to_string(i), static_cast<std::int32_t>(states.back())));
    queues.push_back(m.queue("m" + std::to_string(i), owners.back()));
    cells.push_back(m.cell("m" + std::to_string(i) + ".v", owners.back(), 0, 2, 0));
  }
  for (std::size_t i = 0; i < machines; ++i) {
    const auto location = [&] { return static_cast<std::int32_t>(below(states[i])); };
    const std::size_t steps = 2 + below(4);
    for (std::size_t k = 0; k < steps; ++k) {
      const bool receives = below(10) < 6;
      const SignalId in = names[below(signals)];
      const bool has_param = receives && !m.s.signal(in).params.empty();
      std::vector<StmtId> body;
      QueueId asked;
      const std::size_t sends = below(10) < 6 ? 1 + below(5) / 4 : 0;
      for (std::size_t n = 0; n < sends; ++n) {
        const SignalId out = names[below(signals)];
        std::vector<ExprId> args;
        if (!m.s.signal(out).params.empty())
          args.push_back(has_param && below(2) == 0 ? m.s.exprs.param(0, Type::range(0, 1))
                                                    : m.num(static_cast<std::int32_t>(below(2))));
        std::size_t target = below(machines);
        if (target == i && below(4) != 0) target = (i + 1) % machines;
        body.push_back(m.send(queues[target], out, std::move(args)));
        if (length_tests) body.back() = tests.around(body.back(), queues, cells[i]);
        if (length_tests && tests.below(3) != 0) asked = queues[target];
      }
      switch (below(6)) {
        case 0:
          body.push_back(m.assign(cells[i], m.num(static_cast<std::int32_t>(below(3)))));
          break;
        case 1:
          body.push_back(m.assign(
              cells[i], m.op(expr::Op::Rem, m.op(expr::Op::Add, m.get(cells[i]), m.num(1)), m.num(3))));
          break;
        case 2:
          body.push_back(m.assign(cells[i], m.op(expr::Op::Add, m.get(cells[i]), m.num(1))));  // may fail
          break;
        case 3:
          if (has_param) body.push_back(m.assign(cells[i], m.s.exprs.param(0, Type::range(0, 1))));
          break;
        default:
          break;
      }
      ExprId guard;
      switch (below(6)) {
        case 0:
          guard = m.is(cells[i], static_cast<std::int32_t>(below(3)));
          break;
        case 1:
          guard = m.op(expr::Op::Lt, m.get(cells[i]), m.num(2));
          break;
        case 2:
          if (has_param) guard = m.op(expr::Op::Eq, m.s.exprs.param(0, Type::range(0, 1)), m.num(1));
          break;
        default:
          break;
      }
      if (asked.valid()) {
        const ExprId test = tests.condition(queues, asked);
        guard = guard.valid() ? m.s.exprs.both(guard, test) : test;
      }
      std::optional<Trigger> trigger;
      if (receives)
        trigger =
            Trigger{queues[i], in, below(6) == 0 ? Selection::FirstMatching : Selection::Selected, true};
      m.step(owners[i], location(), location(), std::move(body), guard, trigger);
    }
    if (below(2) == 0) {
      const SignalId g = names[below(signals)];
      m.s.queues[queues[i].index()].deferrals.push_back(
          {g, m.is(m.s.owners[owners[i].index()].locations[0], location())});
    }
    if (below(2) == 0) {
      const ActionId d = m.receive(owners[i], 0, 0, queues[i], names[below(signals)]);
      m.s.actions[d.index()].kind = ActionKind::Discard;
    }
  }
  for (QueueId q : queues) m.s.queues[q.index()].signals = names;
  return std::move(m.s);
}

// A random system of 1-2 machines that go through stages. In each stage other weights balance: what a machine
// receives there pays for what it sends by the weights of the stage (one time in twelve it does not). On to
// the next stage for nothing; back, if at all, for one of a few coins.
inline System random_stages(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  Maker m;
  const std::size_t machines = 1 + below(2), kinds = 2 + below(2), stages = 2 + below(2);
  const SignalId g = m.signal("g");
  std::vector<QueueId> queues;
  for (std::size_t k = 0; k < kinds; ++k) queues.push_back(m.queue("q" + std::to_string(k)));
  const QueueId coins = m.queue("coins");
  for (std::size_t i = 0; i < machines; ++i) {
    const std::size_t first = 1 + below(3);  // steps that fill the queues
    const auto at = [&](std::size_t n) { return static_cast<std::int32_t>(n); };
    const OwnerId owner = m.owner("m" + std::to_string(i), at(first + stages));
    for (std::size_t n = 0; n < first; ++n)
      m.step(owner, at(n), at(n + 1), {m.send(below(4) == 0 ? coins : queues[below(kinds)], g)});
    for (std::size_t s = 0; s < stages; ++s) {
      const std::int32_t here = at(first + s);
      std::vector<std::size_t> weight;
      for (std::size_t k = 0; k < kinds; ++k) weight.push_back(1 + below(3));
      for (std::size_t n = 1 + below(2); n > 0; --n) {
        const std::size_t in = below(kinds);
        std::size_t budget = below(12) == 0 ? weight[in] + 1 : weight[in];
        std::vector<StmtId> body;
        for (std::size_t tries = 0; tries < 4; ++tries) {
          const std::size_t out = below(kinds);
          if (out == in || weight[out] > budget) continue;
          budget -= weight[out];
          body.push_back(m.send(queues[out], g));
        }
        m.receive(owner, here, here, queues[in], g, std::move(body));
      }
      if (s + 1 < stages) m.step(owner, here, here + 1);
      if (s > 0 && below(3) == 0) m.receive(owner, here, here - 1, coins, g);
    }
  }
  for (Queue& q : m.s.queues) q.signals = {g};
  return std::move(m.s);
}

}  // namespace parley::bounds::testing
