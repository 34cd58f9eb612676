#include "explore/machine.hpp"

#include <algorithm>

#include "expr/operators.hpp"
#include "support/check.hpp"
#include "support/interrupt.hpp"

namespace parley::explore {

Machine::Machine(const Program& program, const Layout& layout)
    : p_(program),
      layout_(layout),
      m_(program.memory),
      log_(256),
      reached_(program.elements, false),
      longest_(program.queues.size(), 0) {}

std::uint64_t Machine::pick(std::uint64_t count) {
  if (next_pick_ == picks_.size()) picks_.push_back({0, count});
  picks_[next_pick_].count = count;
  return picks_[next_pick_++].taken;
}

bool Machine::advance(std::size_t base) {
  picks_.resize(next_pick_);
  while (picks_.size() > base && picks_.back().taken + 1 >= picks_.back().count) picks_.pop_back();
  next_pick_ = base;
  if (picks_.size() == base) return false;
  ++picks_.back().taken;
  return true;
}

void Machine::commit() {
  for (std::uint32_t e : new_elements_) reached_[e] = true;
  for (const auto& [queue, length] : longer_queues_) longest_[queue] = std::max(longest_[queue], length);
  drop_pending();
}

void Machine::bind_at(const QueueCode& queue, std::uint32_t position, std::uint32_t to) {
  const std::uint32_t from = queue.place.first + position * queue.place.stride + 1;
  for (std::uint32_t i = 0; i + 1 < queue.place.stride; ++i) m_[to + i] = m_[from + i];
}

void Machine::bind(std::uint32_t queue, std::uint32_t position, std::uint32_t params, std::uint32_t to) {
  const QueueCode& q = p_.queues[queue];
  const std::uint32_t from = q.place.first + position * q.place.stride + 1;
  for (std::uint32_t i = 0; i < params; ++i) m_[to + i] = m_[from + i];
}

std::uint32_t Machine::select(std::uint32_t queue, bool& failed) {
  return select(p_.queues[queue], p_.queues[queue].deferrals, failed);
}

std::uint32_t Machine::select(const QueueCode& queue, std::uint32_t deferrals, bool& failed) {
  const auto length = static_cast<std::uint32_t>(m_[queue.place.length]);
  if (deferrals == kNone || length == 0) return 0;
  const DeferralSet& set = p_.deferral_sets[deferrals];
  for (std::uint32_t i = 0; i < length; ++i) {
    const auto code = static_cast<std::uint32_t>(m_[queue.place.first + i * queue.place.stride]);
    bool deferred = false;
    for (const DeferralSet::Condition& c : set.conditions) {
      if (c.code != code) continue;
      bind_at(queue, i, set.params);
      const Answer answer = test(c.pc);
      if (answer == Answer::Stopped) {
        failed = true;
        return i;
      }
      deferred = answer == Answer::Yes;
      if (deferred) break;
    }
    if (!deferred) return i;
  }
  return length;
}

Machine::Answer Machine::queue_has(const QueueTest& t) {
  if (t.impossible) return Answer::No;
  const QueueCode& q = p_.queues[t.queue];
  const auto length = static_cast<std::uint32_t>(m_[q.place.length]);
  for (std::uint32_t i = 0; i < length; ++i) {
    if (t.signal != kNone && static_cast<std::uint32_t>(m_[q.place.first + i * q.place.stride]) != t.signal)
      continue;
    if (t.predicate == kNone) return Answer::Yes;
    bind_at(q, i, t.params);
    const Answer answer = test(t.predicate);
    if (answer != Answer::No) return answer;
  }
  return Answer::No;
}

Machine::Answer Machine::head_is(const QueueTest& t) {
  const QueueCode& q = p_.queues[t.queue];
  bool failed = false;
  const std::uint32_t at = select(q, t.deferrals, failed);
  if (failed) return Answer::Stopped;
  if (t.impossible || at >= static_cast<std::uint32_t>(m_[q.place.length])) return Answer::No;
  if (t.signal != kNone && static_cast<std::uint32_t>(m_[q.place.first + at * q.place.stride]) != t.signal)
    return Answer::No;
  if (t.predicate == kNone) return Answer::Yes;
  bind_at(q, at, t.params);
  return test(t.predicate);
}

void Machine::take(std::uint32_t queue, std::uint32_t position) {
  const QueueCode& q = p_.queues[queue];
  const auto length = static_cast<std::uint32_t>(m_[q.place.length]);
  const std::uint32_t end = q.place.first + (length - 1) * q.place.stride;  // the last message
  for (std::uint32_t s = q.place.first + position * q.place.stride; s < end; ++s)
    set(s, m_[s + q.place.stride]);
  for (std::uint32_t i = 0; i < q.place.stride; ++i) set(end + i, layout_.filler(end + i));
  set(q.place.length, static_cast<std::int32_t>(length - 1));
}

Outcome Machine::send(const SendCode& code) {
  const auto target = static_cast<std::uint32_t>(m_[code.target]);
  if (target >= code.routes.size() || code.routes[target].queue == kNone) return stop(Outcome::RuntimeError);
  const SendRoute route = code.routes[target];
  const QueueCode& q = p_.queues[route.queue];
  const std::vector<ValueRange>& ranges = q.params[route.code];
  for (std::size_t i = 0; i < code.args.size(); ++i)
    if (!ranges[i].contains(m_[code.args[i]])) return stop(Outcome::RuntimeError);
  const auto length = static_cast<std::uint32_t>(m_[q.place.length]);
  if (length >= q.capacity) {
    stopped_queue_ = route.queue;
    switch (q.overflow) {
      case system::OverflowPolicy::Block:
        return stop(Outcome::Blocked);
      case system::OverflowPolicy::Cut:
        return stop(Outcome::Cut);
      case system::OverflowPolicy::Error:
        return stop(Outcome::QueueOverflow);
      case system::OverflowPolicy::Lose:
        lost_ = true;
        return Outcome::Done;
    }
  }
  std::uint32_t at = length;
  if (code.sorted) {
    // Before the first message with greater arguments.
    for (at = 0; at < length; ++at) {
      const std::uint32_t other = q.place.first + at * q.place.stride;
      const std::size_t others = q.params[static_cast<std::size_t>(m_[other])].size();
      std::size_t i = 0;
      while (i < code.args.size() && i < others && m_[code.args[i]] == m_[other + 1 + i]) ++i;
      const bool less = i < others && (i == code.args.size() || m_[code.args[i]] < m_[other + 1 + i]);
      if (less) break;
    }
    const std::uint32_t from = q.place.first + at * q.place.stride;
    for (std::uint32_t s = q.place.first + length * q.place.stride; s-- > from;)
      set(s + q.place.stride, m_[s]);
  }
  const std::uint32_t slot = q.place.first + at * q.place.stride;
  set(slot, static_cast<std::int32_t>(route.code));
  for (std::uint32_t i = 0; i + 1 < q.place.stride; ++i)
    set(slot + 1 + i, i < code.args.size() ? m_[code.args[i]] : layout_.filler(slot + 1 + i));
  set(q.place.length, static_cast<std::int32_t>(length + 1));
  if (length + 1 > longest_[route.queue]) longer_queues_.emplace_back(route.queue, length + 1);
  return Outcome::Done;
}

Outcome Machine::computed(const Instruction& i) {
  const auto op = static_cast<expr::Op>(i.d8);
  const expr::Computed c = i.op == Opcode::CheckedUnary ? expr::compute(op, m_[i.a], std::uint32_t{i.d16})
                                                        : expr::compute(op, m_[i.a], m_[i.b]);
  if (c.error != expr::EvalError::None) return stop(Outcome::RuntimeError);
  if (c.overflowed) return stop(p_.overflow_is_error ? Outcome::RuntimeError : Outcome::AssumedAway);
  m_[i.c] = c.value;
  return Outcome::Done;
}

Outcome Machine::execute(std::uint32_t pc, std::uint32_t locals) {
  lost_ = false;
  if (pc == kNone) return Outcome::Done;
  for (std::uint32_t i = 0; i < locals; ++i) m_[p_.locals + i] = 0;
  open_.clear();
  return run(pc);
}

Outcome Machine::run(std::uint32_t pc) {
  const Instruction* const code = p_.code.data();
  std::uint32_t rounds = 0;  // of loops
  std::int32_t* const m = m_.data();
  const Instruction* i = code + pc;
  auto u = [](std::int32_t x) { return static_cast<std::uint32_t>(x); };
  auto s = [](std::uint32_t x) { return static_cast<std::int32_t>(x); };
  for (;; ++i) {
    switch (i->op) {
      case Opcode::Not:
        m[i->c] = m[i->a] == 0;
        break;
      case Opcode::Neg:
        m[i->c] = s(0u - u(m[i->a]));
        break;
      case Opcode::BitNot:
        m[i->c] = ~m[i->a];
        break;
      case Opcode::TruncU:
        m[i->c] = i->d16 >= 32 ? m[i->a] : s(u(m[i->a]) & ((1u << i->d16) - 1));
        break;
      case Opcode::TruncS: {
        const unsigned up = 32u - i->d16;
        m[i->c] = i->d16 >= 32 ? m[i->a] : s(u(m[i->a]) << up) >> up;
        break;
      }
      case Opcode::Add:
        m[i->c] = s(u(m[i->a]) + u(m[i->b]));
        break;
      case Opcode::Sub:
        m[i->c] = s(u(m[i->a]) - u(m[i->b]));
        break;
      case Opcode::Mul:
        m[i->c] = s(u(m[i->a]) * u(m[i->b]));
        break;
      case Opcode::Div:
        if (m[i->b] == 0) return stop(Outcome::RuntimeError);
        m[i->c] = m[i->b] == -1 ? s(0u - u(m[i->a])) : m[i->a] / m[i->b];
        break;
      case Opcode::Rem:
        if (m[i->b] == 0) return stop(Outcome::RuntimeError);
        m[i->c] = m[i->b] == -1 ? 0 : m[i->a] % m[i->b];
        break;
      case Opcode::BitAnd:
        m[i->c] = m[i->a] & m[i->b];
        break;
      case Opcode::BitOr:
        m[i->c] = m[i->a] | m[i->b];
        break;
      case Opcode::BitXor:
        m[i->c] = m[i->a] ^ m[i->b];
        break;
      case Opcode::Shl:
        m[i->c] = s(u(m[i->a]) << (u(m[i->b]) & 31u));
        break;
      case Opcode::Shr:
        m[i->c] = m[i->a] >> (u(m[i->b]) & 31u);
        break;
      case Opcode::Ushr:
        m[i->c] = s(u(m[i->a]) >> (u(m[i->b]) & 31u));
        break;
      case Opcode::Eq:
        m[i->c] = m[i->a] == m[i->b];
        break;
      case Opcode::Ne:
        m[i->c] = m[i->a] != m[i->b];
        break;
      case Opcode::Lt:
        m[i->c] = m[i->a] < m[i->b];
        break;
      case Opcode::Le:
        m[i->c] = m[i->a] <= m[i->b];
        break;
      case Opcode::Gt:
        m[i->c] = m[i->a] > m[i->b];
        break;
      case Opcode::Ge:
        m[i->c] = m[i->a] >= m[i->b];
        break;
      case Opcode::CheckedUnary:
      case Opcode::CheckedBinary: {
        const Outcome o = computed(*i);
        if (o != Outcome::Done) return o;
        break;
      }
      case Opcode::Move:
        m[i->c] = m[i->a];
        break;
      case Opcode::Load: {
        const std::uint32_t slot = locate(p_.tables[i->d], m[i->a], m[i->b]);
        if (slot == kNone) return stop(Outcome::RuntimeError);
        m[i->c] = m[slot];
        break;
      }
      case Opcode::Locate: {
        const std::uint32_t slot = locate(p_.tables[i->d], m[i->a], m[i->b]);
        if (slot == kNone) return stop(Outcome::RuntimeError);
        m[i->c] = s(slot);
        break;
      }
      case Opcode::QueueHas:
      case Opcode::HeadIs: {
        const QueueTest& t = p_.queue_tests[i->a];
        const Answer answer = i->op == Opcode::QueueHas ? queue_has(t) : head_is(t);
        if (answer == Answer::Stopped) return stopped_by_;
        m[i->c] = answer == Answer::Yes;
        break;
      }
      case Opcode::Jump:
        // A loop can be the whole run. Short ones are never cut: traces are still found after an interrupt.
        if (code + i->c <= i && (++rounds & 0xffff) == 0) throw_if_interrupted();
        i = code + i->c - 1;
        break;
      case Opcode::JumpIf:
        if (m[i->a] != 0) i = code + i->c - 1;
        break;
      case Opcode::JumpUnless:
        if (m[i->a] == 0) i = code + i->c - 1;
        break;
      case Opcode::JumpEq:
        if (m[i->a] == m[i->b]) i = code + i->c - 1;
        break;
      case Opcode::JumpNe:
        if (m[i->a] != m[i->b]) i = code + i->c - 1;
        break;
      case Opcode::JumpLt:
        if (m[i->a] < m[i->b]) i = code + i->c - 1;
        break;
      case Opcode::JumpLe:
        if (m[i->a] <= m[i->b]) i = code + i->c - 1;
        break;
      case Opcode::JumpGt:
        if (m[i->a] > m[i->b]) i = code + i->c - 1;
        break;
      case Opcode::JumpGe:
        if (m[i->a] >= m[i->b]) i = code + i->c - 1;
        break;
      case Opcode::Yes:
        return Outcome::Done;
      case Opcode::No:
        return Outcome::Disabled;
      case Opcode::Store:
        set(i->c, m[i->a]);
        break;
      case Opcode::StoreChecked:
        if (!p_.ranges[i->b].contains(m[i->a])) return stop(Outcome::RuntimeError);
        set(i->c, m[i->a]);
        break;
      case Opcode::StoreAt: {
        const std::uint32_t slot = u(m[i->c]);
        if (!p_.cell_ranges[slot].contains(m[i->a])) return stop(Outcome::RuntimeError);
        set(slot, m[i->a]);
        break;
      }
      case Opcode::Choose: {
        const std::int64_t lo = m[i->a], hi = m[i->b];
        if (hi < lo) return stop(Outcome::RuntimeError);
        const auto count = static_cast<std::uint64_t>(hi - lo) + 1;
        m[i->c] = static_cast<std::int32_t>(lo + static_cast<std::int64_t>(count == 1 ? 0 : pick(count)));
        break;
      }
      case Opcode::TestTarget: {
        const SendCode& send_code = p_.sends[i->a];
        const std::uint32_t target = u(m[send_code.target]);
        if (target >= send_code.routes.size() || send_code.routes[target].queue == kNone)
          return stop(Outcome::RuntimeError);
        break;
      }
      case Opcode::TestArgument: {
        const SendCode& send_code = p_.sends[i->a];
        const SendRoute route = send_code.routes[u(m[send_code.target])];
        if (!p_.queues[route.queue].params[route.code][i->b].contains(m[i->c]))
          return stop(Outcome::RuntimeError);
        break;
      }
      case Opcode::Send: {
        const Outcome o = send(p_.sends[i->a]);
        if (o != Outcome::Done) return o;
        break;
      }
      case Opcode::BranchOpen:
        open_.push_back(i->c);
        break;
      case Opcode::BranchPick: {
        const BranchCode& branch = p_.branches[i->a];
        std::uint32_t target = branch.otherwise;
        if (!open_.empty()) target = branch.targets[open_[open_.size() == 1 ? 0 : pick(open_.size())]];
        open_.clear();
        if (target == kNone) return stop(Outcome::RuntimeError);
        i = code + target - 1;
        break;
      }
      case Opcode::CountRound:
        if (m[i->c] == m[i->a]) return stop(Outcome::RuntimeError);
        ++m[i->c];
        break;
      case Opcode::Note:
        if (!reached_[i->a]) new_elements_.push_back(i->a);
        break;
      case Opcode::AssertionFails:
        return stop(Outcome::AssertionFailed);
      case Opcode::Fail:
        return stop(Outcome::RuntimeError);
      case Opcode::Done:
        return Outcome::Done;
    }
  }
}

}  // namespace parley::explore
