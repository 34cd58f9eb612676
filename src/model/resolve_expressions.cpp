#include <fmt/format.h>

#include <utility>

#include "model/resolver.hpp"
#include "model/show.hpp"

namespace parley::model {
namespace {

ModelType reference(ClassId c) {
  return {TypeTag::Ref, INT32_MIN, INT32_MAX, {}, c, 0};
}

}  // namespace

const ModelType& Resolver::expression(Expr& e, Scope& scope, const ModelType* expected) {
  switch (e.kind) {
    case ExprKind::IntLiteral:
      e.type = kInt;
      if (e.value > INT32_MAX || e.value < INT32_MIN) {
        error("number-too-large", e.span, "this number does not fit into 32 bits",
              "integers go from -2147483648 to 2147483647");
      }
      break;
    case ExprKind::BoolLiteral:
      e.type = kBool;
      break;
    case ExprKind::Null:
      e.type = reference({});
      break;
    case ExprKind::This:
      if (scope.of_class.valid()) {
        e.type = reference(scope.of_class);
      } else {
        error("no-this", e.span, "there is no 'this' outside a class");
      }
      break;
    case ExprKind::Name:
      name(e, scope, expected);
      break;
    case ExprKind::Field:
      field(e, scope);
      break;
    case ExprKind::Index:
      element(e, scope);
      break;
    case ExprKind::Unary:
      unary(e, scope);
      break;
    case ExprKind::Binary:
      binary(e, scope);
      break;
    case ExprKind::Conditional:
      conditional(e, scope, expected);
      break;
    case ExprKind::Call:
      call(e, scope);
      break;
    case ExprKind::Any:
      any(e, scope);
      break;
    case ExprKind::InState:
    case ExprKind::QueueLength:
    case ExprKind::QueueHas:
      state_test(e, scope);
      break;
    case ExprKind::Forall:
    case ExprKind::Exists:
      quantifier(e, scope);
      break;
    case ExprKind::Event:
    case ExprKind::Pattern:
      break;  // the parser has made an atom of it, or an error
  }
  return e.type;
}

Resolver::Variable* Resolver::find(Scope& scope, const std::string& name) {
  for (auto it = scope.variables.rbegin(); it != scope.variables.rend(); ++it) {
    if (it->name == name) return &*it;
  }
  return nullptr;
}

std::optional<std::pair<std::uint32_t, ClassId>> Resolver::find_attribute(ClassId c,
                                                                          const std::string& name) const {
  for (ClassId at = c; at.valid(); at = m_.of(at).base_class) {
    const auto& own = own_attributes_[at.index()];
    if (const auto it = own.find(name); it != own.end())
      return std::pair(inherited_[at.index()] + it->second, at);
  }
  return std::nullopt;
}

// The attribute with this index in all_attributes(c), where c declares it.
const Attribute& Resolver::attribute(ClassId c, std::uint32_t index) const {
  return m_.of(c).attributes[index - inherited_[c.index()]];
}

void Resolver::name(Expr& e, Scope& scope, const ModelType* expected) {
  if (!e.operands.empty()) {  // Enumeration.literal, resolved before
    e.type = {TypeTag::Enum, 0, 0, e.enumeration, {}, 0};
    return;
  }
  if (Variable* v = find(scope, e.text); v != nullptr) {
    v->used = true;
    e.symbol = v->symbol;
    e.index = v->index;
    e.type = v->type;
    if (!v->usable) {
      e.type = {};
      error("parameter-mismatch", e.span,
            fmt::format("'{}' is not bound by every trigger of the transition", e.text),
            "give it to each trigger at the same position, with the same type");
    }
    return;
  }
  if (scope.of_class.valid()) {
    if (const auto found = find_attribute(scope.of_class, e.text); found) {
      const Attribute& a = attribute(found->second, found->first);
      attribute_used_.insert(&a);
      if (scope.constant) {
        error("not-constant", e.span, fmt::format("'{}' is an attribute, not a constant", e.text),
              "only numbers, constants and operators may stand here");
        return;
      }
      e.symbol = SymbolKind::Attribute;
      e.index = found->first;
      e.owner_class = found->second;
      e.type = a.type.resolved;
      return;
    }
  }
  if (scope.family_index && e.text == "i" && !objects_.contains("i")) {
    e.symbol = SymbolKind::FamilyIndex;
    e.type = kInt;
    return;
  }
  if (scope.sees_objects) {
    if (const auto it = objects_.find(e.text); it != objects_.end()) {
      const ObjectDecl& o = m_.system->objects[it->second];
      e.symbol = o.size ? SymbolKind::ObjectFamily : SymbolKind::Object;
      e.index = o.size ? it->second : o.first_object;
      if (o.of_class.valid()) e.type = reference(o.of_class);
      if (o.size) e.type.array = std::max(1u, o.count);
      return;
    }
  }
  if (const auto it = constants_.find(e.text); it != constants_.end()) {
    const std::size_t index = it->second.index();
    if (scope.constant) constant(index);
    constant_used_[index] = true;
    e.symbol = SymbolKind::Constant;
    e.index = it->second.value;
    e.type = m_.constants[index].type.resolved;
    return;
  }
  if (literal(e, expected)) return;
  unknown_name(e, scope);
}

bool Resolver::literal(Expr& e, const ModelType* expected) {
  const auto it = literals_.find(e.text);
  if (it == literals_.end()) return false;
  const LiteralUse* chosen = it->second.size() == 1 ? &it->second[0] : nullptr;
  for (const LiteralUse& use : it->second) {
    if (expected != nullptr && expected->tag == TypeTag::Enum && expected->enumeration == use.enumeration)
      chosen = &use;
  }
  if (chosen == nullptr) {
    const std::string first = m_.enums[it->second[0].enumeration.index()].name;
    const std::string second = m_.enums[it->second[1].enumeration.index()].name;
    error("ambiguous-literal", e.span,
          fmt::format("'{}' is a literal of both '{}' and '{}'", e.text, first, second),
          fmt::format("write {}.{}", first, e.text));
    return true;
  }
  e.symbol = SymbolKind::EnumLiteral;
  e.index = chosen->index;
  e.enumeration = chosen->enumeration;
  const auto count = m_.enums[chosen->enumeration.index()].literals.size();
  e.type = {TypeTag::Enum, 0, static_cast<std::int32_t>(count) - 1, chosen->enumeration, {}, 0};
  return true;
}

bool Resolver::is_ambiguous_literal(const Expr& e, Scope& scope) const {
  if (e.kind != ExprKind::Name || !e.operands.empty()) return false;
  const auto it = literals_.find(e.text);
  if (it == literals_.end() || it->second.size() < 2) return false;
  for (const Variable& v : scope.variables) {
    if (v.name == e.text) return false;
  }
  return !(scope.of_class.valid() && find_attribute(scope.of_class, e.text)) && !constants_.contains(e.text);
}

// Colour.red: becomes a Name with the enumeration as its operand, which only the printer looks at.
bool Resolver::qualified_literal(Expr& e, Scope& scope) {
  Expr& base = *e.operands[0];
  if (base.kind != ExprKind::Name || find(scope, base.text) != nullptr) return false;
  if (scope.of_class.valid() && find_attribute(scope.of_class, base.text)) return false;
  const auto it = enums_.find(base.text);
  if (it == enums_.end()) return false;
  const EnumDecl& decl = m_.enums[it->second.index()];
  for (std::size_t i = 0; i < decl.literals.size(); ++i) {
    if (decl.literals[i] != e.text) continue;
    e.kind = ExprKind::Name;
    e.symbol = SymbolKind::EnumLiteral;
    e.index = static_cast<std::uint32_t>(i);
    e.enumeration = it->second;
    e.type = {TypeTag::Enum, 0, static_cast<std::int32_t>(decl.literals.size()) - 1, it->second, {}, 0};
    return true;
  }
  error_unknown("unknown-literal", e.name_span, fmt::format("literal of '{}':", decl.name), e.text,
                decl.literals);
  return true;
}

void Resolver::unknown_name(Expr& e, const Scope& scope) {
  std::vector<std::string> known;
  for (const Variable& v : scope.variables) known.push_back(v.name);
  if (scope.of_class.valid()) {
    for (const Attribute* a : all_attributes(m_, scope.of_class)) known.push_back(a->name);
  }
  if (scope.sees_objects && m_.system) {
    for (const ObjectDecl& o : m_.system->objects) known.push_back(o.name);
  }
  for (const ConstDecl& c : m_.constants) known.push_back(c.name);
  for (const EnumDecl& d : m_.enums) known.insert(known.end(), d.literals.begin(), d.literals.end());
  std::string otherwise;
  if (scope.of_class.valid() && objects_.contains(e.text)) {
    otherwise = "objects of the system are not visible inside classes; give the class a reference attribute";
  } else if (scope.constant && !scope.of_class.valid()) {
    otherwise = "only constants may stand here";
  }
  error_unknown("unknown-name", e.span, "name", e.text, known, otherwise);
}

void Resolver::field(Expr& e, Scope& scope) {
  if (qualified_literal(e, scope)) return;
  Expr& base = *e.operands[0];
  const ModelType t = expression(base, scope);
  if (t.tag == TypeTag::Unknown) return;
  if (t.tag != TypeTag::Ref || !t.of_class.valid() || t.is_array()) {
    error("no-attributes", e.span,
          fmt::format("'{}' is of type {} and has no attributes", show(base), show(t, m_)),
          t.is_array() ? "choose an element with [ ]" : "");
    return;
  }
  const auto found = find_attribute(t.of_class, e.text);
  if (!found) {
    std::vector<std::string> known;
    for (const Attribute* a : all_attributes(m_, t.of_class)) known.push_back(a->name);
    error_unknown("unknown-attribute", e.name_span,
                  fmt::format("attribute of class '{}':", m_.of(t.of_class).name), e.text, known);
    return;
  }
  follow(base, scope);
  const Attribute& a = attribute(found->second, found->first);
  attribute_used_.insert(&a);
  e.symbol = SymbolKind::Attribute;
  e.index = found->first;
  e.owner_class = found->second;
  e.type = a.type.resolved;
}

void Resolver::element(Expr& e, Scope& scope) {
  Expr& base = *e.operands[0];
  const ModelType t = expression(base, scope);
  want(*e.operands[1], TypeTag::Int, scope, "an index");
  if (t.tag == TypeTag::Unknown) return;
  if (!t.is_array()) {
    error("not-an-array", base.span, fmt::format("'{}' is not an array", show(base)));
    return;
  }
  e.type = t;
  e.type.array = 0;
  const auto index = fold(m_, *e.operands[1], {}, nullptr);
  if (index && (*index < 0 || static_cast<std::uint32_t>(*index) >= t.array)) {
    error("index-out-of-range", e.operands[1]->span,
          fmt::format("index {} is outside 0..{}", *index, t.array - 1));
  } else if (base.symbol == SymbolKind::ObjectFamily && !index && !scope.family_index &&
             e.operands[1]->type.tag != TypeTag::Unknown) {
    error("not-constant", e.operands[1]->span, "the index of a family must be constant",
          "use forall or exists for all its objects");
  }
}

bool Resolver::want(Expr& e, TypeTag tag, Scope& scope, const char* use) {
  const ModelType t = expression(e, scope);
  if (t.tag == TypeTag::Unknown) return false;
  if (t.tag == tag && !t.is_array()) return true;
  const char* name = tag == TypeTag::Bool ? "bool" : tag == TypeTag::Int ? "int" : "a reference";
  std::string hint;
  if (tag == TypeTag::Bool && t.tag == TypeTag::Int && !t.is_array())
    hint = fmt::format("did you mean '{} != 0'?", show(e));
  error("type-mismatch", e.span,
        fmt::format("{} must be {}, but '{}' is {}", use, name, show(e), show(t, m_)), hint);
  return false;
}

std::optional<std::int32_t> Resolver::constant_value(Expr& e, TypeTag tag, Scope& scope, const char* use) {
  const bool before = std::exchange(scope.constant, true);
  const bool ok = want(e, tag, scope, use);
  scope.constant = before;
  return ok ? fold_constant(m_, e, &d_) : std::nullopt;
}

void Resolver::call(Expr& e, Scope& scope) {
  const std::size_t first = e.has_receiver ? 1 : 0;
  ClassId of_class = scope.of_class;
  bool known = true;
  if (e.has_receiver) {
    const ModelType t = expression(*e.operands[0], scope);
    known = t.tag != TypeTag::Unknown;
    if (known && (t.tag != TypeTag::Ref || !t.of_class.valid() || t.is_array())) {
      error("no-operations", e.operands[0]->span,
            fmt::format("'{}' is {} and has no operations", show(*e.operands[0]), show(t, m_)));
      known = false;
    }
    of_class = t.of_class;
    follow(*e.operands[0], scope);
  }
  const Operation* o = known && of_class.valid() ? find_operation(m_, of_class, e.text) : nullptr;
  if (known && o == nullptr) {
    std::vector<std::string> names;
    for (ClassId c = of_class; c.valid(); c = m_.of(c).base_class) {
      for (const Operation& k : m_.of(c).operations) names.push_back(k.name);
    }
    std::string otherwise;
    if (signals_.contains(e.text)) {
      names.clear();
      otherwise = fmt::format("to send the signal: send {}(…) to …;", quote_name(e.text));
    }
    error_unknown("unknown-operation", e.name_span, "operation", e.text, names, otherwise);
  }
  for (std::size_t i = first; i < e.operands.size(); ++i) {
    const bool declared = o != nullptr && i - first < o->parameters.size();
    expression(*e.operands[i], scope, declared ? &o->parameters[i - first].type.resolved : nullptr);
    if (declared) {
      assignable(*e.operands[i], o->parameters[i - first].type.resolved,
                 fmt::format("parameter '{}'", o->parameters[i - first].name));
    }
  }
  if (o == nullptr) return;
  if (e.operands.size() - first != o->parameters.size()) {
    error("argument-count", e.span,
          fmt::format("'{}' takes {} argument{}, not {}", o->name, o->parameters.size(),
                      o->parameters.size() == 1 ? "" : "s", e.operands.size() - first));
  }
  operation_used_.insert(o);
  uses_.push_back({scope.operation, scope.pure, o, e.span});
  if (scope.constant) {
    error("not-constant", e.span, "an operation cannot be called in a constant");
  }
  for (ClassId c = of_class; c.valid(); c = m_.of(c).base_class) {
    const std::vector<Operation>& own = m_.of(c).operations;
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (&own[i] != o) continue;
      e.owner_class = c;
      e.index = static_cast<std::uint32_t>(i);
    }
  }
  e.type = o->result.resolved;
}

