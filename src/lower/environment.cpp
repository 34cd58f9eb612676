#include "lower/environment.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lower/expressions.hpp"

namespace parley::lower {

namespace {

void make_owner(Context& c) {
  if (c.environment.valid()) return;
  system::Owner owner;
  owner.name = "environment";
  owner.type_name = "environment";
  owner.kind = system::OwnerKind::Environment;
  owner.may_rest = c.pool().boolean(true);
  c.map.owner_objects.push_back(Id<void>::kNone);
  c.environment = c.system.add(std::move(owner));
}

struct Sending {
  SignalDeclId signal;
  std::uint32_t object = 0;
  ExprId guard;
  std::vector<std::pair<ExprId, ExprId>> ranges;  // of the arguments
  CellId counter;                                 // how many were sent; invalid: no limit
  diag::Span span;
};

// A range of references that begins one below the first object of the class has null as its lowest value.
void add_sending(Context& c, const Sending& s) {
  make_owner(c);
  const Object& o = c.objects[s.object];
  system::Stmt send;
  send.kind = system::StmtKind::Send;
  send.target = c.pool().constant(0);
  send.routes = {{c.threads[o.thread].queue, o.signals[s.signal.index()]}};
  send.origin = origin_of(s.span);
  std::vector<StmtId> list;
  system::Action a;
  const system::Signal signal = c.system.signal(o.signals[s.signal.index()]);
  for (std::size_t i = 0; i < signal.params.size(); ++i) {
    const Type type = signal.params[i];
    const auto [lo, hi] = s.ranges[i];
    if (lo == hi) {
      send.args.push_back(lo);
      continue;
    }
    const std::uint32_t local = a.locals++;
    list.push_back(c.choose(local, lo, hi));
    ExprId v = c.pool().local(local, type);
    const bool low_is_null = type.kind == TypeKind::Ref && type.lo > 1 && c.pool().is_const(lo, type.lo - 1);
    if (low_is_null) v = c.pool().cond(c.pool().equals(v, type.lo - 1), c.pool().constant(0, type), v);
    send.args.push_back(v);
  }
  list.push_back(c.add(std::move(send)));
  a.guard = s.guard;
  if (s.counter.valid())
    list.push_back(
        c.assign(s.counter, c.pool().binary(Op::Add, c.system.read(s.counter), c.pool().constant(1))));
  a.owner = c.environment;
  a.kind = system::ActionKind::Environment;
  a.name = "sends " + signal.name + " to " + o.name;
  a.origin = origin_of(s.span);
  a.body = c.block(std::move(list));
  c.add(std::move(a));
}

// Any value of the type; for references a low end one below the first object stands for null.
std::pair<ExprId, ExprId> whole_range(Context& c, const Type& type) {
  const bool with_null = type.kind == TypeKind::Ref && type.hi > 0;
  return {c.pool().constant(with_null ? type.lo - 1 : type.lo, type), c.pool().constant(type.hi, type)};
}

void add_declared(Context& c, const model::EnvironmentDecl& d, std::size_t number) {
  Scope scope;
  Sending s;
  s.signal = d.signal_id;
  s.span = d.span;
  s.guard = d.when ? pure(c, *d.when, scope) : c.pool().boolean(true);
  const model::SignalDecl& signal = c.model.signals[d.signal_id.index()];
  for (std::size_t i = 0; i < signal.parameters.size(); ++i) {
    const Type type = c.type(signal.parameters[i].type.resolved);
    if (i >= d.arguments.size() || !d.arguments[i].lo) {
      s.ranges.push_back(whole_range(c, type));
      continue;
    }
    const std::int32_t lo = fold(c, *d.arguments[i].lo, scope, "an argument of the environment");
    const std::int32_t hi =
        d.arguments[i].hi ? fold(c, *d.arguments[i].hi, scope, "an argument of the environment") : lo;
    if (!type.contains(lo) || !type.contains(hi))
      c.refuse("argument-out-of-range", d.arguments[i].span,
               "the environment sends a value that does not fit the parameter");
    if (lo > hi) c.refuse("empty-range", d.arguments[i].span, "this range is empty");
    s.ranges.push_back({c.pool().constant(lo, type), c.pool().constant(hi, type)});
  }
  if (d.at_most) {
    const std::int32_t limit = fold(c, *d.at_most, scope, "the limit of the environment");
    system::Cell cell;
    cell.name = fmt::format("environment: {} sent", signal.name);
    cell.type = Type::range(0, std::max(limit, 0));
    cell.role = system::CellRole::Bookkeeping;
    make_owner(c);
    cell.owner = c.environment;
    cell.origin = origin_of(d.span);
    BackMap::CellOrigin origin;
    origin.kind = BackMap::CellKind::EnvironmentCounter;
    origin.element = static_cast<std::uint32_t>(number);
    s.counter = c.add_cell(std::move(cell), origin);
    s.guard =
        c.pool().both(c.pool().binary(Op::Lt, c.system.read(s.counter), c.pool().constant(limit)), s.guard);
  }
  for (std::uint32_t object : objects_named(c, *d.target, scope)) {
    if (c.objects[object].machine == nullptr) {
      c.refuse("passive-receiver", d.target->span,
               "`" + c.objects[object].name + "` has no machine and receives nothing");
      continue;
    }
    s.object = object;
    if (!c.refused) add_sending(c, s);
  }
}

// Signals that an object reacts to or defers.
bool takes(const Object& o, SignalDeclId signal) {
  const model::Machine& m = o.machine->m();
  return std::any_of(m.transitions.begin(), m.transitions.end(),
                     [&](const model::Transition& t) {
                       return std::any_of(t.triggers.begin(), t.triggers.end(), [&](const model::Trigger& x) {
                         return x.kind == model::TriggerKind::AnySignal ||
                                (x.kind == model::TriggerKind::Signal && x.signal == signal);
                       });
                     }) ||
         std::any_of(m.vertices.begin(), m.vertices.end(), [&](const model::Vertex& v) {
           return std::find(v.deferred.begin(), v.deferred.end(), signal) != v.deferred.end();
         });
}

bool sends(const model::Stmt& s, SignalDeclId signal) {
  if (s.kind == model::StmtKind::Send && s.signal == signal) return true;
  return std::any_of(s.children.begin(), s.children.end(),
                     [&](const model::StmtPtr& x) { return sends(*x, signal); });
}

// Some behaviour of a class that has objects sends the signal.
bool is_internal(const Context& c, SignalDeclId signal) {
  const auto in = [&](const model::Behaviour& b) { return b.body && sends(*b.body, signal); };
  return std::any_of(c.model.classes.begin(), c.model.classes.end(), [&](const model::Class& k) {
    const bool operations = std::any_of(k.operations.begin(), k.operations.end(),
                                        [&](const model::Operation& o) { return in(o.body); });
    if (operations || !k.machine) return operations;
    return std::any_of(k.machine->transitions.begin(), k.machine->transitions.end(),
                       [&](const model::Transition& t) { return in(t.effect); }) ||
           std::any_of(k.machine->vertices.begin(), k.machine->vertices.end(), [&](const model::Vertex& v) {
             return in(v.entry) || in(v.exit) || in(v.do_activity);
           });
  });
}

}  // namespace

void add_environment(Context& c) {
  for (std::size_t i = 0; i < c.model.system->environment.size() && !c.refused; ++i)
    add_declared(c, c.model.system->environment[i], i);
  if (c.switches().environment != model::EnvironmentMode::Open) return;
  for (std::size_t k = 0; k < c.model.signals.size(); ++k) {
    const SignalDeclId signal(k);
    const bool declared = std::any_of(c.model.system->environment.begin(), c.model.system->environment.end(),
                                      [&](const model::EnvironmentDecl& d) { return d.signal_id == signal; });
    if (declared || is_internal(c, signal)) continue;
    for (const Object& o : c.objects) {
      if (o.machine == nullptr || !takes(o, signal)) continue;
      Sending s;
      s.signal = signal;
      s.object = o.number;
      s.guard = c.pool().boolean(true);
      s.span = c.model.signals[k].span;
      for (const model::Parameter& p : c.model.signals[k].parameters)
        s.ranges.push_back(whole_range(c, c.type(p.type.resolved)));
      add_sending(c, s);
    }
  }
}

std::set<std::pair<QueueId, SignalId>> sent_messages(const Context& c) {
  std::set<std::pair<QueueId, SignalId>> result;
  for (const system::Stmt& s : c.system.stmts)
    for (const system::Route& r : s.routes)
      if (r.queue.valid()) result.insert({r.queue, r.signal});
  return result;
}

}  // namespace parley::lower
