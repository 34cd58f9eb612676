#include "front/uml/objects.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace parley::front::uml {
namespace {

class ObjectFinder {
 public:
  explicit ObjectFinder(Import& import) : import_(import), document_(import.document) {}

  ObjectTree find() {
    for (const auto& c : import_.model.classes) names_.reserve(c.name);
    for (const auto& e : import_.model.enums) {
      names_.reserve(e.name);
      for (const auto& l : e.literals) names_.reserve(l);
    }
    for (const auto& s : import_.model.signals) names_.reserve(s.name);
    if (from_instances()) {
      import_.read("system from instance specifications");
    } else if (from_parts()) {
      import_.read("system from composite structure");
    } else {
      one_per_class();
    }
    return std::move(tree_);
  }

 private:
  bool has_machine(std::size_t cls) const { return machine_of(import_, cls) != nullptr; }

  int add_node(std::size_t cls, const std::string& name, int parent, const Element* element) {
    ObjectNode node;
    node.cls = cls;
    node.name = names_.unique(name, "object");
    node.parent = parent;
    node.element = element;
    tree_.nodes.push_back(std::move(node));
    return tree_.size() - 1;
  }

  bool from_instances() {
    std::vector<std::pair<const Element*, std::size_t>> instances;
    bool active = false;
    for (const auto& e : document_.elements()) {
      if (document_.type(e) != "InstanceSpecification" || e.attribute("href") != nullptr) continue;
      const Element* classifier = document_.one(e, "classifier");
      const auto it =
          classifier == nullptr ? import_.class_index.end() : import_.class_index.find(classifier);
      if (it == import_.class_index.end()) continue;
      instances.emplace_back(&e, it->second);
      active |= has_machine(it->second);
    }
    if (!active || instances.size() > import_.options.max_objects) return false;
    for (const auto& [e, cls] : instances) {
      const int n = add_node(
          cls, document_.name(*e).empty() ? start_lower(import_.classes[cls].name) : document_.name(*e), -1,
          e);
      tree_.nodes.back().is_object = true;
      tree_.instances[e] = n;
      import_.read("instance specification");
    }
    for (const auto& [e, cls] : instances) {
      for (const auto* slot : document_.owned(*e, "slot")) {
        const Element* feature = document_.one(*slot, "definingFeature");
        if (feature == nullptr) continue;
        for (const auto* value : document_.owned(*slot, "value")) {
          const Element* other = document_.one(*value, "instance");
          const auto it = other == nullptr ? tree_.instances.end() : tree_.instances.find(other);
          if (it != tree_.instances.end())
            tree_[tree_.instances.at(e)].children[root_definition(document_, feature)->id].push_back(
                it->second);
        }
      }
    }
    return true;
  }

  std::vector<const Element*> parts_of(std::size_t cls) const {
    std::vector<const Element*> result;
    std::set<const Element*> redefined;
    for (const auto b : lineage(import_, cls)) {
      for (const auto* p : import_.classes[b].parts) {
        if (redefined.contains(p)) continue;
        result.push_back(p);
        for (const Element* at = document_.one(*p, "redefinedProperty");
             at != nullptr && redefined.insert(at).second;)
          at = document_.one(*at, "redefinedProperty");
      }
    }
    return result;
  }

  bool leads_to_machine(std::size_t cls, int depth = 0) const {
    if (has_machine(cls)) return true;
    if (depth > 16) return false;
    for (const auto* p : parts_of(cls)) {
      if (leads_to_machine(import_.class_index.at(document_.one(*p, "type")), depth + 1)) return true;
    }
    return false;
  }

  std::size_t size_of(std::size_t cls, int depth = 0) const {
    std::size_t size = has_machine(cls) ? 1 : 0;
    if (depth > 16) return size;
    for (const auto* p : parts_of(cls)) {
      const auto part = import_.class_index.at(document_.one(*p, "type"));
      size += std::min<std::size_t>(
          size_of(part, depth + 1) * static_cast<std::size_t>(std::clamp(document_.upper(*p), 1L, 16L)),
          10000);
    }
    return size;
  }

