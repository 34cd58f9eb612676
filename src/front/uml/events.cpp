// Signals and what else a machine can receive: operations that call events name, messages of UML-RT
// protocols, time and change events. A received call is an asynchronous message here; the caller does not
// wait, which the report says.
#include <fmt/format.h>

#include <algorithm>

#include "front/uml/importer.hpp"

namespace parley::front::uml {
namespace {

using Tag = ValueType::Tag;

// UML-RT's run-time library is another file; models refer to it by these ids.
constexpr std::string_view kLogProtocol = "_6kIb0IeXEeSVyrlWP4nYew";
constexpr std::string_view kTimingProtocol = "_MxQZgGXsEeS_4daqvwyFrg";
constexpr std::string_view kTimeoutEvent = "_IaEO8HDxEeSwWKwNKw1iAA";
constexpr std::string_view kBoundEvent = "_PQtAwOzeEeSRtqCWFwOf8g";
constexpr std::string_view kUnboundEvent = "_R-s4EOzeEeSRtqCWFwOf8g";

std::string fragment_of(const std::string& reference) {
  const auto hash = reference.rfind('#');
  return hash == std::string::npos ? reference : reference.substr(hash + 1);
}

std::string new_signal(Import& import, const Element& e, const std::string& name, const char* otherwise) {
  const std::string clean = clean_name(name);
  std::string key = clean.empty() ? otherwise : clean;
  for (int i = 2; import.signals.contains(key); ++i)
    key = (clean.empty() ? otherwise : clean) + std::string("#") + std::to_string(i);
  SignalRecord record;
  record.element = &e;
  record.name = import.global.unique(name, otherwise);
  import.signals.emplace(key, std::move(record));
  return key;
}

void add_parameter(Import& import, SignalRecord& record, const Element& p) {
  const std::string name = import.document.name(p);
  const ValueType type = type_of(import, p);
  const long upper = import.document.upper(p);
  if (!type.known() || (upper != 1 && upper != 0)) {
    record.left_out.push_back(name);
    import.ignore("message value of a type that the model does not have", p, name);
    return;
  }
  for (const auto& [known, t] : record.parameters) {
    if (known == name) return;
  }
  record.parameters.emplace_back(name.empty() ? "value" : name, type);
}

void signal_parameters(Import& import, SignalRecord& record, const Element& signal, int depth = 0) {
  const Document& document = import.document;
  if (depth > 32) return;
  for (const auto* g : document.owned(signal, "generalization")) {
    if (const auto* general = document.one(*g, "general"))
      signal_parameters(import, record, *general, depth + 1);
  }
  for (const auto* p : document.owned(signal, "ownedAttribute")) add_parameter(import, record, *p);
}

void operation_parameters(Import& import, SignalRecord& record, const Element& operation) {
  for (const auto* p : import.document.owned(operation, "ownedParameter")) {
    const std::string direction = import.document.value(*p, "direction");
    if (direction == "return" || direction == "out") continue;
    add_parameter(import, record, *p);
  }
}

void publish(Import& import, const std::string& key) {
  const auto& record = import.signals.at(key);
  SignalInfo info;
  info.model_name = record.name;
  info.carries_port = record.carries_port;
  for (const auto& [name, type] : record.parameters) info.parameters.push_back(type);
  import.library.signals[key] = std::move(info);
}

std::string operation_signal(Import& import, const Element& operation) {
  if (const auto it = import.signal_keys.find(&operation); it != import.signal_keys.end()) return it->second;
  const std::string key = new_signal(import, operation, import.document.name(operation), "call");
  operation_parameters(import, import.signals.at(key), operation);
  import.signal_keys[&operation] = key;
  publish(import, key);
  return key;
}

// The interfaces of a UML-RT protocol: those beside its collaboration, and those of the protocols it
// specialises.
std::vector<const Element*> protocol_interfaces(const Document& document, const Element& protocol,
                                                int depth = 0) {
  std::vector<const Element*> result;
  if (protocol.parent == nullptr || depth > 32) return result;
  for (const auto* c : protocol.parent->children) {
    if (document.type(*c) == "Interface") result.push_back(c);
  }
  for (const auto* g : document.owned(protocol, "generalization")) {
    if (const auto* general = document.one(*g, "general")) {
      for (const auto* i : protocol_interfaces(document, *general, depth + 1)) result.push_back(i);
    }
  }
  return result;
}

std::vector<const Element*> protocol_messages(const Document& document, const Element& protocol) {
  std::vector<const Element*> result;
  if (document.type(protocol) == "Collaboration") {
    for (const auto* i : protocol_interfaces(document, protocol)) {
      for (const auto* o : document.owned(*i, "ownedOperation")) result.push_back(o);
    }
  } else {
    for (const auto* o : document.owned(protocol, "ownedOperation")) result.push_back(o);
  }
  return result;
}

PortKind port_kind(const Import& import, const PortRecord& port) {
  if (port.protocol != nullptr) return PortKind::Wired;
  const std::string type = fragment_of(import.document.outside(*port.element, "type"));
  if (type.empty()) return PortKind::Wired;
  if (type == kLogProtocol) return PortKind::Log;
  if (type == kTimingProtocol) return PortKind::Timing;
  return PortKind::System;
}

void read_ports(Import& import) {
  const Document& document = import.document;
  for (const auto& record : import.classes) {
    for (const auto& port : record.ports) {
      if (port.protocol == nullptr) continue;
      for (const auto* o : protocol_messages(document, *port.protocol)) operation_signal(import, *o);
    }
  }
  // A message that can arrive at more than one port of some class carries the port's number.
  for (std::size_t i = 0; i < import.classes.size(); ++i) {
    std::map<std::string, int> arrivals;
    for (const auto b : lineage(import, i)) {
      for (const auto& port : import.classes[b].ports) {
        if (port.protocol == nullptr || !port.is_behaviour) continue;
        for (const auto* o : protocol_messages(document, *port.protocol))
          ++arrivals[import.signal_keys.at(o)];
      }
    }
    for (const auto& [key, count] : arrivals) {
      if (count < 2 || machine_of(import, i) == nullptr) continue;
      import.signals.at(key).carries_port = true;
      publish(import, key);
    }
  }
  if (import.capsule.empty()) return;
  ClassRecord base;
  base.element = &document.root();
  base.name = import.capsule;
  base.instantiated_by_default = false;
  import.library.classes[import.capsule];
  const std::size_t capsule = import.classes.size();
  import.classes.push_back(std::move(base));
  model::Class c;
  c.name = import.capsule;
  c.span = c.name_span = document.root().span;
  import.model.classes.push_back(std::move(c));
  for (std::size_t i = 0; i < capsule; ++i) {
    ClassRecord& record = import.classes[i];
    if (!record.has_ports || !record.bases.empty()) {
      bool derived_has = false;
      for (std::size_t k = 0; k < capsule; ++k) {
        const auto line = lineage(import, k);
        derived_has |= import.classes[k].has_ports && std::find(line.begin(), line.end(), i) != line.end();
      }
      if (!derived_has || !record.bases.empty()) continue;
    }
    record.bases.push_back(capsule);
    import.model.classes[i].base = import.capsule;
  }
  // Ports are numbered along the inheritance line, so that the numbers of inherited ports stay.
  for (std::size_t i = 0; i < capsule; ++i) {
    int before = 0;
    for (const auto b : lineage(import, i))
      before += b == i ? 0 : static_cast<int>(import.classes[b].ports.size());
    for (auto& port : import.classes[i].ports) port.number += before;
  }
  std::vector<std::size_t> order(capsule);
  for (std::size_t i = 0; i < capsule; ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return lineage(import, a).size() < lineage(import, b).size();
  });
  for (const auto i : order) {  // bases first: names of attributes do not repeat along the line
    ClassRecord& record = import.classes[i];
    for (const auto b : lineage(import, i)) {
      if (b == i) continue;
      for (const auto& a : import.model.classes[b].attributes) record.members.reserve(a.name);
    }
    for (const auto& port : record.ports) {
      PortInfo info;
      info.kind = port_kind(import, port);
      if (info.kind == PortKind::Wired) {
        const long replication = port.replication < 0 ? 4 : std::min(port.replication, 64L);
        if (replication > 1) info.replication = static_cast<std::uint32_t>(replication);
        const auto attribute = [&](const std::string& suffix, ValueType type) {
          model::Attribute a;
          a.name = record.members.unique(port.name + suffix, "port");
          a.type = type_ref(type, port.element->span);
          if (info.replication != 0) a.type.array_size = make_int(info.replication, port.element->span);
          a.element_id = port.element->id;
          a.span = a.name_span = port.element->span;
          import.model.classes[i].attributes.push_back(std::move(a));
          return import.model.classes[i].attributes.back().name;
        };
        bool carries = false;
        if (port.protocol != nullptr) {
          for (const auto* o : protocol_messages(document, *port.protocol)) {
            const auto& key = import.signal_keys.at(o);
            info.sends.emplace(document.name(*o), key);
            carries |= import.signals.at(key).carries_port;
          }
        }
        const bool protocol = port.protocol != nullptr && document.type(*port.protocol) == "Collaboration";
        if (!protocol) {  // an interface or nothing: whatever signal there is
          for (const auto& [key, signal] : import.signals)
            info.sends.emplace(document.name(*signal.element), key);
        }
        info.peer = attribute("", {Tag::Ref, import.capsule});
        record.features[port.element] = info.peer;
        if (carries) info.peer_port = attribute("_at", {Tag::Int, ""});
      }
      import.library.classes[record.name].ports[port.name] = std::move(info);
    }
  }
  for (std::size_t i = 0; i < capsule; ++i) {  // inherited ports
    for (const auto b : lineage(import, i)) {
      if (b == i) continue;
      const auto& from = import.library.classes[import.classes[b].name].ports;
      import.library.classes[import.classes[i].name].ports.insert(from.begin(), from.end());
    }
  }
}

bool is_event_type(std::string_view type) {
  return type == "SignalEvent" || type == "ReceiveSignalEvent" || type == "CallEvent" ||
         type == "ReceiveOperationEvent";
}

}  // namespace