void Resolver::any(Expr& e, Scope& scope) {
  if (!scope.in_behaviour) {
    error(scope.pure ? "impure-guard" : "any-place", e.span,
          scope.pure ? "a guard cannot choose: 'any' gives a different value each time"
                     : "'any' stands only in behaviours",
          "choose in an effect and store the value in an attribute");
  }
  if (scope.operation != nullptr) impure_.emplace(scope.operation, "chooses with 'any'");
  if (e.operands.empty()) {
    if (e.text == "bool") {
      e.type = kBool;
    } else if (const auto it = enums_.find(e.text); it != enums_.end()) {
      const auto count = m_.enums[it->second.index()].literals.size();
      e.enumeration = it->second;
      e.type = {TypeTag::Enum, 0, static_cast<std::int32_t>(count) - 1, it->second, {}, 0};
    } else {
      std::vector<std::string> known = {"bool"};
      for (const EnumDecl& d : m_.enums) known.push_back(d.name);
      error_unknown("unknown-type", e.name_span, "enumeration", e.text, known,
                    "any(bool), any(Colour) or any(0..3)");
    }
    return;
  }
  const auto lo = constant_value(*e.operands[0], TypeTag::Int, scope, "the bound of 'any'");
  const auto hi = constant_value(*e.operands[1], TypeTag::Int, scope, "the bound of 'any'");
  e.type = kInt;
  if (!lo || !hi) return;
  if (*lo > *hi) {
    error("empty-range", e.span, fmt::format("the range {}..{} is empty", *lo, *hi));
    return;
  }
  e.type.lo = *lo;
  e.type.hi = *hi;
}

