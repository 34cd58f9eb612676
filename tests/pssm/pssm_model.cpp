#include "pssm/pssm_model.hpp"

#include <fmt/format.h>

#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>

#include "front/uml/code_meaning.hpp"
#include "front/uml/names.hpp"
#include "front/uml/xml.hpp"

namespace parley::conformance {
namespace {

using front::uml::Element;
using front::uml::Names;
using model::VertexKind;

std::string attribute(const Element& e, const char* name) {
  const auto* value = e.attribute(name);
  return value == nullptr ? std::string() : *value;
}

class Reader {
 public:
  Reader(PssmTest& test, const Element& root) : test_(test), root_(root) {}

  void run() {
    for (const auto* c : root_.children) {
      if (c->name != "signals" && c->name != "operations") continue;
      model::SignalDecl signal;
      signal.name = names_.unique(attribute(*c, "name"), "signal");
      signal.span = signal.name_span = c->span;
      signals_[c] = signal.name;
      test_.has_values |= !c->children.empty();
      test_.model.signals.push_back(std::move(signal));
    }
    model::Class test;
    test.name = "Test";
    test.span = test.name_span = root_.span;
    model::Attribute last;
    last.name = "last";
    last.type.name = "int";
    last.type.span = last.span = last.name_span = root_.span;
    test.attributes.push_back(std::move(last));
    machine_.span = root_.span;
    for (const auto* c : root_.children) {
      if (c->name == "statemachine") read_regions(*c, model::VertexId());
    }
    for (const auto* t : transitions_) read_transition(*t);
    fold_points();
    test.machine = std::move(machine_);
    test_.model.classes.push_back(std::move(test));
    test_.model.system.emplace();
    test_.model.system->span = root_.span;
    model::ObjectDecl object;
    object.name = "test";
    object.class_name = "Test";
    object.span = object.name_span = object.class_span = root_.span;
    test_.model.system->objects.push_back(std::move(object));
    // The tester is the environment: without it, lowering would see that no message can ever be discarded.
    // The search gives the stimulus in its order instead of running these.
    for (const auto& signal : test_.model.signals) {
      model::EnvironmentDecl sends;
      sends.signal = signal.name;
      sends.target = front::uml::make_name("test", root_.span);
      sends.span = root_.span;
      test_.model.system->environment.push_back(std::move(sends));
    }
  }

 private:
  // EMF's address of an element: //@statemachine/@regions.0/@vertice.1
  const Element* follow(const std::string& path) const {
    const Element* at = &root_;
    std::stringstream steps(path);
    for (std::string step; std::getline(steps, step, '/');) {
      if (step.empty()) continue;
      const auto dot = step.rfind('.');
      int number = dot == std::string::npos ? 0 : std::stoi(step.substr(dot + 1));
      const std::string name = step.substr(1, dot == std::string::npos ? std::string::npos : dot - 1);
      const Element* next = nullptr;
      for (const auto* c : at->children) {
        if (c->name == name && number-- == 0) next = c;
      }
      if (next == nullptr) return nullptr;
      at = next;
    }
    return at;
  }

  model::StmtPtr note(const std::string& label, diag::Span span) {
    test_.labels.push_back(label);
    auto s = std::make_unique<model::Stmt>();
    s->kind = model::StmtKind::Assign;
    s->span = span;
    s->target = front::uml::make_name("last", span);
    s->value = front::uml::make_int(static_cast<std::int64_t>(test_.labels.size()) - 1, span);
    return s;
  }

  void behaviour(model::Behaviour& b, const std::string& owner, const Element& e) {
    if (b.body == nullptr) {
      b.body = std::make_unique<model::Stmt>();
      b.body->span = b.span = e.span;
    }
    b.body->children.push_back(note(fmt::format("{}({})", owner, attribute(e, "name")), e.span));
  }

  void read_regions(const Element& owner, model::VertexId state) {
    Names region_names;
    std::size_t count = 0;
    for (const auto* c : owner.children) count += c->name == "regions" ? 1 : 0;
    for (const auto* r : owner.children) {
      if (r->name != "regions") continue;
      model::Region region;
      if (count > 1) region.name = region_names.unique(attribute(*r, "name"), "region");
      region.state = state;
      region.span = r->span;
      const auto id = machine_.add(std::move(region));
      Names names;
      for (const auto* v : r->children) {
        if (v->name == "vertice") read_vertex(*v, id, state, names);
        if (v->name == "transitions") transitions_.push_back(v);
      }
    }
  }

