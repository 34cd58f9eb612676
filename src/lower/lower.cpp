#include "lower/lower.hpp"

#include <algorithm>

#include "lower/environment.hpp"
#include "lower/fairness.hpp"
#include "lower/partitions.hpp"
#include "lower/properties.hpp"
#include "lower/steps.hpp"
#include "lower/timing.hpp"
#include "support/check.hpp"
#include "system/limits.hpp"

namespace parley::lower {

namespace {

system::IntegerMode integer_mode(model::Integers i) {
  switch (i) {
    case model::Integers::Wrap:
      return system::IntegerMode::Wrap;
    case model::Integers::NoOverflow:
      return system::IntegerMode::AssumeNoOverflow;
    case model::Integers::Error:
      return system::IntegerMode::OverflowIsError;
  }
  return system::IntegerMode::Wrap;
}

// The active objects in the order in which the system block declares them.
std::vector<Object*> in_declared_order(Context& c) {
  std::vector<Object*> result;
  for (Object& o : c.objects)
    if (o.machine != nullptr) result.push_back(&o);
  std::stable_sort(result.begin(), result.end(), [&](const Object* a, const Object* b) {
    const auto& x = c.model.objects[a->number];
    const auto& y = c.model.objects[b->number];
    return std::pair(x.declaration, x.position) < std::pair(y.declaration, y.position);
  });
  return result;
}

// Frames: one more than the largest local a body writes.
class FrameSizes {
 public:
  explicit FrameSizes(const system::System& s) : s_(s), known_(s.stmts.size()), size_(s.stmts.size()) {}
  std::uint32_t of(StmtId id) {
    if (known_[id.index()]) return size_[id.index()];
    const system::Stmt& s = s_.stmt(id);
    std::uint32_t size = 0;
    if (s.kind == system::StmtKind::SetLocal || s.kind == system::StmtKind::Choose) size = s.local + 1;
    for (StmtId child : s.children) size = std::max(size, of(child));
    known_[id.index()] = true;
    return size_[id.index()] = size;
  }

 private:
  const system::System& s_;
  std::vector<bool> known_;
  std::vector<std::uint32_t> size_;
};

void set_frames(Context& c) {
  FrameSizes sizes(c.system);
  for (system::Action& a : c.system.actions) a.locals = sizes.of(a.body);
  c.system.initial_locals = sizes.of(c.system.initial_body);
}

// What a do-activity does is one step at any time after its state is entered, or never; what happens in
// parallel with parts of it is not seen.
void assume_activities(Context& c) {
  std::set<ClassId> classes;
  for (const Object& o : c.objects)
    if (o.machine != nullptr) classes.insert(o.machine->machine_class());
  std::vector<std::string> states;
  for (const ClassId id : classes) {
    const model::Machine& m = *c.model.of(id).machine;
    for (std::size_t v = 0; v < m.vertices.size(); ++v)
      if (m.vertices[v].do_activity) states.push_back(c.model.of(id).name + "." + m.path(VertexId(v)));
  }
  if (states.empty()) return;
  c.system.assumptions.push_back(
      {diag::AssumptionCode::Approximated,
       "a do-activity is done at once when it ends, which may be at any time: of state " + states.front() +
           (states.size() == 1 ? "" : " and " + std::to_string(states.size() - 1) + " more")});
}

}  // namespace

std::optional<Lowered> lower(const model::Model& model, diag::Diagnostics& diagnostics,
                             const LowerOptions& options) {
  PARLEY_CHECK(model.resolved);
  if (!model.system) {
    diagnostics.error("no-system", {}, "the model has no system block, so there is nothing to run",
                      "add `system { a : A; }` with the objects to check");
    return std::nullopt;
  }
  Context c(model, diagnostics, options);
  c.system.integers = integer_mode(model.switches.integers);
  lay_out(c);
  const std::vector<Object*> order = in_declared_order(c);
  std::vector<StmtId> start;
  for (Object* o : order) {
    if (c.refused) return std::nullopt;
    reserve_locals(c, *o);
    start.push_back(Configuration(c, *o).enter_machine());
    c.system.start_parts.push_back({start.back(), o->owner});
  }
  for (Object* o : order)
    if (!c.refused) add_reactions(c, *o);
  if (!c.refused) add_environment(c);
  if (c.refused) return std::nullopt;
  c.system.initial_body = c.block(std::move(start));
  std::map<QueueId, std::set<SignalId>> arriving;
  for (const auto& [queue, signal] : sent_messages(c)) arriving[queue].insert(signal);
  for (const auto& [queue, signals] : arriving)
    c.system.queues[queue.index()].signals.assign(signals.begin(), signals.end());
  for (Object* o : order) {
    add_arrivals(c, *o, arriving[c.threads[o->thread].queue]);
    add_end_of_step(c, *o);
  }
  add_clock(c);
  add_resting(c);
  add_properties(c);
  add_fairness(c);
  add_partitions(c);
  c.system.assumptions.insert(c.system.assumptions.begin(), model.assumptions.begin(),
                              model.assumptions.end());
  assume_activities(c);
  if (c.refused) return std::nullopt;
  if (const auto oversize = system::find_oversize(c.system)) {
    c.refuse(oversize->code, oversize->origin.span, oversize->message, oversize->hint);
    return std::nullopt;
  }
  set_frames(c);
  c.map.locations.resize(c.system.cells.size());
  system::validate(c.system);
  return Lowered{std::move(c.system), std::move(c.map)};
}

}  // namespace parley::lower