  bool from_parts() {
    std::set<std::size_t> contained;
    for (const auto& record : import_.classes) {
      for (const auto* p : record.parts) {
        for (const auto b : lineage(import_, import_.class_index.at(document_.one(*p, "type"))))
          contained.insert(b);
      }
    }
    std::optional<std::size_t> top;
    std::size_t best = 0;
    for (std::size_t i = 0; i < import_.classes.size(); ++i) {
      if (contained.contains(i) || parts_of(i).empty() || !leads_to_machine(i) ||
          import_.classes[i].is_abstract)
        continue;
      const bool named = import_.classes[i].name == "Top";
      const std::size_t size = size_of(i) + (named ? 100000 : 0);
      if (size > best) {
        best = size;
        top = i;
      }
    }
    if (!top) return false;
    expand(add_node(*top, start_lower(import_.classes[*top].name), -1, import_.classes[*top].element), "", 0);
    if (tree_.nodes.size() > import_.options.max_objects) {
      import_.reject("composite structure", *import_.classes[*top].element, "",
                     fmt::format("the structure of class `{}` has more than {} parts",
                                 import_.classes[*top].name, import_.options.max_objects));
      tree_.nodes.clear();
      return false;
    }
    import_.assume(
        diag::AssumptionCode::Guessed, "system",
        fmt::format("the system is one object of class `{}` with its parts", import_.classes[*top].name));
    return true;
  }

  void expand(int node, const std::string& prefix, int depth) {
    const std::size_t cls = tree_[node].cls;
    tree_[node].is_object = has_machine(cls);
    if (depth > 16 || tree_.nodes.size() > import_.options.max_objects) return;
    for (const auto* p : parts_of(cls)) {
      const std::size_t part_class = import_.class_index.at(document_.one(*p, "type"));
      if (!leads_to_machine(part_class)) continue;
      long count = document_.upper(*p);
      if (count < 0) {
        count = 1;
        import_.guess("part of unlimited number", *p, document_.name(*p),
                      fmt::format("part {} may have any number of objects; one is made", import_.label(*p)));
      }
      if (document_.lower(*p) == 0 && document_.one(*p, "lowerValue") != nullptr) {
        import_.guess("optional part", *p, document_.name(*p),
                      fmt::format("the optional part {} is there from the start", import_.label(*p)));
      }
      const std::string own = clean_name(document_.name(*p));
      for (long i = 0; i < count && tree_.nodes.size() <= import_.options.max_objects; ++i) {
        std::string name = prefix + (own.empty() ? start_lower(import_.classes[part_class].name) : own);
        if (count > 1) name += "_" + std::to_string(i);
        const int child = add_node(part_class, name, node, p);
        tree_[node].children[root_definition(document_, p)->id].push_back(child);
        expand(child, name + "_", depth + 1);
      }
      import_.settle_fate(*p, Treatment::Read);
      import_.read("part");
    }
  }

  void one_per_class() {
    std::size_t made = 0;
    bool concrete = false;
    for (std::size_t i = 0; i < import_.classes.size(); ++i)
      concrete |= has_machine(i) && !import_.classes[i].is_abstract;
    for (std::size_t i = 0; i < import_.classes.size(); ++i) {
      const ClassRecord& record = import_.classes[i];
      if (!has_machine(i) || !record.instantiated_by_default || (record.is_abstract && concrete)) continue;
      if (record.is_abstract) {
        import_.ignore("abstract class that gets an object, there being no other", *record.element,
                       record.name);
        import_.assume(diag::AssumptionCode::Guessed, "object of an abstract class",
                       fmt::format("there is an object of the abstract class `{}`", record.name));
      }
      if (++made > import_.options.max_objects) break;
      add_node(i, start_lower(record.name), -1, record.element);
      tree_.nodes.back().is_object = true;
    }
    if (made == 0) return;
    import_.assume(
        diag::AssumptionCode::Guessed, "system",
        "the file has no instances and no composite structure: one object of each class with a state "
        "machine");
    import_.ignore("no instances and no composite structure: one object of each class with a state machine",
                   document_.root());
  }

  Import& import_;
  const Document& document_;
  Names names_;
  ObjectTree tree_;
};

}  // namespace

const Element* root_definition(const Document& document, const Element* e) {
  for (int i = 0; i < 32 && e != nullptr; ++i) {
    const Element* base = document.one(*e, "redefinedPort");
    if (base == nullptr) base = document.one(*e, "redefinedProperty");
    if (base == nullptr) return e;
    e = base;
  }
  return e;
}

ObjectTree find_objects(Import& import) {
  return ObjectFinder(import).find();
}

}  // namespace parley::front::uml
