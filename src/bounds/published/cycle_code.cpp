#include "bounds/published/cycle_code.hpp"

#include <algorithm>

#include "solver/ilp/integer.hpp"

namespace parley::bounds::published {

using expr::Op;
using solver::ilp::Program;
using solver::ilp::Rational;
using solver::ilp::Sense;
using solver::ilp::Terms;
using system::CellId;
using system::ExprId;
using system::StmtKind;

namespace {

void add(Linear& to, const Linear& other, std::int64_t times) {
  for (const auto& [cell, c] : other.terms)
    if ((to.terms[cell] += c * times) == 0) to.terms.erase(cell);
  to.constant += other.constant * times;
}

}  // namespace

std::optional<Linear> linear_form(const system::System& s, ExprId e) {
  const expr::Node& n = s.exprs[e];
  Linear l;
  switch (n.op) {
    case Op::Const:
      l.constant = n.value;
      return l;
    case Op::Cell:
      l.terms[CellId(n.a)] = 1;
      return l;
    case Op::TruncU:
    case Op::TruncS:
      return linear_form(s, n.operands[0]);
    case Op::Neg: {
      const auto x = linear_form(s, n.operands[0]);
      if (!x) return x;
      add(l, *x, -1);
      return l;
    }
    case Op::Add:
    case Op::Sub: {
      const auto x = linear_form(s, n.operands[0]), y = linear_form(s, n.operands[1]);
      if (!x || !y) return std::nullopt;
      add(l, *x, 1);
      add(l, *y, n.op == Op::Add ? 1 : -1);
      return l;
    }
    case Op::Mul: {
      const auto x = linear_form(s, n.operands[0]), y = linear_form(s, n.operands[1]);
      if (!x || !y || (!x->terms.empty() && !y->terms.empty())) return std::nullopt;
      add(l, x->terms.empty() ? *y : *x, x->terms.empty() ? x->constant : y->constant);
      return l;
    }
    default:
      return std::nullopt;  // not linear, or not known to be
  }
}

std::optional<std::vector<Disjunct>> normal_form(const system::System& s, ExprId e, bool negated) {
  const expr::Node& n = s.exprs[e];
  if (n.op == Op::Not) return normal_form(s, n.operands[0], !negated);
  if (n.op == Op::AndAlso || n.op == Op::OrElse) {
    const auto x = normal_form(s, n.operands[0], negated), y = normal_form(s, n.operands[1], negated);
    if (!x || !y) return std::nullopt;
    std::vector<Disjunct> all;
    if ((n.op == Op::OrElse) != negated) {
      all = *x;
      all.insert(all.end(), y->begin(), y->end());
      return all;
    }
    for (const Disjunct& a : *x)
      for (const Disjunct& b : *y) {
        all.push_back(a);
        all.back().insert(all.back().end(), b.begin(), b.end());
      }
    if (all.size() > 64) return std::nullopt;
    return all;
  }
  if (n.op == Op::Const)
    return (n.value != 0) != negated ? std::vector<Disjunct>{{}} : std::vector<Disjunct>{};
  Linear left, right;
  Op op = n.op;
  if (expr::is_comparison(op)) {
    const auto x = linear_form(s, n.operands[0]), y = linear_form(s, n.operands[1]);
    if (!x || !y) return std::nullopt;
    left = *x;
    right = *y;
  } else {  // a truth value: different from 0
    const auto x = linear_form(s, e);
    if (!x) return std::nullopt;
    left = *x;
    op = Op::Ne;
  }
  if (negated) op = expr::info(op).negation;
  add(left, right, -1);
  const std::int64_t boundary = -left.constant;
  left.constant = 0;
  switch (expr::comparison(op)) {
    case expr::Comparison::Lt:
      return std::vector<Disjunct>{{{left, Relation::Less, boundary}}};
    case expr::Comparison::Le:
      return std::vector<Disjunct>{{{left, Relation::Less, boundary + 1}}};
    case expr::Comparison::Gt:
      return std::vector<Disjunct>{{{left, Relation::Greater, boundary}}};
    case expr::Comparison::Ge:
      return std::vector<Disjunct>{{{left, Relation::Greater, boundary - 1}}};
    case expr::Comparison::Eq:
      return std::vector<Disjunct>{{{left, Relation::Equal, boundary}}};
    case expr::Comparison::Ne:
      return std::vector<Disjunct>{{{left, Relation::Less, boundary}}, {{left, Relation::Greater, boundary}}};
  }
  internal_error("comparison", __FILE__, __LINE__);
}

namespace {

void conditions(const system::System& s, ExprId e, std::vector<CodeStep>& out) {
  const expr::Node& n = s.exprs[e];
  if (n.op == Op::AndAlso) {
    conditions(s, n.operands[0], out);
    conditions(s, n.operands[1], out);
    return;
  }
  const auto form = normal_form(s, e);
  if (!form) return;
  for (const Disjunct& d : *form)
    for (const Atom& a : d)
      for (const auto& [cell, c] : a.control.terms)
        if (s.cell(cell).role == system::CellRole::Location) return;
  if (n.op != Op::Const) out.push_back({CodeStep::Kind::Condition, e, {}});
}

void statements(const system::System& s, system::StmtId id, bool certain, std::vector<CodeStep>& out) {
  const system::Stmt& st = s.stmt(id);
  if (st.kind == StmtKind::Assign) {
    // An array element chosen at run time may be any of them.
    if (!st.place.cell.valid()) {
      for (CellId c : s.exprs.table(st.place.table).cells)
        if (c.valid()) out.push_back({CodeStep::Kind::Forget, {}, c});
    } else if (certain && linear_form(s, st.value)) {
      out.push_back({CodeStep::Kind::Assign, st.value, st.place.cell});
    } else {
      out.push_back({CodeStep::Kind::Forget, {}, st.place.cell});
    }
  }
  const bool straight = st.kind == StmtKind::Block;
  for (system::StmtId child : st.children) statements(s, child, certain && straight, out);
}

}  // namespace

std::vector<CodeStep> code_of(const system::System& s, const Edge& edge) {
  std::vector<CodeStep> code;
  if (!edge.action.valid()) return code;
  const system::Action& action = s.action(edge.action);
  if (action.partner.valid()) {  // one of several ways a rendezvous can go: what is received may be anything
    statements(s, action.body, false, code);
    return code;
  }
  conditions(s, action.guard, code);
  statements(s, action.body, true, code);
  return code;
}

StepValues step_values(const system::System& s, const std::vector<CodeStep>& code, const Disjunct& under,
                       const Linear& control) {
  Program p;
  std::map<CellId, std::uint32_t> first, now;  // program variable of each cell
  const auto variable = [&](CellId c) {
    const auto [at, fresh] = now.try_emplace(c, 0);
    if (fresh) at->second = first[c] = p.add_variable(0, true);
    return at->second;
  };
  const auto terms = [&](const Linear& l) {
    Terms t;
    for (const auto& [cell, c] : l.terms) t.emplace_back(variable(cell), Rational(static_cast<long>(c)));
    return t;
  };
  for (const auto& [cell, c] : control.terms) variable(cell);
  for (const Atom& a : under) {
    const Rational b(static_cast<long>(a.boundary));
    if (a.relation == Relation::Less)
      p.add_row(terms(a.control), Sense::AtMost, b - 1);
    else if (a.relation == Relation::Greater)
      p.add_row(terms(a.control), Sense::AtLeast, b + 1);
    else
      p.add_row(terms(a.control), Sense::Equal, b);
  }
  for (const CodeStep& step : code) {
    if (step.kind == CodeStep::Kind::Condition) continue;
    if (step.kind == CodeStep::Kind::Forget) {
      variable(step.cell);
      now[step.cell] = p.add_variable(0, true);
      continue;
    }
    const Linear value = *linear_form(s, step.expression);
    Terms t = terms(value);
    variable(step.cell);
    const std::uint32_t next = p.add_variable(0, true);
    t.emplace_back(next, -1);
    p.add_row(std::move(t), Sense::Equal, Rational(static_cast<long>(-value.constant)));
    now[step.cell] = next;
  }
  const auto optimum = [&](int sign) -> std::optional<std::int64_t> {
    for (Rational& c : p.costs) c = 0;
    for (const auto& [cell, c] : control.terms) {
      p.costs[now.at(cell)] += Rational(static_cast<long>(sign * c));
      p.costs[first.at(cell)] -= Rational(static_cast<long>(sign * c));
    }
    const solver::ilp::Solution r = solver::ilp::solve_integer(p);
    if (r.status != solver::ilp::Status::Optimal) return std::nullopt;
    return sign * r.objective.get_num().get_si();
  };
  return {optimum(1), optimum(-1)};
}

std::optional<ConditionFacts> analyse_condition(const system::System& s, const std::vector<CodeStep>& code,
                                                const InitialValues& initial, const Possible& possible) {
  auto form = normal_form(s, code.front().expression);
  if (!form) return std::nullopt;
  if (possible) std::erase_if(*form, [&](const Disjunct& d) { return !possible(d); });
  if (form->empty()) return std::nullopt;
  ConditionFacts facts;
  facts.form = *form;
  facts.exits = true;
  facts.most = 0;
  for (const Disjunct& d : *form) {
    facts.atoms.emplace_back();
    bool exits = false;
    std::optional<std::int64_t> most;
    for (const Atom& atom : d) {
      AtomFacts a;
      // The step must be right whichever disjunct let the cycle pass. Only the slowest move counts: the other
      // end may be unbounded (`x > 0`, then x = 0).
      std::optional<std::int64_t> lowest, highest;
      bool rises = true, falls = true;
      for (const Disjunct& under : *form) {
        const StepValues v = step_values(s, code, under, atom.control);
        rises = rises && v.lowest && *v.lowest > 0;
        falls = falls && v.highest && *v.highest < 0;
        if (rises) lowest = lowest ? std::min(*lowest, *v.lowest) : *v.lowest;
        if (falls) highest = highest ? std::max(*highest, *v.highest) : *v.highest;
      }
      if (rises) a.step = *lowest;
      if (falls) a.step = *highest;
      a.monotone = a.step != 0;
      a.exit_border = a.step != 0 && (atom.relation == Relation::Equal ||
                                      (atom.relation == Relation::Less ? a.step > 0 : a.step < 0));
      if (a.exit_border && atom.relation == Relation::Equal) {
        a.most = 1;
      } else if (a.exit_border) {
        if (const auto values = initial(atom.control)) {
          std::int64_t rounds = 0;
          for (std::int64_t v : *values) {
            const std::int64_t distance = atom.boundary - v;
            if ((distance > 0) == (a.step > 0) && distance != 0)
              rounds = std::max(rounds, (std::abs(distance) + std::abs(a.step) - 1) / std::abs(a.step));
          }
          a.most = rounds;
        }
      }
      exits = exits || a.exit_border;
      if (a.most) most = most ? std::min(*most, *a.most) : *a.most;
      facts.atoms.back().push_back(a);
    }
    facts.exits = facts.exits && exits;
    facts.most = facts.most && most ? std::optional(*facts.most + *most) : std::nullopt;
  }
  return facts;
}

namespace {

// The form as it was before the edge; nothing if the edge makes it unknown.
std::optional<Linear> before(const system::System& s, const Edge& edge, Linear form) {
  const std::vector<CodeStep> code = code_of(s, edge);
  for (auto step = code.rbegin(); step != code.rend(); ++step) {
    const auto at = step->kind == CodeStep::Kind::Condition ? form.terms.end() : form.terms.find(step->cell);
    if (at == form.terms.end()) continue;
    if (step->kind == CodeStep::Kind::Forget) return std::nullopt;
    const std::int64_t k = at->second;
    form.terms.erase(at);
    add(form, *linear_form(s, step->expression), k);
  }
  return form;
}

}  // namespace

std::optional<std::vector<std::int64_t>> values_on_entry(const system::System& s, const Component& c,
                                                         const std::vector<std::uint32_t>& cycle,
                                                         const Linear& form, const StartValue& start) {
  constexpr std::size_t kMaxForms = 16;  // at one node; a loop that changes the form makes ever new ones
  std::vector<bool> on_cycle(c.nodes.size(), false), initial(c.nodes.size(), false);
  for (std::uint32_t e : cycle) on_cycle[c.edges[e].from] = true;
  for (std::uint32_t n : c.initial) initial[n] = true;
  std::vector<std::vector<std::uint32_t>> in(c.nodes.size());
  for (std::uint32_t e = 0; e < c.edges.size(); ++e) in[c.edges[e].to].push_back(e);

  std::vector<std::int64_t> values;
  const auto at_start = [&](const Linear& l) {
    std::int64_t v = l.constant;
    for (const auto& [cell, k] : l.terms) {
      const auto x = start ? start(cell) : std::optional<std::int64_t>(s.cell(cell).initial);
      if (!x) return false;
      v += k * *x;
    }
    values.push_back(v);
    return true;
  };
  std::vector<std::vector<Linear>> seen(c.nodes.size());
  std::vector<std::pair<std::uint32_t, Linear>> open;
  // The form at the end of the edge, asked at its beginning; false: not known.
  const auto back = [&](const Edge& e, const Linear& after) {
    const auto l = before(s, e, after);
    if (!l) return false;
    if (l->terms.empty()) {
      values.push_back(l->constant);
      return true;
    }
    // What the cycle itself left is no new value; what others made of that is not known.
    if (on_cycle[e.from]) return *l == form;
    auto& forms = seen[e.from];
    if (std::find(forms.begin(), forms.end(), *l) != forms.end()) return true;
    if (forms.size() == kMaxForms) return false;
    forms.push_back(*l);
    open.emplace_back(e.from, *l);
    return true;
  };
  for (std::uint32_t n = 0; n < c.nodes.size(); ++n) {
    if (!on_cycle[n]) continue;
    if (initial[n] && !at_start(form)) return std::nullopt;
    for (std::uint32_t e : in[n])
      if (std::find(cycle.begin(), cycle.end(), e) == cycle.end() && !back(c.edges[e], form))
        return std::nullopt;
  }
  while (!open.empty()) {
    const auto [n, l] = std::move(open.back());
    open.pop_back();
    if (initial[n] && !at_start(l)) return std::nullopt;
    for (std::uint32_t e : in[n])
      if (!back(c.edges[e], l)) return std::nullopt;
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

}  // namespace parley::bounds::published
