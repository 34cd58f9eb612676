#include "front/uml/wiring.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace parley::front::uml {

using Tag = ValueType::Tag;

Wiring::Wiring(Import& import, const ObjectTree& tree)
    : import_(import), document_(import.document), tree_(tree) {
  import_.model.system.emplace();
  import_.model.system->span = document_.root().span;
  for (int i = 0; i < tree_.size(); ++i) {
    if (tree_[i].is_object) declare(i);
  }
}

void Wiring::declare(int node) {
  const ObjectNode& n = tree_[node];
  model::ObjectDecl object;
  object.name = n.name;
  object.class_name = import_.classes[n.cls].name;
  object.element_id = n.element->id;
  object.span = object.name_span = object.class_span = n.element->span;
  declared_[node] = import_.model.system->objects.size();
  import_.model.system->objects.push_back(std::move(object));
}

model::ObjectDecl* Wiring::object_of(int node) {
  const auto it = declared_.find(node);
  return it == declared_.end() ? nullptr : &import_.model.system->objects[it->second];
}

bool Wiring::wire(int node, const std::string& attribute, std::optional<long> index, model::ExprPtr value) {
  model::ObjectDecl* object = object_of(node);
  if (object == nullptr || value == nullptr) return false;
  for (const auto& w : object->wiring) {
    const long at = w.index == nullptr ? -1 : static_cast<long>(w.index->value);
    if (w.attribute == attribute && at == index.value_or(-1)) return false;
  }
  model::ObjectDecl::Wiring wiring;
  wiring.attribute = attribute;
  wiring.span = object->span;
  if (index) wiring.index = make_int(*index, object->span);
  wiring.value = std::move(value);
  object->wiring.push_back(std::move(wiring));
  return true;
}

std::string Wiring::attribute_of(std::size_t cls, const Element* feature) const {
  for (const auto b : lineage(import_, cls)) {
    const auto& features = import_.classes[b].features;
    for (const Element* at = feature; at != nullptr;) {
      const auto it = features.find(at);
      if (it != features.end()) return it->second;
      const Element* base = root_definition(document_, at);
      at = base == at ? nullptr : base;
    }
  }
  return {};
}

void Wiring::refer_to_parts() {
  for (int i = 0; i < tree_.size(); ++i) {
    for (const auto& [part, children] : tree_[i].children) {
      const Element* feature = document_.by_id(part);
      const std::string attribute = feature == nullptr ? std::string() : attribute_of(tree_[i].cls, feature);
      if (attribute.empty()) continue;
      if (children.size() == 1 && declared_.contains(children.front())) {
        wire(i, attribute, std::nullopt, make_name(tree_[children.front()].name, tree_[i].element->span));
      }
    }
  }
}

void Wiring::wire_by_type(int from, int to) {
  const auto to_line = lineage(import_, tree_[to].cls);
  for (const auto b : lineage(import_, tree_[from].cls)) {
    for (const auto& a : import_.model.classes[b].attributes) {
      const bool fits = std::any_of(to_line.begin(), to_line.end(),
                                    [&](std::size_t c) { return import_.classes[c].name == a.type.name; });
      if (!fits || a.type.name == import_.capsule || a.type.array_size != nullptr) continue;
      if (wire(from, a.name, std::nullopt, make_name(tree_[to].name, tree_[from].element->span))) return;
    }
  }
}

// Null if it is not understood.
model::ExprPtr Wiring::slot_value(const Element& value, const ValueType& type) const {
  if (document_.type(value) == "InstanceValue") {
    const Element* literal = document_.one(value, "instance");
    const auto it = literal == nullptr ? import_.library.literals.end()
                                       : import_.library.literals.find("#" + literal->id);
    return it == import_.library.literals.end() ? nullptr : make_name(it->second.second, value.span);
  }
  static const ClassInfo kNothing;
  Scope scope;
  scope.library = &import_.library;
  scope.self = &kNothing;
  std::string text = text_of(import_, value);
  if (text.empty()) text = document_.value(value, "value");
  if (text.empty()) text = type.tag == Tag::Bool ? "false" : "0";
  return read_value(text, type, scope, value.span);
}

void Wiring::wire_slots() {
  for (int i = 0; i < tree_.size(); ++i) {
    if (!tree_.instances.contains(tree_[i].element)) continue;
    for (const auto* slot : document_.owned(*tree_[i].element, "slot")) {
      const Element* feature = document_.one(*slot, "definingFeature");
      const auto values = document_.owned(*slot, "value");
      const std::string attribute = feature == nullptr ? std::string() : attribute_of(tree_[i].cls, feature);
      if (attribute.empty() || values.size() != 1) continue;
      const Element& value = *values.front();
      const ValueType type = type_of(import_, *feature);
      if (type.tag == Tag::Ref) continue;
      auto expression = slot_value(value, type);
      if (expression == nullptr) {
        import_.approximate(
            "slot", *slot, attribute,
            fmt::format("the value of slot `{}` of {} is not understood; the attribute has its default",
                        attribute, import_.label(*tree_[i].element)));
        continue;
      }
      wire(i, attribute, std::nullopt, std::move(expression));
      import_.read("slot");
    }
  }
}

void Wiring::wire_the_only_candidate() {
  for (const auto& [node, index] : std::map<int, std::size_t>(declared_)) {
    for (const auto b : lineage(import_, tree_[node].cls)) {
      for (const auto& a : import_.model.classes[b].attributes) {
        if (a.type.array_size != nullptr || a.type.name == import_.capsule ||
            !import_.library.classes.contains(a.type.name))
          continue;
        int only = -1;
        for (const auto& [other, other_index] : declared_) {
          if (other == node) continue;
          const auto line = lineage(import_, tree_[other].cls);
          if (std::none_of(line.begin(), line.end(),
                           [&](std::size_t c) { return import_.classes[c].name == a.type.name; }))
            continue;
          only = only == -1 ? other : -2;
        }
        if (only < 0) continue;
        if (wire(node, a.name, std::nullopt, make_name(tree_[only].name, a.span))) {
          import_.assume(diag::AssumptionCode::Guessed, "reference to the only object of a class",
                         fmt::format("`{}.{}` refers to `{}`, the only object of its class", tree_[node].name,
                                     a.name, tree_[only].name));
        }
      }
    }
  }
}

void Wiring::report_unused() const {
  std::set<std::size_t> used;
  for (const auto& [node, index] : declared_) {
    for (const auto b : lineage(import_, tree_[node].cls)) used.insert(b);
  }
  for (std::size_t i = 0; i < import_.classes.size(); ++i) {
    if (import_.classes[i].machine != nullptr && !used.contains(i)) {
      import_.leave_out("class with a state machine that has no object in the system",
                        *import_.classes[i].element, import_.classes[i].name,
                        fmt::format("there is no object of class `{}`", import_.classes[i].name));
    }
  }
}

}  // namespace parley::front::uml
