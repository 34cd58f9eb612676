#include <fmt/format.h>

#include <algorithm>

#include "front/promela/lowering.hpp"

namespace parley::front::promela {

using system::Type;

constexpr std::uint64_t kUnbounded = 1u << 30;
constexpr std::uint32_t kMaxSlots = 4096;
constexpr std::size_t kMaxCells = 1u << 20;

namespace {

void find_runs(const Expr& e, std::vector<const Expr*>& out) {
  if (e.kind == ExprKind::Run) out.push_back(&e);
  for (const ExprPtr& arg : e.args) find_runs(*arg, out);
}

bool reaches(const Automaton& a, std::uint32_t from, std::uint32_t to) {
  std::vector<bool> seen(a.states.size());
  std::vector<std::uint32_t> todo = {from};
  while (!todo.empty()) {
    const std::uint32_t s = todo.back();
    todo.pop_back();
    if (s == to) return true;
    if (s == 0 || seen[s]) continue;
    seen[s] = true;
    for (const Transition& t : a.states[s].transitions) todo.push_back(t.target);
  }
  return false;
}

}  // namespace

bool Lowering::prepare_processes() {
  std::map<std::string, std::vector<std::string>> referenced;
  for (const Proctype& p : program_.proctypes) {
    find_references(p.body, referenced);
    if (p.provided) find_references(*p.provided, referenced);
  }
  for (const Proctype& p : program_.claims) find_references(p.body, referenced);
  for (const TemporalFormula& f : program_.formulas)
    if (f.formula) find_references(*f.formula, referenced);
  const std::size_t errors = diagnostics_.error_count();
  for (const Proctype& p : program_.proctypes) {
    Proc proc;
    proc.automaton = build_automaton(p, referenced[p.name], diagnostics_);
    if (!procs_.empty()) proc.first_id = procs_.back().first_id + procs_.back().automaton.elements;
    procs_.push_back(std::move(proc));
  }
  if (diagnostics_.error_count() != errors) return false;
  if (program_.proctypes.empty()) {
    diagnostics_.error("no-process", program_.end, "this model has no process",
                       "start one with init or active proctype");
    return false;
  }
  count_slots();
  return diagnostics_.error_count() == errors;
}

void Lowering::find_references(const Expr& e, std::map<std::string, std::vector<std::string>>& labels) {
  if (e.kind == ExprKind::RemoteLabel) labels[e.name].push_back(e.label);
  for (const ExprPtr& arg : e.args) find_references(*arg, labels);
}

void Lowering::find_references(const Sequence& sequence,
                               std::map<std::string, std::vector<std::string>>& labels) {
  for (const StmtPtr& s : sequence) {
    if (s->expr) find_references(*s->expr, labels);
    if (s->target) find_references(*s->target, labels);
    for (const ExprPtr& arg : s->args) find_references(*arg, labels);
    for (const Sequence& option : s->options) find_references(option, labels);
  }
}

// How many instances of each proctype can exist: the active ones, and one per run statement and instance that
// executes it; unbounded if that statement can be executed repeatedly.
void Lowering::count_slots() {
  struct Site {
    std::size_t in, of;
    bool repeated;
  };
  std::vector<Site> sites;
  const auto index_of = [&](const std::string& name) {
    for (std::size_t i = 0; i < program_.proctypes.size(); ++i)
      if (program_.proctypes[i].name == name && program_.proctypes[i].kind == ProcKind::Proctype) return i;
    return program_.proctypes.size();
  };
  for (std::size_t p = 0; p < procs_.size(); ++p) {
    std::set<std::uint32_t> seen;
    for (std::uint32_t s : procs_[p].automaton.reachable)
      for (const Transition& t : procs_[p].automaton.states[s].transitions) {
        if (t.is_end) counts_processes_ = true;
        if (!t.statement || !t.statement->expr) continue;
        std::vector<const Expr*> runs;
        find_runs(*t.statement->expr, runs);
        for (const Expr* run : runs) {
          const std::size_t of = index_of(run->name);
          if (of == program_.proctypes.size()) continue;
          counts_processes_ = true;
          procs_[of].is_run = true;
          const bool repeated = reaches(procs_[p].automaton, t.target, s);
          // The same statement may leave several states, of which one instance passes through one only.
          if (repeated || seen.insert(t.element).second) sites.push_back({p, of, repeated});
        }
      }
  }
  std::vector<std::uint64_t> count(procs_.size());
  for (std::size_t round = 0; round <= procs_.size() + 1; ++round) {
    std::vector<std::uint64_t> next(procs_.size());
    for (std::size_t p = 0; p < procs_.size(); ++p) next[p] = program_.proctypes[p].active;
    for (const Site& site : sites)
      if (count[site.in] > 0)
        next[site.of] = std::min(kUnbounded, next[site.of] + (site.repeated ? kUnbounded : count[site.in]));
    if (round == procs_.size() + 1)
      for (std::size_t p = 0; p < procs_.size(); ++p)
        if (next[p] != count[p]) next[p] = kUnbounded;
    count = next;
  }
  std::int32_t started = 0;
  for (std::size_t p = 0; p < procs_.size(); ++p) {
    std::uint64_t n = count[p];
    const std::uint64_t limit = std::max<std::uint64_t>(options_.max_instances, program_.proctypes[p].active);
    if (n >= kUnbounded || n > 255) n = std::min(n, limit);
    procs_[p].bounded = n == count[p];
    for (std::uint64_t k = 0; k < n; ++k) {
      Slot slot;
      slot.index = static_cast<std::uint32_t>(slots_.size());
      slot.proctype = static_cast<std::uint32_t>(p);
      slot.instance = static_cast<std::uint32_t>(k);
      if (k < program_.proctypes[p].active) slot.initial_pid = started++;
      if (!procs_[p].is_run) slot.static_pid = slot.initial_pid;
      procs_[p].slots.push_back(slot.index);
      slots_.push_back(std::move(slot));
    }
    if (slots_.size() > kMaxSlots) {
      diagnostics_.error("too-many-processes", program_.proctypes[p].span,
                         "this model has too many processes");
      return;
    }
  }
  initial_processes_ = started;
}

std::string Lowering::slot_name(const Slot& slot) const {
  const Proc& proc = procs_[slot.proctype];
  const std::string& name = program_.proctypes[slot.proctype].name;
  return proc.slots.size() == 1 ? name : fmt::format("{}[{}]", name, slot.instance);
}

std::string Lowering::text_of(diag::Span span) const {
  if (!span.valid()) return "";
  const std::string& text = sources_.text(span.file);
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

// --- types ------------------------------------------------------------------------------------------------

Type Lowering::channel_type() const {
  const auto queues = static_cast<std::int32_t>(queue_shapes_.size());
  return {expr::TypeKind::Chan, 1, std::max<std::int32_t>(wide_channels_ ? 255 : 1, queues), Id<void>::kNone};
}

// Spin's verifier keeps an array of bits as bytes, so that its elements hold what they are given; only where
// such a value travels in a message one bit of it is left.
DataType Lowering::stored_type(const Variable& v) {
  DataType type = v.type;
  if (v.is_array && (type.base == Base::Bit || type.base == Base::Bool)) type.base = Base::Byte;
  return type;
}

Type Lowering::value_type(const DataType& type) const {
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
      for (const MtypeSet& set : program_.mtypes) {
        if (set.name != type.mtype_set) continue;
        t.hi = std::max<std::int32_t>(255, static_cast<std::int32_t>(set.names.size()));
        const auto found = mtype_tables_.find(set.name);
        if (found != mtype_tables_.end()) t.names = found->second;
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

void Lowering::flatten(const DataType& type, std::vector<DataType>& into) const {
  if (type.base != Base::Struct) {
    into.push_back(type);
    return;
  }
  for (const VariablePtr& f : program_.typedefs[type.typedef_index].fields)
    for (std::uint32_t i = 0; i < (f->is_array ? f->size : 1) && into.size() < 1024; ++i)
      flatten(f->type, into);
}

// --- queues and cells
// ---------------------------------------------------------------------------------------

Lowering::Shape Lowering::shape_of(const ChannelShape& declared) {
  Shape shape;
  for (const DataType& field : declared.fields) flatten(field, shape.fields);
  std::vector<Type> params;
  for (const DataType& field : shape.fields) params.push_back(value_type(field));
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

bool Lowering::create_queues() {
  for (const MtypeSet& set : program_.mtypes) {
    system::NameTable table;
    table.name = set.name.empty() ? "mtype" : set.name;
    table.names.push_back("0");
    table.names.insert(table.names.end(), set.names.begin(), set.names.end());
    mtype_tables_[set.name] = static_cast<std::uint32_t>(s_.name_tables.size());
    s_.name_tables.push_back(std::move(table));
  }
  struct Planned {
    const DeclaredChannel* channel;
    const Slot* slot;
  };
  std::vector<Planned> plan;
  for (const DeclaredChannel& c : channels_.all())
    if (!c.root->proctype) plan.push_back({&c, nullptr});
  for (const Slot& slot : slots_)
    for (const DeclaredChannel& c : channels_.all())
      if (c.root->proctype == slot.proctype) plan.push_back({&c, &slot});
  if (plan.size() > 65535) {
    diagnostics_.error("too-many-channels", plan[0].channel->root->span, "this model has too many channels");
    return false;
  }
  queue_shapes_.resize(plan.size());  // the type of channel values depends on how many there are
  rendezvous_.resize(plan.size());
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const auto& [c, slot] = plan[i];
    queue_shapes_[i] = shape_of(*c->shape);
    rendezvous_[i] = c->shape->capacity == 0;
    system::Queue q;
    std::string name = c->root->name + c->path;
    for (const Leaf& leaf : leaves(program_, *c->root))
      if (leaf.path == c->path && !leaf.dims.empty()) name += fmt::format("[{}]", c->element);
    q.name = slot ? slot_name(*slot) + "." + name : name;
    q.capacity = static_cast<std::uint32_t>(c->shape->capacity);
    q.overflow = options_.lose_messages ? system::OverflowPolicy::Lose : system::OverflowPolicy::Block;
    q.signals = {queue_shapes_[i].signal};
    q.origin.span = c->shape->span;
    const QueueId id = s_.add(std::move(q));
    queues_[{slot ? slot->index + 1 : 0, c->number}] = id;
    if (slot) slots_[slot->index].queues.push_back(id);
  }
  sends_.resize(plan.size());
  receives_.resize(plan.size());
  return true;
}

void Lowering::create_storage(const VariablePtr& v, Slot* slot) {
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
            lc.queues.push_back(queues_.at({slot ? slot->index + 1 : 0, c.number}));
      lc.fixed = channels_.fixed(leaf.variable);
    }
    if (!lc.fixed) {
      for (std::uint32_t i = 0; i < n; ++i) {
        system::Cell cell;
        cell.name = (slot ? slot_name(*slot) + "." : "") + v->name + leaf.path;
        if (!leaf.dims.empty()) cell.name += fmt::format("[{}]", i);
        cell.type = value_type(stored_type(*leaf.variable));
        if (slot) cell.owner = slot->owner;
        cell.origin.span = v->span;
        lc.cells.push_back(s_.add(std::move(cell)));
      }
    }
    storage[leaf.path] = std::move(lc);
  }
  (slot ? slot->variables : globals_)[v.get()] = std::move(storage);
}

void Lowering::create_cells() {
  for (const VariablePtr& v : program_.globals) create_storage(v, nullptr);
  const auto bookkeeping = [&](const std::string& name, Type type, OwnerId owner) {
    system::Cell cell;
    cell.name = name;
    cell.type = type;
    cell.owner = owner;
    cell.role = system::CellRole::Bookkeeping;
    return s_.add(std::move(cell));
  };
  const auto slots = static_cast<std::int32_t>(slots_.size());
  if (counts_processes_) {
    nr_pr_ = bookkeeping("_nr_pr", Type::range(0, slots), {});
    s_.cells[nr_pr_.index()].initial = initial_processes_;
  }
  if (program_.uses_last) last_ = bookkeeping("_last", Type::range(0, std::max(slots, 1)), {});
  for (std::size_t p = 0; p < procs_.size(); ++p) {
    Proc& proc = procs_[p];
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
        if (on_line[line] > 1) name += fmt::format(": {}", text_of(state.span).substr(0, 24));
      }
      names.names.push_back(name.empty() ? fmt::format("state {}", s) : name);
    }
    bool has_queues = false;
    for (std::uint32_t k : proc.slots) has_queues = has_queues || !slots_[k].queues.empty();
    if (has_queues) {
      proc.draining = static_cast<std::int32_t>(names.names.size());
      names.names.push_back("ending");
    }
    proc.location_type = {expr::TypeKind::Location, 0, static_cast<std::int32_t>(names.names.size()) - 1,
                          static_cast<std::uint32_t>(s_.name_tables.size())};
    s_.name_tables.push_back(std::move(names));
  }
  for (Slot& slot : slots_) {
    const Proctype& p = program_.proctypes[slot.proctype];
    const Proc& proc = procs_[slot.proctype];
    system::Owner owner;
    owner.name = slot_name(slot);
    owner.type_name = p.name;
    owner.kind = system::OwnerKind::Process;
    owner.origin.span = p.span;
    slot.owner = s_.add(std::move(owner));
    system::Cell pc;
    pc.name = slot_name(slot);
    pc.type = proc.location_type;
    pc.role = system::CellRole::Location;
    pc.owner = slot.owner;
    pc.origin.span = p.span;
    if (slot.initial_pid >= 0) pc.initial = proc.location[proc.automaton.start];
    slot.pc = s_.add(std::move(pc));
    s_.owners[slot.owner.index()].locations.push_back(slot.pc);
    if (slot.static_pid < 0) {
      slot.pid = bookkeeping(slot_name(slot) + "._pid", Type::range(0, std::max(1, slots)), slot.owner);
      if (slot.initial_pid >= 0) s_.cells[slot.pid.index()].initial = slot.initial_pid;
    }
    if (program_.uses_priority) {
      slot.priority = bookkeeping(slot_name(slot) + "._priority", Type::range(0, 255), slot.owner);
      if (slot.initial_pid >= 0) s_.cells[slot.priority.index()].initial = std::clamp(p.priority, 0, 255);
    }
    for (const VariablePtr& v : p.parameters) create_storage(v, &slot);
    for (const VariablePtr& v : p.locals) create_storage(v, &slot);
  }
}

