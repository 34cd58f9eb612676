#include "front/promela/layout.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace parley::front::promela {

using system::Type;

namespace {

constexpr std::size_t kMaxCells = 1u << 20;

class LayoutBuilder {
 public:
  LayoutBuilder(const Translation& translation, const ChannelSets& channels, Layout& layout)
      : program_(translation.program),
        sources_(translation.sources),
        diagnostics_(translation.diagnostics),
        options_(translation.options),
        s_(translation.system),
        channels_(channels),
        layout_(layout) {}

  bool create_queues();
  void create_cells();

 private:
  Shape shape_of(const ChannelShape& declared);
  void flatten(const DataType& type, std::vector<DataType>& into) const;
  void create_storage(const VariablePtr& v, Slot* slot);
  void name_locations(std::size_t p);
  void create_slot(Slot& slot);
  CellId bookkeeping(const std::string& name, Type type, OwnerId owner);

  const Program& program_;
  const diag::SourceMap& sources_;
  diag::Diagnostics& diagnostics_;
  const Options& options_;
  system::System& s_;
  const ChannelSets& channels_;
  Layout& layout_;
};

void LayoutBuilder::flatten(const DataType& type, std::vector<DataType>& into) const {
  if (type.base != Base::Struct) {
    into.push_back(type);
    return;
  }
  for (const VariablePtr& f : program_.typedefs[type.typedef_index].fields)
    for (std::uint32_t i = 0; i < (f->is_array ? f->size : 1) && into.size() < 1024; ++i)
      flatten(f->type, into);
}

Shape LayoutBuilder::shape_of(const ChannelShape& declared) {
  Shape shape;
  for (const DataType& field : declared.fields) flatten(field, shape.fields);
  std::vector<Type> params;
  for (const DataType& field : shape.fields) params.push_back(layout_.value_type(field));
  for (std::size_t i = 0; i < s_.signals.size(); ++i)
    if (s_.signals[i].params == params) {
      shape.signal = SignalId(i);
      return shape;
    }
  system::Signal signal;
  signal.name = "message";
  signal.params = params;
  for (std::size_t i = 0; i < params.size(); ++i) signal.param_names.push_back(fmt::format("field{}", i + 1));
  signal.origin.span = declared.span;
  shape.signal = s_.add(std::move(signal));
  return shape;
}

bool LayoutBuilder::create_queues() {
  for (const MtypeSet& set : program_.mtypes) {
    system::NameTable table;
    table.name = set.name.empty() ? "mtype" : set.name;
    table.names.push_back("0");
    table.names.insert(table.names.end(), set.names.begin(), set.names.end());
    layout_.mtype_tables[set.name] = static_cast<std::uint32_t>(s_.name_tables.size());
    s_.name_tables.push_back(std::move(table));
  }
  struct Planned {
    const DeclaredChannel* channel;
    const Slot* slot;
  };
  std::vector<Planned> plan;
  for (const DeclaredChannel& c : channels_.all())
    if (!c.root->proctype) plan.push_back({&c, nullptr});
  for (const Slot& slot : layout_.slots)
    for (const DeclaredChannel& c : channels_.all())
      if (c.root->proctype == slot.proctype) plan.push_back({&c, &slot});
  if (plan.size() > 65535) {
    diagnostics_.error("too-many-channels", plan[0].channel->root->span, "this model has too many channels");
    return false;
  }
  layout_.queue_shapes.resize(plan.size());  // the type of channel values depends on how many there are
  layout_.rendezvous.resize(plan.size());
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const auto& [c, slot] = plan[i];
    layout_.queue_shapes[i] = shape_of(*c->shape);
    layout_.rendezvous[i] = c->shape->capacity == 0;
    system::Queue q;
    std::string name = c->root->name + c->path;
    for (const Leaf& leaf : leaves(program_, *c->root))
      if (leaf.path == c->path && !leaf.dims.empty()) name += fmt::format("[{}]", c->element);
    q.name = slot ? layout_.slot_name(*slot) + "." + name : name;
    q.capacity = static_cast<std::uint32_t>(c->shape->capacity);
    q.overflow = options_.lose_messages ? system::OverflowPolicy::Lose : system::OverflowPolicy::Block;
    q.signals = {layout_.queue_shapes[i].signal};
    q.origin.span = c->shape->span;
    const QueueId id = s_.add(std::move(q));
    layout_.queues[{slot ? slot->index + 1 : 0, c->number}] = id;
    if (slot) layout_.slots[slot->index].queues.push_back(id);
  }
  return true;
}

