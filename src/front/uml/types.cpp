// Classes, their attributes and operations, enumerations. A class is part of the model if it has a state
// machine, is a base or a part of one that has, or is the type of a reference that one of those holds.
#include <fmt/format.h>

#include <algorithm>

#include "front/uml/importer.hpp"

namespace parley::front::uml {
namespace {

using Tag = ValueType::Tag;

// Ids of primitive types in the libraries that Eclipse tools refer to by opaque ids.
constexpr std::pair<std::string_view, std::string_view> kLibraryTypes[] = {
    {"_5lVhgBydEduyofBvg4RL2w", "char"},          {"_6j0jABydEduyofBvg4RL2w", "double"},
    {"_7W3wkBydEduyofBvg4RL2w", "float"},         {"_7wRIABydEduyofBvg4RL2w", "int"},
    {"_8I6RgBydEduyofBvg4RL2w", "void"},          {"_8heigBydEduyofBvg4RL2w", "long"},
    {"_DLNPkByeEduyofBvg4RL2w", "long double"},   {"_K-lFQByeEduyofBvg4RL2w", "short"},
    {"_LTZesByeEduyofBvg4RL2w", "unsigned int"},  {"_V5vyUByeEduyofBvg4RL2w", "unsigned short"},
    {"_YYWiwByeEduyofBvg4RL2w", "unsigned char"}, {"_a1wZUByeEduyofBvg4RL2w", "unsigned long"},
    {"_vAIV4I7PEdySGvm5GN66HA", "bool"},          {"_V3dAkOmJEeG_gcDHG3asaQ", "int16_t"},
    {"_Y3550OmJEeG_gcDHG3asaQ", "uint16_t"},      {"_yJpD0OmJEeG_gcDHG3asaQ", "int32_t"},
    {"_1q1SoOmJEeG_gcDHG3asaQ", "uint32_t"},      {"_6hHFEOmJEeG_gcDHG3asaQ", "int64_t"},
    {"_8kiVYOmJEeG_gcDHG3asaQ", "uint64_t"},      {"_zL7x0OmKEeG_gcDHG3asaQ", "int8_t"},
    {"_0-8nkOmKEeG_gcDHG3asaQ", "uint8_t"},
};

std::string library_type_name(const std::string& reference) {
  const auto hash = reference.rfind('#');
  std::string fragment = hash == std::string::npos ? reference : reference.substr(hash + 1);
  for (const auto& [id, name] : kLibraryTypes) {
    if (fragment == id) return std::string(name);
  }
  if (const auto question = fragment.find('?'); question != std::string::npos) fragment.resize(question);
  // Enterprise Architect and others: EAJava_int, …_Integer
  if (const auto underscore = fragment.rfind('_');
      underscore != std::string::npos && underscore + 1 < fragment.size()) {
    const std::string tail = fragment.substr(underscore + 1);
    if (primitive_type(tail).tag != Tag::Opaque || tail == "String" || tail == "Real") return tail;
  }
  return fragment;
}

std::vector<const Element*> bases_of(const Document& document, const Element& e) {
  std::vector<const Element*> result;
  for (const auto* g : document.owned(e, "generalization")) {
    if (const auto* general = document.one(*g, "general")) result.push_back(general);
  }
  return result;
}

std::vector<const Element*> properties_of(const Document& document, const Element& e) {
  auto result = document.owned(e, "ownedAttribute");
  for (const auto* p : document.owned(e, "ownedPort")) result.push_back(p);
  return result;
}

bool is_port(const Document& document, const Element& property) {
  return document.type(property) == "Port";
}

// Properties that connectors of their class join: objects, whatever their aggregation says.
std::set<const Element*> connected_properties(const Document& document) {
  std::set<const Element*> result;
  for (const auto& e : document.elements()) {
    if (document.type(e) != "ConnectorEnd") continue;
    for (const char* feature : {"role", "partWithPort"}) {
      const Element* property = document.one(e, feature);
      if (property != nullptr && !is_port(document, *property)) result.insert(property);
    }
  }
  return result;
}

bool is_part(const Document& document, const Element& property, const std::set<const Element*>& connected) {
  return !is_port(document, property) &&
         (document.value(property, "aggregation") == "composite" || connected.contains(&property) ||
          document.stereotype(property, "CapsulePart") != nullptr);
}

// Association ends that a class can see although the association owns them: the end opposite to the class.
std::map<const Element*, std::vector<const Element*>> association_ends(const Document& document) {
  std::map<const Element*, std::vector<const Element*>> result;
  for (const auto& e : document.elements()) {
    if (document.type(e) != "Association") continue;
    auto ends = document.all(e, "memberEnd");
    for (const auto* end : document.owned(e, "ownedEnd")) {
      if (std::find(ends.begin(), ends.end(), end) == ends.end()) ends.push_back(end);
    }
    if (ends.size() != 2) continue;
    for (int i = 0; i < 2; ++i) {
      const Element* end = ends[static_cast<std::size_t>(i)];
      const Element* opposite = ends[static_cast<std::size_t>(1 - i)];
      if (end->parent != &e) continue;  // owned by a class: one of its attributes
      if (document.value(*end, "isNavigable") == "false") continue;
      const Element* holder = opposite->parent == &e ? document.one(*opposite, "type") : opposite->parent;
      // The class at the other end holds the reference; when the opposite is a class's own attribute, its
      // type does.
      if (opposite->parent != &e) holder = document.one(*opposite, "type");
      if (opposite->parent != &e && document.one(*end, "type") != opposite->parent) holder = nullptr;
      if (holder != nullptr && is_class(document.type(*holder))) result[holder].push_back(end);
    }
  }
  return result;
}

void select_classes(Import& import, const Owners& owners,
                    const std::map<const Element*, std::vector<const Element*>>& ends) {
  const Document& document = import.document;
  const auto connected = connected_properties(document);
  std::vector<const Element*> wanted;
  std::set<const Element*> seen;
  const auto want = [&](const Element* e) {
    if (e != nullptr && is_class(document.type(*e)) && e->attribute("href") == nullptr &&
        seen.insert(e).second)
      wanted.push_back(e);
  };
  for (const auto& [owner, machine] : owners.machine_of_class) want(owner);
  // Classes that consist of parts, when some part leads to a machine, are wanted too: they may be the system.
  for (bool more = true; more;) {
    more = false;
    for (const auto& e : document.elements()) {
      if (!is_class(document.type(e)) || seen.contains(&e)) continue;
      for (const auto* p : properties_of(document, e)) {
        const Element* type = document.one(*p, "type");
        if (type != nullptr && seen.contains(type) && is_part(document, *p, connected)) {
          want(&e);
          more = true;
          break;
        }
      }
    }
  }
  for (const auto& e : document.elements()) {
    if (document.type(e) != "InstanceSpecification") continue;
    // objects without a machine may hold what active objects refer to; their classes come in through the
    // references
  }
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    for (const auto* base : bases_of(document, *wanted[i])) want(base);
    for (const auto* p : properties_of(document, *wanted[i])) want(document.one(*p, "type"));
    if (const auto it = ends.find(wanted[i]); it != ends.end()) {
      for (const auto* end : it->second) want(document.one(*end, "type"));
    }
  }
  for (const auto* m : owners.free_machines) {
    if (m->parent != nullptr && is_class(document.type(*m->parent))) want(m->parent);
  }
  // Document order, so that the model reads like the diagram.
  std::map<const Element*, std::size_t> order;
  for (const auto& e : document.elements()) order.emplace(&e, order.size());
  std::sort(wanted.begin(), wanted.end(),
            [&](const Element* a, const Element* b) { return order[a] < order[b]; });
  const auto add = [&](const Element& e, const Element* machine, const std::string& name) {
    ClassRecord record;
    record.element = &e;
    record.machine = machine;
    record.name = import.global.unique(name, "Class");
    record.is_abstract = document.flag(e, "isAbstract");
    import.class_index[&e] = import.classes.size();
    import.library.class_names.emplace(document.name(e), record.name);
    import.library.classes[record.name];
    import.classes.push_back(std::move(record));
    import.read("class");
  };
  for (const auto* e : wanted) {
    const auto it = owners.machine_of_class.find(e);
    add(*e, it == owners.machine_of_class.end() ? nullptr : it->second, document.name(*e));
  }
  for (const auto* m : owners.free_machines) {
    const bool nested = m->parent != nullptr && import.class_index.contains(m->parent);
    const std::string own = document.name(*m);
    add(*m, m,
        nested        ? document.name(*m->parent) + "_" + (own.empty() ? "machine" : own)
        : own.empty() ? "Machine"
                      : own);
    if (nested) import.classes.back().bases.push_back(import.class_index.at(m->parent));
  }
}

void read_enumerations(Import& import) {
  const Document& document = import.document;
  Names literals;
  for (const auto& e : document.elements()) {
    if (document.type(e) != "Enumeration" || e.attribute("href") != nullptr) continue;
    const auto owned = document.owned(e, "ownedLiteral");
    if (owned.empty()) continue;
    model::EnumDecl decl;
    decl.name = import.global.unique(document.name(e), "Enumeration");
    decl.element_id = e.id;
    decl.span = decl.name_span = e.span;
    for (const auto* l : owned) {
      const std::string written = document.name(*l);
      const std::string literal = literals.unique(written, "literal");
      decl.literals.push_back(literal);
      decl.literal_spans.push_back(l->span);
      import.library.literals.emplace(written, std::make_pair(decl.name, literal));
      import.library.literals.emplace(document.name(e) + "::" + written, std::make_pair(decl.name, literal));
      import.library.literals.emplace("#" + l->id, std::make_pair(decl.name, literal));
    }
    import.enumerations[&e] = {Tag::Enum, decl.name};
    import.model.enums.push_back(std::move(decl));
    import.read("enumeration");
  }
}

}  // namespace

