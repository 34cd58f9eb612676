// The two operations of a queue kept as a shift register (occupied slots first, empty ones zero).
#include <algorithm>

#include "encode/execution.hpp"

namespace parley::encode {
namespace {

Word merged(Aig& g, Lit write, const Word& incoming, const Word& zero_if_empty) {
  Word r;
  r.bits.clear();
  for (std::size_t i = 0; i < std::max(incoming.width(), zero_if_empty.width()); ++i)
    r.bits.push_back(g.disj(g.conj(write, incoming.bit(i)), zero_if_empty.bit(i)));
  return trimmed(std::move(r));
}

}  // namespace

Lit InputPool::next() {
  if (used_ == inputs_.size()) inputs_.push_back(g_.input());
  return inputs_[used_++];
}

SymbolicQueue removed_at(Aig& g, const SymbolicQueue& queue, const std::vector<Lit>& at) {
  SymbolicQueue r = queue;
  Arithmetic a(g, false);
  Lit shift = kFalse;
  Slot none;
  if (!queue.slots.empty()) none.params.resize(queue.slots[0].params.size());
  for (std::size_t k = 0; k < queue.slots.size(); ++k) {
    if (k < at.size()) shift = g.disj(shift, at[k]);
    const Slot& here = queue.slots[k];
    const Slot& next = k + 1 < queue.slots.size() ? queue.slots[k + 1] : none;
    r.slots[k].occupied = g.mux(shift, next.occupied, here.occupied);
    r.slots[k].signal = a.mux(shift, next.signal, here.signal);
    for (std::size_t p = 0; p < here.params.size(); ++p)
      r.slots[k].params[p] = a.mux(shift, next.params[p], here.params[p]);
  }
  return r;
}

SymbolicQueue appended(Aig& g, const SymbolicQueue& queue, const Push& push) {
  SymbolicQueue r = queue;
  for (std::size_t k = 0; k < queue.slots.size(); ++k) {
    const Slot& here = queue.slots[k];
    const Lit before = k == 0 ? kTrue : queue.slots[k - 1].occupied;
    const Lit write = g.conj(push.when, g.conj(before, neg(here.occupied)));
    r.slots[k].occupied = g.disj(here.occupied, g.conj(push.when, before));
    r.slots[k].signal = merged(g, write, push.signal, here.signal);
    for (std::size_t p = 0; p < here.params.size(); ++p)
      r.slots[k].params[p] =
          p < push.params.size() ? merged(g, write, push.params[p], here.params[p]) : here.params[p];
  }
  return r;
}

}  // namespace parley::encode
