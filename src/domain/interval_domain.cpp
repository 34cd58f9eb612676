#include "domain/interval_domain.hpp"

#include <fmt/format.h>

#include <unordered_map>

#include "support/check.hpp"

namespace parley::domain {
namespace {

constexpr Word kWord{32};

struct Key {
  Op op;
  std::int32_t a, b, c, d;
  std::uint32_t partition;
  friend bool operator==(const Key&, const Key&) = default;
};
struct KeyHash {
  std::size_t operator()(const Key& k) const {
    std::uint64_t h = static_cast<std::uint64_t>(k.op) * 0x9e3779b97f4a7c15ull;
    for (std::uint32_t v : {static_cast<std::uint32_t>(k.a), static_cast<std::uint32_t>(k.b),
                            static_cast<std::uint32_t>(k.c), static_cast<std::uint32_t>(k.d), k.partition})
      h = (h ^ v) * 0xff51afd7ed558ccdull + (h >> 29);
    return h;
  }
};

}  // namespace

struct IntervalDomain::Tables {
  const system::System* system = nullptr;
  Precision precision;
  Options options;
  Arithmetic arithmetic = Arithmetic::Wrapped;
  std::vector<Partition> partitions;  // of variables: over their ranges
  std::vector<Partition> wide;        // the same over the whole word, for results
  std::vector<std::uint32_t> cells, locals;
  std::vector<std::vector<std::uint32_t>> params;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> joins;
  std::unordered_map<Key, std::vector<Possible<Value>>, KeyHash> cache;
  std::uint64_t undetermined = 0;

