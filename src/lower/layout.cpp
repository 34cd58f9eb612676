// Where everything lies: one Location cell per region, one Data cell per attribute (one per element of an
// array), Bookkeeping cells for what the user did not name; one queue per object or per thread; owners and
// elements.
#include <fmt/format.h>

#include <algorithm>

#include "lower/cells.hpp"
#include "lower/expressions.hpp"
#include "support/check.hpp"

namespace parley::lower {

using system::CellRole;

std::uint32_t add_names(Context& c, std::string name, std::vector<std::string> names) {
  c.system.name_tables.push_back({std::move(name), 0, std::move(names)});
  return static_cast<std::uint32_t>(c.system.name_tables.size() - 1);
}

CellId add_cell(Context& c, const Object& o, CellSpec spec, BackMap::CellOrigin origin) {
  origin.object = o.number;
  system::Cell cell;
  cell.name = std::move(spec.name);
  cell.type = spec.type;
  cell.initial = spec.initial;
  cell.role = spec.role;
  cell.owner = o.owner;
  cell.is_timer = spec.is_timer;
  cell.origin = origin_of(spec.span, spec.element);
  return c.add_cell(std::move(cell), origin);
}

namespace {

constexpr std::int32_t kLongestTimer = 1000000;

void collect_assigned(Context& c, const model::Stmt& s) {
  const auto writes = s.kind == model::StmtKind::Assign || s.kind == model::StmtKind::Havoc ||
                      s.kind == model::StmtKind::StartTimer || s.kind == model::StmtKind::StopTimer;
  if (writes && s.target) {
    const model::Expr* t = s.target.get();
    while (t->kind == model::ExprKind::Index) t = t->operands[0].get();
    const bool field = t->kind == model::ExprKind::Field;
    if (field || (t->kind == model::ExprKind::Name && t->symbol == model::SymbolKind::Attribute)) {
      const ClassId of_class = t->owner_class;
      const auto attributes = model::all_attributes(c.model, of_class);
      if (t->index < attributes.size()) c.assigned.insert(attributes[t->index]);
    }
  }
  for (const auto& child : s.children) collect_assigned(c, *child);
}

void collect_assigned(Context& c) {
  const auto add = [&](const model::Behaviour& b) {
    if (b.body) collect_assigned(c, *b.body);
  };
  for (const model::Class& k : c.model.classes) {
    for (const model::Operation& op : k.operations) add(op.body);
    if (!k.machine) continue;
    for (const model::Vertex& v : k.machine->vertices) {
      add(v.entry);
      add(v.exit);
      add(v.do_activity);
    }
    for (const model::Transition& t : k.machine->transitions) add(t.effect);
  }
}

void add_elements(Context& c, ClassId id, const MachineInfo& info) {
  const model::Class& k = c.model.of(id);
  auto& states = c.state_elements[id];
  auto& transitions = c.transition_elements[id];
  states.resize(info.m().vertices.size());
  transitions.resize(info.m().transitions.size());
  for (std::size_t i = 0; i < info.m().vertices.size(); ++i) {
    const model::Vertex& v = info.m().vertices[i];
    if (v.kind != VertexKind::State && v.kind != VertexKind::Final) continue;
    system::Element e;
    e.kind = system::ElementKind::State;
    e.name = k.name + ": " + info.name(VertexId(i));
    e.type_name = k.name;
    e.origin = origin_of(v.name_span.valid() ? v.name_span : v.span, v.element_id);
    states[i] = c.system.add(std::move(e));
    c.map.elements.push_back({id, VertexId(i), {}});
  }
  for (std::size_t i = 0; i < info.m().transitions.size(); ++i) {
    const model::Transition& t = info.m().transitions[i];
    system::Element e;
    e.kind = system::ElementKind::Transition;
    e.name = k.name + ": " + info.name(TransitionId(i));
    e.type_name = k.name;
    e.origin = origin_of(t.span, t.element_id);
    transitions[i] = c.system.add(std::move(e));
    c.map.elements.push_back({id, {}, TransitionId(i)});
  }
}

// "atm" for the top region, "atm.serving" for the region of a state, with the region's name where it has one.
std::string region_name(const Object& o, RegionId r) {
  const model::Machine& m = o.machine->m();
  const model::Region& region = m.region(r);
  std::string name = o.name;
  if (region.state.valid()) name += "." + m.path(region.state);
  const bool alone = region.state.valid() ? m.vertex(region.state).regions.size() == 1 : m.top.size() == 1;
  if (!alone) {
    const auto& siblings = region.state.valid() ? m.vertex(region.state).regions : m.top;
    const auto at = std::find(siblings.begin(), siblings.end(), r) - siblings.begin();
    name += "." + (region.name.empty() ? fmt::format("region{}", at + 1) : region.name);
  }
  return name;
}

void add_location_cells(Context& c, Object& o, const std::vector<std::uint32_t>& names) {
  const model::Machine& m = o.machine->m();
  o.location.resize(m.regions.size());
  for (std::size_t r = 0; r < m.regions.size(); ++r) {
    const auto count = static_cast<std::int32_t>(o.machine->location_names(RegionId(r)).size());
    BackMap::CellOrigin origin;
    origin.kind = BackMap::CellKind::Region;
    origin.region = RegionId(r);
    o.location[r] = add_cell(c, o,
                             {region_name(o, RegionId(r)),
                              {TypeKind::Location, 0, count - 1, names[r]},
                              0,
                              CellRole::Location,
                              false,
                              m.regions[r].span,
                              m.regions[r].element_id},
                             origin);
    c.map.locations.resize(c.map.cells.size());
    c.map.locations.back() = o.machine->location_vertices(RegionId(r));
  }
}

void add_attribute_cells(Context& c, Object& o) {
  const auto attributes = model::all_attributes(c.model, o.of_class);
  o.attributes.resize(attributes.size());
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    const model::Attribute& a = *attributes[i];
    model::ModelType element = a.type.resolved;
    const std::uint32_t count = std::max(1u, element.array);
    element.array = 0;
    const bool timer = element.tag == model::TypeTag::Timer;
    const Type type = c.type(element);
    for (std::uint32_t k = 0; k < count; ++k) {
      BackMap::CellOrigin origin;
      origin.attribute = static_cast<std::uint32_t>(i);
      origin.element = k;
      std::string name = o.name + "." + a.name;
      if (a.type.resolved.is_array()) name += fmt::format("[{}]", k);
      const std::int32_t initial = timer ? -1 : type.contains(0) ? 0 : type.lo;
      o.attributes[i].push_back(add_cell(
          c, o,
          {name, type, initial, timer ? CellRole::Bookkeeping : CellRole::Data, timer, a.span, a.element_id},
          origin));
    }
  }
}

// History, completion, time and change events.
void add_bookkeeping_cells(Context& c, Object& o, const std::vector<std::uint32_t>& names) {
  const MachineInfo& info = *o.machine;
  const model::Machine& m = info.m();
  o.history.resize(m.regions.size());
  o.completion.resize(m.vertices.size());
  o.after.resize(m.transitions.size());
  o.armed.resize(m.transitions.size());
  for (std::size_t r = 0; r < m.regions.size(); ++r) {
    if (!info.keeps_history(RegionId(r))) continue;
    BackMap::CellOrigin origin;
    origin.kind = BackMap::CellKind::History;
    origin.region = RegionId(r);
    const Type type = c.system.cell(o.location[r]).type;
    o.history[r] = add_cell(
        c, o, {region_name(o, RegionId(r)) + " (history)", {type.kind, 0, type.hi, names[r]}}, origin);
  }
  o.doing.resize(m.vertices.size());
  for (std::size_t v = 0; v < m.vertices.size(); ++v) {
    if (!m.vertices[v].do_activity) continue;
    BackMap::CellOrigin origin;
    origin.kind = BackMap::CellKind::DoActivity;
    origin.state = VertexId(v);
    o.doing[v] =
        add_cell(c, o, {o.name + "." + info.name(VertexId(v)) + " (doing)", Type::boolean()}, origin);
  }
  std::int32_t waiting = 0;
  for (std::size_t v = 0; v < m.vertices.size(); ++v) waiting += info.has_completion(VertexId(v)) ? 1 : 0;
  for (std::size_t v = 0; v < m.vertices.size(); ++v) {
    if (c.switches().completion == model::CompletionMode::Free || !info.has_completion(VertexId(v))) continue;
    // A state that leaves at once by a transition that is always enabled needs no flag: being there says it.
    if (!info.completion_needs_order() && info.completion_is_total(VertexId(v))) continue;
    BackMap::CellOrigin origin;
    origin.kind = BackMap::CellKind::Completion;
    origin.state = VertexId(v);
    const Type type = info.completion_needs_order() ? Type::range(0, waiting) : Type::boolean();
    o.completion[v] = add_cell(c, o, {o.name + "." + info.name(VertexId(v)) + " (completed)", type}, origin);
  }
  for (std::size_t t = 0; t < m.transitions.size(); ++t)
    for (const model::Trigger& trigger : m.transitions[t].triggers) {
      BackMap::CellOrigin origin;
      origin.transition = TransitionId(t);
      const std::string name = o.name + "." + info.name(m.transitions[t].source);
      if (o.after[t].valid() || o.armed[t].valid()) {
        c.refuse("two-time-events", trigger.span, "a transition can have one time or change event");
        continue;
      }
      if (trigger.kind == model::TriggerKind::After) {
        const auto ticks = model::fold_constant(c.model, *trigger.value, nullptr);
        const std::int32_t longest = ticks ? std::max(*ticks, 0) : trigger.value->type.hi;
        if (longest > kLongestTimer)
          c.refuse("timer-too-long", trigger.span, fmt::format("a time of more than {} ticks", kLongestTimer),
                   "give the variable a range, such as int(0..60)");
        origin.kind = BackMap::CellKind::AfterTimer;
        o.after[t] = add_cell(
            c, o,
            {name + " (timer)", Type::range(-1, longest), -1, CellRole::Bookkeeping, true, trigger.span, {}},
            origin);
      } else if (trigger.kind == model::TriggerKind::Change) {
        origin.kind = BackMap::CellKind::ChangeFlag;
        o.armed[t] = add_cell(
            c, o, {name + " (was false)", Type::boolean(), 0, CellRole::Bookkeeping, false, trigger.span, {}},
            origin);
      }
    }
}

// The resolver has evaluated declared initial values and wiring; here they only find their cells.
void set_initial_values(Context& c, Object& o) {
  const auto attributes = model::all_attributes(c.model, o.of_class);
  const model::Model::Object& declared = c.model.objects[o.number];
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    if (attributes[i]->type.resolved.tag == model::TypeTag::Timer) continue;
    const auto& cells = o.attributes[i];
    for (std::size_t k = 0; k < cells.size(); ++k) {
      system::Cell& x = c.system.cells[cells[k].index()];
      const std::int32_t value = declared.initial[i][k];
      if (!x.type.contains(value))
        c.refuse("initial-value-out-of-range", attributes[i]->span,
                 fmt::format("the initial value {} does not fit `{}`", value, x.name));
      else
        x.initial = value;
    }
  }
}

