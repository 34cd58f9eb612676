#include "front/promela/points.hpp"

namespace parley::front::promela {

ChannelSets::ChannelSets(const Program& program) {
  const auto declare = [&](const VariablePtr& v) {
    for (const Leaf& leaf : leaves(program, *v)) {
      if (!leaf.variable->channel) continue;
      for (std::uint32_t i = 0; i < leaf.elements(); ++i) {
        const DeclaredChannel c{v.get(), leaf.path, i, static_cast<std::uint32_t>(all_.size()),
                                &*leaf.variable->channel};
        all_.push_back(c);
        sets_[Place{leaf.variable}].insert(c);
      }
    }
    if (v->init) flow(*v->init, v.get());
  };
  for (const VariablePtr& v : program.globals) declare(v);
  for (const Proctype& p : program.proctypes) {
    for (const VariablePtr& v : p.parameters) declare(v);
    for (const VariablePtr& v : p.locals) declare(v);
  }
  for (const Proctype& p : program.proctypes) statements(program, p.body);
  solve();
}

const std::vector<DeclaredChannel>& ChannelSets::of(const Variable* leaf) const {
  static const std::vector<DeclaredChannel> none;
  const auto found = result_.find(leaf);
  return found == result_.end() ? none : found->second;
}

void ChannelSets::flow(const Expr& from, const Variable* to) {
  if (from.kind == ExprKind::Var) copies_.push_back({&from.ref.leaf(), to});
  if (from.kind == ExprKind::Cond) {
    flow(*from.args[1], to);
    flow(*from.args[2], to);
  }
}

void ChannelSets::run(const Program& program, const Expr& e) {
  for (const Proctype& p : program.proctypes) {
    if (p.name != e.name) continue;
    std::vector<const Variable*> formal;
    for (const VariablePtr& v : p.parameters)
      for (const Leaf& leaf : leaves(program, *v)) formal.push_back(leaf.variable);
    std::size_t at = 0;
    for (const ExprPtr& arg : e.args) {
      if (arg->kind == ExprKind::Var && arg->ref.leaf().type.base == Base::Struct) {
        for (const Leaf& leaf : leaves(program, arg->ref.leaf()))
          if (at < formal.size()) copies_.push_back({leaf.variable, formal[at++]});
      } else if (at < formal.size()) {
        flow(*arg, formal[at++]);
      }
    }
  }
}

void ChannelSets::expression(const Program& program, const Expr& e) {
  if (e.kind == ExprKind::Run) run(program, e);
  for (const ExprPtr& arg : e.args) expression(program, *arg);
}

void ChannelSets::statements(const Program& program, const Sequence& sequence) {
  for (const StmtPtr& s : sequence) {
    for (const Sequence& option : s->options) statements(program, option);
    if (s->expr) expression(program, *s->expr);
    const bool assigns = s->kind == StmtKind::Assign || s->kind == StmtKind::Declare;
    if (assigns && s->target && s->target->kind == ExprKind::Var) {
      written_.insert(&s->target->ref.leaf());
      if (s->expr) flow(*s->expr, &s->target->ref.leaf());
    }
    if (s->kind != StmtKind::Send && s->kind != StmtKind::Receive) continue;
    const Variable* channel = &s->target->ref.leaf();
    std::uint32_t field = 0;
    for (const ExprPtr& arg : s->args) {
      if (arg->kind == ExprKind::Var) {
        for (const Leaf& leaf : message_leaves(program, arg->ref)) {
          for (std::uint32_t i = 0; i < leaf.elements(); ++i)
            transfers_.push_back({channel, field++, leaf.variable, s->kind == StmtKind::Send});
          if (s->kind == StmtKind::Receive) written_.insert(leaf.variable);
        }
      } else if (arg->kind == ExprKind::Cond && s->kind == StmtKind::Send) {
        for (std::size_t i : {1u, 2u})
          if (arg->args[i]->kind == ExprKind::Var)
            transfers_.push_back({channel, field, &arg->args[i]->ref.leaf(), true});
        ++field;
      } else {
        ++field;
      }
    }
  }
}

void ChannelSets::solve() {
  bool changed = true;
  const auto merge = [&](const Place& from, const Place& to) {
    const auto source = sets_.find(from);
    if (source == sets_.end() || from == to) return;
    auto& target = sets_[to];
    for (const auto& item : source->second) changed = target.insert(item).second || changed;
  };
  while (changed) {
    changed = false;
    for (const Copy& c : copies_) merge(Place{c.from}, Place{c.to});
    for (const Transfer& t : transfers_) {
      const auto channels = sets_.find(Place{t.channel});
      if (channels == sets_.end()) continue;
      const auto copy = channels->second;
      for (const DeclaredChannel& c : copy) {
        const Place field{nullptr, c.number, t.field};
        t.is_send ? merge(Place{t.variable}, field) : merge(field, Place{t.variable});
      }
    }
  }
  for (const auto& [place, set] : sets_)
    if (place.variable) result_[place.variable].assign(set.begin(), set.end());
}

}  // namespace parley::front::promela