void LayoutBuilder::create_storage(const VariablePtr& v, Slot* slot) {
  Storage storage;
  for (Leaf& leaf : leaves(program_, *v)) {
    LeafCells lc;
    lc.leaf = leaf;
    const std::uint32_t n = leaf.elements();
    if (n > kMaxElements || s_.cells.size() + n > kMaxCells) {
      diagnostics_.error("too-large", v->span, fmt::format("'{}' has too many elements", v->name));
      return;
    }
    if (leaf.variable->channel) {
      for (std::uint32_t i = 0; i < n; ++i)
        for (const DeclaredChannel& c : channels_.all())
          if (c.root == v.get() && c.path == leaf.path && c.element == i)
            lc.queues.push_back(layout_.queues.at({slot ? slot->index + 1 : 0, c.number}));
      lc.fixed = channels_.fixed(leaf.variable);
    }
    if (!lc.fixed) {
      for (std::uint32_t i = 0; i < n; ++i) {
        system::Cell cell;
        cell.name = (slot ? layout_.slot_name(*slot) + "." : "") + v->name + leaf.path;
        if (!leaf.dims.empty()) cell.name += fmt::format("[{}]", i);
        cell.type = layout_.value_type(stored_type(*leaf.variable));
        if (slot) cell.owner = slot->owner;
        cell.origin.span = v->span;
        lc.cells.push_back(s_.add(std::move(cell)));
      }
    }
    storage[leaf.path] = std::move(lc);
  }
  (slot ? slot->variables : layout_.globals)[v.get()] = std::move(storage);
}

CellId LayoutBuilder::bookkeeping(const std::string& name, Type type, OwnerId owner) {
  system::Cell cell;
  cell.name = name;
  cell.type = type;
  cell.owner = owner;
  cell.role = system::CellRole::Bookkeeping;
  return s_.add(std::move(cell));
}

void LayoutBuilder::name_locations(std::size_t p) {
  Proc& proc = layout_.procs[p];
  system::NameTable names;
  names.name = program_.proctypes[p].name;
  names.names.push_back("not running");
  proc.location.resize(proc.automaton.states.size());
  std::map<std::uint32_t, int> on_line;
  for (std::uint32_t s : proc.automaton.reachable) {
    const AutomatonState& state = proc.automaton.states[s];
    if (state.span.valid()) ++on_line[sources_.position(state.span).line];
  }
  for (std::uint32_t s : proc.automaton.reachable) {
    const AutomatonState& state = proc.automaton.states[s];
    proc.location[s] = static_cast<std::int32_t>(names.names.size());
    std::string name = s == proc.automaton.end ? "end" : state.label;
    if (name.empty() && state.span.valid()) {
      const std::uint32_t line = sources_.position(state.span).line;
      name = fmt::format("line {}", line);
      if (on_line[line] > 1) name += fmt::format(": {}", text_of(sources_, state.span).substr(0, 24));
    }
    names.names.push_back(name.empty() ? fmt::format("state {}", s) : name);
  }
  bool has_queues = false;
  for (std::uint32_t k : proc.slots) has_queues = has_queues || !layout_.slots[k].queues.empty();
  if (has_queues) {
    proc.draining = static_cast<std::int32_t>(names.names.size());
    names.names.push_back("ending");
  }
  proc.location_type = {expr::TypeKind::Location, 0, static_cast<std::int32_t>(names.names.size()) - 1,
                        static_cast<std::uint32_t>(s_.name_tables.size())};
  s_.name_tables.push_back(std::move(names));
}