  std::uint32_t add(const Partition& p) {
    Partition w(kWord.all());
    w.refine_with(p);
    partitions.push_back(p);
    wide.push_back(std::move(w));
    return static_cast<std::uint32_t>(partitions.size() - 1);
  }
  std::uint32_t add(const Variable& v) {
    const Partition* p = precision.find(v);
    return p == nullptr ? kNoPartition : add(*p);
  }
};

IntervalDomain::IntervalDomain(const system::System& s, Precision precision, Options options)
    : t_(std::make_shared<Tables>()) {
  t_->system = &s;
  t_->precision = std::move(precision);
  t_->options = options;
  t_->arithmetic = s.integers == system::IntegerMode::Wrap ? Arithmetic::Wrapped : Arithmetic::Exact;
  for (std::size_t i = 0; i < s.cells.size(); ++i) t_->cells.push_back(t_->add(Variable::cell(CellId(i))));
  for (std::size_t i = 0; i < s.signals.size(); ++i) {
    t_->params.emplace_back();
    for (std::size_t k = 0; k < s.signals[i].params.size(); ++k)
      t_->params[i].push_back(t_->add(Variable::param(SignalId(i), static_cast<std::uint32_t>(k))));
  }
  for (std::size_t i = 0; i < s.stmts.size(); ++i)
    t_->locals.push_back(t_->add(Variable::local(system::StmtId(i))));
}

const Precision& IntervalDomain::precision() const {
  return t_->precision;
}
std::uint64_t IntervalDomain::undetermined() const {
  return t_->undetermined;
}

IntervalDomain::Value IntervalDomain::load(std::uint32_t partition, std::int32_t code) const {
  if (partition == kNoPartition) return {code, code, kNoPartition};
  const Interval cell = t_->partitions[partition].cell(static_cast<std::size_t>(code));
  return {static_cast<std::int32_t>(cell.lo), static_cast<std::int32_t>(cell.hi), partition};
}
IntervalDomain::Value IntervalDomain::load_cell(CellId cell, std::int32_t code) const {
  return load(t_->cells[cell.index()], code);
}
IntervalDomain::Value IntervalDomain::load_param(SignalId signal, std::uint32_t i, std::int32_t code) const {
  return load(t_->params[signal.index()][i], code);
}

void IntervalDomain::store(const Variable& variable, const Type& type, std::uint32_t partition, Value v,
                           std::vector<Stored>& out) const {
  const std::size_t before = out.size();
  const Interval inside = intersect(v.interval(), {type.lo, type.hi});
  const bool null_too = type.contains(0) && !Interval{type.lo, type.hi}.contains(0);
  if (partition != kNoPartition) {
    const Partition& p = t_->partitions[partition];
    if (!inside.empty())
      for (std::size_t i = p.index_of(inside.lo); i < p.size() && p.cell(i).lo <= inside.hi; ++i)
        out.push_back({static_cast<std::int32_t>(i), true});
  } else {
    if (!inside.empty()) {
      if (static_cast<std::uint64_t>(inside.size()) > t_->options.exact_limit)
        throw PrecisionLimit(variable, fmt::format("{} is exact and may get {} values in one step",
                                                   show(*t_->system, variable), inside.size()));
      for (std::int64_t x = inside.lo; x <= inside.hi; ++x)
        out.push_back({static_cast<std::int32_t>(x), true});
    }
    if (null_too && v.interval().contains(0)) out.push_back({0, true});
  }
  const bool outside = v.lo < type.lo || v.hi > type.hi;
  const bool only_null = null_too && v.lo == 0 && v.hi == 0;
  if (outside && !only_null) out.push_back({v.lo < type.lo ? v.lo : v.hi, false});
  if (out.size() > before + 1) ++t_->undetermined;
}

void IntervalDomain::store_cell(CellId cell, Value v, std::vector<Stored>& out) const {
  store(Variable::cell(cell), t_->system->cell(cell).type, t_->cells[cell.index()], v, out);
}
void IntervalDomain::store_param(SignalId signal, std::uint32_t i, Value v, std::vector<Stored>& out) const {
  store(Variable::param(signal, i), t_->system->signal(signal).params[i], t_->params[signal.index()][i], v,
        out);
}

std::uint32_t IntervalDomain::join(std::uint32_t p, std::uint32_t q) const {
  if (p == q || q == kNoPartition) return p;
  if (p == kNoPartition) return q;
  const auto [at, fresh] = t_->joins.try_emplace({std::min(p, q), std::max(p, q)}, 0);
  if (fresh) {
    Partition both = t_->wide[p];
    both.refine_with(t_->wide[q]);
    at->second = t_->add(both);
  }
  return at->second;
}

// The cells of the partition that `may` accepts, whole (Cells) or cut to `within` and joined with their
// accepted neighbours (Intervals).
template <class May>
void IntervalDomain::results(std::uint32_t partition, Interval within, May&& may,
                             std::vector<Possible<Value>>& out) const {
  const bool whole = t_->options.intermediate == Intermediate::Cells;
  const Partition& p = t_->wide[partition];
  bool extend = false;
  for (std::size_t i = p.index_of(within.lo); i < p.size() && p.cell(i).lo <= within.hi; ++i) {
    const Interval cell = whole ? p.cell(i) : intersect(p.cell(i), within);
    if (!may(cell)) {
      extend = false;
      continue;
    }
    if (extend && !whole)
      out.back().value.hi = static_cast<std::int32_t>(cell.hi);
    else
      out.push_back({{static_cast<std::int32_t>(cell.lo), static_cast<std::int32_t>(cell.hi), partition}});
    extend = true;
  }
}

void IntervalDomain::apply_unary(Op op, Value x, std::uint32_t bits,
                                 std::vector<Possible<Value>>& out) const {
  const std::size_t before = out.size();
  const bool cells = t_->options.intermediate == Intermediate::Cells && x.partition != kNoPartition;
  if (op == Op::Not) {
    if (x.lo != 0 || x.hi != 0) out.push_back({{0, 0, kNoPartition}});
    if (x.interval().contains(0)) out.push_back({{1, 1, kNoPartition}});
  } else if (x.lo == x.hi && !cells) {
    const expr::Computed c = expr::compute(op, x.lo, bits);
    out.push_back({{c.value, c.value, x.partition}, c.error, c.overflowed});
    return;
  } else {
    const Arithmetic a = t_->arithmetic;
    const Interval h = result_hull(op, kWord, x.interval(), bits);
    const auto may = [&](Interval z) { return may_be(op, kWord, a, x.interval(), bits, z); };
    if (x.partition != kNoPartition)
      results(x.partition, h, may, out);
    else if (may(h))
      out.push_back({{static_cast<std::int32_t>(h.lo), static_cast<std::int32_t>(h.hi), x.partition}});
    if (a == Arithmetic::Exact && may_overflow(op, kWord, x.interval()))
      out.push_back({{}, EvalError::None, true});
  }
  if (out.size() > before + 1) ++t_->undetermined;
}

void IntervalDomain::apply_binary(Op op, Value x, Value y, std::vector<Possible<Value>>& out) const {
  const std::uint32_t p = join(x.partition, y.partition);
  const bool cells = t_->options.intermediate == Intermediate::Cells && p != kNoPartition;
  const bool comparison = expr::is_comparison(op);
  if (x.lo == x.hi && y.lo == y.hi && (!cells || comparison)) {
    const expr::Computed c = expr::compute(op, x.lo, y.lo);
    out.push_back({{c.value, c.value, comparison ? kNoPartition : p}, c.error, c.overflowed});
    return;
  }
  const Key key{op, x.lo, x.hi, y.lo, y.hi, p};
  const auto [at, fresh] = t_->cache.try_emplace(key);
  std::vector<Possible<Value>>& found = at->second;
  if (fresh) {
    const Arithmetic a = t_->arithmetic;
    const Interval xi = x.interval(), yi = y.interval();
    const auto may = [&](Interval z) { return may_be(op, kWord, a, xi, yi, z); };
    if (comparison) {
      for (std::int32_t v : {0, 1})
        if (may({v, v})) found.push_back({{v, v, kNoPartition}});
    } else if (!cells && (op == Op::Add || op == Op::Sub)) {
      // The image is contiguous before wrapping: at most two pieces.
      const Interval exact =
          op == Op::Add ? Interval{xi.lo + yi.lo, xi.hi + yi.hi} : Interval{xi.lo - yi.hi, xi.hi - yi.lo};
      const auto piece = [&](Interval z) {
        if (!z.empty())
          found.push_back({{static_cast<std::int32_t>(z.lo), static_cast<std::int32_t>(z.hi), p}});
      };
      if (a == Arithmetic::Wrapped && exact.size() >= kWord.modulus()) {
        piece(kWord.all());
      } else {
        piece(intersect(exact, kWord.all()));
        if (a == Arithmetic::Wrapped) {
          piece(intersect({exact.lo + kWord.modulus(), exact.hi + kWord.modulus()}, kWord.all()));
          piece(intersect({exact.lo - kWord.modulus(), exact.hi - kWord.modulus()}, kWord.all()));
        }
      }
    } else {
      const bool nothing = expr::info(op).may_fail && y.lo == 0 && y.hi == 0;
      const Interval h = nothing ? Interval{} : result_hull(op, kWord, xi, yi);
      if (p != kNoPartition && !nothing)
        results(p, h, may, found);
      else if (!nothing && may(h))
        found.push_back({{static_cast<std::int32_t>(h.lo), static_cast<std::int32_t>(h.hi), p}});
    }
    if (may_divide_by_zero(op, yi)) found.push_back({{}, EvalError::DivisionByZero, false});
    if (a == Arithmetic::Exact && may_overflow(op, kWord, xi, yi))
      found.push_back({{}, EvalError::None, true});
    PARLEY_CHECK(!found.empty());
  }
  out.insert(out.end(), found.begin(), found.end());
  if (found.size() > 1) ++t_->undetermined;
}

Truth IntervalDomain::truth(Value v) const {
  const Truth t{v.lo != 0 || v.hi != 0, v.interval().contains(0)};
  if (t.may_be_true && t.may_be_false) ++t_->undetermined;
  return t;
}

void IntervalDomain::indices(Value v, std::uint32_t limit, std::vector<std::int32_t>& out) const {
  if (limit == 0 || v.lo == v.hi) {
    out.push_back(v.lo);
    return;
  }
  const std::size_t before = out.size();
  const Interval inside = intersect(v.interval(), {0, static_cast<std::int64_t>(limit) - 1});
  for (std::int64_t i = inside.lo; i <= inside.hi; ++i) out.push_back(static_cast<std::int32_t>(i));
  if (v.lo < 0)
    out.push_back(v.lo);
  else if (v.hi >= static_cast<std::int64_t>(limit))
    out.push_back(v.hi);
  if (out.size() > before + 1) ++t_->undetermined;
}

std::uint64_t IntervalDomain::choice_count(Value lo, Value hi) const {
  if (hi.hi < lo.lo) return 0;
  if (lo.hi > hi.lo) throw PrecisionLimit(std::nullopt, "the bounds of a choice are not known well enough");
  const bool exact = lo.lo == lo.hi && hi.lo == hi.hi;
  const std::uint64_t size = static_cast<std::uint64_t>(static_cast<std::int64_t>(hi.hi) - lo.lo) + 1;
  return exact && size <= t_->options.enumerate_up_to ? size : 1;
}

IntervalDomain::Value IntervalDomain::choice(Value lo, Value hi, std::uint64_t k) const {
  if (choice_count(lo, hi) == 1) return {lo.lo, hi.hi, kNoPartition};
  const auto v = static_cast<std::int32_t>(lo.lo + static_cast<std::int64_t>(k));
  return {v, v, kNoPartition};
}

void IntervalDomain::keep_local(system::StmtId stmt, Value v, std::vector<Value>& out) const {
  const std::uint32_t p = t_->locals[stmt.index()];
  if (p == kNoPartition || v.lo == v.hi) {
    out.push_back(v);
    return;
  }
  const std::uint32_t joined = join(p, v.partition);  // first: it may move the tables
  const Partition& w = t_->wide[p];
  const std::size_t before = out.size();
  for (std::size_t i = w.index_of(v.lo); i < w.size() && w.cell(i).lo <= v.hi; ++i) {
    const Interval z = intersect(w.cell(i), v.interval());
    out.push_back({static_cast<std::int32_t>(z.lo), static_cast<std::int32_t>(z.hi), joined});
  }
  if (out.size() > before + 1) ++t_->undetermined;
}

Interval IntervalDomain::meaning(const Variable& v, std::int32_t code) const {
  const Partition* p = t_->precision.find(v);
  if (p == nullptr || v.kind == Variable::Kind::Local) return {code, code};
  return p->cell(static_cast<std::size_t>(code));
}

}  // namespace parley::domain
