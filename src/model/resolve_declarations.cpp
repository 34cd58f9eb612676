#include <fmt/format.h>

#include <charconv>

#include "model/resolver.hpp"
#include "model/show.hpp"

namespace parley::model {

// Constants, enumerations, signals, classes and objects share one name space; literals stand apart.
void Resolver::unique(const std::string& name, Span span, const char* what) {
  const auto [it, fresh] = declared_.emplace(name, span);
  if (fresh) return;
  d_.error("duplicate-name", span,
           fmt::format("the {} '{}' has the name of something declared before", what, name))
      .related.push_back({it->second, "the first declaration"});
}

// Types are told apart by name alone, so these four are taken.
void Resolver::type_name_free(const std::string& name, Span span) {
  if (name != "int" && name != "bool" && name != "void" && name != "timer") return;
  error("reserved-word", span, fmt::format("'{}' is a type of the language", name), "choose another name");
}

void Resolver::declare_names() {
  for (std::size_t i = 0; i < m_.constants.size(); ++i) {
    unique(m_.constants[i].name, m_.constants[i].name_span, "constant");
    constants_.emplace(m_.constants[i].name, ConstId(i));
  }
  for (std::size_t i = 0; i < m_.enums.size(); ++i) {
    const EnumDecl& e = m_.enums[i];
    unique(e.name, e.name_span, "enumeration");
    type_name_free(e.name, e.name_span);
    enums_.emplace(e.name, EnumId(i));
    if (e.literals.empty())
      error("empty-enum", e.name_span, fmt::format("enumeration '{}' has no literals", e.name));
    for (std::size_t k = 0; k < e.literals.size(); ++k) {
      std::vector<LiteralUse>& uses = literals_[e.literals[k]];
      if (!uses.empty() && uses.back().enumeration == EnumId(i)) {
        error("duplicate-name", e.literal_spans.size() > k ? e.literal_spans[k] : e.span,
              fmt::format("the literal '{}' appears twice in '{}'", e.literals[k], e.name));
        continue;
      }
      uses.push_back({EnumId(i), static_cast<std::uint32_t>(k)});
    }
  }
  for (std::size_t i = 0; i < m_.signals.size(); ++i) {
    unique(m_.signals[i].name, m_.signals[i].name_span, "signal");
    signals_.emplace(m_.signals[i].name, SignalDeclId(i));
  }
  for (std::size_t i = 0; i < m_.classes.size(); ++i) {
    unique(m_.classes[i].name, m_.classes[i].name_span, "class");
    type_name_free(m_.classes[i].name, m_.classes[i].name_span);
    classes_.emplace(m_.classes[i].name, ClassId(i));
  }
}

void Resolver::link_bases() {
  for (Class& c : m_.classes) {
    if (c.base.empty()) continue;
    const auto it = classes_.find(c.base);
    if (it != classes_.end()) {
      c.base_class = it->second;
      continue;
    }
    std::vector<std::string> known;
    for (const Class& k : m_.classes) known.push_back(k.name);
    error_unknown("unknown-class", c.base_span, "class", c.base, known);
  }
  // Depth in the inheritance tree, each class walked over once; a walk that meets itself is a cycle.
  std::vector<std::size_t> depth(m_.classes.size(), 0), walk(m_.classes.size(), 0);
  for (std::size_t i = 0; i < m_.classes.size(); ++i) {
    std::vector<ClassId> chain;
    ClassId at(i);
    for (; at.valid() && depth[at.index()] == 0 && walk[at.index()] != i + 1; at = m_.of(at).base_class) {
      walk[at.index()] = i + 1;
      chain.push_back(at);
    }
    const bool cycle = at.valid() && depth[at.index()] == 0;
    std::size_t below = at.valid() ? depth[at.index()] : 0;
    for (auto it = chain.rbegin(); it != chain.rend(); ++it) depth[it->index()] = ++below;
    Class& c = m_.classes[i];
    if (cycle) {
      error("inheritance-cycle", c.base_span, fmt::format("class '{}' inherits from itself", c.name));
    } else if (depth[i] > kMaxInheritance) {
      error("too-deep", c.base_span,
            fmt::format("classes inherit over more than {} levels", kMaxInheritance));
    } else {
      continue;
    }
    c.base_class = ClassId();
    depth[i] = 1;
  }
}

// What lookups of attributes and receivers need; inherited attributes come first.
void Resolver::index_classes() {
  const std::size_t count = m_.classes.size();
  own_attributes_.assign(count, {});
  inherited_.assign(count, 0);
  may_receive_.assign(count, false);
  for (std::size_t i = 0; i < count; ++i) {
    const std::vector<Attribute>& own = m_.classes[i].attributes;
    for (std::size_t k = 0; k < own.size(); ++k)
      own_attributes_[i].emplace(own[k].name, static_cast<std::uint32_t>(k));
    for (ClassId b = m_.classes[i].base_class; b.valid(); b = m_.of(b).base_class) {
      inherited_[i] += static_cast<std::uint32_t>(m_.of(b).attributes.size());
    }
    if (!machine_class(m_, ClassId(i)).valid()) continue;
    for (ClassId b(i); b.valid(); b = m_.of(b).base_class) may_receive_[b.index()] = true;
  }
}

void Resolver::constants() {
  for (std::size_t i = 0; i < m_.constants.size(); ++i) constant(i);
}

// Resolves a constant, those it uses first.
void Resolver::constant(std::size_t index) {
  if (constant_state_[index] == 2) return;
  ConstDecl& c = m_.constants[index];
  if (constant_state_[index] == 1) {
    error("constant-cycle", c.name_span, fmt::format("the constant '{}' is defined by itself", c.name));
    return;
  }
  if (constant_depth_ >= kMaxConstantChain) {
    error("too-deep", c.name_span,
          fmt::format("constants depend on one another over more than {} levels", kMaxConstantChain),
          "declare them in the order of their use");
    constant_state_[index] = 2;
    return;
  }
  ++constant_depth_;
  constant_state_[index] = 1;
  const ModelType t = type(c.type, "constant");
  if (t.tag == TypeTag::Ref || t.tag == TypeTag::Timer) {
    error("constant-type", c.type.span, "a constant is an int, a bool or of an enumeration");
    c.type.resolved = {};
  }
  Scope scope;
  scope.constant = true;
  const std::size_t errors = d_.error_count();
  expression(*c.value, scope, &c.type.resolved);
  assignable(*c.value, c.type.resolved, fmt::format("the constant '{}'", c.name));
  if (d_.error_count() == errors && c.value->type.tag != TypeTag::Unknown) {
    c.resolved = fold_constant(m_, *c.value, &d_).value_or(0);
  }
  if (const auto it = options_.constants.find(c.name); it != options_.constants.end())
    override_constant(c, it->second);
  constant_state_[index] = 2;
  --constant_depth_;
}

void Resolver::override_constant(ConstDecl& c, const std::string& text) {
  const ModelType& t = c.type.resolved;
  const std::string option = fmt::format("--set {}={}", c.name, text);
  switch (t.tag) {
    case TypeTag::Bool:
      if (text == "true" || text == "false") {
        c.resolved = text == "true" ? 1 : 0;
      } else {
        error("bad-set", c.name_span, fmt::format("{}: the constant is a bool", option), "use true or false");
      }
      return;
    case TypeTag::Enum: {
      const EnumDecl& e = m_.enums[t.enumeration.index()];
      for (std::size_t i = 0; i < e.literals.size(); ++i) {
        if (e.literals[i] != text) continue;
        c.resolved = static_cast<std::int32_t>(i);
        return;
      }
      const std::string near = diag::did_you_mean(text, e.literals);
      error("bad-set", c.name_span, fmt::format("{}: '{}' has no such literal", option, e.name),
            near.empty() ? "" : fmt::format("did you mean '{}'?", near));
      return;
    }
    case TypeTag::Int: {
      std::int32_t value = 0;
      const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
      if (failure != std::errc() || end != text.data() + text.size()) {
        error("bad-set", c.name_span, fmt::format("{}: the constant is an int", option));
      } else if (value < t.lo || value > t.hi) {
        error("bad-set", c.name_span, fmt::format("{}: the constant is in {}..{}", option, t.lo, t.hi));
      } else {
        c.resolved = value;
      }
      return;
    }
    default:
      return;
  }
}

// --set and --semantics of names that do not exist.
void Resolver::unknown_options() {
  std::vector<std::string> known;
  for (const ConstDecl& c : m_.constants) known.push_back(c.name);
  for (const auto& [name, value] : options_.constants) {
    if (constants_.contains(name)) continue;
    error_unknown("bad-set", {}, "constant in --set:", name, known, "only declared constants can be set");
  }
}

ModelType Resolver::type(TypeRef& t, const char* use) {
  ModelType result;
  Scope scope;
  scope.constant = true;
  if (t.name == "bool") {
    result.tag = TypeTag::Bool;
    result.lo = 0;
    result.hi = 1;
  } else if (t.name == "void") {
    result.tag = TypeTag::Void;
  } else if (t.name == "int") {
    result.tag = TypeTag::Int;
    if (t.lo && t.hi) {
      const auto lo = constant_value(*t.lo, TypeTag::Int, scope, "bound");
      const auto hi = constant_value(*t.hi, TypeTag::Int, scope, "bound");
      if (lo && hi && *lo > *hi) {
        error("empty-range", diag::join(t.lo->span, t.hi->span),
              fmt::format("the range {}..{} is empty", *lo, *hi));
      } else if (lo && hi) {
        result.lo = *lo;
        result.hi = *hi;
      }
    }
  } else if (t.name == "timer") {
    result.tag = TypeTag::Timer;
    result.lo = 0;
    if (!t.hi) {
      error("timer-limit", t.span, "a timer needs its largest number of ticks", "write timer(30)");
      result.tag = TypeTag::Unknown;
    } else if (const auto hi = constant_value(*t.hi, TypeTag::Int, scope, "number of ticks"); hi) {
      if (*hi < 1) error("timer-limit", t.hi->span, "a timer runs for at least one tick");
      result.hi = *hi;
    }
  } else if (const auto e = enums_.find(t.name); e != enums_.end()) {
    result.tag = TypeTag::Enum;
    result.enumeration = e->second;
    result.lo = 0;
    result.hi = static_cast<std::int32_t>(m_.enums[e->second.index()].literals.size()) - 1;
  } else if (const auto c = classes_.find(t.name); c != classes_.end()) {
    result.tag = TypeTag::Ref;
    result.of_class = c->second;
  } else {
    std::vector<std::string> known = {"int", "bool", "timer"};
    for (const EnumDecl& e2 : m_.enums) known.push_back(e2.name);
    for (const Class& k : m_.classes) known.push_back(k.name);
    error_unknown("unknown-type", t.span, "type", t.name, known);
  }
  if (result.tag == TypeTag::Void && std::string_view(use) != "operation") {
    error("void-value", t.span, "only operations can be void");
    result.tag = TypeTag::Unknown;
  }
  if (result.tag == TypeTag::Timer && std::string_view(use) != "attribute") {
    error("timer-place", t.span, "only attributes can be timers");
    result.tag = TypeTag::Unknown;
  }
  if (t.array_size) {
    const auto size = constant_value(*t.array_size, TypeTag::Int, scope, "array size");
    if (std::string_view(use) != "attribute") {
      error("array-place", t.array_size->span, fmt::format("a {} cannot be an array", use),
            "only attributes can be arrays");
    } else if (result.tag == TypeTag::Timer) {
      error("array-place", t.array_size->span, "timers cannot be arrays");
    } else if (size && (*size < 1 || *size > 65536)) {
      error("array-size", t.array_size->span, fmt::format("an array of {} elements", *size),
            "arrays have 1 to 65536 elements");
    } else if (size) {
      result.array = static_cast<std::uint32_t>(*size);
    }
  }
  t.resolved = result;
  return result;
}

void Resolver::signatures() {
  for (SignalDecl& s : m_.signals) {
    for (Parameter& p : s.parameters) type(p.type, "parameter");
    parameters_unique(s.parameters);
  }
  for (std::size_t i = 0; i < m_.classes.size(); ++i) {
    attribute_types(m_.classes[i], ClassId(i));
    operation_types(m_.classes[i], ClassId(i));
  }
  for (std::size_t i = 0; i < m_.classes.size(); ++i) {
    for (Attribute& a : m_.classes[i].attributes) initial_value(a, ClassId(i));
  }
}

void Resolver::parameters_unique(const std::vector<Parameter>& list) {
  std::unordered_set<std::string> names;
  for (const Parameter& p : list) {
    if (!names.insert(p.name).second)
      error("duplicate-name", p.span, fmt::format("two parameters are called '{}'", p.name));
  }
  if (list.size() > kMaxParameters) {
    error("too-many", list[kMaxParameters].span, fmt::format("more than {} parameters", kMaxParameters));
  }
}

void Resolver::attribute_types(Class& c, ClassId id) {
  for (std::size_t i = 0; i < c.attributes.size(); ++i) {
    Attribute& a = c.attributes[i];
    type(a.type, "attribute");
    if (const std::uint32_t first = own_attributes_[id.index()].at(a.name); first < i) {
      d_.error("duplicate-name", a.name_span,
               fmt::format("class '{}' has two attributes called '{}'", c.name, a.name))
          .related.push_back({c.attributes[first].name_span, "the first one"});
    }
    if (const auto inherited = find_attribute(m_.of(id).base_class, a.name); inherited) {
      d_.error("duplicate-name", a.name_span,
               fmt::format("class '{}' inherits an attribute called '{}' already", c.name, a.name))
          .related.push_back({attribute(inherited->second, inherited->first).name_span, "the inherited one"});
    }
  }
}

void Resolver::operation_types(Class& c, ClassId id) {
  std::unordered_set<std::string> names;
  for (Operation& o : c.operations) {
    type(o.result, "operation");
    for (Parameter& p : o.parameters) type(p.type, "parameter");
    parameters_unique(o.parameters);
    if (!names.insert(o.name).second) {
      error("duplicate-name", o.name_span,
            fmt::format("class '{}' has two operations called '{}'", c.name, o.name),
            "operations are told apart by name only");
    }
    if (const ClassId base = m_.of(id).base_class;
        base.valid() && find_operation(m_, base, o.name) != nullptr) {
      error("override", o.name_span,
            fmt::format("class '{}' inherits an operation called '{}' already", c.name, o.name),
            "operations cannot be redefined");
    }
  }
}

void Resolver::initial_value(Attribute& a, ClassId id) {
  if (!a.initial) return;
  if (a.type.resolved.tag == TypeTag::Timer) {
    error("timer-value", a.initial->span, "a timer has no initial value",
          "start it in a behaviour: start t = 5;");
    return;
  }
  Scope scope;
  scope.constant = true;
  scope.of_class = id;
  ModelType element = a.type.resolved;
  element.array = 0;
  const std::size_t errors = d_.error_count();
  expression(*a.initial, scope, &element);
  assignable(*a.initial, element, fmt::format("attribute '{}'", a.name));
  if (d_.error_count() == errors && a.initial->type.tag != TypeTag::Unknown)
    fold_constant(m_, *a.initial, &d_);
}

}  // namespace parley::model
