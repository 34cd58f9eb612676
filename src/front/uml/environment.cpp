// The signals that the model uses, and the environment: messages that nobody in the model sends come from it.
#include <fmt/format.h>

#include "front/uml/importer.hpp"

namespace parley::front::uml {

using Tag = ValueType::Tag;

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
    import.assume(diag::AssumptionCode::Guessed, "environment",
                  fmt::format("the environment sends at any time what nobody in the model sends: {}",
                              fmt::join(external, ", ")));
  if (!narrowed.empty())
    import.assume(diag::AssumptionCode::Guessed, "integers of the environment",
                  fmt::format("integers from the environment are 0 to {} only: {}",
                              import.options.environment_integers, fmt::join(narrowed, ", ")));
}

}  // namespace parley::front::uml
