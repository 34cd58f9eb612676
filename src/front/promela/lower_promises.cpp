#include "front/promela/lower_promises.hpp"

#include <fmt/format.h>

namespace parley::front::promela {
namespace {

struct ChannelUse {
  const Ref* channel;
  bool reads, writes;
  diag::Span span;
};

// Looking at a channel counts as both ends of it, but for nempty and nfull, which only one end can spoil.
void channel_uses(const Expr& e, std::vector<ChannelUse>& out) {
  switch (e.kind) {
    case ExprKind::Len:
    case ExprKind::Full:
    case ExprKind::Empty:
    case ExprKind::Poll:
      out.push_back({&e.ref, true, true, e.span});
      break;
    case ExprKind::Nempty:
      out.push_back({&e.ref, true, false, e.span});
      break;
    case ExprKind::Nfull:
      out.push_back({&e.ref, false, true, e.span});
      break;
    default:
      break;
  }
  for (const ExprPtr& arg : e.args) channel_uses(*arg, out);
}

std::vector<ChannelUse> channel_uses(const Stmt& s) {
  std::vector<ChannelUse> out;
  if (s.kind == StmtKind::Send) out.push_back({&s.target->ref, false, true, s.span});
  if (s.kind == StmtKind::Receive) out.push_back({&s.target->ref, true, false, s.span});
  if (s.expr) channel_uses(*s.expr, out);
  for (const ExprPtr& arg : s.args) channel_uses(*arg, out);
  return out;
}

}  // namespace

void Promises::collect() {
  warn_of_idle_claims();
  for (const Slot& slot : layout_.slots) {
    const Automaton& a = layout_.procs[slot.proctype].automaton;
    for (std::uint32_t state : a.reachable) {
      for (const Transition& t : a.states[state].transitions) claim_edges(slot, state, t);
      if (program_.proctypes[slot.proctype].deterministic && !a.states[state].in_dstep)
        determinism_edges(slot, state);
    }
  }
}

void Promises::warn_of_idle_claims() {
  for (const Slot& slot : layout_.slots)
    for (const ExclusiveClaim& claim : program_.proctypes[slot.proctype].claims)
      for (const ChannelTarget& c : expressions_.targets(claim.channel->ref, &slot, nullptr))
        if (layout_.rendezvous[c.queue.index()] && slot.instance == 0 && !layout_.wide_channels)
          diagnostics_.warning("idle-claim", claim.span,
                               fmt::format("'{}' is a rendezvous channel: {} has no meaning for it",
                                           s_.queue(c.queue).name, claim.receives ? "xr" : "xs"));
}

void Promises::error_edge(const Slot& slot, std::uint32_t state, ExprId guard, std::string text,
                          diag::Span span) {
  if (s_.exprs.is_const(guard, 0)) return;
  Edge e;
  e.from = e.to = state;
  e.guard = guard;
  e.span = span;
  e.name = text_of(sources_, span);
  e.body.push_back(statements_.failure(system::RuntimeError::Other, std::move(text), span));
  edges_.by_slot[slot.index].push_back(std::move(e));
}

void Promises::claim_edges(const Slot& slot, std::uint32_t state, const Transition& t) {
  if (!t.statement) return;
  for (const ChannelUse& use : channel_uses(*t.statement))
    for (const Slot& other : layout_.slots) {
      if (other.index == slot.index) continue;
      for (const ExclusiveClaim& claim : program_.proctypes[other.proctype].claims) {
        if (claim.receives ? !use.reads : !use.writes) continue;
        for (const ChannelTarget& mine : expressions_.targets(*use.channel, &slot, nullptr))
          for (const ChannelTarget& claimed : expressions_.targets(claim.channel->ref, &other, nullptr))
            if (mine.queue == claimed.queue && !layout_.rendezvous[mine.queue.index()])
              error_edge(
                  slot, state, terms_.all_of({mine.condition, terms_.alive(other), claimed.condition}),
                  fmt::format("{} uses channel '{}', of which {} has claimed {} for itself ({})",
                              layout_.slot_name(slot), s_.queue(mine.queue).name, layout_.slot_name(other),
                              claim.receives ? "the receiving end" : "the sending end",
                              claim.receives ? "xr" : "xs"),
                  use.span);
      }
    }
}

void Promises::determinism_edges(const Slot& slot, std::uint32_t state) {
  const AutomatonState& here = layout_.procs[slot.proctype].automaton.states[state];
  const auto possible = [&](std::size_t i) {
    return terms_.both(enabledness_.before(here, i, slot),
                       enabledness_.executable(here.transitions[i], slot, true));
  };
  for (std::size_t i = 0; i < here.transitions.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      error_edge(
          slot, state, terms_.both(possible(k), possible(i)),
          fmt::format("'{}' is a D_proctype, and both this statement and '{}' can be executed",
                      program_.proctypes[slot.proctype].name, text_of(sources_, here.transitions[k].span)),
          here.transitions[i].span);
}

}  // namespace parley::front::promela
