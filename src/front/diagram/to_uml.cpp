#include "front/diagram/to_uml.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "front/diagram/label.hpp"
#include "front/uml/names.hpp"
#include "front/uml/tree_edit.hpp"

namespace parley::front::diagram {
namespace {

using uml::Element;
using uml::grow;
using uml::set;

const char* pseudostate_kind(NodeKind kind) {
  switch (kind) {
    case NodeKind::Initial:
      return "initial";
    case NodeKind::Choice:
      return "choice";
    case NodeKind::Fork:
      return "fork";
    case NodeKind::Join:
      return "join";
    case NodeKind::ShallowHistory:
      return "shallowHistory";
    case NodeKind::DeepHistory:
      return "deepHistory";
    case NodeKind::EntryPoint:
      return "entryPoint";
    case NodeKind::ExitPoint:
      return "exitPoint";
    case NodeKind::Terminate:
      return "terminate";
    case NodeKind::State:
    case NodeKind::Final:
      break;
  }
  return "";
}

// Names that some action assigns (`x = 1`, `x := 1`, `x += 2`, `x++`), with whether only truth values are.
void find_variables(const std::string& text, std::map<std::string, bool>& variables) {
  const auto is_start = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; };
  const auto is_part = [&](char c) { return is_start(c) || std::isdigit(static_cast<unsigned char>(c)); };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool begins = is_start(text[i]) && (i == 0 || (!is_part(text[i - 1]) && text[i - 1] != '.'));
    if (!begins) continue;
    std::size_t end = i;
    while (end < text.size() && is_part(text[end])) ++end;
    std::size_t at = text.find_first_not_of(" \t", end);
    if (at == std::string::npos) return;
    const std::string op = text.substr(at, 2);
    const bool steps = op == "++" || op == "--" || op == "+=" || op == "-=";
    const bool assigns = text[at] == '=' && op != "==";
    if (steps || assigns || op == ":=") {
      const std::string value = trimmed(std::string_view(text).substr(at + (assigns ? 1 : 2)));
      const bool truth =
          !steps && (value.starts_with("true") || value.starts_with("false") || value.starts_with("!"));
      const auto [it, fresh] = variables.emplace(text.substr(i, end - i), truth);
      if (!fresh) it->second &= truth;
    }
    i = end - 1;
  }
}

// The action language writes `=`.
std::string statements(std::string text) {
  for (auto at = text.find(":="); at != std::string::npos; at = text.find(":=", at)) text.replace(at, 2, "=");
  return text;
}

class Builder {
 public:
  explicit Builder(const std::string& tool) {
    tree_->root = uml::fresh(*tree_, "XMI", "", {});
    tree_->root->vocabulary = uml::Vocabulary::Xmi;
    Element* documentation = grow(*tree_, *tree_->root, "Documentation", "", {});
    set(*documentation, "exporter", tool);
  }

  std::unique_ptr<uml::XmlTree> take() { return std::move(tree_); }

  void add(const Chart& chart) {
    if (!tree_->root->span.valid()) tree_->root->span = chart.span;
    chart_ = &chart;
    Element* cls = grow(*tree_, *tree_->root, "packagedElement", "Class", chart.span);
    cls->id = unique_id(chart.name);
    prefix_ = cls->id;
    set(*cls, "name", chart.name);
    attributes(*cls);
    Element* machine = grow(*tree_, *cls, "ownedBehavior", "StateMachine", chart.span);
    machine->id = prefix_ + "/machine";
    set(*machine, "name", chart.name);
    set(*cls, "classifierBehavior", machine->id);
    elements_.assign(chart.nodes.size(), nullptr);
    regions_.clear();
    for (std::size_t i = 0; i < chart.nodes.size(); ++i) place(i, *machine);
    start_anywhere();
    for (const Arrow& a : chart.arrows) arrow(a);
  }

 private:
  // No blanks: references are lists of ids.
  std::string unique_id(const std::string& name) {
    std::string id;
    for (const char c : name) id += std::isspace(static_cast<unsigned char>(c)) ? '_' : c;
    while (!ids_.insert(id).second) id += "'";
    return id;
  }

  void attributes(Element& cls) {
    std::map<std::string, bool> variables;
    for (const Node& n : chart_->nodes) {
      for (const auto* text : {&n.entry, &n.exit, &n.activity}) find_variables(*text, variables);
      for (const auto& t : n.internal) find_variables(t.label.action, variables);
    }
    for (const Arrow& a : chart_->arrows) find_variables(a.label.action, variables);
    for (const auto& [name, truth] : variables) {
      Element* property = grow(*tree_, cls, "ownedAttribute", "Property", cls.span);
      property->id = prefix_ + "/" + name;
      set(*property, "name", name);
      const char* type = truth ? "Boolean" : "Integer";
      Element*& declared = types_[type];
      if (declared == nullptr) {
        declared = grow(*tree_, *tree_->root, "packagedElement", "PrimitiveType", cls.span);
        declared->id = unique_id(type);
        set(*declared, "name", type);
      }
      set(*property, "type", declared->id);
    }
  }

  Element& region(int state, int number, Element& machine) {
    Element*& found = regions_[{state, number}];
    if (found == nullptr) {
      Element& owner = state < 0 ? machine : *elements_[static_cast<std::size_t>(state)];
      found = grow(*tree_, owner, "region", "Region", owner.span);
      found->id = unique_id((state < 0 ? prefix_ : owner.id) + "/region" + std::to_string(number + 1));
    }
    return *found;
  }

