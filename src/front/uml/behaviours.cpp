// Behaviour of transitions, states and operations: opaque text in one of several languages, activities made
// of send actions, or nothing but a name. What is not understood is an error, or an over-approximation with
// an assumption.
#include <fmt/format.h>

#include <algorithm>

#include "front/uml/importer.hpp"

namespace parley::front::uml {
namespace {

using Tag = ValueType::Tag;

bool is_known_language(const std::string& language) {
  const std::string l = lower_case(language);
  for (const char* known :
       {"c++", "c", "c/c++", "java", "javascript", "ecmascript", "js", "alf", "ralf", "c#", "cpp"}) {
    if (l == known) return true;
  }
  return false;
}

bool is_blank(const std::string& text) {
  return text.find_first_not_of(" \t\r\n") == std::string::npos;
}

std::string place_name(const Import& import, const BehaviourPlace& place) {
  return fmt::format("{} of {} in class `{}`", place.what,
                     place.owner == nullptr ? std::string("the model") : import.label(*place.owner),
                     import.classes[place.class_index].name);
}

// What reading text brought along: printed lines, timers, problems.
void settle(Import& import, const Meaning& meaning, const Element& where, const BehaviourPlace& place) {
  for (const auto& key : meaning.sent) {
    import.sent.insert(key);
    import.signals.at(key).used = true;
  }
  for (const auto& text : meaning.output) import.ignore("statement that only prints", where, text);
  for (const auto& text : meaning.timers)
    import.ignore("use of a timing service (timeouts may come at any time)", where, text);
  const std::string kind = fmt::format("{} text", place.what);
  for (const auto& problem : meaning.problems) {
    const std::string text = clean_name(problem.text);
    if (import.options.havoc_unknown) {
      import.approximate(kind.c_str(), where, problem.text,
                         fmt::format("in the {}: `{}` is replaced by any value for what it may change, or "
                                     "any outcome; it sends nothing",
                                     place_name(import, place), text));
    } else {
      import.report.add(Treatment::Rejected, kind, {where.id, problem.text, where.span});
      import.diagnostics.error("uml-text", where.span,
                               fmt::format("in the {}: `{}` is not understood: {}", place_name(import, place),
                                           text, problem.reason),
                               "--havoc-unknown replaces such text by an over-approximation");
    }
  }
}

// ---- activities: send-signal actions, one after the other

const Element* pin_source(const Document& document, const Element& pin) {
  if (const auto* action = document.one(pin, "fromAction")) return action;
  for (const auto* edge : document.all(pin, "incoming")) {
    const Element* source = document.one(*edge, "source");
    if (source == nullptr) continue;
    return source->parent != nullptr && document.type(*source) == "OutputPin" ? source->parent : source;
  }
  return nullptr;
}

// The object that a pin delivers: this, or what an attribute refers to.
model::ExprPtr pin_value(Import& import, std::size_t class_index, const Element& pin) {
  const Element* action = pin_source(import.document, pin);
  if (action == nullptr) return nullptr;
  const auto type = import.document.type(*action);
  if (type == "ReadSelfAction") {
    auto e = std::make_unique<model::Expr>();
    e->kind = model::ExprKind::This;
    e->span = pin.span;
    return e;
  }
  if (type != "ReadStructuralFeatureAction") return nullptr;
  const Element* feature = import.document.one(*action, "structuralFeature");
  for (const auto b : lineage(import, class_index)) {
    const auto it = import.classes[b].features.find(feature);
    if (it != import.classes[b].features.end()) return make_name(it->second, pin.span);
  }
  return nullptr;
}

std::vector<const Element*> ordered_nodes(const Document& document, const Element& activity) {
  auto nodes = document.owned(activity, "node");
  // Follow control flow where it is a line from the initial node; otherwise take document order.
  std::vector<const Element*> ordered;
  const Element* at = nullptr;
  for (const auto* n : nodes) {
    if (document.type(*n) == "InitialNode") at = n;
  }
  while (at != nullptr && ordered.size() <= nodes.size()) {
    ordered.push_back(at);
    const Element* next = nullptr;
    for (const auto* edge : document.owned(activity, "edge")) {
      if (document.one(*edge, "source") == at) next = document.one(*edge, "target");
    }
    at = next;
  }
  std::size_t actions = 0;
  for (const auto* n : nodes) actions += document.type(*n).ends_with("Action") ? 1 : 0;
  std::size_t reached = 0;
  for (const auto* n : ordered) reached += document.type(*n).ends_with("Action") ? 1 : 0;
  return reached == actions ? ordered : nodes;
}

// True if every node was understood.
bool read_activity(Import& import, const Element& activity, const BehaviourPlace& place,
                   std::vector<model::StmtPtr>& out) {
  const Document& document = import.document;
  bool understood = true;
  for (const auto* n : ordered_nodes(document, activity)) {
    const auto type = document.type(*n);
    if (type == "InitialNode" || type == "ActivityFinalNode" || type == "FlowFinalNode" ||
        type == "ReadSelfAction" || type == "ReadStructuralFeatureAction" ||
        type == "ActivityParameterNode" || type == "ForkNode" || type == "MergeNode") {
      continue;
    }
    const Element* signal = document.one(*n, "signal");
    const auto it = signal == nullptr ? import.signal_keys.end() : import.signal_keys.find(signal);
    const Element* target = document.one(*n, "target");
    if ((type != "SendSignalAction" && type != "BroadcastSignalAction") || it == import.signal_keys.end()) {
      understood = false;
      continue;
    }
    auto receiver = target == nullptr ? nullptr : pin_value(import, place.class_index, *target);
    if (receiver == nullptr) {
      understood = false;
      continue;
    }
    auto s = std::make_unique<model::Stmt>();
    s->kind = model::StmtKind::Send;
    s->span = n->span;
    auto& record = import.signals.at(it->second);
    s->text = record.name;
    if (receiver->kind != model::ExprKind::This) s->target = std::move(receiver);
    for (const auto& [name, value_type] : record.parameters) {
      auto any = make_any(value_type, n->span);
      if (any == nullptr) {
        any = std::make_unique<model::Expr>();
        any->kind = model::ExprKind::Null;
      }
      s->args.push_back(std::move(any));
    }
    record.used = true;
    import.sent.insert(it->second);
    import.read("send signal action");
    out.push_back(std::move(s));
  }
  return understood;
}

}  // namespace

std::string text_of(const Import& import, const Element& behaviour) {
  const Document& document = import.document;
  std::vector<std::string> bodies, languages;
  for (const auto* c : behaviour.children) {
    if (c->name == "body") bodies.push_back(c->text);
    if (c->name == "language") languages.push_back(c->text);
  }
  if (bodies.empty()) {
    if (const auto* attribute = behaviour.attribute("body")) bodies.push_back(*attribute);
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (i < languages.size() && is_known_language(languages[i])) return bodies[i];
  }
  if (!bodies.empty()) return bodies.front();
  if (document.type(behaviour) == "LiteralString" || document.type(behaviour) == "LiteralBoolean" ||
      document.type(behaviour) == "LiteralInteger") {
    std::string value = document.value(behaviour, "value");
    if (value.empty() && document.type(behaviour) == "LiteralBoolean") value = "false";
    return value;
  }
  if (document.type(behaviour) == "Expression") return document.value(behaviour, "symbol");
  if (const auto* b = document.one(behaviour, "behavior"); b != nullptr && b != &behaviour)
    return text_of(import, *b);
  return {};
}

Scope scope_of(Import& import, std::size_t class_index) {
  Scope scope;
  scope.library = &import.library;
  scope.self_name = import.classes[class_index].name;
  scope.self = &import.library.classes.at(scope.self_name);
  scope.result = {Tag::Void, ""};
  scope.havoc = import.options.havoc_unknown;
  return scope;
}

model::Behaviour read_behaviour(Import& import, const Element& behaviour, const BehaviourPlace& place,
                                Scope scope) {
  const Document& document = import.document;
  model::Behaviour result;
  result.span = behaviour.span;
  result.name = clean_name(document.name(behaviour));
  std::string text = text_of(import, behaviour);
  const auto type = document.type(behaviour);
  std::vector<model::StmtPtr> statements;
  if (is_blank(text) && (type == "Activity" || !document.owned(behaviour, "node").empty()) &&
      !document.owned(behaviour, "node").empty()) {
    bool calls = false;
    for (const auto* n : document.owned(behaviour, "node"))
      calls |= document.type(*n) == "CallBehaviorAction" || document.type(*n) == "CallOperationAction" ||
               document.type(*n) == "OpaqueAction";
    if (read_activity(import, behaviour, place, statements)) {
      import.read(place.what);
      result.body = make_block(std::move(statements), behaviour.span);
      return result;
    }
    Meaning unknown;
    unknown.problems.push_back(
        {result.name.empty() ? "activity" : result.name,
         calls ? "the activity calls other behaviour" : "the activity has actions that are not read"});
    settle(import, unknown, behaviour, place);
    if (import.options.havoc_unknown) {  // it may change whatever the object has
      for (const auto& [key, variable] : scope.self->attributes) {
        if (variable.type.tag != Tag::Ref) statements.push_back(make_havoc(variable, behaviour.span));
      }
    }
    result.body = make_block(std::move(statements), behaviour.span);
    return result;
  }
  if (is_blank(text)) {
    // MagicDraw and others put the action into the name of an empty activity.
    if (result.name.find_first_of("().;=") != std::string::npos || type == "Activity" ||
        type == "FunctionBehavior")
      text = document.name(behaviour);
    if (is_blank(text)) {
      import.leave_out("behaviour without text", behaviour, result.name,
                       fmt::format("the {} does nothing: it has no text", place_name(import, place)));
      return result;
    }
  }
  Meaning meaning = read_statements(text, scope, behaviour.span);
  // A name alone is the name of something outside (a Java bean, an activity).
  settle(import, meaning, behaviour, place);
  if (meaning.problems.empty()) import.read(place.what);
  result.body = std::move(meaning.body);
  if (result.body != nullptr && result.body->kind != model::StmtKind::Block) {
    statements.push_back(std::move(result.body));
    result.body = make_block(std::move(statements), behaviour.span);
  }
  return result;
}

void read_constraint(Import& import, const Element& constraint, const BehaviourPlace& place,
                     const Scope& scope, model::Transition& transition) {
  const Document& document = import.document;
  std::string text;
  if (const auto* specification = document.one(constraint, "specification")) {
    text = text_of(import, *specification);
  } else {
    text = document.value(constraint, "specification");
    if (text.empty()) text = text_of(import, constraint);
    if (text.empty() && constraint.children.empty() &&
        document.name(constraint).find_first_of("=<>!&|") != std::string::npos)
      text = document.name(constraint);
  }
  // [x > 0] with the brackets of the diagram
  const auto begin = text.find_first_not_of(" \t\r\n");
  const auto end = text.find_last_not_of(" \t\r\n");
  if (begin != std::string::npos && text[begin] == '[' && text[end] == ']')
    text = text.substr(begin + 1, end - begin - 1);
  Meaning meaning = read_guard(text, scope, constraint.span);
  settle(import, meaning, constraint, place);
  if (meaning.problems.empty()) import.read("guard");
  transition.is_else = meaning.is_else;
  transition.guard = std::move(meaning.condition);
}

namespace {

struct OperationSource {
  std::size_t class_index = 0;
  std::string name;
  const Element* operation = nullptr;
  const Element* method = nullptr;
  std::vector<std::pair<std::string, ValueType>> parameters;
};

std::vector<OperationSource> operations_with_text(Import& import) {
  const Document& document = import.document;
  std::vector<OperationSource> result;
  for (std::size_t i = 0; i < import.classes.size(); ++i) {
    if (import.classes[i].name == import.capsule) continue;
    const Element& element = *import.classes[i].element;
    ClassInfo& info = import.library.classes[import.classes[i].name];
    for (const auto* o : document.owned(element, "ownedOperation")) {
      const std::string name = document.name(*o);
      if (import.signal_keys.contains(o) || info.operations.contains(name)) continue;
      OperationSource source;
      source.class_index = i;
      source.name = name;
      source.operation = o;
      source.method = document.one(*o, "method");
      for (const auto* b : document.owned(element, "ownedBehavior")) {
        if (source.method == nullptr && document.one(*b, "specification") == o) source.method = b;
      }
      OperationInfo operation;
      operation.model_name = clean_name(name);
      operation.result = {Tag::Void, ""};
      bool typed = true;
      for (const auto* p : document.owned(*o, "ownedParameter")) {
        const std::string direction = document.value(*p, "direction");
        const ValueType type = type_of(import, *p);
        if (direction == "return") {
          operation.result = type;
          typed &= type.tag != Tag::Opaque;
        } else {
          typed &= type.known() && direction != "out" && direction != "inout";
          operation.parameters.push_back(type);
          source.parameters.emplace_back(document.name(*p), type);
        }
      }
      operation.has_body = typed && source.method != nullptr && !is_blank(text_of(import, *source.method)) &&
                           !name.empty() && !import.classes[i].members.taken(name);
      info.operations.emplace(name, operation);
      if (operation.has_body)
        result.push_back(std::move(source));
      else
        import.ignore("operation without a body that can be read (calls of it are not understood)", *o, name);
    }
  }
  for (std::size_t i = 0; i < import.classes.size(); ++i) {
    for (const auto b : lineage(import, i)) {
      if (b == i) continue;
      const auto& from = import.library.classes[import.classes[b].name].operations;
      import.library.classes[import.classes[i].name].operations.insert(from.begin(), from.end());
    }
  }
  return result;
}

bool calls(const model::Stmt& s, const std::string& name);
bool calls(const model::Expr& e, const std::string& name) {
  if (e.kind == model::ExprKind::Call && e.text == name) return true;
  return std::any_of(e.operands.begin(), e.operands.end(), [&](const auto& o) { return calls(*o, name); });
}
bool calls(const model::Stmt& s, const std::string& name) {
  for (const auto* e : {&s.target, &s.value, &s.hi}) {
    if (*e != nullptr && calls(**e, name)) return true;
  }
  for (const auto& a : s.args) {
    if (calls(*a, name)) return true;
  }
  return std::any_of(s.children.begin(), s.children.end(),
                     [&](const auto& c) { return c != nullptr && calls(*c, name); });
}

}  // namespace

// Bodies are read again until no operation is left whose body calls one that is not understood.
void read_operations(Import& import) {
  const auto sources = operations_with_text(import);
  std::vector<Meaning> bodies(sources.size());
  std::vector<bool> good(sources.size(), true);
  const auto drop = [&](std::size_t i) {
    good[i] = false;
    for (auto& [name, info] : import.library.classes) {
      const auto it = info.operations.find(sources[i].name);
      if (it != info.operations.end() && it->second.signal.empty()) it->second.has_body = false;
    }
    import.ignore("operation without a body that can be read (calls of it are not understood)",
                  *sources[i].operation, sources[i].name);
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < sources.size(); ++i) {
      if (!good[i]) continue;
      Scope scope = scope_of(import, sources[i].class_index);
      scope.havoc = false;
      scope.result = scope.self->operations.at(sources[i].name).result;
      for (const auto& [name, type] : sources[i].parameters) scope.parameters[name] = {name, type, 0};
      scope.parameters_hide_attributes = true;
      bodies[i] = read_statements(text_of(import, *sources[i].method), scope, sources[i].method->span);
      const bool recursive = bodies[i].body != nullptr && calls(*bodies[i].body, sources[i].name);
      if (bodies[i].problems.empty() && !recursive) continue;
      drop(i);
      changed = true;
    }
  }
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (!good[i]) continue;
    const auto& source = sources[i];
    BehaviourPlace place{source.class_index, "operation", source.operation};
    settle(import, bodies[i], *source.method, place);
    model::Operation operation;
    operation.name = import.classes[source.class_index].members.unique(source.name, "operation");
    operation.result = type_ref(
        import.library.classes.at(import.classes[source.class_index].name).operations.at(source.name).result,
        source.operation->span);
    for (const auto& [name, type] : source.parameters)
      operation.parameters.push_back({name, type_ref(type, source.operation->span), source.operation->span});
    operation.body.body = std::move(bodies[i].body);
    if (operation.body.body == nullptr) {
      operation.body.body = std::make_unique<model::Stmt>();
      operation.body.body->span = source.method->span;
    }
    operation.body.span = source.method->span;
    operation.element_id = source.operation->id;
    operation.span = operation.name_span = source.operation->span;
    import.model.classes[source.class_index].operations.push_back(std::move(operation));
    import.read("operation");
  }
}

}  // namespace parley::front::uml
