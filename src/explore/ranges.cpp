#include "explore/ranges.hpp"

#include <algorithm>
#include <bit>

namespace parley::explore {
namespace {

using expr::Node;
using expr::Op;
using system::ExprId;
using system::Stmt;
using system::StmtId;
using system::StmtKind;

struct Interval {
  std::int64_t lo = 1, hi = 0;  // lo > hi: nothing yet
  bool empty() const { return lo > hi; }
  friend bool operator==(const Interval&, const Interval&) = default;
};

constexpr Interval kAll{expr::kIntMin, expr::kIntMax};
// Rounds before a range that still grows is given up.
constexpr int kPatience = 6;

Interval hull(Interval x, Interval y) {
  if (x.empty()) return y;
  if (y.empty()) return x;
  return {std::min(x.lo, y.lo), std::max(x.hi, y.hi)};
}

Interval cut(Interval x, const system::Type& t) {
  const CodeRange r = range_of(t);
  const std::int64_t lo = r.null ? std::min(r.lo, 0) : r.lo, hi = r.null ? std::max(r.hi, 0) : r.hi;
  return {std::max(x.lo, lo), std::min(x.hi, hi)};
}

// Back to 32 bits: what could wrap around could be anything.
Interval exact(std::int64_t lo, std::int64_t hi) {
  return lo < expr::kIntMin || hi > expr::kIntMax ? kAll : Interval{lo, hi};
}

class Inference {
 public:
  Inference(const system::System& system, const std::vector<std::uint32_t>& capacities)
      : s_(system), capacities_(capacities), params_(system.signals.size()) {
    for (const system::Cell& c : system.cells) cells_.push_back({c.initial, c.initial});
    for (std::size_t i = 0; i < system.signals.size(); ++i)
      params_[i].resize(system.signals[i].params.size());
  }

  Ranges run() {
    for (int round = 0; changed_; ++round) {
      changed_ = false;
      widen_ = round >= kPatience;
      if (s_.initial_body.valid()) body(s_.initial_body, s_.initial_locals, nullptr);
      for (const system::Action& a : s_.actions)
        if (a.body.valid()) body(a.body, a.locals, a.trigger ? &params_[a.trigger->signal.index()] : nullptr);
    }
    Ranges out;
    for (std::size_t i = 0; i < cells_.size(); ++i)
      out.cells.push_back(code_range(cells_[i], s_.cells[i].type));
    for (std::size_t i = 0; i < params_.size(); ++i) {
      out.params.emplace_back();
      for (std::size_t k = 0; k < params_[i].size(); ++k)
        out.params.back().push_back(code_range(params_[i][k], s_.signals[i].params[k]));
    }
    return out;
  }

 private:
  static CodeRange code_range(Interval x, const system::Type& type) {
    const CodeRange whole = range_of(type);
    if (x.empty()) {
      const std::int32_t any = whole.null ? 0 : std::clamp(std::int32_t{0}, whole.lo, whole.hi);
      return {any, any, false};
    }
    const CodeRange r{static_cast<std::int32_t>(x.lo), static_cast<std::int32_t>(x.hi), false};
    // References: null and a range far from it, not everything between.
    if (whole.null && r.lo <= 0 && r.hi >= whole.lo) return {whole.lo, r.hi, true};
    return r;
  }

  void grow(Interval& what, Interval by, const system::Type& type) {
    const Interval fits = cut(by, type);
    if (fits.empty()) return;  // never stored: a run-time error
    Interval now = hull(what, fits);
    if (now == what) return;
    if (widen_) now = hull(now, cut(kAll, type));
    what = now;
    changed_ = true;
  }

  void body(StmtId id, std::uint32_t locals, const std::vector<Interval>* params) {
    trigger_ = params;
    // Locals start as 0; their ranges within one body settle by going round until they do.
    locals_.assign(locals, Interval{0, 0});
    for (int round = 0;; ++round) {
      const std::vector<Interval> before = locals_;
      statement(id);
      if (locals_ == before) return;
      if (round >= kPatience)
        for (std::size_t i = 0; i < locals_.size(); ++i)
          if (!(locals_[i] == before[i])) locals_[i] = kAll;
    }
  }