  // Parents may be declared after their first use as children: outer ones first.
  void place(std::size_t i, Element& machine) {
    if (elements_[i] != nullptr) return;
    const Node& n = chart_->nodes[i];
    if (n.parent >= 0) place(static_cast<std::size_t>(n.parent), machine);
    Element* e = grow(*tree_, region(n.parent, n.region, machine), "subvertex", "State", n.span);
    elements_[i] = e;
    const std::string kind = pseudostate_kind(n.kind);
    const std::string name = !n.id.empty() ? n.id : n.kind == NodeKind::Final ? "end" : kind;
    e->id =
        unique_id((n.parent < 0 ? prefix_ : elements_[static_cast<std::size_t>(n.parent)]->id) + "/" + name);
    if (!n.id.empty()) set(*e, "name", n.id);
    if (n.kind == NodeKind::Final) e->type = "FinalState";
    if (!kind.empty()) {
      e->type = "Pseudostate";
      set(*e, "kind", kind);
    }
    behaviour(*e, "entry", n.entry, n.span);
    behaviour(*e, "exit", n.exit, n.span);
    behaviour(*e, "doActivity", n.activity, n.span);
    for (const InternalTransition& t : n.internal) {
      Element* element = transition(*e, *e, t.label, t.span);
      set(*element, "kind", "internal");
    }
  }

  // Several arrows from one `[*]`: the diagram does not say which; any of them.
  void start_anywhere() {
    for (std::size_t i = 0; i < chart_->nodes.size(); ++i) {
      if (chart_->nodes[i].kind != NodeKind::Initial) continue;
      const auto count = std::count_if(chart_->arrows.begin(), chart_->arrows.end(),
                                       [&](const Arrow& a) { return a.from == static_cast<int>(i); });
      if (count < 2) continue;
      Element& initial = *elements_[i];
      Element* choice = grow(*tree_, *initial.parent, "subvertex", "Pseudostate", initial.span);
      choice->id = unique_id(initial.id + "/any");
      set(*choice, "kind", "choice");
      transition(initial, *choice, {}, initial.span);
      elements_[i] = choice;
    }
  }

  void behaviour(Element& owner, const char* tag, const std::string& text, diag::Span span) {
    if (text.empty()) return;
    Element* b = grow(*tree_, owner, tag, "OpaqueBehavior", span);
    b->id = unique_id(owner.id + "/" + tag);
    set(*b, "body", statements(text));
  }

  void arrow(const Arrow& a) {
    Label label = a.label;
    Element& from = *elements_[static_cast<std::size_t>(a.from)];
    // At a choice that was made for several starts, what is written at the arrows is a condition too.
    if (chart_->nodes[static_cast<std::size_t>(a.from)].kind == NodeKind::Initial &&
        uml::get(from, "kind") == "choice" && label.guard.empty() && !label.events.empty())
      label.guard = label.events.front();
    transition(from, *elements_[static_cast<std::size_t>(a.to)], label, a.span);
  }

  Element* transition(Element& from, Element& to, const Label& label, diag::Span span) {
    Element& home = from.parent->name == "region" ? *from.parent : from;
    Element* t = grow(*tree_, home, "transition", "Transition", span);
    t->id = unique_id(from.id + "->" + uml::get(to, "name"));
    set(*t, "source", from.id);
    set(*t, "target", to.id);
    for (const std::string& event : label.events) trigger(*t, event, span);
    if (!label.after.empty()) timer(*t, label.after, span);
    if (!label.guard.empty()) {
      Element* guard = grow(*tree_, *t, "guard", "Constraint", span);
      Element* specification = grow(*tree_, *guard, "specification", "OpaqueExpression", span);
      set(*specification, "body", label.guard);
    }
    behaviour(*t, "effect", label.action, span);
    return t;
  }

  void trigger(Element& t, const std::string& name, diag::Span span) {
    std::string& event = events_[name];
    if (event.empty()) {
      Element* signal = grow(*tree_, *tree_->root, "packagedElement", "Signal", span);
      signal->id = unique_id("signal:" + name);
      set(*signal, "name", name);
      Element* signal_event = grow(*tree_, *tree_->root, "packagedElement", "SignalEvent", span);
      event = signal_event->id = unique_id("event:" + name);
      set(*signal_event, "signal", signal->id);
    }
    set(*grow(*tree_, t, "trigger", "Trigger", span), "event", event);
  }

  void timer(Element& t, const std::string& text, diag::Span span) {
    Element* time = grow(*tree_, *tree_->root, "packagedElement", "TimeEvent", span);
    time->id = unique_id(t.id + "/time");
    Element* when = grow(*tree_, *time, "when", "TimeExpression", span);
    set(*grow(*tree_, *when, "expr", "OpaqueExpression", span), "body", text);
    set(*grow(*tree_, t, "trigger", "Trigger", span), "event", time->id);
  }

  std::unique_ptr<uml::XmlTree> tree_ = std::make_unique<uml::XmlTree>();
  const Chart* chart_ = nullptr;
  std::string prefix_;
  std::set<std::string> ids_;
  std::map<std::string, std::string> events_;  // name -> id of the event
  std::map<std::string, Element*> types_;
  std::vector<Element*> elements_;  // of the nodes
  std::map<std::pair<int, int>, Element*> regions_;
};

}  // namespace

std::unique_ptr<uml::XmlTree> to_uml(const std::vector<Chart>& charts, const std::string& tool) {
  Builder builder(tool);
  for (const Chart& chart : charts) builder.add(chart);
  return builder.take();
}

}  // namespace parley::front::diagram