void Resolver::state_test(Expr& e, Scope& scope) {
  e.type = e.kind == ExprKind::QueueLength ? kInt : kBool;
  if (!scope.state_tests) {
    const char* what = e.kind == ExprKind::InState       ? "'in'"
                       : e.kind == ExprKind::QueueLength ? "'len'"
                                                         : "'has'";
    error("state-test-place", e.span, fmt::format("{} looks into an object from outside", what),
          "it stands only in checks and in the environment's 'when'");
    return;
  }
  Expr& object = *e.operands[0];
  const ModelType t = expression(object, scope);
  if (t.tag == TypeTag::Unknown) return;
  if (t.tag != TypeTag::Ref || !t.of_class.valid() || t.is_array()) {
    error("not-an-object", object.span, fmt::format("'{}' is not an object", show(object)),
          t.is_array() ? "choose one with [ ], or use forall or exists" : "");
    return;
  }
  if (e.kind == ExprKind::QueueHas) {
    e.signal = signal(e.text, e.name_span);
    return;
  }
  const ClassId owner = machine_class(m_, t.of_class);
  if (!owner.valid()) {
    error("passive-object", object.span, fmt::format("class '{}' has no machine", m_.of(t.of_class).name));
    return;
  }
  if (e.kind == ExprKind::QueueLength) return;
  e.owner_class = owner;
  for (std::size_t i = 0; i < m_.classes.size(); ++i) {
    const ClassId other = machine_class(m_, ClassId(i));
    const bool exact = object.symbol == SymbolKind::Object || object.kind == ExprKind::Index;
    if (exact || !is_a(m_, ClassId(i), t.of_class) || other == owner) continue;
    error("machine-differs", e.span,
          fmt::format("class '{}' has a machine of its own, so 'in {}' is not clear", m_.of(other).name,
                      e.text),
          "ask the objects of each class apart");
    return;
  }
  const VertexNames& names = names_.at(owner.value);
  const Machine& machine = *m_.of(owner).machine;
  std::vector<VertexId> found = names.find({}, split_path(e.text));
  std::erase_if(found, [&](VertexId v) {
    const VertexKind k = machine.vertex(v).kind;
    return k != VertexKind::State && k != VertexKind::Final;
  });
  if (found.size() == 1) {
    e.state = found[0].value;
  } else if (found.empty()) {
    error_unknown("unknown-state", e.name_span, fmt::format("state of class '{}':", m_.of(owner).name),
                  e.text, names.all_names());
  } else {
    error("ambiguous-state", e.name_span,
          fmt::format("'{}' may be {} or {}", e.text, machine.path(found[0]), machine.path(found[1])),
          "write the path from the outer state");
  }
}

