// A tiny System written by hand, for tests that must not depend on a front end: objects that pass a token.
#pragma once

#include "system/system.hpp"

namespace parley::testing {

using namespace parley::system;

inline StmtId block(System& s, std::vector<StmtId> children) {
  Stmt st;
  st.children = std::move(children);
  return s.add(std::move(st));
}

inline StmtId assign(System& s, CellId cell, ExprId value) {
  Stmt st;
  st.kind = StmtKind::Assign;
  st.place.cell = cell;
  st.value = value;
  return s.add(std::move(st));
}

inline StmtId send(System& s, QueueId queue, SignalId signal, std::vector<ExprId> args) {
  Stmt st;
  st.kind = StmtKind::Send;
  st.target = s.exprs.constant(0);
  st.routes = {Route{queue, signal}};
  st.args = std::move(args);
  return s.add(std::move(st));
}

// `a` sends ping(n) for n = 0, 1, 2 (its counter), `b` receives and stores it. Locations: one each.
struct PingPong {
  System s;
  OwnerId a, b;
  CellId count, got;
  QueueId to_b;
  SignalId ping;
  ActionId send_ping, receive_ping;

  explicit PingPong(OverflowPolicy policy = OverflowPolicy::Block, std::uint32_t capacity = 2) {
    s.name = "pingpong";
    const ExprId yes = s.exprs.boolean(true);
    Owner oa;
    oa.name = "a";
    oa.may_rest = yes;
    a = s.add(oa);
    Owner ob = oa;
    ob.name = "b";
    b = s.add(ob);
    count = s.add(Cell{"a.count", Type::range(0, 3), 0, CellRole::Data, a, false, {}});
    got = s.add(Cell{"b.got", Type::range(-1, 3), -1, CellRole::Data, b, false, {}});
    Signal sig;
    sig.name = "ping";
    sig.params = {Type::range(0, 3)};
    sig.param_names = {"n"};
    ping = s.add(sig);
    Queue q;
    q.name = "b";
    q.owner = b;
    q.capacity = capacity;
    q.overflow = policy;
    q.signals = {ping};
    to_b = s.add(q);
    Action x;
    x.name = "send";
    x.owner = a;
    x.guard = s.exprs.binary(expr::Op::Lt, s.read(count), s.exprs.constant(3));
    x.body = block(s, {send(s, to_b, ping, {s.read(count)}),
                       assign(s, count, s.exprs.binary(expr::Op::Add, s.read(count), s.exprs.constant(1)))});
    send_ping = s.add(x);
    Action y;
    y.name = "receive";
    y.owner = b;
    y.guard = yes;
    y.trigger = Trigger{to_b, ping, Selection::Selected, true};
    y.body = block(s, {assign(s, got, s.exprs.param(0, sig.params[0]))});
    receive_ping = s.add(y);
  }
};

// The start sends one ping, or two of which the second finds no room; later nobody sends. Asked for: no
// overflow, which that start violates, and no deadlock, which holds for the other.
inline System cut_start() {
  PingPong p(OverflowPolicy::Cut, 1);
  System& s = p.s;
  s.actions[p.send_ping.index()].guard = s.exprs.boolean(false);
  const auto ping = [&] { return send(s, p.to_b, p.ping, {s.exprs.constant(0)}); };
  Stmt either;
  either.kind = StmtKind::Branch;
  either.children = {block(s, {ping()}), block(s, {ping(), ping()})};
  either.conditions = {s.exprs.boolean(true), s.exprs.boolean(true)};
  s.initial_body = s.add(std::move(either));
  for (const PropertyKind kind : {PropertyKind::NoOverflow, PropertyKind::NoDeadlock}) {
    Property asked;
    asked.kind = kind;
    asked.name = describe(kind);
    s.add(asked);
  }
  return std::move(p.s);
}

}  // namespace parley::testing
