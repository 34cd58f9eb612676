// The system: objects and who knows whom. Instance specifications if the file has them; else the parts of the
// class that is part of nothing; else one object for each class with a machine. Connectors become references;
// messages that nobody in the model sends come from the environment.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <tuple>

#include "front/uml/importer.hpp"

namespace parley::front::uml {
namespace {

using Tag = ValueType::Tag;

struct Node {
  std::size_t cls = 0;
  std::string name;
  int parent = -1;
  const Element* element = nullptr;                  // part or instance specification
  std::map<std::string, std::vector<int>> children;  // by id of the part (of its root definition)
  bool is_object = false;                            // it gets an object of its own
};

using PortKey = std::tuple<int, const Element*, long>;  // node, port (root definition), slot

class StructureReader {
 public:
  explicit StructureReader(Import& import) : import_(import), document_(import.document) {}

  void read() {
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
    import_.model.system.emplace();
    import_.model.system->span = document_.root().span;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].is_object) declare(static_cast<int>(i));
    }
    refer_to_parts();
    for (std::size_t i = 0; i < nodes_.size(); ++i) connect(static_cast<int>(i));
    connect_services();
    wire_ports();
    wire_slots();
    wire_the_only_candidate();
    report_unused();
  }

 private:
  bool has_machine(std::size_t cls) const { return machine_of(import_, cls) != nullptr; }

  int add_node(std::size_t cls, const std::string& name, int parent, const Element* element) {
    Node node;
    node.cls = cls;
    node.name = names_.unique(name, "object");
    node.parent = parent;
    node.element = element;
    nodes_.push_back(std::move(node));
    return static_cast<int>(nodes_.size()) - 1;
  }

  std::string object_name(const std::string& class_name) const {
    std::string name = class_name;
    if (!name.empty()) name[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(name[0])));
    return name;
  }

  // The definition that a port or part redefines, in the end.
  const Element* root_definition(const Element* e) const {
    for (int i = 0; i < 32 && e != nullptr; ++i) {
      const Element* base = document_.one(*e, "redefinedPort");
      if (base == nullptr) base = document_.one(*e, "redefinedProperty");
      if (base == nullptr) return e;
      e = base;
    }
    return e;
  }

  // ---- objects

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
          cls, document_.name(*e).empty() ? object_name(import_.classes[cls].name) : document_.name(*e), -1,
          e);
      nodes_.back().is_object = true;
      instance_nodes_[e] = n;
      import_.read("instance specification");
    }
    for (const auto& [e, cls] : instances) {
      for (const auto* slot : document_.owned(*e, "slot")) {
        const Element* feature = document_.one(*slot, "definingFeature");
        if (feature == nullptr) continue;
        for (const auto* value : document_.owned(*slot, "value")) {
          const Element* other = document_.one(*value, "instance");
          const auto it = other == nullptr ? instance_nodes_.end() : instance_nodes_.find(other);
          if (it != instance_nodes_.end())
            nodes_[static_cast<std::size_t>(instance_nodes_.at(e))]
                .children[root_definition(feature)->id]
                .push_back(it->second);
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
    expand(add_node(*top, object_name(import_.classes[*top].name), -1, import_.classes[*top].element), "", 0);
    if (nodes_.size() > import_.options.max_objects) {
      import_.reject("composite structure", *import_.classes[*top].element, "",
                     fmt::format("the structure of class `{}` has more than {} parts",
                                 import_.classes[*top].name, import_.options.max_objects));
      nodes_.clear();
      return false;
    }
    import_.assume(
        fmt::format("the system is one object of class `{}` with its parts", import_.classes[*top].name));
    return true;
  }

  void expand(int node, const std::string& prefix, int depth) {
    const std::size_t cls = nodes_[static_cast<std::size_t>(node)].cls;
    nodes_[static_cast<std::size_t>(node)].is_object = has_machine(cls);
    if (depth > 16 || nodes_.size() > import_.options.max_objects) return;
    for (const auto* p : parts_of(cls)) {
      const std::size_t part_class = import_.class_index.at(document_.one(*p, "type"));
      if (!leads_to_machine(part_class)) continue;
      long count = document_.upper(*p);
      if (count < 0) {
        count = 1;
        import_.approximate(
            "part of unlimited number", *p, document_.name(*p),
            fmt::format("part {} may have any number of objects; one is made", import_.label(*p)));
      }
      if (document_.lower(*p) == 0 && document_.one(*p, "lowerValue") != nullptr) {
        import_.approximate("optional part", *p, document_.name(*p),
                            fmt::format("the optional part {} is there from the start", import_.label(*p)));
      }
      const std::string own = clean_name(document_.name(*p));
      for (long i = 0; i < count && nodes_.size() <= import_.options.max_objects; ++i) {
        std::string name = prefix + (own.empty() ? object_name(import_.classes[part_class].name) : own);
        if (count > 1) name += "_" + std::to_string(i);
        const int child = add_node(part_class, name, node, p);
        nodes_[static_cast<std::size_t>(node)].children[root_definition(p)->id].push_back(child);
        expand(child, name + "_", depth + 1);
      }
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
      if (record.is_abstract)
        import_.ignore("abstract class that gets an object, there being no other", *record.element,
                       record.name);
      if (++made > import_.options.max_objects) break;
      add_node(i, object_name(record.name), -1, record.element);
      nodes_.back().is_object = true;
    }
    if (made == 0) return;
    import_.assume(
        "the file has no instances and no composite structure: one object of each class with a state "
        "machine");
    import_.ignore("no instances and no composite structure: one object of each class with a state machine",
                   document_.root());
  }

  // ---- references

  void declare(int node) {
    const Node& n = nodes_[static_cast<std::size_t>(node)];
    model::ObjectDecl object;
    object.name = n.name;
    object.class_name = import_.classes[n.cls].name;
    object.element_id = n.element->id;
    object.span = object.name_span = object.class_span = n.element->span;
    declared_[node] = import_.model.system->objects.size();
    import_.model.system->objects.push_back(std::move(object));
  }

  model::ObjectDecl* object_of(int node) {
    const auto it = declared_.find(node);
    return it == declared_.end() ? nullptr : &import_.model.system->objects[it->second];
  }

  bool wire(int node, const std::string& attribute, std::optional<long> index, model::ExprPtr value) {
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

  std::string attribute_of(std::size_t cls, const Element* feature) const {
    for (const auto b : lineage(import_, cls)) {
      const auto& features = import_.classes[b].features;
      for (const Element* at = feature; at != nullptr;) {
        const auto it = features.find(at);
        if (it != features.end()) return it->second;
        const Element* base = root_definition(at);
        at = base == at ? nullptr : base;
      }
    }
    return {};
  }

  void refer_to_parts() {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const int node = static_cast<int>(i);
      for (const auto& [part, children] : nodes_[i].children) {
        const Element* feature = document_.by_id(part);
        const std::string attribute =
            feature == nullptr ? std::string() : attribute_of(nodes_[i].cls, feature);
        if (attribute.empty()) continue;
        if (children.size() == 1 && declared_.contains(children.front())) {
          wire(node, attribute, std::nullopt,
               make_name(nodes_[static_cast<std::size_t>(children.front())].name, nodes_[i].element->span));
        }
      }
    }
  }

  const PortRecord* port_of(std::size_t cls, const Element* port) const {
    for (const auto b : lineage(import_, cls)) {
      for (const auto& p : import_.classes[b].ports) {
        if (p.element == port || root_definition(p.element) == root_definition(port)) return &p;
      }
    }
    return nullptr;
  }

  static long slots(const PortRecord& port) {
    return port.replication < 0 ? 4 : std::clamp(port.replication, 1L, 64L);
  }

  // The ports (with their slots still free on that side) or objects at one end of a connector.
  struct End {
    std::vector<PortKey> ports;
    std::vector<int> objects;
  };

  End end_of(int node, const Element& end) {
    End result;
    const Element* role = document_.one(end, "role");
    const Element* part = document_.one(end, "partWithPort");
    if (role == nullptr) return result;
    const bool is_port = document_.type(*role) == "Port";
    std::vector<int> holders;
    const bool inside = is_port && part == nullptr;
    if (inside) {
      holders.push_back(node);
    } else {
      const Element* property = part != nullptr ? part : role;
      const auto it = nodes_[static_cast<std::size_t>(node)].children.find(root_definition(property)->id);
      if (it != nodes_[static_cast<std::size_t>(node)].children.end()) holders = it->second;
    }
    for (const int holder : holders) {
      if (!is_port) {
        result.objects.push_back(holder);
        continue;
      }
      const PortRecord* port = port_of(nodes_[static_cast<std::size_t>(holder)].cls, role);
      if (port == nullptr) continue;
      const Element* root = root_definition(port->element);
      for (long s = taken_[{holder, root, inside}]; s < slots(*port); ++s)
        result.ports.emplace_back(holder, root, s);
    }
    return result;
  }

  void connect(int node) {
    std::set<const Element*> seen;
    for (const auto b : lineage(import_, nodes_[static_cast<std::size_t>(node)].cls)) {
      const Element& element = *import_.classes[b].element;
      if (import_.classes[b].name == import_.capsule) continue;
      for (const auto* connector : document_.owned(element, "ownedConnector")) {
        if (!seen.insert(connector).second) continue;
        for (const Element* base = document_.one(*connector, "redefinedConnector");
             base != nullptr && seen.insert(base).second;)
          base = document_.one(*base, "redefinedConnector");
        const auto ends = document_.owned(*connector, "end");
        if (ends.size() != 2) {
          import_.ignore("connector without two ends", *connector, document_.name(*connector));
          continue;
        }
        End a = end_of(node, *ends[0]);
        End b_end = end_of(node, *ends[1]);
        import_.read("connector");
        const std::size_t pairs = std::min(a.ports.size(), b_end.ports.size());
        // One connector joins as many port instances as both sides have.
        for (std::size_t i = 0; i < pairs; ++i) {
          links_[a.ports[i]].push_back(b_end.ports[i]);
          links_[b_end.ports[i]].push_back(a.ports[i]);
          take(a.ports[i], *ends[0]);
          take(b_end.ports[i], *ends[1]);
        }
        for (const int x : a.objects) {
          for (const int y : b_end.objects) {
            wire_by_type(x, y);
            wire_by_type(y, x);
          }
        }
      }
    }
  }

  void take(const PortKey& key, const Element& end) {
    const auto& [holder, port, slot] = key;
    const bool inside = document_.one(end, "partWithPort") == nullptr;
    auto& next = taken_[{holder, port, inside}];
    next = std::max(next, slot + 1);
  }

  void wire_by_type(int from, int to) {
    const auto to_line = lineage(import_, nodes_[static_cast<std::size_t>(to)].cls);
    for (const auto b : lineage(import_, nodes_[static_cast<std::size_t>(from)].cls)) {
      for (const auto& a : import_.model.classes[b].attributes) {
        const bool fits = std::any_of(to_line.begin(), to_line.end(),
                                      [&](std::size_t c) { return import_.classes[c].name == a.type.name; });
        if (!fits || a.type.name == import_.capsule || a.type.array_size != nullptr) continue;
        if (wire(from, a.name, std::nullopt,
                 make_name(nodes_[static_cast<std::size_t>(to)].name,
                           nodes_[static_cast<std::size_t>(from)].element->span)))
          return;
      }
    }
  }

  bool is_endpoint(const PortKey& key) const {
    const auto& [node, port, slot] = key;
    const PortRecord* record = port_of(nodes_[static_cast<std::size_t>(node)].cls, port);
    return record != nullptr && record->is_behaviour && declared_.contains(node);
  }

  // Ports that are not wired find each other through a registry; with one provider of a protocol there is no
  // choice.
  void connect_services() {
    std::vector<std::pair<PortKey, const PortRecord*>> providers, users;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (!nodes_[i].is_object) continue;
      for (const auto b : lineage(import_, nodes_[i].cls)) {
        for (const auto& p : import_.classes[b].ports) {
          if (p.wired || p.protocol == nullptr) continue;
          (p.publishes ? providers : users)
              .emplace_back(PortKey{static_cast<int>(i), root_definition(p.element), 0}, &p);
        }
      }
    }
    for (const auto& [user, user_port] : users) {
      const std::pair<PortKey, const PortRecord*>* only = nullptr;
      bool several = false;
      for (const auto& provider : providers) {
        if (provider.second->protocol != user_port->protocol) continue;
        several |= only != nullptr;
        only = &provider;
      }
      if (only == nullptr || several) continue;
      PortKey at = only->first;
      auto& next = taken_[{std::get<0>(at), std::get<1>(at), false}];
      if (next >= slots(*only->second)) continue;
      std::get<2>(at) = next++;
      links_[user].push_back(at);
      links_[at].push_back(user);
      import_.assume(
          fmt::format("the service port `{}` finds the only provider of its protocol", user_port->name));
    }
  }

  void wire_ports() {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (!nodes_[i].is_object) continue;
      for (const auto b : lineage(import_, nodes_[i].cls)) {
        for (const auto& p : import_.classes[b].ports) {
          const auto& ports = import_.library.classes.at(import_.classes[b].name).ports;
          const auto info = ports.find(p.name);
          if (info == ports.end() || info->second.peer.empty() || !p.is_behaviour) continue;
          for (long s = 0; s < slots(p); ++s) wire_slot(static_cast<int>(i), p, info->second, s);
        }
      }
    }
  }

  void wire_slot(int node, const PortRecord& port, const PortInfo& info, long slot) {
    const PortKey start{node, root_definition(port.element), slot};
    std::vector<PortKey> open{start};
    std::set<std::tuple<int, std::string, long>> seen;
    const auto mark = [&](const PortKey& k) {
      return seen.insert({std::get<0>(k), std::get<1>(k)->id, std::get<2>(k)}).second;
    };
    mark(start);
    for (std::size_t i = 0; i < open.size(); ++i) {
      const auto it = links_.find(open[i]);
      if (it == links_.end()) continue;
      for (const auto& next : it->second) {
        if (!mark(next)) continue;
        if (!is_endpoint(next)) {
          open.push_back(next);
          continue;
        }
        const auto& [peer, peer_element, peer_slot] = next;
        const auto index = info.replication == 0 ? std::optional<long>() : std::optional<long>(slot);
        const auto span = port.element->span;
        wire(node, info.peer, index, make_name(nodes_[static_cast<std::size_t>(peer)].name, span));
        const PortRecord* there = port_of(nodes_[static_cast<std::size_t>(peer)].cls, peer_element);
        if (!info.peer_port.empty() && there != nullptr)
          wire(node, info.peer_port, index, make_int(there->number, span));
        return;
      }
    }
  }

  // Values of instance specifications: references were wired as parts; numbers and literals here.
  void wire_slots() {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (!instance_nodes_.contains(nodes_[i].element)) continue;
      for (const auto* slot : document_.owned(*nodes_[i].element, "slot")) {
        const Element* feature = document_.one(*slot, "definingFeature");
        const auto values = document_.owned(*slot, "value");
        const std::string attribute =
            feature == nullptr ? std::string() : attribute_of(nodes_[i].cls, feature);
        if (attribute.empty() || values.size() != 1) continue;
        const Element& value = *values.front();
        ValueType type = type_of(import_, *feature);
        if (type.tag == Tag::Ref) continue;
        model::ExprPtr expression;
        if (document_.type(value) == "InstanceValue") {
          const Element* literal = document_.one(value, "instance");
          const auto it = literal == nullptr ? import_.library.literals.end()
                                             : import_.library.literals.find("#" + literal->id);
          if (it != import_.library.literals.end()) expression = make_name(it->second.second, value.span);
        } else {
          Scope scope;
          static const ClassInfo kNothing;
          scope.library = &import_.library;
          scope.self = &kNothing;
          std::string text = text_of(import_, value);
          if (text.empty()) text = document_.value(value, "value");
          if (text.empty()) text = type.tag == Tag::Bool ? "false" : "0";
          expression = read_value(text, type, scope, value.span);
        }
        if (expression == nullptr) {
          import_.approximate(
              "slot", *slot, attribute,
              fmt::format("the value of slot `{}` of {} is not understood; the attribute has its default",
                          attribute, import_.label(*nodes_[i].element)));
          continue;
        }
        wire(static_cast<int>(i), attribute, std::nullopt, std::move(expression));
        import_.read("slot");
      }
    }
  }

  // A reference that nothing sets, to a class with exactly one object in the system, can only mean that
  // object.
  void wire_the_only_candidate() {
    for (const auto& [node, index] : std::map<int, std::size_t>(declared_)) {
      for (const auto b : lineage(import_, nodes_[static_cast<std::size_t>(node)].cls)) {
        for (const auto& a : import_.model.classes[b].attributes) {
          if (a.type.array_size != nullptr || a.type.name == import_.capsule ||
              !import_.library.classes.contains(a.type.name))
            continue;
          int only = -1;
          for (const auto& [other, other_index] : declared_) {
            if (other == node) continue;
            const auto line = lineage(import_, nodes_[static_cast<std::size_t>(other)].cls);
            if (std::none_of(line.begin(), line.end(),
                             [&](std::size_t c) { return import_.classes[c].name == a.type.name; }))
              continue;
            only = only == -1 ? other : -2;
          }
          if (only < 0) continue;
          if (wire(node, a.name, std::nullopt,
                   make_name(nodes_[static_cast<std::size_t>(only)].name, a.span))) {
            import_.assume(fmt::format("`{}.{}` refers to `{}`, the only object of its class",
                                       nodes_[static_cast<std::size_t>(node)].name, a.name,
                                       nodes_[static_cast<std::size_t>(only)].name));
          }
        }
      }
    }
  }

  void report_unused() {
    std::set<std::size_t> used;
    for (const auto& [node, index] : declared_) {
      for (const auto b : lineage(import_, nodes_[static_cast<std::size_t>(node)].cls)) used.insert(b);
    }
    for (std::size_t i = 0; i < import_.classes.size(); ++i) {
      if (import_.classes[i].machine != nullptr && !used.contains(i)) {
        import_.ignore("class with a state machine that has no object in the system",
                       *import_.classes[i].element, import_.classes[i].name);
      }
    }
  }

  Import& import_;
  const Document& document_;
  Names names_;
  std::vector<Node> nodes_;
  std::map<const Element*, int> instance_nodes_;
  std::map<int, std::size_t> declared_;
  std::map<PortKey, std::vector<PortKey>> links_;
  std::map<std::tuple<int, const Element*, bool>, long> taken_;
};

}  // namespace