void Resolver::quantifier(Expr& e, Scope& scope) {
  e.type = kBool;
  if (!scope.state_tests) {
    error("state-test-place", e.span,
          fmt::format("'{}' stands only in checks and in the environment's 'when'",
                      e.kind == ExprKind::Forall ? "forall" : "exists"));
    return;
  }
  const std::size_t size = scope.variables.size();
  e.index = bind_objects(e.text, e.name_span, *e.operands[0], scope);
  want(*e.operands[1], TypeTag::Bool, scope,
       e.kind == ExprKind::Forall ? "the body of 'forall'" : "the body of 'exists'");
  scope.variables.resize(size);
  --scope.bound;
}

std::uint32_t Resolver::bind_objects(const std::string& variable, Span span, Expr& domain, Scope& scope) {
  ClassId of_class;
  if (const auto it = objects_.find(domain.text); it != objects_.end()) {
    const ObjectDecl& o = m_.system->objects[it->second];
    domain.symbol = o.size ? SymbolKind::ObjectFamily : SymbolKind::Object;
    domain.index = o.size ? it->second : o.first_object;
    of_class = o.of_class;
  } else if (const auto c = classes_.find(domain.text); c != classes_.end()) {
    domain.symbol = SymbolKind::ClassName;
    domain.owner_class = of_class = c->second;
  } else {
    std::vector<std::string> known;
    if (m_.system) {
      for (const ObjectDecl& o : m_.system->objects) known.push_back(o.name);
    }
    for (const Class& c2 : m_.classes) known.push_back(c2.name);
    error_unknown("unknown-name", domain.span, "family or class", domain.text, known);
  }
  if (of_class.valid()) domain.type = reference(of_class);
  Variable v;
  v.name = variable;
  if (of_class.valid()) v.type = reference(of_class);
  v.index = scope.bound++;
  v.symbol = SymbolKind::BoundVariable;
  v.span = span;
  scope.variables.push_back(std::move(v));
  return scope.bound - 1;
}