OwnerId add_owner(Context& c, system::Owner owner, std::uint32_t object) {
  owner.may_rest = c.pool().boolean(true);
  c.map.owner_objects.push_back(object);
  return c.system.add(std::move(owner));
}

}  // namespace

void lay_out(Context& c) {
  std::vector<std::string> names = {"null"};
  for (const model::Model::Object& o : c.model.objects) names.push_back(o.name);
  c.object_names = add_names(c, "object", names);
  for (const model::EnumDecl& e : c.model.enums) c.enum_names.push_back(add_names(c, e.name, e.literals));
  collect_assigned(c);

  std::map<ClassId, std::vector<std::uint32_t>> location_names;
  for (const model::Model::Object& o : c.model.objects) {
    const ClassId id = model::machine_class(c.model, o.of_class);
    if (!id.valid() || c.machines.contains(id)) continue;
    auto info = std::make_unique<MachineInfo>(c.model, id);
    for (std::size_t r = 0; r < info->m().regions.size(); ++r)
      location_names[id].push_back(add_names(c, c.model.of(id).name, info->location_names(RegionId(r))));
    add_elements(c, id, *info);
    c.machines.emplace(id, std::move(info));
  }

  c.objects.resize(c.model.objects.size());
  for (std::size_t i = 0; i < c.objects.size(); ++i) {
    Object& o = c.objects[i];
    const model::Model::Object& d = c.model.objects[i];
    o.number = static_cast<std::uint32_t>(i);
    o.name = d.name;
    o.of_class = d.of_class;
    const ClassId id = model::machine_class(c.model, d.of_class);
    if (id.valid()) o.machine = c.machines.at(id).get();
    const model::ObjectDecl& decl = c.model.system->objects[d.declaration];
    o.owner = add_owner(c,
                        {d.name,
                         c.model.of(d.of_class).name,
                         system::OwnerKind::Object,
                         {},
                         {},
                         origin_of(decl.name_span, decl.element_id)},
                        o.number);
    if (o.machine != nullptr) add_location_cells(c, o, location_names[id]);
    add_attribute_cells(c, o);
    if (o.machine != nullptr) add_bookkeeping_cells(c, o, location_names[id]);
    c.system.owners[o.owner.index()].locations = o.location;
  }
  make_threads(c);
  make_queues(c);
  make_signals(c);
  add_split_cells(c);
  for (Object& o : c.objects) set_initial_values(c, o);
  c.map.locations.resize(c.map.cells.size());
}

}  // namespace parley::lower