// --- initial values ----------------------------------------------------------------------------------------

void Lowering::set_initial_values() {
  for (const VariablePtr& v : program_.globals) set_initial(v, nullptr);
  for (Slot& slot : slots_) {
    if (slot.initial_pid < 0) continue;
    for (const VariablePtr& v : program_.proctypes[slot.proctype].locals) set_initial(v, &slot);
  }
}

void Lowering::set_initial(const VariablePtr& v, Slot* slot) {
  for (auto& [path, lc] : (slot ? slot->variables : globals_)[v.get()]) {
    const Variable& leaf = *lc.leaf.variable;
    for (std::size_t i = 0; i < lc.cells.size(); ++i) {
      system::Cell& cell = s_.cells[lc.cells[i].index()];
      if (!lc.queues.empty()) {
        cell.initial = static_cast<std::int32_t>(lc.queues[i].value) + 1;
      } else if (leaf.init) {
        const ExprId value = leaf.type.base == Base::Chan
                                 ? channel_value(*leaf.init, slot)
                                 : truncate(stored_type(leaf), integer(*leaf.init, slot));
        s_.cells[lc.cells[i].index()].initial = initial_value(value, leaf.init->span);
      } else if (!leaf.init_list.empty()) {
        // Spin repeats the last value for the elements that are left.
        const std::int32_t given = leaf.init_list[std::min(i, leaf.init_list.size() - 1)];
        cell.initial = initial_value(truncate(stored_type(leaf), constant(given)), v->span);
      }
    }
  }
}

// The value of an initialiser, read in the state that earlier initialisers have made.
std::int32_t Lowering::initial_value(ExprId e, diag::Span span) {
  for (int round = 0; round < 8; ++round) {
    const expr::Node& n = s_.exprs[e];
    if (n.op == Op::Const) return n.value;
    e = s_.exprs.rewrite(e, [&](ExprId leaf) -> ExprId {
      const expr::Node node = s_.exprs[leaf];
      if (node.op == Op::Cell) return s_.exprs.constant(s_.cells[node.a].initial, node.type);
      if (node.op == Op::QueueLen) return s_.exprs.constant(0);
      if (node.op == Op::Idle) return s_.exprs.boolean(false);
      return {};
    });
  }
  diagnostics_.error("not-constant", span, "this initial value cannot be computed");
  return 0;
}

}  // namespace parley::front::promela
