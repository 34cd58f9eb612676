#include "model/resolve.hpp"

#include <fmt/format.h>

#include "model/resolver.hpp"
#include "model/show.hpp"

namespace parley::model {

void Resolver::run() {
  try {
    all();
  } catch (const Enough&) {
    m_.resolved = false;
    return;
  }
  m_.resolved = !d_.has_errors() && !m_.damaged;
}

void Resolver::all() {
  sent_.assign(m_.signals.size(), false);
  received_.assign(m_.signals.size(), false);
  constant_used_.assign(m_.constants.size(), false);
  constant_state_.assign(m_.constants.size(), 0);
  declare_names();
  link_bases();
  index_classes();
  constants();
  unknown_options();
  declare_objects();
  signatures();
  for (std::size_t i = 0; i < m_.classes.size(); ++i) operations(m_.classes[i], ClassId(i));
  for (std::size_t i = 0; i < m_.classes.size(); ++i) machine(m_.classes[i], ClassId(i));
  check_recursion();
  check_purity();
  system();
  partitions();
  checks();
  switches();
  warnings();
}

void Resolver::error(const char* code, Span span, std::string message, std::string hint) {
  d_.error(code, span, std::move(message), std::move(hint));
  if (d_.error_count() > kMaxErrors) throw Enough{};
}

// An unknown name: with the nearest known one as a hint, and in silence if part of the text was not
// understood.
void Resolver::error_unknown(const char* code, Span span, const std::string& what, const std::string& name,
                             const std::vector<std::string>& candidates, const std::string& otherwise) {
  if (m_.damaged) return;
  // Comparing with very many names is slow, and after a few such errors no help.
  const bool hint = candidates.size() < 5000 || ++large_hints_ < 20;
  const std::string near = hint ? diag::did_you_mean(name, candidates) : "";
  error(code, span, fmt::format("unknown {} '{}'", what, name),
        near.empty() ? otherwise : fmt::format("did you mean '{}'?", near));
}

SignalDeclId Resolver::signal(const std::string& name, Span span) {
  const auto it = signals_.find(name);
  if (it != signals_.end()) return it->second;
  std::vector<std::string> known;
  for (const SignalDecl& s : m_.signals) known.push_back(s.name);
  error_unknown("unknown-signal", span, "signal", name, known,
                fmt::format("declare it: signal {};", quote_name(name)));
  return {};
}

void resolve(Model& model, diag::Diagnostics& diagnostics, const ResolveOptions& options) {
  Resolver(model, diagnostics, options).run();
}

std::vector<const Attribute*> all_attributes(const Model& model, ClassId of_class) {
  std::vector<ClassId> chain;
  for (ClassId c = of_class; c.valid() && chain.size() <= model.classes.size(); c = model.of(c).base_class) {
    chain.push_back(c);
  }
  std::vector<const Attribute*> result;
  for (auto it = chain.rbegin(); it != chain.rend(); ++it) {
    for (const Attribute& a : model.of(*it).attributes) result.push_back(&a);
  }
  return result;
}

const Operation* find_operation(const Model& model, ClassId of_class, const std::string& name) {
  for (ClassId c = of_class; c.valid(); c = model.of(c).base_class) {
    for (const Operation& o : model.of(c).operations) {
      if (o.name == name) return &o;
    }
  }
  return nullptr;
}

ClassId machine_class(const Model& model, ClassId of_class) {
  ClassId c = of_class;
  while (c.valid() && !model.of(c).machine) c = model.of(c).base_class;
  return c;
}

bool is_a(const Model& model, ClassId derived, ClassId base) {
  for (ClassId c = derived; c.valid(); c = model.of(c).base_class) {
    if (c == base) return true;
  }
  return false;
}

}  // namespace parley::model