ValueType type_of(Import& import, const Element& typed, std::string* written) {
  const Document& document = import.document;
  const Element* type = document.one(typed, "type");
  if (type == nullptr) {
    std::string name = library_type_name(document.outside(typed, "type"));
    if (written != nullptr) *written = name;
    return primitive_type(name);
  }
  if (written != nullptr) *written = document.name(*type);
  if (const auto it = import.enumerations.find(type); it != import.enumerations.end()) return it->second;
  if (const auto it = import.class_index.find(type); it != import.class_index.end())
    return {Tag::Ref, import.classes[it->second].name};
  const auto metaclass = document.type(*type);
  if (metaclass == "PrimitiveType" || metaclass == "DataType" || is_class(metaclass)) {
    if (const auto* reference = type->attribute("href")) return primitive_type(library_type_name(*reference));
    return primitive_type(document.name(*type));
  }
  if (metaclass == "Interface") {  // the class that realises it, if there is exactly one
    const ClassRecord* only = nullptr;
    for (const auto& record : import.classes) {
      bool realises = false;
      for (const auto* r : document.owned(*record.element, "interfaceRealization"))
        realises |= document.one(*r, "contract") == type || document.one(*r, "supplier") == type;
      if (!realises) continue;
      if (only != nullptr) return {};
      only = &record;
    }
    if (only != nullptr) return {Tag::Ref, only->name};
  }
  return {};
}

