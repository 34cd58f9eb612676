#include <fmt/format.h>

#include <algorithm>

#include "model/resolver.hpp"
#include "model/show.hpp"

namespace parley::model {
Resolver::Scope Resolver::outside_scope() const {
  Scope scope;
  scope.sees_objects = true;
  scope.state_tests = true;
  scope.pure = true;
  return scope;
}

void Resolver::declare_objects() {
  if (!m_.system) return;
  for (std::size_t i = 0; i < m_.system->objects.size(); ++i) {
    ObjectDecl& o = m_.system->objects[i];
    unique(o.name, o.name_span, "object");
    objects_.emplace(o.name, static_cast<std::uint32_t>(i));
    if (const auto it = classes_.find(o.class_name); it != classes_.end()) {
      o.of_class = it->second;
    } else {
      std::vector<std::string> known;
      for (const Class& c : m_.classes) known.push_back(c.name);
      error_unknown("unknown-class", o.class_span, "class", o.class_name, known);
    }
    o.count = 1;
    if (!o.size) continue;
    Scope scope;
    const auto size = constant_value(*o.size, TypeTag::Int, scope, "the number of objects");
    if (!size) continue;
    if (*size < 1 || *size > static_cast<std::int32_t>(kMaxFamily)) {
      error("family-size", o.size->span, fmt::format("a family of {} objects", *size),
            fmt::format("families have 1 to {} objects", kMaxFamily));
      continue;
    }
    o.count = static_cast<std::uint32_t>(*size);
  }
  std::size_t total = 0;
  for (const ObjectDecl& o : m_.system->objects) total += o.count;
  if (total > kMaxObjects) {
    error("too-many", m_.system->span, fmt::format("the system has {} objects", total),
          fmt::format("there can be {}", kMaxObjects));
    throw Enough{};
  }
  number_objects();
}

// Objects in the order of a walk over the inheritance trees, so that each class's objects, subclasses
// included, are contiguous; within a class in the order of declaration.
void Resolver::number_objects() {
  std::vector<std::vector<ClassId>> derived(m_.classes.size());
  std::vector<ClassId> stack;
  for (std::size_t i = m_.classes.size(); i-- > 0;) {
    const ClassId base = m_.classes[i].base_class;
    if (base.valid())
      derived[base.index()].push_back(ClassId(i));
    else
      stack.push_back(ClassId(i));
  }
  std::vector<std::vector<std::uint32_t>> declared(m_.classes.size());
  for (std::size_t i = 0; i < m_.system->objects.size(); ++i) {
    const ClassId c = m_.system->objects[i].of_class;
    if (c.valid()) declared[c.index()].push_back(static_cast<std::uint32_t>(i));
  }
  m_.objects.clear();
  while (!stack.empty()) {
    const ClassId c = stack.back();
    stack.pop_back();
    for (const std::uint32_t i : declared[c.index()]) {
      ObjectDecl& o = m_.system->objects[i];
      o.first_object = static_cast<std::uint32_t>(m_.objects.size());
      for (std::uint32_t k = 0; k < o.count; ++k) {
        Model::Object object;
        object.name = o.size ? fmt::format("{}[{}]", o.name, k) : o.name;
        object.of_class = c;
        object.declaration = i;
        object.position = k;
        m_.objects.push_back(std::move(object));
      }
    }
    stack.insert(stack.end(), derived[c.index()].begin(), derived[c.index()].end());
  }
}

void Resolver::system() {
  if (!m_.system) {
    if (!m_.damaged) {
      d_.error("no-system", {}, "the model has no system block",
               "say which objects there are: system { a : A; }");
    }
    return;
  }
  if (m_.system->objects.empty() && !m_.damaged)
    error("no-objects", m_.system->span, "the system has no objects");
  for (ObjectDecl& o : m_.system->objects) wiring(o);
  initial_values();
  threads();
  queues();
  for (EnvironmentDecl& e : m_.system->environment) environment(e);
}

void Resolver::wiring(ObjectDecl& o) {
  std::unordered_set<std::string> whole;  // attributes set as a whole so far
  for (ObjectDecl::Wiring& x : o.wiring) {
    Scope scope = outside_scope();
    scope.state_tests = false;
    scope.family_index = o.size != nullptr;
    const Span name_span{x.span.file, x.span.begin,
                         static_cast<std::uint32_t>(x.span.begin + quote_name(x.attribute).size())};
    const auto found = o.of_class.valid() ? find_attribute(o.of_class, x.attribute) : std::nullopt;
    if (!found) {
      expression(*x.value, scope);
      if (!o.of_class.valid()) continue;
      std::vector<std::string> known;
      for (const Attribute* a : all_attributes(m_, o.of_class)) known.push_back(a->name);
      error_unknown("unknown-attribute", name_span, fmt::format("attribute of class '{}':", o.class_name),
                    x.attribute, known);
      continue;
    }
    const Attribute& a = attribute(found->second, found->first);
    attribute_used_.insert(&a);
    x.attribute_index = found->first;
    ModelType t = a.type.resolved;
    if (t.tag == TypeTag::Timer) {
      error("timer-value", x.span, fmt::format("'{}' is a timer and has no initial value", x.attribute));
      continue;
    }
    if (x.index && !t.is_array() && t.tag != TypeTag::Unknown) {
      error("not-an-array", name_span, fmt::format("'{}' is not an array", x.attribute));
    }
    if (x.index) want(*x.index, TypeTag::Int, scope, "an index");
    const std::uint32_t elements = t.array;
    t.array = 0;
    expression(*x.value, scope, &t);
    if (elements != 0 && !x.index && x.value->symbol == SymbolKind::ObjectFamily) {
      family_wiring(x, t, elements);
      continue;
    }
    assignable(*x.value, t, fmt::format("attribute '{}'", x.attribute));
    if (!x.index && !whole.insert(x.attribute).second) {
      d_.warning("set-twice", x.span, fmt::format("'{}' gets a value twice", x.attribute),
                 "the last one counts");
    }
  }
}

// parts = part: an array of references gets the members of a family, one each.
void Resolver::family_wiring(const ObjectDecl::Wiring& x, const ModelType& element, std::uint32_t elements) {
  const ModelType& family = x.value->type;
  if (element.tag != TypeTag::Ref || !family.of_class.valid() ||
      !is_a(m_, family.of_class, element.of_class)) {
    error(
        "type-mismatch", x.value->span,
        fmt::format("the elements of '{}' are {}, but '{}' is a family of {}", x.attribute, show(element, m_),
                    show(*x.value), family.of_class.valid() ? m_.of(family.of_class).name : "?"));
  } else if (family.array != elements) {
    error("array-size", x.value->span,
          fmt::format("'{}' has {} elements, but '{}' has {} objects", x.attribute, elements, show(*x.value),
                      family.array),
          "give them the same size, or set elements one by one: name[0] = …");
  }
}

// Every object's attributes at the start: declared initial values overridden by the wiring.
void Resolver::initial_values() {
  std::unordered_set<const Expr*> reported;
  const auto evaluate = [&](const Expr& e, std::uint32_t position,
                            const Model::Object& o) -> std::optional<std::int32_t> {
    if (e.type.tag == TypeTag::Unknown) return std::nullopt;
    Span division;
    FoldScope scope;
    scope.family_index = position;
    const auto value = fold(m_, e, scope, &division);
    if (!value && reported.insert(&e).second) {
      if (division.valid())
        error("constant-division", division, fmt::format("division by zero for {}", o.name));
      else if (e.kind == ExprKind::Index && e.operands[0]->symbol == SymbolKind::ObjectFamily) {
        if (fold(m_, *e.operands[1], {}, nullptr)) return value;  // said by element() already
        error("index-out-of-range", e.operands[1]->span,
              fmt::format("for {} the index is outside 0..{}", o.name,
                          m_.system->objects[e.operands[0]->index].count - 1));
      } else {
        error("not-constant", e.span, fmt::format("'{}' is not known before the system runs", show(e)),
              "only constants, objects and 'i' may stand here");
      }
    }
    return value;
  };
  std::size_t cells = 0;
  for (Model::Object& o : m_.objects) {
    const std::vector<const Attribute*> attributes = all_attributes(m_, o.of_class);
    for (const Attribute* a : attributes) cells += std::max(1u, a->type.resolved.array);
    if (cells > kMaxCells) {
      error("too-many", m_.system->span,
            fmt::format("the objects have more than {} attributes and elements", kMaxCells));
      throw Enough{};
    }
    o.initial.clear();
    for (const Attribute* a : attributes) {
      const ModelType& t = a->type.resolved;
      // A ranged int without an initial value starts at 0 if that is in its range, else at the nearest end.
      std::int32_t value = t.tag == TypeTag::Int ? std::clamp(0, t.lo, t.hi) : 0;
      if (a->initial && t.tag != TypeTag::Timer) value = fold(m_, *a->initial, {}, nullptr).value_or(value);
      o.initial.emplace_back(std::max(1u, t.array), value);
    }
    for (const ObjectDecl::Wiring& w : m_.system->objects[o.declaration].wiring) {
      if (w.attribute_index >= o.initial.size() || !find_attribute(o.of_class, w.attribute)) continue;
      const ModelType& t = attributes[w.attribute_index]->type.resolved;
      if (t.tag == TypeTag::Timer) continue;
      if (!w.index && w.value->symbol == SymbolKind::ObjectFamily) {
        const std::uint32_t first = m_.system->objects[w.value->index].first_object;
        std::vector<std::int32_t>& members = o.initial[w.attribute_index];
        for (std::size_t k = 0; k < members.size(); ++k)
          members[k] = static_cast<std::int32_t>(first + k + 1);
        continue;
      }
      const auto value = evaluate(*w.value, o.position, o);
      if (!value) continue;
      const bool depends_on_i = !fold(m_, *w.value, {}, nullptr);  // else said by assignable() already
      if (t.tag == TypeTag::Int && (*value < t.lo || *value > t.hi) && depends_on_i &&
          reported.insert(w.value.get()).second) {
        error("out-of-range", w.value->span,
              fmt::format("attribute '{}' of {} is in {}..{}, but the value is {}", w.attribute, o.name, t.lo,
                          t.hi, *value));
      }
      std::vector<std::int32_t>& elements = o.initial[w.attribute_index];
      if (!w.index) {
        std::fill(elements.begin(), elements.end(), *value);
        continue;
      }
      const auto index = evaluate(*w.index, o.position, o);
      if (!index) continue;
      if (*index < 0 || static_cast<std::size_t>(*index) >= elements.size()) {
        if (reported.insert(w.index.get()).second) {
          error("index-out-of-range", w.index->span,
                fmt::format("index {} is outside 0..{}", *index, elements.size() - 1));
        }
        continue;
      }
      elements[static_cast<std::size_t>(*index)] = *value;
    }
  }
}

// An object, a member of a family, or a whole family.
void Resolver::object_or_family(Expr& e, Scope& scope, const char* use) {
  expression(e, scope);
  if (e.type.tag == TypeTag::Unknown) return;
  const bool object = e.symbol == SymbolKind::Object || e.symbol == SymbolKind::ObjectFamily ||
                      e.symbol == SymbolKind::BoundVariable ||
                      (e.kind == ExprKind::Index && e.operands[0]->symbol == SymbolKind::ObjectFamily);
  if (!object) error("not-an-object", e.span, fmt::format("'{}' is not an object or family", show(e)), use);
}

void Resolver::threads() {
  std::unordered_map<std::uint32_t, Span> taken;
  for (std::size_t i = 0; i < m_.system->threads.size(); ++i) {
    ThreadDecl& t = m_.system->threads[i];
    unique(t.name, t.name_span, "thread");
    threads_.emplace(t.name, static_cast<std::uint32_t>(i));
    if (t.members.empty())
      error("empty-thread", t.span, fmt::format("the thread '{}' has no objects", t.name));
    for (ExprPtr& e : t.members) {
      Scope scope = outside_scope();
      object_or_family(*e, scope, "a thread lists objects and families");
      if (e->type.tag == TypeTag::Unknown) continue;
      std::uint32_t first = 0, count = 1;
      if (e->symbol == SymbolKind::ObjectFamily) {
        first = m_.system->objects[e->index].first_object;
        count = m_.system->objects[e->index].count;
      } else if (const auto v = fold(m_, *e, {}, nullptr); v && *v > 0) {
        first = static_cast<std::uint32_t>(*v - 1);
      } else {
        continue;
      }
      for (std::uint32_t k = 0; k < count && first + k < m_.objects.size(); ++k) {
        const auto [it, fresh] = taken.emplace(first + k, e->span);
        if (fresh) continue;
        d_.error("thread-twice", e->span,
                 fmt::format("{} is in a thread already", m_.objects[first + k].name))
            .related.push_back({it->second, "here"});
        break;
      }
    }
  }
}

void Resolver::queues() {
  for (QueueDecl& q : m_.system->queues) {
    for (ExprPtr& e : q.of) {
      if (e->kind == ExprKind::Name && threads_.contains(e->text)) continue;
      Scope scope = outside_scope();
      object_or_family(*e, scope, "queues belong to objects, families and threads");
    }
    if (!q.capacity) continue;
    Scope scope;
    const auto capacity = constant_value(*q.capacity, TypeTag::Int, scope, "a capacity");
    if (capacity && (*capacity < 1 || *capacity > 1000000)) {
      error("queue-capacity", q.capacity->span, fmt::format("a queue of capacity {}", *capacity),
            "a queue holds 1 to 1000000 messages");
    }
  }
}

void Resolver::environment(EnvironmentDecl& e) {
  e.signal_id = signal(e.signal, e.signal_span);
  const SignalDecl* decl = e.signal_id.valid() ? &m_.signals[e.signal_id.index()] : nullptr;
  if (decl != nullptr) sent_[e.signal_id.index()] = true;
  if (decl != nullptr && e.arguments.size() != decl->parameters.size()) {
    error("argument-count", e.signal_span,
          fmt::format("signal '{}' carries {} value{}, not {}", decl->name, decl->parameters.size(),
                      decl->parameters.size() == 1 ? "" : "s", e.arguments.size()),
          "an argument is a value, a range lo..hi, or any");
  }
  for (std::size_t i = 0; i < e.arguments.size(); ++i) {
    EnvironmentDecl::Argument& a = e.arguments[i];
    const bool declared = decl != nullptr && i < decl->parameters.size();
    const ModelType t = declared ? decl->parameters[i].type.resolved : ModelType{};
    const std::string place =
        declared ? fmt::format("parameter '{}'", decl->parameters[i].name) : "the parameter";
    if (!a.lo) {
      if (t.is_full_int()) {
        d_.warning("wide-any", a.span,
                   fmt::format("'any' means all 4294967296 values of '{}'", decl->parameters[i].name),
                   "give a range, here or in the signal's declaration");
      }
      continue;
    }
    std::optional<std::int32_t> bounds[2];
    const bool range = show(*a.lo) != show(*a.hi);
    for (int k = 0; k < 2; ++k) {
      Expr& x = k == 0 ? *a.lo : *a.hi;
      Scope scope = outside_scope();
      scope.state_tests = false;
      const std::size_t errors = d_.error_count();
      expression(x, scope, &t);
      if (k == 1 && !range) break;  // the same expression again
      assignable(x, t, place);
      if (d_.error_count() == errors && x.type.tag != TypeTag::Unknown) bounds[k] = fold_constant(m_, x, &d_);
    }
    if (range && t.tag != TypeTag::Int && t.tag != TypeTag::Enum && t.tag != TypeTag::Unknown) {
      error("type-mismatch", a.span,
            fmt::format("a range needs an int or an enumeration, but {} is {}", place, show(t, m_)));
    } else if (range && bounds[0] && bounds[1] && *bounds[0] > *bounds[1]) {
      error("empty-range", a.span, fmt::format("the range {}..{} is empty", *bounds[0], *bounds[1]));
    }
  }
  Scope scope = outside_scope();
  object_or_family(*e.target, scope, "the environment sends to an object or to any of a family");
  if (e.target->type.tag == TypeTag::Ref && e.target->type.of_class.valid() &&
      !machine_class(m_, e.target->type.of_class).valid()) {
    d_.warning(
        "passive-receiver", e.target->span,
        fmt::format("class '{}' has no machine to receive messages", m_.of(e.target->type.of_class).name));
  }
  if (e.when) {
    Scope inside = outside_scope();
    want(*e.when, TypeTag::Bool, inside, "the condition of 'when'");
  }
  if (e.at_most) {
    Scope plain;
    const auto n = constant_value(*e.at_most, TypeTag::Int, plain, "the number of messages");
    if (n && *n < 0) error("out-of-range", e.at_most->span, "the number of messages must not be negative");
  }
}

void Resolver::switches() {
  m_.switches = {};
  std::vector<std::string> names;
  for (const auto& [name, values] : switch_spellings()) names.push_back(name);
  const auto set = [&](const std::string& name, const std::string& value, Span span) {
    if (set_switch(m_.switches, name, value)) return;
    std::string plain = name;
    std::replace(plain.begin(), plain.end(), '-', '_');
    for (const auto& [known, values] : switch_spellings()) {
      if (known != plain) continue;
      error("unknown-switch-value", span, fmt::format("the switch '{}' has no value '{}'", name, value),
            fmt::format("it is one of: {}", fmt::join(values, ", ")));
      return;
    }
    const std::string near = diag::did_you_mean(plain, names);
    error("unknown-switch", span, fmt::format("there is no switch '{}'", name),
          near.empty() ? fmt::format("known ones are: {}", fmt::join(names, ", "))
                       : fmt::format("did you mean '{}'?", near));
  };
  if (m_.system) {
    for (const SemanticsDecl& d : m_.system->semantics) {
      for (const SemanticsDecl::Item& item : d.items) set(item.name, item.value, item.span);
    }
  }
  for (const auto& [name, value] : options_.switches) set(name, value, {});
}

}  // namespace parley::model
