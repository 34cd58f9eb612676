#include "cegar/relevant.hpp"

#include <algorithm>

namespace parley::cegar {

using expr::Op;

bool eval_corr(const Tree& c, const Tree& a) {
  if (c.failed || a.failed) return c.failed == a.failed;
  return a.value.contains(c.value.lo);
}

std::size_t value_root(const AnalysisStep& step) {
  return step.concrete.empty() ? 0 : step.concrete.size() - 1;
}

namespace {

bool is_name(Op op) {
  return op == Op::Cell || op == Op::Elem || op == Op::Param || op == Op::Local;
}
void merge(Locations& into, Locations from) {
  into.insert(from.begin(), from.end());
}
// The pairs of operands evaluated in both runs.
template <class F>
void each_pair(const Tree& c, const Tree& a, F&& f) {
  const std::size_t n = std::min(c.children.size(), a.children.size());
  for (std::size_t i = 0; i < n; ++i)
    if (c.children[i].expr == a.children[i].expr) f(c.children[i], a.children[i]);
}

}  // namespace

// SAFE_RESOLVE (figure 5.8). A path o.x.y is a table entry found by its row expression o.x: where the two
// rows differ, the path up to there is the location.
Locations Relevance::safe_resolve(std::uint32_t event, const Tree& c, const Tree& a) const {
  const expr::Node& n = s_.exprs[c.expr];
  switch (n.op) {
    case Op::Cell:
      return {{Location::Kind::Cell, n.a, 0}};
    case Op::Param:
      return {{Location::Kind::FrameParam, event, n.a}};
    case Op::Local:
      return {{Location::Kind::Local, event, n.a}};
    default:
      break;
  }
  Locations found;
  each_pair(c, a, [&](const Tree& x, const Tree& y) {
    if (found.empty() && !eval_corr(x, y))
      found = is_name(s_.exprs[x.expr].op) ? safe_resolve(event, x, y) : relevant(event, x, y);
  });
  if (found.empty() && c.cell.valid()) found.insert({Location::Kind::Cell, c.cell.value, 0});
  return found;
}

// COLLECT_LOCATIONS (figure 5.7)
Locations Relevance::collect_locations(std::uint32_t event, const Tree& c, const Tree& a) const {
  const Op op = s_.exprs[c.expr].op;
  if (is_name(op)) return safe_resolve(event, c, a);
  if (op == Op::QueueLen || op == Op::QueueHas || op == Op::HeadIs) {
    Locations found{{Location::Kind::Queue, s_.exprs[c.expr].a, 0}};
    return found;
  }
  Locations found;
  each_pair(c, a, [&](const Tree& x, const Tree& y) { merge(found, collect_locations(event, x, y)); });
  return found;
}

// RELEVANT (figure 5.6): COND and TCOND follow the first operand that differs, INFIX and UNARY all of them,
// and where no operand differs the operator itself was nondeterministic: then everything in it.
Locations Relevance::relevant(std::uint32_t event, const Tree& c, const Tree& a) const {
  const Op op = s_.exprs[c.expr].op;
  if (op == Op::Const || is_name(op)) return collect_locations(event, c, a);
  const bool first_only = expr::is_short_circuit(op) || op == Op::Cond;
  Locations found;
  bool differs = false;
  each_pair(c, a, [&](const Tree& x, const Tree& y) {
    if ((first_only && differs) || eval_corr(x, y)) return;
    differs = true;
    merge(found, relevant(event, x, y));
  });
  return differs ? found : collect_locations(event, c, a);
}

// REF (figure 5.12): whatever was evaluated in either run.
Locations Relevance::ref(std::uint32_t event, const Tree& c, const Tree& a) const {
  const Op op = s_.exprs[c.expr].op;
  if (op == Op::Const || is_name(op) || op == Op::QueueLen || op == Op::QueueHas || op == Op::HeadIs)
    return collect_locations(event, c, a);
  Locations found;
  const std::size_t n = std::max(c.children.size(), a.children.size());
  for (std::size_t i = 0; i < n; ++i) {
    const Tree* x = i < c.children.size() ? &c.children[i] : nullptr;
    const Tree* y = i < a.children.size() ? &a.children[i] : nullptr;
    if (x != nullptr && y != nullptr && x->expr == y->expr) {
      merge(found, ref(event, *x, *y));
    } else {
      if (x != nullptr) merge(found, ref(event, *x, *x));
      if (y != nullptr) merge(found, ref(event, *y, *y));
    }
  }
  return found;
}

std::optional<std::size_t> Relevance::check_target_correspondence(system::QueueId queue,
                                                                  std::size_t last) const {
  for (std::size_t i = 1; i <= std::min(last, t_.steps.size()); ++i) {
    const AnalysisStep& step = t_.steps[i - 1];
    if (step.kind != StepKind::Send) continue;
    if ((step.queue_concrete == queue) != (step.queue_abstract == queue)) return i;
  }
  return std::nullopt;
}

void Relevance::start(std::size_t number, Locations locations) {
  before_.assign(t_.steps.size() + 1, {});
  initial_number_ = number;
  initial_ = locations;
  before_[number - 1] = std::move(locations);
}

void Relevance::restart_at_send(std::size_t number) {
  const AnalysisStep& send = t_.steps[number - 1];
  Locations found;
  if (!send.concrete.empty() && !send.abstract.empty())
    found = relevant(send.event, send.concrete[0], send.abstract[0]);
  start(number, std::move(found));
}

// INITIAL_RELEVANT_LOCATIONS (figure 5.10)
bool Relevance::compute() {
  const std::size_t last = t_.steps.size();
  const AnalysisStep& step = t_.steps.back();
  if (step.kind == StepKind::Recv) {
    const auto send = check_target_correspondence(step.queue_abstract, last);
    if (!send) return false;
    restart_at_send(*send);
  } else {
    const std::size_t root = value_root(step);
    if (step.concrete.empty() || step.abstract.size() <= root) return false;
    start(last, relevant(step.event, step.concrete[root], step.abstract[root]));
  }
  propagate();
  return true;
}

// PROPAGATE_RELEVANT_LOCATIONS (figure 5.11), backwards from the initial ones.
void Relevance::propagate() {
  for (std::size_t i = t_.steps.size() - 1; i >= 1; --i) {
    before_[i - 1].insert(before_[i].begin(), before_[i].end());
    const AnalysisStep& step = t_.steps[i - 1];
    bool again = false;
    switch (step.kind) {
      case StepKind::Assign:
      case StepKind::SetLocal:
        again = assign(i, step);
        break;
      case StepKind::Recv:
        again = receive(i, step);
        break;
      case StepKind::Send:
        for (std::uint32_t k = 0; k + 1 < step.concrete.size(); ++k) {
          const Location arg{Location::Kind::Message, static_cast<std::uint32_t>(i), k};
          if (!before_[i].contains(arg)) continue;
          before_[i - 1].erase(arg);
          if (step.abstract.size() > k + 1)
            merge(before_[i - 1],
                  sources(step, k + 1, k >= step.args_correspond.size() || step.args_correspond[k]));
        }
        break;
      default:
        break;
    }
    // A relevant queue (its length or contents were asked for): who filled it differently?
    for (const Location& l : Locations(before_[i - 1])) {
      if (l.kind != Location::Kind::Queue || again) continue;
      const auto send = check_target_correspondence(system::QueueId(l.a), i);
      if (send && restarts_ < 8) {
        ++restarts_;
        restart_at_send(*send);
        again = true;
      } else {
        before_[i - 1].erase(l);
      }
    }
    if (again) {
      i = t_.steps.size();  // start over from the end, as line 29 does
      if (i == 1) return;
    }
  }
}

Locations Relevance::sources(const AnalysisStep& step, std::size_t root, bool corresponds) const {
  const Tree &c = step.concrete[root], &a = step.abstract[root];
  if (options_.analyse_propagation && !corresponds && !eval_corr(c, a)) return relevant(step.event, c, a);
  return ref(step.event, c, a);
}

// Lines 6 to 18. Never restarts.
bool Relevance::assign(std::size_t i, const AnalysisStep& step) {
  Locations &now = before_[i - 1], &after = before_[i];
  if (step.kind == StepKind::SetLocal) {
    const Location local{Location::Kind::Local, step.event, step.local};
    if (!after.contains(local)) return false;
    now.erase(local);
    for (std::size_t k = 0; k < std::min(step.concrete.size(), step.abstract.size()); ++k)
      merge(now, sources(step, k, step.corresponds));
    return false;
  }
  const Location c{Location::Kind::Cell, step.target_concrete.value, 0};
  const Location a{Location::Kind::Cell, step.target_abstract.value, 0};
  if (!after.contains(c) && !after.contains(a)) return false;
  now.erase(c);
  now.erase(a);
  const std::size_t value = value_root(step);
  if (step.concrete.empty() || step.abstract.size() <= value) return false;
  if (c == a) {
    merge(now, sources(step, value, step.corresponds));
    return false;
  }
  for (std::size_t k = 0; k < value; ++k)
    if (!eval_corr(step.concrete[k], step.abstract[k]))
      merge(now, relevant(step.event, step.concrete[k], step.abstract[k]));
  return false;
}

// Lines 19 to 33.
bool Relevance::receive(std::size_t i, const AnalysisStep& step) {
  std::vector<Location> params;
  for (const Location& l : before_[i])
    if (l.kind == Location::Kind::FrameParam && l.a == step.event) params.push_back(l);
  if (params.empty()) return false;
  const bool same = step.message_concrete == step.message_abstract;
  const auto send = check_target_correspondence(step.queue_abstract, i);
  if (send && !(options_.weak_message_correspondence && same) && restarts_ < 8) {
    ++restarts_;
    restart_at_send(*send);
    return true;
  }
  for (const Location& l : params) {
    before_[i - 1].erase(l);
    if (step.message_concrete != 0)
      before_[i - 1].insert({Location::Kind::Message, step.message_concrete, l.b});
  }
  return false;
}

}  // namespace parley::cegar
