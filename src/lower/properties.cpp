#include "lower/properties.hpp"

#include <array>

#include "lower/completion.hpp"
#include "lower/expressions.hpp"
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

system::EventAtom event(Context& c, const model::EventAtom& e) {
  system::EventAtom atom;
  atom.kind =
      e.kind == model::EventKind::Sends ? system::EventAtom::Kind::Sends : system::EventAtom::Kind::Receives;
  Scope scope;
  std::set<SignalId> signals;
  for (const std::uint32_t number : objects_named(c, *e.object, scope)) {
    const Object& o = c.objects[number];
    atom.owners.push_back(o.owner);
    if (e.kind == model::EventKind::Receives && o.machine != nullptr)
      signals.insert(o.signals[e.signal_id.index()]);
  }
  if (e.kind == model::EventKind::Sends)
    for (const Object& o : c.objects)
      if (o.machine != nullptr) signals.insert(o.signals[e.signal_id.index()]);
  atom.signals.assign(signals.begin(), signals.end());
  return atom;
}

system::Formula::Kind kind_of(model::Formula::Kind k) {
  using From = model::Formula::Kind;
  using To = system::Formula::Kind;
  switch (k) {
    case From::Predicate:
      return To::Predicate;
    case From::Event:
      return To::Event;
    case From::Not:
      return To::Not;
    case From::And:
      return To::And;
    case From::Or:
      return To::Or;
    case From::Implies:
      return To::Implies;
    case From::Iff:
      return To::Iff;
    case From::Globally:
      return To::Globally;
    case From::Finally:
      return To::Finally;
    case From::Until:
      return To::Until;
    case From::WeakUntil:
      return To::WeakUntil;
    case From::Release:
      return To::Release;
    case From::Next:
      return To::Next;
  }
  return To::Predicate;
}

system::Formula formula(Context& c, const model::Formula& f) {
  system::Formula result;
  result.kind = kind_of(f.kind);
  result.span = f.span;
  if (f.expression) {
    Scope scope;
    result.predicate = pure(c, *f.expression, scope);
  }
  if (f.event) result.event = event(c, *f.event);
  for (const model::FormulaPtr& o : f.operands) result.operands.push_back(formula(c, *o));
  return result;
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
  if (d.formula) {
    p.temporal = model::show(*d.formula);
    p.formula = formula(c, *d.formula);
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
