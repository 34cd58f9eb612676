#include "encode/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "support/check.hpp"
#include "system/footprint.hpp"

namespace parley::encode {

std::string StateBit::name() const {
  switch (part) {
    case BitPart::Cell:
      return fmt::format("c{}.{}", index, bit);
    case BitPart::Occupied:
      return fmt::format("q{}.{}.valid", index, slot);
    case BitPart::Signal:
      return fmt::format("q{}.{}.signal.{}", index, slot, bit);
    case BitPart::Param:
      return fmt::format("q{}.{}.param{}.{}", index, slot, param, bit);
    case BitPart::Holder:
      return fmt::format("holder{}", index);
  }
  return "?";
}

std::optional<StateBit> StateBit::parse(const std::string& name) {
  StateBit b;
  const char* s = name.c_str();
  unsigned i = 0, j = 0, k = 0, l = 0;
  if (std::sscanf(s, "c%u.%u", &i, &j) == 2)
    b = {BitPart::Cell, i, 0, 0, j};
  else if (std::sscanf(s, "q%u.%u.signal.%u", &i, &j, &k) == 3)
    b = {BitPart::Signal, i, j, 0, k};
  else if (std::sscanf(s, "q%u.%u.param%u.%u", &i, &j, &k, &l) == 4)
    b = {BitPart::Param, i, j, k, l};
  else if (std::sscanf(s, "q%u.%u.valid", &i, &j) == 2)
    b = {BitPart::Occupied, i, j, 0, 0};
  else if (std::sscanf(s, "holder%u", &i) == 1)
    b = {BitPart::Holder, i, 0, 0, 0};
  else
    return std::nullopt;
  if (b.name() != name) return std::nullopt;
  return b;
}

Shape Shape::of(std::int64_t lo, std::int64_t hi) {
  const std::size_t n = bits_for(lo, hi);
  return lo < 0 ? Shape{n, true} : Shape{n - 1, false};
}

Shape Shape::of(const expr::Type& type) {
  const bool with_zero = type.kind == expr::TypeKind::Ref || type.kind == expr::TypeKind::Chan;
  return of(with_zero ? std::min(type.lo, 0) : type.lo, with_zero ? std::max(type.hi, 0) : type.hi);
}

Word Shape::word(const Lit* bits) const {
  Word w;
  w.bits.assign(bits, bits + width);
  if (!is_signed) w.bits.push_back(kFalse);
  return trimmed(std::move(w));
}

namespace {

void mark_writes(const system::System& s, system::StmtId id, std::vector<bool>& written) {
  const system::Stmt& st = s.stmt(id);
  if (st.kind == system::StmtKind::Assign) {
    if (st.place.cell.valid()) {
      written[st.place.cell.index()] = true;
    } else {
      for (system::CellId c : s.exprs.table(st.place.table).cells)
        if (c.valid()) written[c.index()] = true;
    }
  }
  for (system::StmtId child : st.children) mark_writes(s, child, written);
}

}  // namespace

Layout::Layout(const system::System& system, std::vector<std::uint32_t> capacities)
    : s_(system),
      capacities_(std::move(capacities)),
      fixed_(system.cells.size()),
      holds_(system.owners.size()) {
  PARLEY_CHECK(capacities_.size() == s_.queues.size());
  std::vector<bool> written(s_.cells.size(), false);
  if (s_.initial_body.valid()) mark_writes(s_, s_.initial_body, written);
  for (const system::Action& a : s_.actions) {
    mark_writes(s_, a.body, written);
    if (a.hold.valid()) holds_[a.hold.index()] = true;
  }
  for (std::uint32_t i = 0; i < s_.cells.size(); ++i) {
    cells_.push_back(Shape::of(s_.cells[i].type));
    if (!written[i]) {
      fixed_[i] = s_.cells[i].initial;
      continue;
    }
    for (std::uint32_t b = 0; b < cells_[i].width; ++b) bits_.push_back({BitPart::Cell, i, 0, 0, b});
  }
  for (std::uint32_t q = 0; q < s_.queues.size(); ++q) {
    const auto& signals = s_.queues[q].signals;
    signals_.push_back(Shape::of(0, signals.empty() ? 0 : static_cast<std::int64_t>(signals.size()) - 1));
    std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
    for (system::SignalId id : signals) {
      const auto& params = s_.signal(id).params;
      if (ranges.size() < params.size()) ranges.resize(params.size(), {0, 0});  // empty slots are zero
      for (std::size_t p = 0; p < params.size(); ++p) {
        ranges[p].first = std::min<std::int64_t>(ranges[p].first, params[p].lo);
        ranges[p].second = std::max<std::int64_t>(ranges[p].second, params[p].hi);
      }
    }
    params_.emplace_back();
    for (const auto& [lo, hi] : ranges) params_.back().push_back(Shape::of(lo, hi));
    for (std::uint32_t slot = 0; slot < capacities_[q]; ++slot) {
      bits_.push_back({BitPart::Occupied, q, slot, 0, 0});
      for (std::uint32_t b = 0; b < signals_[q].width; ++b) bits_.push_back({BitPart::Signal, q, slot, 0, b});
      for (std::uint32_t p = 0; p < params_[q].size(); ++p)
        for (std::uint32_t b = 0; b < params_[q][p].width; ++b)
          bits_.push_back({BitPart::Param, q, slot, p, b});
    }
  }
  for (std::uint32_t o = 0; o < s_.owners.size(); ++o)
    if (holds_[o]) bits_.push_back({BitPart::Holder, o, 0, 0, 0});
}

std::vector<std::pair<StateBit, bool>> Layout::constant_bits() const {
  std::vector<std::pair<StateBit, bool>> out;
  for (std::uint32_t i = 0; i < cells_.size(); ++i)
    for (std::uint32_t b = 0; fixed_[i] && b < cells_[i].width; ++b)
      out.push_back({{BitPart::Cell, i, 0, 0, b}, ((*fixed_[i] >> b) & 1) != 0});
  for (std::uint32_t o = 0; o < holds_.size(); ++o)
    if (!holds_[o]) out.push_back({{BitPart::Holder, o, 0, 0, 0}, false});
  return out;
}

SymbolicQueue Layout::empty_queue(system::QueueId queue) const {
  SymbolicQueue q;
  q.slots.resize(capacities_[queue.index()]);
  for (Slot& slot : q.slots) slot.params.resize(params_[queue.index()].size());
  return q;
}

SymbolicState Layout::state(const std::vector<Lit>& bits) const {
  PARLEY_CHECK(bits.size() == bits_.size());
  SymbolicState st;
  const Lit* next = bits.data();
  const auto take = [&](const Shape& shape) {
    Word w = shape.word(next);
    next += shape.width;
    return w;
  };
  for (std::size_t i = 0; i < cells_.size(); ++i)
    st.cells.push_back(fixed_[i] ? constant_word(*fixed_[i]) : take(cells_[i]));
  for (std::size_t q = 0; q < capacities_.size(); ++q) {
    st.queues.push_back(empty_queue(system::QueueId(q)));
    for (Slot& slot : st.queues.back().slots) {
      slot.occupied = *next++;
      slot.signal = take(signals_[q]);
      for (std::size_t p = 0; p < slot.params.size(); ++p) slot.params[p] = take(params_[q][p]);
    }
  }
  for (const bool holds : holds_) st.holder.push_back(holds ? *next++ : kFalse);
  return st;
}

std::vector<Lit> Layout::bits_of(const SymbolicState& st) const {
  std::vector<Lit> out;
  out.reserve(bits_.size());
  for (const StateBit& b : bits_) {
    switch (b.part) {
      case BitPart::Cell:
        out.push_back(st.cells[b.index].bit(b.bit));
        break;
      case BitPart::Occupied:
        out.push_back(st.queues[b.index].slots[b.slot].occupied);
        break;
      case BitPart::Signal:
        out.push_back(st.queues[b.index].slots[b.slot].signal.bit(b.bit));
        break;
      case BitPart::Param:
        out.push_back(st.queues[b.index].slots[b.slot].params[b.param].bit(b.bit));
        break;
      case BitPart::Holder:
        out.push_back(st.holder[b.index]);
        break;
    }
  }
  return out;
}

SymbolicState Layout::declared() const {
  SymbolicState st;
  for (const system::Cell& c : s_.cells) st.cells.push_back(constant_word(c.initial));
  for (std::size_t q = 0; q < capacities_.size(); ++q) st.queues.push_back(empty_queue(system::QueueId(q)));
  st.holder.assign(holds_.size(), kFalse);
  return st;
}

std::uint32_t Layout::code(system::QueueId queue, system::SignalId signal) const {
  const auto& signals = s_.queue(queue).signals;
  const auto at = std::find(signals.begin(), signals.end(), signal);
  PARLEY_CHECK_MSG(at != signals.end(), "signal that is not declared for queue " + s_.queue(queue).name);
  return static_cast<std::uint32_t>(at - signals.begin());
}

bool Layout::carries(system::QueueId queue, system::SignalId signal) const {
  const auto& signals = s_.queue(queue).signals;
  return std::find(signals.begin(), signals.end(), signal) != signals.end();
}

std::vector<bool> Layout::encode(const semantics::State& state) const {
  std::vector<bool> out;
  out.reserve(bits_.size());
  const auto bit_of = [](std::int64_t v, std::uint32_t b) { return ((v >> b) & 1) != 0; };
  for (const StateBit& b : bits_) {
    if (b.part == BitPart::Cell) {
      out.push_back(bit_of(state.cells[b.index], b.bit));
    } else if (b.part == BitPart::Holder) {
      out.push_back(state.holder.valid() && state.holder.index() == b.index);
    } else {
      const auto& queue = state.queues[b.index];
      if (b.slot >= queue.size()) {
        out.push_back(false);
        continue;
      }
      const semantics::Message& m = queue[b.slot];
      if (b.part == BitPart::Occupied)
        out.push_back(true);
      else if (b.part == BitPart::Signal)
        out.push_back(bit_of(code(system::QueueId(b.index), m.signal), b.bit));
      else
        out.push_back(b.param < m.args.size() && bit_of(m.args[b.param], b.bit));
    }
  }
  return out;
}

semantics::State Layout::decode(const std::vector<bool>& bits) const {
  std::vector<Lit> lits;
  for (const bool b : bits) lits.push_back(b ? kTrue : kFalse);
  const SymbolicState st = state(lits);
  const auto number = [](const Word& w) {
    std::int64_t v = w.sign() == kTrue ? -1 : 0;
    for (std::size_t i = w.width(); i-- > 0;) v = v * 2 + (w.bits[i] == kTrue ? 1 : 0);
    return static_cast<std::int32_t>(v);
  };
  semantics::State out;
  for (const Word& w : st.cells) out.cells.push_back(number(w));
  for (std::size_t q = 0; q < st.queues.size(); ++q) {
    out.queues.emplace_back();
    for (const Slot& slot : st.queues[q].slots) {
      if (slot.occupied != kTrue) break;
      const auto k = static_cast<std::size_t>(number(slot.signal));
      PARLEY_CHECK(k < s_.queues[q].signals.size());
      semantics::Message m{s_.queues[q].signals[k], {}};
      for (std::size_t p = 0; p < s_.signal(m.signal).params.size(); ++p)
        m.args.push_back(number(slot.params[p]));
      out.queues.back().push_back(std::move(m));
    }
  }
  for (std::size_t o = 0; o < st.holder.size(); ++o)
    if (st.holder[o] == kTrue) out.holder = system::OwnerId(o);
  return out;
}

Lit Layout::well_formed(Aig& g, const SymbolicState& st) const {
  Arithmetic a(g, false);
  std::vector<Lit> parts;
  const auto in_type = [&](const Word& w, const expr::Type& t) {
    Lit ok = a.within(w, t.lo, t.hi);
    if (t.kind == expr::TypeKind::Ref || t.kind == expr::TypeKind::Chan) ok = g.disj(ok, a.equal(w, 0));
    return ok;
  };
  for (std::size_t i = 0; i < st.cells.size(); ++i)
    if (!fixed_[i]) parts.push_back(in_type(st.cells[i], s_.cells[i].type));
  for (std::size_t q = 0; q < st.queues.size(); ++q) {
    const auto& slots = st.queues[q].slots;
    const auto& signals = s_.queues[q].signals;
    for (std::size_t i = 0; i < slots.size(); ++i) {
      const Slot& slot = slots[i];
      if (i > 0) parts.push_back(g.implies(slot.occupied, slots[i - 1].occupied));
      std::vector<Lit> kinds;
      for (std::size_t k = 0; k < signals.size(); ++k) {
        std::vector<Lit> fits{a.equal(slot.signal, static_cast<std::int64_t>(k))};
        const auto& types = s_.signal(signals[k]).params;
        for (std::size_t p = 0; p < slot.params.size(); ++p)
          fits.push_back(p < types.size() ? in_type(slot.params[p], types[p]) : a.equal(slot.params[p], 0));
        kinds.push_back(g.all(fits));
      }
      std::vector<Lit> zero{a.equal(slot.signal, 0)};
      for (const Word& p : slot.params) zero.push_back(a.equal(p, 0));
      parts.push_back(g.mux(slot.occupied, g.any(kinds), g.all(zero)));
    }
  }
  Lit seen = kFalse;
  for (const Lit h : st.holder) {
    parts.push_back(neg(g.conj(seen, h)));
    seen = g.disj(seen, h);
  }
  return g.all(parts);
}

}  // namespace parley::encode
