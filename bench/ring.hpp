// Generated rings for the scale of the boundedness test: processes that pass tokens on, with many states and
// transitions in between. Used by bounds_bench.cpp.
#pragma once

#include <fmt/format.h>

#include <ctime>
#include <random>

#include "bounds/bounds.hpp"
#include "certify/bounds_check.hpp"

namespace parley::bench {

// `processes` in a ring, `edges` transitions each over half as many states. A token goes round; in between
// each process works: internal steps, and private request-answer pairs with itself. Bounded by construction.
inline system::System make_ring(std::size_t processes, std::size_t edges) {
  using namespace system;
  System s;
  s.name = "ring";
  std::mt19937 random(1);
  const ExprId yes = s.exprs.boolean(true);
  std::vector<QueueId> queues;
  Signal token;
  token.name = "token";
  const SignalId signal = s.add(token);
  const std::size_t states = std::max<std::size_t>(edges / 2, 2);
  for (std::size_t i = 0; i < processes; ++i) {
    Owner o;
    o.name = fmt::format("p{}", i);
    o.type_name = "P";
    o.may_rest = yes;
    const OwnerId id = s.add(o);
    const CellId loc =
        s.add(Cell{o.name,
                   Type{expr::TypeKind::Location, 0, static_cast<std::int32_t>(states) - 1, Id<void>::kNone},
                   0,
                   CellRole::Location,
                   id,
                   false,
                   {}});
    s.owners[id.index()].locations = {loc};
    Queue q;
    q.name = o.name;
    q.owner = id;
    q.signals = {signal};
    queues.push_back(s.add(q));
  }
  const auto assign = [&](std::size_t process, std::size_t to) {
    Stmt st;
    st.kind = StmtKind::Assign;
    st.place.cell = s.owners[process].locations[0];
    st.value = s.exprs.constant(static_cast<std::int32_t>(to), s.cell(st.place.cell).type);
    return s.add(st);
  };
  const auto add = [&](std::size_t process, std::size_t from, std::size_t to, bool receives, bool sends) {
    Action a;
    a.owner = OwnerId(process);
    a.name = fmt::format("{} -> {}", from, to);
    a.guard = s.exprs.equals(s.read(s.owners[process].locations[0]), static_cast<std::int32_t>(from));
    if (receives) a.trigger = Trigger{queues[process], signal, Selection::Selected, true};
    Stmt body;
    if (sends) {
      Stmt st;
      st.kind = StmtKind::Send;
      st.target = s.exprs.constant(0);
      st.routes = {Route{queues[(process + 1) % processes], signal}};
      body.children.push_back(s.add(st));
    }
    body.children.push_back(assign(process, to));
    a.body = s.add(body);
    s.add(a);
  };
  for (std::size_t p = 0; p < processes; ++p) {
    // A cycle through all states: receive first, send in the last step; process 0 has the token at the start.
    for (std::size_t n = 0; n < states; ++n)
      add(p, n, (n + 1) % states, p == 0 ? n == states - 1 : n == 0, p == 0 ? n == 0 : n == states - 1);
    // Detours between the receiving and the sending state.
    for (std::size_t n = states; n < edges; ++n) {
      const std::size_t from = 1 + random() % (states - 1);
      add(p, from, 1 + random() % (states - 1), false, false);
    }
  }
  return s;
}

// Cost against size; returns the seconds for 200 processes and 20,000 transitions.
inline double ring_table(double seconds) {
  fmt::print("\n{:>9} {:>11} {:>10} {:>7} {:>8}\n", "processes", "transitions", "verdict", "limit", "s");
  double last = 0;
  for (const auto& [processes, edges] :
       {std::pair<std::size_t, std::size_t>{10, 20}, {50, 40}, {100, 50}, {100, 100}, {200, 100}}) {
    const system::System s = make_ring(processes, edges);
    bounds::Options o;
    o.seconds = 6 * seconds;
    // Processor time: on a shared machine that is what the code can be blamed for.
    const std::clock_t start = std::clock();
    const bounds::BoundsReport r = bounds::analyse(s, o);
    last = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    std::int64_t limit = 0;
    for (const auto& q : r.queues) limit = std::max(limit, q.limit);
    // The queues share their weights: one check stands for all.
    const certify::Check check =
        certify::check_bounded(s, r.queues[0].queue, r.queues[0].certified_limit, r.queues[0].certificate);
    fmt::print("{:>9} {:>11} {:>10} {:>7} {:8.2f} {}\n", processes, s.actions.size(),
               r.all(bounds::Answer::Bounded) ? "BOUNDED" : "UNKNOWN", limit, last, check.why);
  }
  return last;
}

}  // namespace parley::bench
