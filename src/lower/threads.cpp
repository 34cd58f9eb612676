// Threads, queues and the signals in them: one queue per object, or one per thread with signals that know
// their receiver (meller2014, section 2).
#include <algorithm>

#include "lower/cells.hpp"
#include "lower/expressions.hpp"

namespace parley::lower {

using system::CellRole;

// ------------------------------------------------------------------------------------------

void make_threads(Context& c) {
  std::vector<bool> placed(c.objects.size());
  const auto place = [&](Thread thread) {
    for (std::size_t i = 0; i < thread.members.size(); ++i) {
      Object& o = c.objects[thread.members[i]];
      o.thread = static_cast<std::uint32_t>(c.threads.size());
      o.place = static_cast<std::uint32_t>(i) + 1;
      placed[o.number] = true;
    }
    c.threads.push_back(std::move(thread));
  };
  Scope scope;
  for (const model::ThreadDecl& d : c.model.system->threads) {
    Thread thread;
    thread.name = d.name;
    for (const auto& member : d.members)
      for (std::uint32_t number : objects_named(c, *member, scope)) {
        const bool twice =
            std::find(thread.members.begin(), thread.members.end(), number) != thread.members.end();
        if (placed[number] || twice)
          c.refuse("two-threads", member->span,
                   "`" + c.objects[number].name + "` is listed in a thread twice");
        else if (c.objects[number].machine != nullptr)
          thread.members.push_back(number);
      }
    if (!thread.members.empty()) place(std::move(thread));
  }
  for (std::size_t i = 0; i < c.objects.size(); ++i)
    if (c.objects[i].machine != nullptr && !placed[i])
      place({c.objects[i].name, {}, {static_cast<std::uint32_t>(i)}, {}});
}

namespace {

system::OverflowPolicy policy(model::Overflow o) {
  switch (o) {
    case model::Overflow::Block:
      return system::OverflowPolicy::Block;
    case model::Overflow::Cut:
      return system::OverflowPolicy::Cut;
    case model::Overflow::Lose:
      return system::OverflowPolicy::Lose;
    case model::Overflow::Error:
      return system::OverflowPolicy::Error;
  }
  return system::OverflowPolicy::Cut;
}

bool concerns(Context& c, const model::QueueDecl& d, const Thread& thread) {
  Scope scope;
  for (const auto& e : d.of) {
    if (e->kind == model::ExprKind::Name && e->text == thread.name && thread.members.size() > 1) return true;
    const bool named_thread = e->kind == model::ExprKind::Name &&
                              std::any_of(c.model.system->threads.begin(), c.model.system->threads.end(),
                                          [&](const model::ThreadDecl& t) { return t.name == e->text; });
    if (named_thread) {
      if (e->text == thread.name) return true;
      continue;
    }
    for (std::uint32_t number : objects_named(c, *e, scope))
      if (std::find(thread.members.begin(), thread.members.end(), number) != thread.members.end())
        return true;
  }
  return false;
}

}  // namespace

void make_queues(Context& c) {
  for (Thread& thread : c.threads) {
    system::Queue q;
    q.name = thread.name;
    if (thread.members.size() == 1) q.owner = c.objects[thread.members[0]].owner;
    q.overflow = policy(c.switches().overflow);
    for (const bool general : {true, false})  // what is said about one queue beats what is said about all
      for (const model::QueueDecl& d : c.model.system->queues) {
        if (d.of.empty() != general || (!general && !concerns(c, d, thread))) continue;
        Scope scope;
        if (d.capacity) {
          const std::int32_t n = fold(c, *d.capacity, scope, "a capacity");
          if (n < 1) c.refuse("bad-capacity", d.capacity->span, "a queue has room for at least one message");
          q.capacity = static_cast<std::uint32_t>(std::max(n, 1));
        }
        if (d.overflow) q.overflow = policy(*d.overflow);
        q.origin = origin_of(d.span);
      }
    thread.queue = c.system.add(std::move(q));
  }
}

void make_signals(Context& c) {
  std::vector<SignalId> shared(c.model.signals.size());
  const auto make = [&](std::size_t k, OwnerId receiver) {
    const model::SignalDecl& d = c.model.signals[k];
    system::Signal s;
    s.name = d.name;
    s.receiver = receiver;
    s.origin = origin_of(d.span, d.element_id);
    for (const model::Parameter& p : d.parameters) {
      s.params.push_back(c.type(p.type.resolved));
      s.param_names.push_back(p.name);
    }
    return c.system.add(std::move(s));
  };
  for (std::size_t k = 0; k < c.model.signals.size(); ++k) shared[k] = make(k, {});
  for (Object& o : c.objects) {
    if (o.machine == nullptr) continue;
    o.signals = shared;
    if (c.threads[o.thread].members.size() > 1)
      for (std::size_t k = 0; k < shared.size(); ++k) o.signals[k] = make(k, o.owner);
  }
}

// Split run-to-completion (meller2014): which member runs, and the message it works on.
void add_split_cells(Context& c) {
  if (c.switches().run_to_completion != model::RunToCompletion::Split) return;
  for (Thread& thread : c.threads) {
    system::Cell cell;
    cell.name = thread.name + " (running)";
    const auto count = static_cast<std::int32_t>(thread.members.size());
    std::vector<std::string> names = {"–"};
    for (std::uint32_t number : thread.members) names.push_back(c.objects[number].name);
    cell.type = {TypeKind::Enum, 0, count, add_names(c, thread.name + " (running)", names)};
    cell.role = CellRole::Bookkeeping;
    if (count == 1) cell.owner = c.objects[thread.members[0]].owner;
    BackMap::CellOrigin origin;
    origin.kind = BackMap::CellKind::RunningObject;
    thread.running = c.add_cell(std::move(cell), origin);
  }
  std::vector<std::string> names = {"–"};
  for (const model::SignalDecl& s : c.model.signals) names.push_back(s.name);
  const std::uint32_t table = add_names(c, "dispatched", names);
  for (Object& o : c.objects) {
    if (o.machine == nullptr) continue;
    BackMap::CellOrigin origin;
    origin.kind = BackMap::CellKind::DispatchedSignal;
    o.dispatched = add_cell(c, o,
                            {o.name + " (dispatched)",
                             {TypeKind::Enum, 0, static_cast<std::int32_t>(c.model.signals.size()), table}},
                            origin);
    o.parameters.resize(c.model.signals.size());
    for (std::size_t k = 0; k < c.model.signals.size(); ++k)
      for (std::size_t p = 0; p < c.model.signals[k].parameters.size(); ++p) {
        const model::Parameter& parameter = c.model.signals[k].parameters[p];
        origin.kind = BackMap::CellKind::DispatchedParameter;
        origin.attribute = static_cast<std::uint32_t>(k);
        origin.element = static_cast<std::uint32_t>(p);
        const Type type = c.type(parameter.type.resolved);
        o.parameters[k].push_back(
            add_cell(c, o,
                     {o.name + "." + c.model.signals[k].name + "." + parameter.name + " (dispatched)", type,
                      type.contains(0) ? 0 : type.lo},
                     origin));
      }
  }
}

}  // namespace parley::lower