model::TypeRef type_ref(const ValueType& type, diag::Span span) {
  model::TypeRef ref;
  ref.span = span;
  switch (type.tag) {
    case Tag::Bool:
      ref.name = "bool";
      break;
    case Tag::Int:
      ref.name = "int";
      break;
    case Tag::Enum:
    case Tag::Ref:
      ref.name = type.name;
      break;
    default:
      ref.name = "void";
      break;
  }
  return ref;
}

namespace {

model::ExprPtr default_value(Import& import, const Element& property, const ValueType& type) {
  const Document& document = import.document;
  const Element* value = document.one(property, "defaultValue");
  std::string text = value == nullptr ? document.value(property, "default") : std::string();
  if (value != nullptr) {
    const auto metaclass = document.type(*value);
    if (metaclass == "InstanceValue") {
      const Element* literal = document.one(*value, "instance");
      const auto it = import.library.literals.find("#" + (literal == nullptr ? std::string() : literal->id));
      if (it != import.library.literals.end() && type == ValueType{Tag::Enum, it->second.first})
        return make_name(it->second.second, property.span);
    }
    if (metaclass == "LiteralNull") return nullptr;
    text = text_of(import, *value);
    if (text.empty()) text = document.value(*value, "value");
  }
  if (text.empty()) return nullptr;
  Scope scope;
  static const ClassInfo kNothing;
  scope.library = &import.library;
  scope.self = &kNothing;
  auto expression = read_value(text, type, scope, property.span);
  if (expression == nullptr) {
    import.approximate(
        "default value", property, text,
        fmt::format("the default value `{}` of {} is not understood; the attribute starts with 0",
                    clean_name(text), import.label(property)));
  }
  return expression;
}

void add_attribute(Import& import, std::size_t index, const Element& property, const std::string& written) {
  const Document& document = import.document;
  ClassRecord& record = import.classes[index];
  ClassInfo& info = import.library.classes[record.name];
  std::string type_name;
  ValueType type = type_of(import, property, &type_name);
  if (!type.known()) {
    import.ignore("attribute of a type that the model does not have", property,
                  written + " : " + (type_name.empty() ? "?" : type_name));
    info.left_out.emplace(written, type_name);
    return;
  }
  const long upper = document.upper(property);
  const bool reference = type.tag == Tag::Ref;
  if (upper < 0 || upper > 64) {
    import.ignore("attribute with an unlimited or large multiplicity", property, written);
    info.left_out.emplace(written, type_name + "[*]");
    return;
  }
  if (document.flag(property, "isStatic") && document.flag(property, "isReadOnly") && !reference &&
      upper <= 1) {
    const auto value = default_value(import, property, type);
    if (value != nullptr &&
        (value->kind == model::ExprKind::IntLiteral || value->kind == model::ExprKind::BoolLiteral)) {
      import.library.constants.emplace(written, std::make_pair(type, value->value));
      import.read("constant");
      return;
    }
  }
  model::Attribute attribute;
  attribute.name = record.members.unique(written, reference ? "reference" : "attribute");
  attribute.type = type_ref(type, property.span);
  if (upper > 1) attribute.type.array_size = make_int(upper, property.span);
  if (!reference && upper <= 1) attribute.initial = default_value(import, property, type);
  attribute.element_id = property.id;
  attribute.span = attribute.name_span = property.span;
  record.features[&property] = attribute.name;
  info.attributes[written] = {attribute.name, type, upper > 1 ? static_cast<std::uint32_t>(upper) : 0};
  import.model.classes[index].attributes.push_back(std::move(attribute));
  import.read(reference ? "reference" : "attribute");
}

bool named_by_trigger(const Document& document, const Element& port) {
  for (const auto& e : document.elements()) {
    if (document.type(e) != "Trigger") continue;
    for (const auto* p : document.all(e, "port"))
      if (p == &port) return true;
  }
  return false;
}

void add_port(Import& import, std::size_t index, const Element& property) {
  const Document& document = import.document;
  ClassRecord& record = import.classes[index];
  PortRecord port;
  port.element = &property;
  port.name = document.name(property);
  port.number = static_cast<int>(record.ports.size()) + 1;
  port.replication = document.upper(property);
  port.conjugated = document.flag(property, "isConjugated");
  port.protocol = document.one(property, "type");
  const Element* rt = document.stereotype(property, "RTPort");
  port.is_behaviour = rt != nullptr ? document.flag(property, "isBehavior") : true;
  if (!port.is_behaviour && named_by_trigger(document, property)) {
    port.is_behaviour = true;
    import.guess(
        "port of a trigger without isBehavior", property, port.name,
        fmt::format("messages at port {} end at its object, as a trigger names it, although it is no "
                    "behaviour port",
                    import.label(property)));
  }
  if (rt != nullptr) {
    port.wired = document.value(*rt, "isWired") != "false";
    port.publishes = document.flag(*rt, "isPublish");
  }
  record.ports.push_back(std::move(port));
  record.has_ports = true;
  import.read("port");
}

void read_features(Import& import, std::size_t index,
                   const std::map<const Element*, std::vector<const Element*>>& ends,
                   const std::set<const Element*>& connected) {
  const Document& document = import.document;
  const Element& element = *import.classes[index].element;
  for (const auto* p : properties_of(document, element)) {
    if (is_port(document, *p)) {
      add_port(import, index, *p);
      continue;
    }
    const Element* type = document.one(*p, "type");
    const bool composite =
        is_part(document, *p, connected) && type != nullptr && import.class_index.contains(type);
    if (composite) import.classes[index].parts.push_back(p);
    std::string name = document.name(*p);
    if (name.empty() && type != nullptr) {
      name = start_lower(document.name(*type));
    }
    const long upper = document.upper(*p);
    if (composite && (upper < 0 || upper > 1)) continue;  // several objects: reached by their own names
    if (document.value(*p, "redefinedProperty").empty() || !composite) add_attribute(import, index, *p, name);
  }
  if (const auto it = ends.find(&element); it != ends.end()) {
    for (const auto* end : it->second) {
      std::string name = document.name(*end);
      const Element* type = document.one(*end, "type");
      if (name.empty()) {
        if (type == nullptr) continue;
        name = start_lower(document.name(*type));
        if (name.empty()) continue;
        if (import.library.classes[import.classes[index].name].attributes.contains(name)) continue;
      }
      add_attribute(import, index, *end, name);
    }
  }
}

// A base in a file that is not there: what it does is not known, so neither is what its special cases do.
void refuse_missing_base(Import& import, const Element& e) {
  const Document& document = import.document;
  std::string outside = document.outside(e, "extendedStateMachine");
  if (outside.empty()) outside = document.outside(e, "redefinedClassifier");
  for (const auto* g : document.owned(e, "generalization"))
    if (outside.empty()) outside = document.outside(*g, "general");
  if (outside.empty()) return;
  const std::string file = outside.substr(0, outside.find('#'));
  if (file.empty() || file.find(':') != std::string::npos || file == outside) {
    import.leave_out(
        "base in a library of the tool", e, outside,
        fmt::format("nothing is inherited by {} from `{}`, which is not read", import.label(e), outside));
    return;
  }
  import.reject_control(
      "base in another file", e, outside,
      fmt::format("the base of {} is in the file `{}`, which is not beside this one", import.label(e), file));
}

// Attributes and operations of bases, for the scope of behaviour text; and copies of what comes from second
// bases, which the model's single inheritance does not carry.
void inherit(Import& import) {
  for (std::size_t i = 0; i < import.classes.size(); ++i) {
    ClassRecord& record = import.classes[i];
    refuse_missing_base(import, *record.element);
    if (record.machine != nullptr) refuse_missing_base(import, *record.machine);
    for (const auto* base : bases_of(import.document, *record.element)) {
      const auto it = import.class_index.find(base);
      if (it != import.class_index.end() && it->second != i) record.bases.push_back(it->second);
      if (it == import.class_index.end() && is_class(import.document.type(*base)))
        import.leave_out("generalization to a class that is not read", *base, import.document.name(*base),
                         fmt::format("nothing is inherited from {}, which is not read", import.label(*base)));
    }
  }
  for (std::size_t i = 0; i < import.classes.size(); ++i) {  // cycles would make everything endless
    for (const auto base : std::vector<std::size_t>(import.classes[i].bases)) {
      const auto up = lineage(import, base);
      if (std::find(up.begin(), up.end(), i) == up.end()) continue;
      std::erase(import.classes[i].bases, base);
      import.reject("generalization", *import.classes[i].element, "",
                    fmt::format("class {} is its own base", import.label(*import.classes[i].element)));
    }
  }
  for (std::size_t i = 0; i < import.classes.size(); ++i) {
    ClassRecord& record = import.classes[i];
    for (const auto b : record.bases) record.has_ports |= import.classes[b].has_ports;
    if (!record.bases.empty()) import.model.classes[i].base = import.classes[record.bases.front()].name;
  }
}

void merge_scopes(Import& import) {
  std::vector<ClassInfo> own;
  for (const auto& record : import.classes) own.push_back(import.library.classes[record.name]);
  for (std::size_t i = 0; i < import.classes.size(); ++i) {
    ClassInfo& info = import.library.classes[import.classes[i].name];
    for (const auto b : lineage(import, i)) {
      if (b == i) continue;
      info.attributes.insert(own[b].attributes.begin(), own[b].attributes.end());
      info.left_out.insert(own[b].left_out.begin(), own[b].left_out.end());
      info.operations.insert(own[b].operations.begin(), own[b].operations.end());
    }
    // Second and further bases: their attributes become the class's own.
    const auto& bases = import.classes[i].bases;
    for (std::size_t k = 1; k < bases.size(); ++k) {
      const auto first_line = lineage(import, bases.front());
      for (const auto b : lineage(import, bases[k])) {
        if (std::find(first_line.begin(), first_line.end(), b) != first_line.end()) continue;
        for (const auto& a : import.model.classes[b].attributes) {
          bool present = false;
          for (const auto& mine : import.model.classes[i].attributes) present |= mine.name == a.name;
          if (present) continue;
          model::Attribute copy;
          copy.name = a.name;
          copy.type = model::clone(a.type);
          if (a.initial != nullptr) copy.initial = model::clone(*a.initial);
          copy.element_id = a.element_id;
          copy.span = a.span;
          copy.name_span = a.name_span;
          import.model.classes[i].attributes.push_back(std::move(copy));
        }
        import.read("second base class (attributes copied)");
      }
    }
  }
}

}  // namespace

void read_classes(Import& import) {
  read_enumerations(import);
  const auto owners = find_owners(import);
  const auto ends = association_ends(import.document);
  const auto connected = connected_properties(import.document);
  select_classes(import, owners, ends);
  for (const auto& record : import.classes) {
    model::Class c;
    c.name = record.name;
    c.element_id = record.element->id;
    c.span = c.name_span = record.element->span;
    import.model.classes.push_back(std::move(c));
  }
  inherit(import);
  // Names of attributes must not repeat along the inheritance line: bases first.
  std::vector<std::size_t> order(import.classes.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return lineage(import, a).size() < lineage(import, b).size();
  });
  for (const auto i : order) {
    for (const auto b : lineage(import, i)) {
      if (b == i) continue;
      for (const auto& a : import.model.classes[b].attributes) import.classes[i].members.reserve(a.name);
    }
    read_features(import, i, ends, connected);
  }
  merge_scopes(import);
  bool any_ports = false;
  for (const auto& record : import.classes) any_ports |= record.has_ports;
  if (any_ports) import.capsule = import.global.unique("Capsule", "Capsule");
}

}  // namespace parley::front::uml