void read_signals(Import& import) {
  const Document& document = import.document;
  for (const auto& e : document.elements()) {
    if (document.type(e) != "Signal" || e.attribute("href") != nullptr ||
        e.attribute(Vocabulary::Xmi, "idref") != nullptr)
      continue;
    const std::string key = new_signal(import, e, document.name(e), "signal");
    import.signal_keys[&e] = key;
  }
  for (auto& [key, record] : import.signals) signal_parameters(import, record, *record.element);
  for (const auto& [key, record] : import.signals) publish(import, key);
  for (const auto& e : document.elements()) {
    if (!is_event_type(document.type(e))) continue;
    const Element* operation = document.one(e, "operation");
    if (operation != nullptr && document.type(*operation) == "Operation")
      operation_signal(import, *operation);
  }
  read_ports(import);
  // Operations of classes that are received as events: calling them is sending.
  for (std::size_t i = 0; i < import.classes.size(); ++i) {
    if (import.classes[i].name == import.capsule) continue;
    ClassInfo& info = import.library.classes[import.classes[i].name];
    for (const auto b : lineage(import, i)) {
      const Element& element = *import.classes[b].element;
      if (import.classes[b].name == import.capsule) continue;
      std::vector<const Element*> operations = document.owned(element, "ownedOperation");
      for (const auto* r : document.owned(element, "interfaceRealization")) {
        if (const auto* contract = document.one(*r, "contract")) {
          for (const auto* o : document.owned(*contract, "ownedOperation")) operations.push_back(o);
        }
      }
      for (const auto* o : operations) {
        const auto it = import.signal_keys.find(o);
        if (it == import.signal_keys.end()) continue;
        OperationInfo operation;
        operation.model_name = import.signals.at(it->second).name;
        operation.result = {Tag::Void, ""};
        operation.signal = it->second;
        info.operations.emplace(document.name(*o), std::move(operation));
      }
    }
  }
}

