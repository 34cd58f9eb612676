#include "cegar/backward_walk.hpp"

#include "cegar/tree_terms.hpp"

namespace parley::cegar {

using domain::Interval;
using expr::Op;

namespace {
const domain::Word kWord{32};
}

BackwardWalk::BackwardWalk(const System& system, const AnalysisTrace& trace, std::string refiner)
    : s_(system), t_(trace) {
  out_.refiner = std::move(refiner);
}

Refinement BackwardWalk::run(const Relevance& relevance) {
  std::size_t from = t_.steps.size();
  const AnalysisStep& last = t_.steps.back();
  std::size_t root = value_root(last);
  if (last.kind == StepKind::Recv) {
    const auto send = relevance.check_target_correspondence(last.queue_abstract, from);
    if (!send) return {};
    from = *send;
    root = 0;
  }
  const AnalysisStep& step = t_.steps[from - 1];
  if (step.concrete.size() <= root || step.abstract.size() <= root) return {};
  out_.step = from;
  out_.expression = system::show(s_, step.concrete[root].expr);
  number_ = from;
  exactly(step.concrete[root], &step.abstract[root]);
  for (number_ = from - 1; number_ >= 1; --number_) back(t_.steps[number_ - 1]);
  return std::move(out_);
}

std::optional<Interval> BackwardWalk::take(const Location& l) {
  const auto at = wanted_.find(l);
  if (at == wanted_.end()) return std::nullopt;
  const Interval i = at->second;
  wanted_.erase(at);
  return i;
}

void BackwardWalk::back(const AnalysisStep& step) {
  const auto abstract = [&step](std::size_t root) {
    return step.abstract.size() > root ? &step.abstract[root] : nullptr;
  };
  const std::size_t value = value_root(step);
  switch (step.kind) {
    case StepKind::Assign: {
      const auto c = take({Location::Kind::Cell, step.target_concrete.value, 0});
      const bool same = step.target_concrete == step.target_abstract;
      const auto a = same ? c : take({Location::Kind::Cell, step.target_abstract.value, 0});
      if (!c && !a) return;
      for (std::size_t k = 0; k < value; ++k) exactly(step.concrete[k], abstract(k));
      if (c) within(step.concrete[value], abstract(value), *c);
      return;
    }
    case StepKind::SetLocal:
      if (const auto i = take({Location::Kind::Local, step.event, step.local}))
        if (s_.stmt(step.stmt).kind == system::StmtKind::SetLocal)
          within(step.concrete[value], abstract(value), *i);
      return;
    case StepKind::Recv: {
      if (!step.signal.valid()) return;
      const auto count = static_cast<std::uint32_t>(s_.signal(step.signal).params.size());
      for (std::uint32_t k = 0; k < count; ++k)
        if (const auto i = take({Location::Kind::FrameParam, step.event, k}))
          want({Location::Kind::Message, step.message_concrete, k}, *i);
      return;
    }
    case StepKind::Send:
      for (std::uint32_t k = 0; k + 1 < step.concrete.size(); ++k)
        if (const auto i = take({Location::Kind::Message, static_cast<std::uint32_t>(number_), k}))
          within(step.concrete[k + 1], abstract(k + 1), *i);
      return;
    default:
      return;
  }
}

void BackwardWalk::want(const Location& l, const Interval& i) {
  const auto [at, fresh] = wanted_.try_emplace(l, i);
  if (!fresh) at->second = intersect(at->second, i);
}

void BackwardWalk::within(const Tree& c, const Tree* a, Interval i) {
  if (c.failed || !i.contains(c.value.lo)) return;
  if (a != nullptr && !a->failed && eval_corr(c, *a) && i.contains(a->value)) return;  // it does already
  into(c, a, i);
}

void BackwardWalk::exactly(const Tree& c, const Tree* a) {
  if (!c.failed) within(c, a, c.value);
}

void BackwardWalk::children_exactly(const Tree& c, const Tree* a) {
  for (std::size_t i = 0; i < c.children.size(); ++i) exactly(c.children[i], child(c, a, i));
}

const Tree* BackwardWalk::child(const Tree& c, const Tree* a, std::size_t i) {
  return twin(c, a, i);
}

Interval BackwardWalk::around(const Tree& c, const Tree* a) {
  return a != nullptr && a->value.contains(c.value.lo) ? a->value : kWord.all();
}

bool BackwardWalk::is_name(Op op) {
  return op == Op::Cell || op == Op::Param || op == Op::Local || op == Op::Elem;
}

void BackwardWalk::ask(const Tree& name, const Interval& i) {
  const expr::Node& n = s_.exprs[name.expr];
  const std::uint32_t event = t_.steps[number_ - 1].event;
  if (n.op == Op::Cell) want({Location::Kind::Cell, n.a, 0}, i);
  if (n.op == Op::Param) want({Location::Kind::FrameParam, event, n.a}, i);
  if (n.op == Op::Local) want({Location::Kind::Local, event, n.a}, i);
  if (n.op == Op::Elem && name.cell.valid()) want({Location::Kind::Cell, name.cell.value, 0}, i);
  const auto v = variable_of(s_, t_, number_, name);
  if (!v) return;
  auto& cuts = out_.cuts[*v];
  if (i.lo > kWord.min()) cuts.insert(i.lo);
  if (i.hi < kWord.max()) cuts.insert(i.hi + 1);
}

}  // namespace parley::cegar