void Resolver::assignable(const Expr& value, const ModelType& to, const std::string& place) {
  const ModelType& from = value.type;
  if (from.tag == TypeTag::Unknown || to.tag == TypeTag::Unknown) return;
  if (!fits(from, to)) {
    std::string hint;
    if (value.kind == ExprKind::IntLiteral && to.tag == TypeTag::Bool)
      hint = "use true or false";
    else if (value.kind == ExprKind::BoolLiteral && to.tag == TypeTag::Int)
      hint = "use a number";
    else if (from.tag == TypeTag::Int && to.tag == TypeTag::Bool)
      hint = fmt::format("did you mean '{} != 0'?", show(value));
    else if (from.tag == TypeTag::Bool && to.tag == TypeTag::Int)
      hint = fmt::format("did you mean '{} ? 1 : 0'?", show(value));
    error("type-mismatch", value.span,
          fmt::format("{} is {}, but '{}' is {}", place, show(to, m_), show(value), show(from, m_)), hint);
    return;
  }
  if (to.tag != TypeTag::Int || to.is_full_int()) return;
  const auto constant = fold(m_, value, {}, nullptr);
  if (constant && (*constant < to.lo || *constant > to.hi)) {
    error("out-of-range", value.span,
          fmt::format("{} is in {}..{}, but the value is {}", place, to.lo, to.hi, *constant));
  }
}

}  // namespace parley::model
