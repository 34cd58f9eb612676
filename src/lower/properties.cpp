#include "lower/properties.hpp"

#include <array>

#include "lower/completion.hpp"
#include "lower/formulas.hpp"
#include "model/show.hpp"

namespace parley::lower {

using model::CheckKind;
using system::PropertyKind;

namespace {

PropertyKind kind_of(CheckKind k) {
  switch (k) {
    case CheckKind::NoDeadlock:
      return PropertyKind::NoDeadlock;
    case CheckKind::NoLostMessages:
      return PropertyKind::NoLostMessages;
    case CheckKind::NoAssertionFailures:
      return PropertyKind::NoAssertionFailure;
    case CheckKind::NoRuntimeErrors:
      return PropertyKind::NoRuntimeError;
    case CheckKind::NoOverflow:
      return PropertyKind::NoOverflow;
    case CheckKind::NoUnreachableStates:
      return PropertyKind::NoUnreachableStates;
    case CheckKind::NoUnreachableTransitions:
      return PropertyKind::NoUnreachableTransitions;
    case CheckKind::NoEndlessCompletion:
      return PropertyKind::NoEndlessCompletion;
    case CheckKind::NoUnboundedQueues:
      return PropertyKind::NoUnboundedQueues;
    case CheckKind::Always:
      return PropertyKind::Always;
    case CheckKind::Never:
      return PropertyKind::Never;
    case CheckKind::Reachable:
      return PropertyKind::Reachable;
    case CheckKind::Temporal:
      return PropertyKind::Temporal;
  }
  return PropertyKind::NoDeadlock;
}

// What must hold in every state: of a formula that says nothing else. Null: it does.
const model::Expr* invariant(const model::Formula& f) {
  const bool globally = f.kind == model::Formula::Kind::Globally;
  const model::Formula& inner = globally ? *f.operands[0] : f;
  return inner.kind == model::Formula::Kind::Predicate ? inner.expression.get() : nullptr;
}

void add_check(Context& c, const model::CheckDecl& d) {
  system::Property p;
  p.kind = kind_of(d.kind);
  p.name = d.name.empty() ? model::show(d) : d.name + ": " + model::show(d);
  p.origin = origin_of(d.span);
  if (d.expression) {
    Scope scope;
    p.expression = pure(c, *d.expression, scope);
  }
  if (const model::Expr* e = d.formula ? invariant(*d.formula) : nullptr) {
    Scope scope;
    p.kind = PropertyKind::Always;
    p.expression = pure(c, *e, scope);
  } else if (d.formula) {
    p.temporal = model::show(*d.formula);
    p.formula = formula(c, *d.formula);
    if (!model::has_temporal_operator(*d.formula)) {
      system::Formula always;
      always.kind = system::Formula::Kind::Globally;
      always.span = d.formula->span;
      always.operands.push_back(std::move(*p.formula));
      p.formula = std::move(always);
    }
  }
  c.system.add(std::move(p));
}

// Everything that needs no formula: what is checked when the model says nothing.
constexpr std::array kWithoutFormula = {PropertyKind::NoDeadlock,
                                        PropertyKind::NoLostMessages,
                                        PropertyKind::NoAssertionFailure,
                                        PropertyKind::NoRuntimeError,
                                        PropertyKind::NoOverflow,
                                        PropertyKind::NoUnreachableStates,
                                        PropertyKind::NoUnreachableTransitions,
                                        PropertyKind::NoEndlessCompletion};

}  // namespace

void add_properties(Context& c) {
  for (const model::CheckDecl& d : c.model.checks) add_check(c, d);
  if (!c.model.checks.empty()) return;
  for (PropertyKind kind : kWithoutFormula) {
    system::Property p;
    p.kind = kind;
    p.name = system::describe(kind);
    c.system.add(std::move(p));
  }
}

void add_resting(Context& c) {
  for (const Object& o : c.objects) {
    if (o.machine == nullptr) continue;
    const model::Machine& m = o.machine->m();
    ExprId ended = c.pool().boolean(true);
    for (RegionId r : m.top) ended = c.pool().both(ended, region_done(c, o, r));
    ExprId rest = ended;
    if (o.machine->terminated_location() != 0)
      rest = c.pool().either(rest, c.at(o, m.top.front(), o.machine->terminated_location()));
    for (std::size_t v = 0; v < m.vertices.size(); ++v)
      if (m.vertices[v].waiting && m.vertices[v].kind == VertexKind::State)
        rest = c.pool().either(rest, c.active(o, VertexId(v)));
    c.system.owners[o.owner.index()].may_rest = rest;
  }
}

}  // namespace parley::lower