  void statement(StmtId id) {
    const Stmt& st = s_.stmt(id);
    switch (st.kind) {
      case StmtKind::Assign: {
        const Interval v = value(st.value);
        if (st.place.cell.valid()) {
          grow(cells_[st.place.cell.index()], v, s_.cell(st.place.cell).type);
        } else {
          for (system::CellId c : s_.exprs.table(st.place.table).cells)
            if (c.valid()) grow(cells_[c.index()], v, s_.cell(c).type);
        }
        return;
      }
      case StmtKind::SetLocal:
        locals_[st.local] = hull(locals_[st.local], value(st.value));
        return;
      case StmtKind::Choose:
        locals_[st.local] = hull(locals_[st.local], {value(st.lo).lo, value(st.hi).hi});
        return;
      case StmtKind::Send:
        for (const system::Route& r : st.routes) {
          if (!r.queue.valid()) continue;
          const auto& types = s_.signal(r.signal).params;
          for (std::size_t i = 0; i < st.args.size(); ++i)
            grow(params_[r.signal.index()][i], value(st.args[i]), types[i]);
        }
        return;
      default:
        for (StmtId child : st.children) statement(child);
        return;
    }
  }

  Interval value(ExprId e) const {
    const Node& n = s_.exprs[e];
    auto operand = [&](std::size_t i) { return value(n.operands[i]); };
    switch (n.op) {
      case Op::Const:
        return {n.value, n.value};
      case Op::Cell:
        return cells_[n.a];
      case Op::Local:
        return n.a < locals_.size() ? locals_[n.a] : kAll;
      case Op::Param:
        // A signal that nobody has sent yet: its trigger never fires, in this round.
        return trigger_ != nullptr && n.a < trigger_->size() ? (*trigger_)[n.a] : kAll;
      case Op::Elem: {
        Interval all;
        for (system::CellId c : s_.exprs.table(system::TableId(n.a)).cells)
          if (c.valid()) all = hull(all, cells_[c.index()]);
        return all;
      }
      case Op::QueueLen:
      case Op::QueueCap:
        return {0, capacities_[n.a]};
      case Op::Cond:
        return hull(operand(1), operand(2));
      case Op::TruncU:
        return n.a >= 31 ? kAll : Interval{0, (std::int64_t{1} << n.a) - 1};
      case Op::TruncS:
        return n.a >= 32 ? kAll
                         : Interval{-(std::int64_t{1} << (n.a - 1)), (std::int64_t{1} << (n.a - 1)) - 1};
      case Op::Not:
      case Op::QueueHas:
      case Op::HeadIs:
      case Op::Idle:
      case Op::AndAlso:
      case Op::OrElse:
        return {0, 1};
      case Op::Neg: {
        const Interval x = operand(0);
        return x.empty() ? x : exact(-x.hi, -x.lo);
      }
      default:
        break;
    }
    if (n.op >= Op::Eq && n.op <= Op::Ge) return {0, 1};
    if (!expr::is_binary(n.op)) return kAll;
    const Interval x = operand(0), y = operand(1);
    if (x.empty() || y.empty()) return {};
    return binary(n.op, x, y);
  }

  static Interval binary(Op op, Interval x, Interval y) {
    switch (op) {
      case Op::Add:
        return exact(x.lo + y.lo, x.hi + y.hi);
      case Op::Sub:
        return exact(x.lo - y.hi, x.hi - y.lo);
      case Op::Mul: {
        const auto [lo, hi] = std::minmax({x.lo * y.lo, x.lo * y.hi, x.hi * y.lo, x.hi * y.hi});
        return exact(lo, hi);
      }
      case Op::Rem: {
        // |result| < |divisor|, with the sign of the dividend and no larger than it.
        const std::int64_t most = std::max(std::max(y.hi, -y.lo) - 1, std::int64_t{0});
        return {x.lo >= 0 ? 0 : std::max(-most, x.lo), x.hi <= 0 ? 0 : std::min(most, x.hi)};
      }
      case Op::BitAnd:
        if (x.lo >= 0 && y.lo >= 0) return {0, std::min(x.hi, y.hi)};
        return kAll;
      case Op::BitOr:
      case Op::BitXor: {
        if (x.lo < 0 || y.lo < 0) return kAll;
        const auto bits = std::bit_width(static_cast<std::uint64_t>(std::max(x.hi, y.hi)));
        return {0, (std::int64_t{1} << bits) - 1};
      }
      case Op::Div:
        if (x.lo >= 0 && y.lo >= 0) return {0, x.hi};
        return kAll;
      case Op::Shr:
        return x.lo >= 0 ? Interval{0, x.hi} : kAll;
      default:
        return kAll;
    }
  }

  const system::System& s_;
  const std::vector<std::uint32_t>& capacities_;
  std::vector<Interval> cells_;
  std::vector<std::vector<Interval>> params_;
  std::vector<Interval> locals_;
  const std::vector<Interval>* trigger_ = nullptr;
  bool changed_ = true;
  bool widen_ = false;
};

}  // namespace

Ranges infer_ranges(const system::System& system, const std::vector<std::uint32_t>& capacities) {
  return Inference(system, capacities).run();
}

}  // namespace parley::explore
