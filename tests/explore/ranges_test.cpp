#include "explore/ranges.hpp"

#include <gtest/gtest.h>

#include "semantics/hand_made.hpp"

namespace parley::testing {
namespace {

using explore::CodeRange;

TEST(Ranges, FollowValuesThroughCellsAndMessages) {
  System s;
  s.name = "ranges";
  Owner o;
  o.name = "o";
  o.may_rest = s.exprs.boolean(true);
  const OwnerId owner = s.add(o);
  auto cell = [&](const char* name, std::int32_t initial) {
    return s.add(Cell{name, Type::integer(), initial, CellRole::Data, owner, false, {}});
  };
  const CellId constant = cell("constant", 9), copied = cell("copied", 0), received = cell("received", 0),
               counter = cell("counter", 0), modulo = cell("modulo", 0);
  Signal sig;
  sig.name = "s";
  sig.params = {Type::integer()};
  sig.param_names = {"v"};
  const SignalId signal = s.add(sig);
  sig.name = "never";
  const SignalId never = s.add(sig);
  Queue q;
  q.name = "o";
  q.owner = owner;
  q.signals = {signal, never};
  const QueueId queue = s.add(q);
  Action a;
  a.owner = owner;
  a.guard = s.exprs.boolean(true);
  const auto plus = [&](CellId c, std::int32_t k) {
    return s.exprs.binary(expr::Op::Add, s.read(c), s.exprs.constant(k));
  };
  a.body = block(s, {assign(s, copied, s.read(constant)), send(s, queue, signal, {plus(copied, 2)}),
                     assign(s, counter, plus(counter, 1)),
                     assign(s, modulo, s.exprs.binary(expr::Op::Rem, plus(modulo, 1), s.exprs.constant(4)))});
  s.add(a);
  a.trigger = Trigger{queue, signal, Selection::Selected, true};
  a.body = block(s, {assign(s, received, s.exprs.param(0, Type::integer()))});
  s.add(a);
  const explore::Ranges r = explore::infer_ranges(s, {2});
  EXPECT_EQ(r.cells[constant.index()], (CodeRange{9, 9}));
  EXPECT_EQ(r.cells[copied.index()], (CodeRange{0, 9}));
  EXPECT_EQ(r.params[signal.index()][0], (CodeRange{2, 11}));
  EXPECT_EQ(r.params[never.index()][0], (CodeRange{0, 0}));
  EXPECT_EQ(r.cells[received.index()], (CodeRange{0, 11}));
  EXPECT_EQ(r.cells[counter.index()], (CodeRange{expr::kIntMin, expr::kIntMax}));
  EXPECT_EQ(r.cells[modulo.index()], (CodeRange{0, 3}));
}

TEST(Ranges, StayWithinTheType) {
  // The counter of the ping-pong is checked against 0..3 when it is assigned.
  const PingPong p;
  const explore::Ranges r = explore::infer_ranges(p.s, {2});
  EXPECT_EQ(r.cells[p.count.index()], (CodeRange{0, 3}));
  EXPECT_EQ(r.cells[p.got.index()], (CodeRange{-1, 3}));
}

}  // namespace
}  // namespace parley::testing
