// Connectors: which port instances are joined, through relay ports on the way, and which objects know each
// other directly. What is found becomes references by way of wiring.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "front/uml/wiring.hpp"

namespace parley::front::uml {
namespace {

using PortKey = std::tuple<int, const Element*, long>;  // node, port (root definition), slot

class Connectors {
 public:
  Connectors(Import& import, const ObjectTree& tree, Wiring& wiring)
      : import_(import), document_(import.document), tree_(tree), wiring_(wiring) {}

  void run() {
    for (int i = 0; i < tree_.size(); ++i) connect(i);
    for (const auto& e : document_.elements()) {  // in document order
      if (!idle_.contains(&e) || joined_.contains(&e)) continue;
      import_.leave_out("connector that joins nothing", e, document_.name(e),
                        fmt::format("the connector {} joins nothing: one of its ends is no port or object of "
                                    "the system, or all of its port's places are taken",
                                    import_.label(e)));
    }
    connect_services();
    wire_ports();
  }

 private:
  const PortRecord* port_of(std::size_t cls, const Element* port) const {
    for (const auto b : lineage(import_, cls)) {
      for (const auto& p : import_.classes[b].ports) {
        if (p.element == port || root_definition(document_, p.element) == root_definition(document_, port))
          return &p;
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
      const auto it = tree_[node].children.find(root_definition(document_, property)->id);
      if (it != tree_[node].children.end()) holders = it->second;
    }
    for (const int holder : holders) {
      if (!is_port) {
        result.objects.push_back(holder);
        continue;
      }
      const PortRecord* port = port_of(tree_[holder].cls, role);
      if (port == nullptr) continue;
      const Element* root = root_definition(document_, port->element);
      for (long s = taken_[{holder, root, inside}]; s < slots(*port); ++s)
        result.ports.emplace_back(holder, root, s);
    }
    return result;
  }

  void connect(int node) {
    std::set<const Element*> seen;
    for (const auto b : lineage(import_, tree_[node].cls)) {
      const Element& element = *import_.classes[b].element;
      if (import_.classes[b].name == import_.capsule) continue;
      for (const auto* connector : document_.owned(element, "ownedConnector")) {
        if (!seen.insert(connector).second) continue;
        for (const Element* base = document_.one(*connector, "redefinedConnector");
             base != nullptr && seen.insert(base).second;)
          base = document_.one(*base, "redefinedConnector");
        const auto ends = document_.owned(*connector, "end");
        if (ends.size() != 2) {
          import_.leave_out(
              "connector without two ends", *connector, document_.name(*connector),
              fmt::format("the connector {} has not two ends and joins nothing", import_.label(*connector)));
          continue;
        }
        End a = end_of(node, *ends[0]);
        End b_end = end_of(node, *ends[1]);
        const std::size_t pairs = std::min(a.ports.size(), b_end.ports.size());
        if (pairs > 0 || (!a.objects.empty() && !b_end.objects.empty())) {
          joined_.insert(connector);
          import_.settle_fate(*connector, Treatment::Read);
          import_.read("connector");
        } else {
          idle_.insert(connector);
        }
        // One connector joins as many port instances as both sides have.
        for (std::size_t i = 0; i < pairs; ++i) {
          links_[a.ports[i]].push_back(b_end.ports[i]);
          links_[b_end.ports[i]].push_back(a.ports[i]);
          take(a.ports[i], *ends[0]);
          take(b_end.ports[i], *ends[1]);
        }
        for (const int x : a.objects) {
          for (const int y : b_end.objects) {
            wiring_.wire_by_type(x, y);
            wiring_.wire_by_type(y, x);
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

  bool is_endpoint(const PortKey& key) const {
    const auto& [node, port, slot] = key;
    const PortRecord* record = port_of(tree_[node].cls, port);
    return record != nullptr && record->is_behaviour && wiring_.is_declared(node);
  }

  // Ports that are not wired find each other through a registry; with one provider of a protocol there is no
  // choice.
  void connect_services() {
    std::vector<std::pair<PortKey, const PortRecord*>> providers, users;
    for (int i = 0; i < tree_.size(); ++i) {
      if (!tree_[i].is_object) continue;
      for (const auto b : lineage(import_, tree_[i].cls)) {
        for (const auto& p : import_.classes[b].ports) {
          if (p.wired || p.protocol == nullptr) continue;
          (p.publishes ? providers : users)
              .emplace_back(PortKey{i, root_definition(document_, p.element), 0}, &p);
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
          diag::AssumptionCode::Guessed, "service port",
          fmt::format("the service port `{}` finds the only provider of its protocol", user_port->name));
    }
  }

  void wire_ports() {
    for (int i = 0; i < tree_.size(); ++i) {
      if (!tree_[i].is_object) continue;
      for (const auto b : lineage(import_, tree_[i].cls)) {
        for (const auto& p : import_.classes[b].ports) {
          const auto& ports = import_.library.classes.at(import_.classes[b].name).ports;
          const auto info = ports.find(p.name);
          if (info == ports.end() || info->second.peer.empty() || !p.is_behaviour) continue;
          for (long s = 0; s < slots(p); ++s) wire_slot(i, p, info->second, s);
        }
      }
    }
  }

  void wire_slot(int node, const PortRecord& port, const PortInfo& info, long slot) {
    const PortKey start{node, root_definition(document_, port.element), slot};
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
        wiring_.wire(node, info.peer, index, make_name(tree_[peer].name, span));
        const PortRecord* there = port_of(tree_[peer].cls, peer_element);
        if (!info.peer_port.empty() && there != nullptr)
          wiring_.wire(node, info.peer_port, index, make_int(there->number, span));
        return;
      }
    }
  }

  Import& import_;
  const Document& document_;
  const ObjectTree& tree_;
  Wiring& wiring_;
  std::set<const Element*> joined_, idle_;
  std::map<PortKey, std::vector<PortKey>> links_;
  std::map<std::tuple<int, const Element*, bool>, long> taken_;
};

}  // namespace

void connect_objects(Import& import, const ObjectTree& tree, Wiring& wiring) {
  Connectors(import, tree, wiring).run();
}

}  // namespace parley::front::uml
