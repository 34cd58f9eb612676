#include "explore/ranges.hpp"

#include <algorithm>

#include "domain/interval_arithmetic.hpp"

namespace parley::explore {
namespace {

using domain::Interval;
using domain::kNothing;
using domain::kWord32;
using expr::Form;
using expr::Node;
using system::ExprId;
using system::Stmt;
using system::StmtId;
using system::StmtKind;

// Rounds before a range that still grows is given up.
constexpr int kPatience = 6;

// Both, where one may still be empty.
Interval joined(Interval x, Interval y) {
  return x.empty() ? y : y.empty() ? x : hull(x, y);
}

Interval cut(Interval x, const system::Type& t) {
  return intersect(x, domain::values_of(t));
}

class Inference {
 public:
  Inference(const system::System& system, const std::vector<std::uint32_t>& capacities)
      : s_(system), capacities_(capacities), params_(system.signals.size()) {
    for (const system::Cell& c : system.cells) cells_.push_back(domain::only(c.initial));
    for (std::size_t i = 0; i < system.signals.size(); ++i)
      params_[i].resize(system.signals[i].params.size(), kNothing);
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
    Interval now = joined(what, fits);
    if (now == what) return;
    if (widen_) now = joined(now, cut(kWord32, type));
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
          if (!(locals_[i] == before[i])) locals_[i] = kWord32;
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
        locals_[st.local] = joined(locals_[st.local], value(st.value));
        return;
      case StmtKind::Choose:
        locals_[st.local] = joined(locals_[st.local], {value(st.lo).lo, value(st.hi).hi});
        return;
      case StmtKind::Send:
        for (const system::Route& r : st.routes) {
          if (!r.queue.valid()) continue;
          const auto& types = s_.signal(r.signal).params;
          for (std::size_t i = 0; i < st.args.size(); ++i)
            grow(params_[r.signal.index()][i], value(st.args[i]), types[i]);
        }
        return;
      case StmtKind::Block:
      case StmtKind::Assert:
      case StmtKind::If:
      case StmtKind::Branch:
      case StmtKind::While:
      case StmtKind::Fail:
      case StmtKind::Note:
      case StmtKind::Print:
        for (StmtId child : st.children) statement(child);
        return;
    }
  }

  Interval value(ExprId e) const {
    const Node& n = s_.exprs[e];
    auto operand = [&](std::size_t i) { return value(n.operands[i]); };
    switch (form(n.op)) {
      case Form::Const:
        return domain::only(n.value);
      case Form::Cell:
        return cells_[n.a];
      case Form::Local:
        return n.a < locals_.size() ? locals_[n.a] : kWord32;
      case Form::Param:
        // A signal that nobody has sent yet: its trigger never fires, in this round.
        return trigger_ != nullptr && n.a < trigger_->size() ? (*trigger_)[n.a] : kWord32;
      case Form::Elem: {
        Interval all = kNothing;
        for (system::CellId c : s_.exprs.table(system::TableId(n.a)).cells)
          if (c.valid()) all = joined(all, cells_[c.index()]);
        return all;
      }
      case Form::QueueLen:
      case Form::QueueCap:
        return {0, capacities_[n.a]};
      case Form::Cond:
        return joined(operand(1), operand(2));
      case Form::QueueHas:
      case Form::HeadIs:
      case Form::Idle:
      case Form::AndAlso:
      case Form::OrElse:
        return domain::kBoth;
      case Form::Unary:
        return apply(n.op, operand(0), n.a);
      case Form::Binary:
        return apply(n.op, operand(0), operand(1));
    }
    internal_error("form of expression", __FILE__, __LINE__);
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
