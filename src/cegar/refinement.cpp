#include "cegar/refinement.hpp"

#include <algorithm>

namespace parley::cegar {

using domain::Variable;
using expr::Op;

std::map<Variable, std::vector<std::int64_t>> apply(const System& s, const Refinement& r, bool whole_class,
                                                    domain::Precision& precision) {
  std::map<Variable, std::vector<std::int64_t>> changed;
  const auto each = [&](const std::map<Variable, std::set<std::int64_t>>& wanted, auto&& refine) {
    for (const auto& [v, values] : wanted)
      for (const Variable& w : whole_class ? domain::siblings(s, v) : std::vector<Variable>{v})
        for (std::int64_t x : values)
          if (refine(w, x)) changed[w].push_back(x);
  };
  each(r.values, [&](const Variable& v, std::int64_t x) { return precision.split_at(v, x); });
  each(r.cuts, [&](const Variable& v, std::int64_t x) { return precision.cut_below(v, x); });
  return changed;
}

std::optional<Variable> variable_of(const System& s, const AnalysisTrace& t, std::size_t number,
                                    const Tree& name) {
  const expr::Node& n = s.exprs[name.expr];
  if (n.type.kind != expr::TypeKind::Int) return std::nullopt;
  const std::uint32_t event = t.steps[number - 1].event;
  switch (n.op) {
    case Op::Cell:
      return Variable::cell(expr::CellId(n.a));
    case Op::Elem:
      if (!name.cell.valid()) return std::nullopt;
      return Variable::cell(name.cell);
    case Op::Param: {
      if (t.steps[number - 1].kind == StepKind::Assume && t.steps[number - 1].signal.valid())
        return Variable::param(t.steps[number - 1].signal, n.a);
      for (std::size_t i = number; i >= 1; --i)
        if (t.steps[i - 1].kind == StepKind::Recv && t.steps[i - 1].event == event &&
            t.steps[i - 1].signal.valid() && n.a < s.signal(t.steps[i - 1].signal).params.size())
          return Variable::param(t.steps[i - 1].signal, n.a);
      return std::nullopt;
    }
    case Op::Local:
      for (std::size_t i = number - 1; i >= 1; --i)
        if (t.steps[i - 1].kind == StepKind::SetLocal && t.steps[i - 1].event == event &&
            t.steps[i - 1].local == n.a)
          return Variable::local(t.steps[i - 1].stmt);
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

namespace {

class Finder {
 public:
  Finder(const System& s, const AnalysisTrace& t, const RefinementOptions& o) : s_(s), t_(t), options_(o) {}

  // REF_EXPR (figure 5.14)
  Refinement ref_expr(std::size_t number, const Tree& c, const Tree& a) {
    number_ = number;
    out_.step = number;
    out_.refiner = "published";
    descend(c, a);
    return std::move(out_);
  }

 private:
  void descend(const Tree& c, const Tree& a) {
    const Op op = s_.exprs[c.expr].op;
    std::vector<std::size_t> differing;
    const std::size_t n = std::min(c.children.size(), a.children.size());
    for (std::size_t i = 0; i < n; ++i)
      if (c.children[i].expr == a.children[i].expr && !eval_corr(c.children[i], a.children[i]))
        differing.push_back(i);
    const bool terminal = op == Op::Const || op == Op::Cell || op == Op::Param || op == Op::Local;
    const bool first_only = expr::is_short_circuit(op) || op == Op::Cond;
    if (!terminal && !differing.empty() && (first_only || differing.size() == 1))
      return descend(c.children[differing[0]], a.children[differing[0]]);
    // A short-circuit operator whose evaluated operands agree differs in nothing: search all of it.
    out_.expression = system::show(s_, c.expr);
    std::set<std::int64_t> on_path;
    collect(c, on_path);
    if (!options_.values_per_location)
      for (auto& [v, values] : out_.values) values = all_values_;
  }

  // COLLECT_INT_LOCS and VALUES (figures 5.15 and 5.16) in one walk over what was evaluated. With values per
  // location a variable gets the values of the subexpressions it is part of, and of their other operands.
  void collect(const Tree& c, std::set<std::int64_t> on_path) {
    const expr::Node& n = s_.exprs[c.expr];
    if (n.type.kind == expr::TypeKind::Int && !c.failed) {
      all_values_.insert(c.value.lo);
      on_path.insert(c.value.lo);
    }
    for (const Tree& child : c.children)
      if (s_.exprs[child.expr].type.kind == expr::TypeKind::Int && !child.failed)
        on_path.insert(child.value.lo);
    if (const auto v = variable_of(s_, t_, number_, c)) {
      auto& values = out_.values[*v];
      values.insert(on_path.begin(), on_path.end());
    }
    for (const Tree& child : c.children) collect(child, on_path);
  }

  const System& s_;
  const AnalysisTrace& t_;
  const RefinementOptions& options_;
  std::size_t number_ = 0;
  std::set<std::int64_t> all_values_;
  Refinement out_;
};

}  // namespace

Refinement find_refinement(const System& s, const AnalysisTrace& t, const Relevance& relevance,
                           const RefinementOptions& options) {
  const auto search = [&](std::size_t number, std::size_t root) -> Refinement {
    const AnalysisStep& step = t.steps[number - 1];
    if (step.concrete.size() <= root || step.abstract.size() <= root) return {};
    return Finder(s, t, options).ref_expr(number, step.concrete[root], step.abstract[root]);
  };
  for (std::size_t i = 1; i < t.steps.size(); ++i) {
    const AnalysisStep& step = t.steps[i - 1];
    const Locations& after = relevance.before(i + 1);
    if (step.kind == StepKind::Assign && !step.corresponds &&
        (after.contains({Location::Kind::Cell, step.target_concrete.value, 0}) ||
         after.contains({Location::Kind::Cell, step.target_abstract.value, 0}))) {
      if (step.target_concrete == step.target_abstract) return search(i, value_root(step));
      for (std::size_t k = 0; k < value_root(step); ++k)
        if (!eval_corr(step.concrete[k], step.abstract[k])) return search(i, k);
    }
    if (step.kind == StepKind::SetLocal && !step.corresponds &&
        after.contains({Location::Kind::Local, step.event, step.local})) {
      if (s.stmt(step.stmt).kind != system::StmtKind::Choose) return search(i, value_root(step));
      Refinement own;  // a free choice has no expression to blame: only its own value
      own.step = i;
      own.refiner = "published";
      own.expression = "a choice";
      own.values[Variable::local(step.stmt)] = {step.value};
      return own;
    }
    if (step.kind != StepKind::Send) continue;
    if (!relevance.before(i).empty() && after.empty()) return search(i, 0);
    for (std::uint32_t k = 0; k < step.args_correspond.size(); ++k)
      if (!step.args_correspond[k] &&
          after.contains({Location::Kind::Message, static_cast<std::uint32_t>(i), k}))
        return search(i, k + 1);
  }
  const AnalysisStep& last = t.steps.back();
  if (last.kind == StepKind::Recv) return {};
  return search(t.steps.size(), value_root(last));
}

}  // namespace parley::cegar