  void read_vertex(const Element& e, model::RegionId region, model::VertexId, Names& names) {
    static const std::map<std::string, VertexKind> kKinds = {{"", VertexKind::Initial},
                                                             {"initial", VertexKind::Initial},
                                                             {"join", VertexKind::Join},
                                                             {"fork", VertexKind::Fork},
                                                             {"terminate", VertexKind::Terminate},
                                                             {"entrypoint", VertexKind::EntryPoint},
                                                             {"exitpoint", VertexKind::ExitPoint}};
    model::Vertex v;
    std::string type;
    for (const auto& a : e.attributes) {
      if (a.name == "type" && a.vocabulary == front::uml::Vocabulary::Xsi) type = a.value;
    }
    v.kind = type.ends_with("FinalState")    ? VertexKind::Final
             : type.ends_with("Pseudostate") ? kKinds.at(attribute(e, "kind"))
                                             : VertexKind::State;
    const std::string name = attribute(e, "name");
    v.name = names.unique(name, "vertex");
    v.region = region;
    v.span = v.name_span = e.span;
    const auto id = machine_.add(std::move(v));
    vertices_[&e] = id;
    for (const auto* c : e.children) {
      if (c->name == "entry") behaviour(machine_.vertex(id).entry, name, *c);
      if (c->name == "exit") behaviour(machine_.vertex(id).exit, name, *c);
      if (c->name == "deferrableTriggers") {
        for (const auto* event : c->children) {
          machine_.vertex(id).defers.push_back(signal_of(*event));
          machine_.vertex(id).defer_spans.push_back(c->span);
        }
      }
    }
    for (const auto* c : e.children) {  // after the entry behaviour
      if (c->name != "doActivity") continue;
      test_.has_do_activity = true;
      behaviour(machine_.vertex(id).entry, name, *c);
    }
    read_regions(e, id);
    Names points;
    for (const auto* c : e.children) {
      if (c->name != "connectionPoint") continue;
      model::Vertex point;
      point.kind = kKinds.at(attribute(*c, "kind"));
      point.name = points.unique(attribute(*c, "name"), "point");
      point.region = region;
      point.owner_state = id;
      point.span = point.name_span = c->span;
      vertices_[c] = machine_.add(std::move(point));
    }
  }

  std::string signal_of(const Element& event) const {
    const std::string reference =
        attribute(event, "signal").empty() ? attribute(event, "operation") : attribute(event, "signal");
    const auto it = signals_.find(follow(reference));
    return it == signals_.end() ? "?" : it->second;
  }

  void read_transition(const Element& e) {
    model::Transition t;
    t.name = attribute(e, "name");
    const auto* source = follow(attribute(e, "source"));
    const auto* target = follow(attribute(e, "target"));
    if (!vertices_.contains(source) || !vertices_.contains(target)) {
      test_.error = fmt::format("transition {} has no end", t.name);
      return;
    }
    t.source = vertices_.at(source);
    t.target = vertices_.at(target);
    t.span = t.target_span = e.span;
    const std::string kind = attribute(e, "kind");
    if (kind == "internal" || kind.empty())
      t.kind = model::TransitionKind::Internal;  // EMF leaves out the first literal
    if (kind == "local") t.kind = model::TransitionKind::Local;
    if (t.kind == model::TransitionKind::Internal && t.source != t.target)
      t.kind = model::TransitionKind::External;
    for (const auto* c : e.children) {
      if (c->name == "triggers") {
        for (const auto* event : c->children) {
          model::Trigger trigger;
          trigger.kind = model::TriggerKind::Signal;
          trigger.name = signal_of(*event);
          trigger.span = c->span;
          t.triggers.push_back(std::move(trigger));
        }
      }
      if (c->name == "effect") behaviour(t.effect, t.name, *c);
      if (c->name == "constraint") test_.error = "guards over values of events are not read";
    }
    machine_.add(std::move(t));
  }

  // An entry point that nothing goes on from means default entry of its state.
  void fold_points() {
    for (std::size_t i = 0; i < machine_.vertices.size(); ++i) {
      const model::VertexId id(i);
      if (machine_.vertex(id).kind != VertexKind::EntryPoint) continue;
      bool goes_on = false;
      for (const auto& t : machine_.transitions) goes_on |= t.source == id;
      if (goes_on) continue;
      for (auto& t : machine_.transitions) {
        if (t.target == id) t.target = machine_.vertex(id).owner_state;
      }
    }
  }

  PssmTest& test_;
  const Element& root_;
  Names names_;
  model::Machine machine_;
  std::map<const Element*, std::string> signals_;
  std::map<const Element*, model::VertexId> vertices_;
  std::vector<const Element*> transitions_;
};

std::string without_values(const std::string& label) {
  return label.substr(0, label.find('['));
}

}  // namespace

PssmTest read_pssm(const std::string& path) {
  PssmTest test;
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  diag::SourceMap sources;
  diag::Diagnostics diagnostics;
  const auto file = sources.add(path, text.str());
  const auto tree = front::uml::parse_xml(sources, file, diagnostics, {});
  if (tree == nullptr) {
    test.error = "not XML";
    return test;
  }
  Reader(test, *tree->root).run();
  return test;
}

std::vector<Scenario> read_scenarios(const std::string& path) {
  std::vector<Scenario> result;
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);  // headings
  while (std::getline(in, line)) {
    std::stringstream columns(line);
    Scenario s;
    std::string trace, input;
    std::getline(columns, s.model, '\t');
    std::getline(columns, trace, '\t');
    std::getline(columns, input, '\t');
    for (std::size_t at = 0; at < trace.size();) {
      const auto end = std::min(trace.find("::", at), trace.size());
      const std::string label = trace.substr(at, end - at);
      s.expects_values |= label.find('[') != std::string::npos;
      if (!without_values(label).empty()) s.expected.push_back(without_values(label));
      at = end + 2;
    }
    std::stringstream items(input);
    for (std::string item; std::getline(items, item, ';');) {
      const auto comma = item.find(',');
      if (comma == std::string::npos) continue;
      std::string name = item.substr(comma + 1);
      name = name.substr(0, name.find(','));
      while (!name.empty() && (name.back() == ' ' || name.back() == '\r')) name.pop_back();
      s.stimulus.push_back(name);
    }
    result.push_back(std::move(s));
  }
  return result;
}

}  // namespace parley::conformance