namespace {

EventTrigger signal_trigger(Import& import, std::size_t class_index, const std::string& key, diag::Span span,
                            int port = 0) {
  auto& record = import.signals.at(key);
  record.used = true;
  import.accepted[class_index].insert(key);
  EventTrigger result;
  result.trigger.kind = model::TriggerKind::Signal;
  result.trigger.name = record.name;
  result.trigger.span = span;
  result.key = key;
  if (record.carries_port) {
    result.port = port;
    if (port != 0) import.accepted_ports[{class_index, key}].insert(port);
  }
  return result;
}

// A message that only the environment sends, made up for an event whose meaning is outside the model.
EventTrigger made_up(Import& import, std::size_t class_index, const Element& from, const std::string& name) {
  std::string key;
  for (const auto& [k, record] : import.signals) {
    if (record.element == &from) key = k;
  }
  if (key.empty()) {
    key = new_signal(import, from, name, "event");
    publish(import, key);
  }
  return signal_trigger(import, class_index, key, from.span);
}

const PortRecord* port_record(const Import& import, std::size_t class_index, const Element* port) {
  for (const auto b : lineage(import, class_index)) {
    for (const auto& p : import.classes[b].ports) {
      if (p.element == port) return &p;
      for (const auto* redefined : import.document.all(*p.element, "redefinedPort")) {
        if (redefined == port) return &p;
      }
    }
  }
  return nullptr;
}

EventTrigger time_trigger(Import& import, std::size_t class_index, const Element& trigger,
                          const Element& event) {
  const Document& document = import.document;
  const Element* when = document.one(event, "when");
  std::string text;
  if (when != nullptr) {
    const Element* expr = document.one(*when, "expr");
    for (const Element* e : {expr, when}) {
      if (e == nullptr || !text.empty()) continue;
      text = text_of(import, *e);
      if (text.empty()) text = document.value(*e, "value");
      if (text.empty() && document.type(*e) == "LiteralInteger") text = "0";
    }
  }
  // "5", "5 s", "after 5", "{value=5, unit=ms}": the first number.
  const auto start = std::min(text.find_first_of("0123456789"), text.size());
  std::size_t digits = 0;
  while (start + digits < text.size() && std::isdigit(static_cast<unsigned char>(text[start + digits])))
    ++digits;
  const bool fraction = start + digits < text.size() && text[start + digits] == '.';
  const bool relative =
      document.value(event, "isRelative") != "false" || document.value(event, "isRelative").empty();
  if (digits == 0 || digits > 9 || fraction || !relative) {
    import.approximate(
        "time trigger", trigger, text,
        fmt::format("the time event {} (`{}`) is not a number of ticks; it may happen at any time",
                    import.label(event), clean_name(text)));
    return made_up(import, class_index, event, document.name(event).empty() ? "time" : document.name(event));
  }
  EventTrigger result;
  result.trigger.kind = model::TriggerKind::After;
  result.trigger.value = make_int(std::max(1L, std::stol(text.substr(start, digits))), trigger.span);
  result.trigger.span = trigger.span;
  const std::string unit = clean_name(text.substr(start + digits));
  if (!unit.empty())
    import.assume(
        diag::AssumptionCode::Guessed, "unit of time",
        fmt::format("times are read as numbers of ticks, without their units (`{}`)", clean_name(text)));
  import.read("time trigger");
  return result;
}

EventTrigger change_trigger(Import& import, std::size_t class_index, const Element& trigger,
                            const Element& event) {
  const Document& document = import.document;
  const Element* condition = document.one(event, "changeExpression");
  std::string text = condition == nullptr ? std::string() : text_of(import, *condition);
  if (text.empty() && condition != nullptr) text = document.value(*condition, "value");
  Scope scope = scope_of(import, class_index);
  scope.havoc = false;
  Meaning meaning = read_guard(text, scope, event.span);
  if (!text.empty() && meaning.problems.empty() && meaning.condition != nullptr) {
    EventTrigger result;
    result.trigger.kind = model::TriggerKind::Change;
    result.trigger.value = std::move(meaning.condition);
    result.trigger.span = trigger.span;
    import.read("change trigger");
    return result;
  }
  import.approximate(
      "change trigger", trigger, text,
      fmt::format(
          "the condition `{}` of the change event {} is not understood; it may become true at any time",
          clean_name(text), import.label(event)));
  return made_up(import, class_index, event, document.name(event).empty() ? "change" : document.name(event));
}

// Found once: looking through the document for each trigger is quadratic.
const SpecialSignals& special_signals(Import& import) {
  if (import.special_signals) return *import.special_signals;
  SpecialSignals& found = import.special_signals.emplace();
  for (const auto& e : import.document.elements()) {  // in document order
    if (import.document.type(e) != "Signal" || !import.signal_keys.contains(&e)) continue;
    for (const auto* g : import.document.owned(e, "generalization"))
      if (const auto* general = import.document.one(*g, "general")) found[general].push_back(&e);
  }
  return found;
}

// Signals that specialise a signal are received where the signal is.
std::vector<const Element*> with_special_ones(Import& import, const Element& signal) {
  const SpecialSignals& special = special_signals(import);
  std::vector<const Element*> result{&signal};
  for (std::size_t i = 0; i < result.size(); ++i) {
    const auto at = special.find(result[i]);
    if (at == special.end()) continue;
    for (const Element* e : at->second)
      if (std::find(result.begin(), result.end(), e) == result.end()) result.push_back(e);
  }
  return result;
}

}  // namespace