void LayoutBuilder::create_slot(Slot& slot) {
  const Proctype& p = program_.proctypes[slot.proctype];
  const Proc& proc = layout_.procs[slot.proctype];
  system::Owner owner;
  owner.name = layout_.slot_name(slot);
  owner.type_name = p.name;
  owner.kind = system::OwnerKind::Process;
  owner.origin.span = p.span;
  slot.owner = s_.add(std::move(owner));
  system::Cell pc;
  pc.name = layout_.slot_name(slot);
  pc.type = proc.location_type;
  pc.role = system::CellRole::Location;
  pc.owner = slot.owner;
  pc.origin.span = p.span;
  if (slot.initial_pid >= 0) pc.initial = proc.location[proc.automaton.start];
  slot.pc = s_.add(std::move(pc));
  s_.owners[slot.owner.index()].locations.push_back(slot.pc);
  if (slot.static_pid < 0) {
    const auto slots = static_cast<std::int32_t>(layout_.slots.size());
    slot.pid = bookkeeping(layout_.slot_name(slot) + "._pid", Type::range(0, std::max(1, slots)), slot.owner);
    if (slot.initial_pid >= 0) s_.cells[slot.pid.index()].initial = slot.initial_pid;
  }
  if (program_.uses_priority) {
    slot.priority = bookkeeping(layout_.slot_name(slot) + "._priority", Type::range(0, 255), slot.owner);
    if (slot.initial_pid >= 0) s_.cells[slot.priority.index()].initial = std::clamp(p.priority, 0, 255);
  }
  for (const VariablePtr& v : p.parameters) create_storage(v, &slot);
  for (const VariablePtr& v : p.locals) create_storage(v, &slot);
}

void LayoutBuilder::create_cells() {
  for (const VariablePtr& v : program_.globals) create_storage(v, nullptr);
  const auto slots = static_cast<std::int32_t>(layout_.slots.size());
  if (layout_.counts_processes) {
    layout_.nr_pr = bookkeeping("_nr_pr", Type::range(0, slots), {});
    s_.cells[layout_.nr_pr.index()].initial = layout_.initial_processes;
  }
  if (program_.uses_last) layout_.last = bookkeeping("_last", Type::range(0, std::max(slots, 1)), {});
  for (std::size_t p = 0; p < layout_.procs.size(); ++p) name_locations(p);
  for (Slot& slot : layout_.slots) create_slot(slot);
}

}  // namespace

std::string Layout::slot_name(const Slot& slot) const {
  const Proc& proc = procs[slot.proctype];
  const std::string& name = program.proctypes[slot.proctype].name;
  return proc.slots.size() == 1 ? name : fmt::format("{}[{}]", name, slot.instance);
}

Type Layout::channel_type() const {
  const auto count = static_cast<std::int32_t>(queue_shapes.size());
  return {expr::TypeKind::Chan, 1, std::max<std::int32_t>(wide_channels ? 255 : 1, count), Id<void>::kNone};
}

Type Layout::value_type(const DataType& type) const {
  switch (type.base) {
    case Base::Bit:
    case Base::Bool:
      return Type::range(0, 1);
    case Base::Byte:
    case Base::Pid:
      return Type::range(0, 255);
    case Base::Short:
      return Type::range(-32768, 32767);
    case Base::Int:
      return Type::integer();
    case Base::Unsigned:
      return type.bits >= 31 ? Type::range(0, expr::kIntMax)
                             : Type::range(0, static_cast<std::int32_t>((1u << type.bits) - 1));
    case Base::Mtype: {
      Type t = Type::range(0, 255);
      for (const MtypeSet& set : program.mtypes) {
        if (set.name != type.mtype_set) continue;
        t.hi = std::max<std::int32_t>(255, static_cast<std::int32_t>(set.names.size()));
        const auto found = mtype_tables.find(set.name);
        if (found != mtype_tables.end()) t.names = found->second;
      }
      return t;
    }
    case Base::Chan:
      return channel_type();
    case Base::Struct:
      break;
  }
  return Type::integer();
}

DataType stored_type(const Variable& v) {
  DataType type = v.type;
  if (v.is_array && (type.base == Base::Bit || type.base == Base::Bool)) type.base = Base::Byte;
  return type;
}

std::string text_of(const diag::SourceMap& sources, diag::Span span) {
  if (!span.valid()) return "";
  const std::string& text = sources.text(span.file);
  std::string result;
  bool blank = false;
  for (std::size_t i = span.begin; i < span.end && i < text.size() && result.size() < 60; ++i) {
    if (std::isspace(static_cast<unsigned char>(text[i]))) {
      blank = true;
      continue;
    }
    if (blank && !result.empty()) result += ' ';
    blank = false;
    result += text[i];
  }
  return result;
}

std::optional<Layout> lay_out(const Translation& translation, const ChannelSets& channels,
                              bool wide_channels) {
  Layout layout(translation.program);
  layout.wide_channels = wide_channels;
  if (!lay_out_processes(translation, layout)) return std::nullopt;
  LayoutBuilder builder(translation, channels, layout);
  if (!builder.create_queues()) return std::nullopt;
  builder.create_cells();
  if (translation.diagnostics.has_errors()) return std::nullopt;
  return layout;
}

}  // namespace parley::front::promela