void read_structure(Import& import) {
  StructureReader(import).read();
}

void declare_signals(Import& import) {
  for (const auto& [key, record] : import.signals) {
    if (!record.used) {
      if (import.document.type(*record.element) == "Signal")
        import.ignore("signal that no state machine uses", *record.element, record.name);
      continue;
    }
    model::SignalDecl decl;
    decl.name = record.name;
    decl.element_id = record.element->id;
    decl.span = decl.name_span = record.element->span;
    Names names;
    if (record.carries_port)
      decl.parameters.push_back(
          {names.unique("port", "port"), type_ref({Tag::Int, ""}, decl.span), decl.span});
    for (const auto& [name, type] : record.parameters)
      decl.parameters.push_back({names.unique(name, "value"), type_ref(type, decl.span), decl.span});
    import.model.signals.push_back(std::move(decl));
    import.read("signal");
  }
}

// Every object gets from the environment, at any time, the messages that it has triggers for and nobody in
// the model sends.
void declare_environment(Import& import) {
  auto& system = *import.model.system;
  std::set<std::string> external;
  std::set<std::string> narrowed;
  for (const auto& object : system.objects) {
    std::size_t cls = import.classes.size();
    for (std::size_t i = 0; i < import.classes.size(); ++i) {
      if (import.classes[i].name == object.class_name) cls = i;
    }
    if (cls == import.classes.size()) continue;
    std::size_t machine_class = cls;
    for (const auto b : lineage(import, cls)) {
      if (import.classes[b].machine != nullptr) {
        machine_class = b;
        break;
      }
    }
    for (const auto& key : import.accepted[machine_class]) {
      if (import.sent.contains(key)) continue;
      const auto& record = import.signals.at(key);
      const auto span = record.element->span;
      model::EnvironmentDecl decl;
      decl.signal = record.name;
      decl.target = make_name(object.name, span);
      // Spans tell declarations apart: the formatter prints those of one span as one.
      decl.span = {span.file, span.begin,
                   span.begin + 1 + static_cast<std::uint32_t>(system.environment.size())};
      const auto argument = [&](model::ExprPtr lo, model::ExprPtr hi) {
        decl.arguments.emplace_back();
        decl.arguments.back().lo = std::move(lo);
        decl.arguments.back().hi = std::move(hi);
        decl.arguments.back().span = span;
      };
      if (record.carries_port) {
        const auto& ports = import.accepted_ports[{machine_class, key}];
        const int lo = ports.empty() ? 0 : *ports.begin();
        const int hi = ports.empty() ? 0 : *ports.rbegin();
        argument(make_int(lo, span), make_int(hi, span));
      }
      for (const auto& [name, type] : record.parameters) {
        if (type.tag == Tag::Int && record.read.contains(name)) {
          narrowed.insert(record.name + "." + name);
          argument(make_int(0, span), make_int(import.options.environment_integers, span));
        } else if (type.tag == Tag::Int) {
          argument(make_int(0, span), make_int(0, span));
        } else if (type.tag == Tag::Bool && !record.read.contains(name)) {
          argument(make_bool(false, span), make_bool(false, span));
        } else if (type.tag == Tag::Ref && !record.read.contains(name)) {
          auto null = std::make_unique<model::Expr>();
          null->kind = model::ExprKind::Null;
          null->span = span;
          auto again = model::clone(*null);
          argument(std::move(null), std::move(again));
        } else {
          argument(nullptr, nullptr);
        }
      }
      system.environment.push_back(std::move(decl));
      external.insert(record.name);
    }
  }
  if (!external.empty())
    import.assume(fmt::format("the environment sends at any time what nobody in the model sends: {}",
                              fmt::join(external, ", ")));
  if (!narrowed.empty())
    import.assume(fmt::format("integers from the environment are 0 to {} only: {}",
                              import.options.environment_integers, fmt::join(narrowed, ", ")));
}

}  // namespace parley::front::uml