EventTrigger named_trigger(Import& import, std::size_t class_index, const Element& at,
                           const std::string& name) {
  const auto it = import.library.signals.find(clean_name(name));
  return it != import.library.signals.end() ? signal_trigger(import, class_index, it->first, at.span)
                                            : made_up(import, class_index, at, name);
}

std::vector<EventTrigger> read_trigger(Import& import, std::size_t class_index, const Element& trigger) {
  const Document& document = import.document;
  std::vector<EventTrigger> result;
  const Element* event = document.one(trigger, "event");
  std::vector<const PortRecord*> ports;
  for (const auto* p : document.all(trigger, "port")) {
    if (const auto* record = port_record(import, class_index, p)) ports.push_back(record);
  }
  const auto add_signal = [&](const std::string& key) {
    if (ports.empty()) result.push_back(signal_trigger(import, class_index, key, trigger.span));
    for (const auto* p : ports)
      result.push_back(signal_trigger(import, class_index, key, trigger.span, p->number));
    if (!ports.empty() && !import.signals.at(key).carries_port)
      result.resize(result.size() - ports.size() + 1);
  };
  if (event == nullptr) {
    const std::string outside = fragment_of(document.outside(trigger, "event"));
    std::string name = document.name(trigger);
    const std::string port_name = ports.empty() ? std::string() : ports.front()->name;
    if (outside == kTimeoutEvent) {
      // One made-up signal per timing port: the element that stands for it is the port.
      const Element& from = ports.empty() ? trigger : *ports.front()->element;
      import.approximate("timeout of a timing service", trigger, port_name,
                         fmt::format("timers of the run-time system (port `{}` of class `{}`) may run out at "
                                     "any time, started or not",
                                     port_name, import.classes[class_index].name));
      result.push_back(
          made_up(import, class_index, from, port_name.empty() ? "timeout" : port_name + "_timeout"));
      return result;
    }
    if (outside == kBoundEvent) name = port_name + "_bound";
    if (outside == kUnboundEvent) name = port_name + "_unbound";
    const char* what = outside.empty() ? "trigger without an event" : "event in another file";
    if (name.empty()) name = outside.empty() ? "event" : "external";
    import.approximate(what, trigger, name,
                       fmt::format("the event of trigger {} is {}; the environment may send it at any time",
                                   import.label(trigger), outside.empty() ? "not given" : "in another file"));
    // Triggers of one name in one class mean one event.
    for (auto& [key, record] : import.signals) {
      if (document.name(*record.element) == name && document.type(*record.element) == "Trigger") {
        result.push_back(signal_trigger(import, class_index, key, trigger.span));
        return result;
      }
    }
    result.push_back(made_up(import, class_index, trigger, name));
    return result;
  }
  const auto type = document.type(*event);
  if (type == "TimeEvent") {
    result.push_back(time_trigger(import, class_index, trigger, *event));
  } else if (type == "ChangeEvent") {
    result.push_back(change_trigger(import, class_index, trigger, *event));
  } else if (type == "AnyReceiveEvent") {
    import.read("any-receive trigger");
    for (const auto* p : ports) {
      if (p->protocol == nullptr) continue;
      for (const auto* o : protocol_messages(document, *p->protocol)) {
        result.push_back(
            signal_trigger(import, class_index, import.signal_keys.at(o), trigger.span, p->number));
      }
    }
    if (result.empty()) {
      EventTrigger any;
      any.trigger.kind = model::TriggerKind::AnySignal;
      any.trigger.span = trigger.span;
      result.push_back(std::move(any));
    }
  } else if (type == "SignalEvent" || type == "ReceiveSignalEvent" || type == "Signal") {
    const Element* signal = type == "Signal" ? event : document.one(*event, "signal");
    if (signal != nullptr && import.signal_keys.contains(signal)) {
      import.read("signal trigger");
      for (const auto* s : with_special_ones(import, *signal)) add_signal(import.signal_keys.at(s));
    } else {
      const std::string name = document.name(*event).empty() ? document.name(trigger) : document.name(*event);
      import.approximate(
          "signal event without a signal", trigger, name,
          fmt::format("the event {} names no signal of the file; it is read as a signal of that name",
                      import.label(*event)));
      const auto it = import.library.signals.find(clean_name(name));
      if (it != import.library.signals.end())
        add_signal(it->first);
      else
        result.push_back(made_up(import, class_index, *event, name));
    }
  } else if (type == "CallEvent" || type == "ReceiveOperationEvent") {
    const Element* operation = document.one(*event, "operation");
    if (operation != nullptr && import.signal_keys.contains(operation)) {
      const bool protocol =
          operation->parent != nullptr && document.type(*operation->parent) == "Interface" && !ports.empty();
      if (protocol) {
        import.read("message trigger");
      } else {
        import.approximate(
            "call trigger", trigger, document.name(*operation),
            fmt::format("calls of operation {} are asynchronous messages: the caller does not wait",
                        import.label(*operation)));
      }
      add_signal(import.signal_keys.at(operation));
    } else {
      const std::string name = document.name(*event).empty() ? document.name(trigger) : document.name(*event);
      import.approximate(
          "call event without an operation", trigger, name,
          fmt::format(
              "the call event {} names no operation of the file; it is read as a signal of the environment",
              import.label(*event)));
      result.push_back(made_up(import, class_index, *event, name.empty() ? "call" : name));
    }
  } else {
    import.approximate("event of an unknown kind", trigger, std::string(type),
                       fmt::format("the event {} is of kind {}; the environment may send it at any time",
                                   import.label(*event), type));
    result.push_back(made_up(import, class_index, *event, document.name(*event)));
  }
  return result;
}

}  // namespace parley::front::uml
