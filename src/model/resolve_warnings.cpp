#include <fmt/format.h>

#include <set>

#include "model/resolver.hpp"
#include "model/shape.hpp"
#include "model/show.hpp"

namespace parley::model {

void Resolver::shape(Machine& m, ClassId) {
  if (!m_.damaged) Shape(m_, m, d_).check();
}

// Dead things. A model with errors has better news to tell, and uses may have been lost with them.
void Resolver::warnings() {
  if (d_.has_errors() || m_.damaged) return;
  warn_signals();
  warn_unused();
  warn_unwired();
}

Resolver::ReferenceUse* Resolver::reference_use(const Expr& e) {
  if (e.symbol != SymbolKind::Attribute || e.type.tag != TypeTag::Ref || !e.owner_class.valid())
    return nullptr;
  return &reference_uses_[&attribute(e.owner_class, e.index)];
}

void Resolver::follow(const Expr& reference, const Scope& scope) {
  ReferenceUse* use = scope.of_class.valid() ? reference_use(reference) : nullptr;
  if (use != nullptr && !use->followed.valid()) use->followed = reference.span;
}

// References that are null for ever: whoever sends to one, or looks behind it, ends the run in an error.
void Resolver::warn_unwired() {
  std::set<std::pair<std::uint32_t, const Attribute*>> told;  // once for the members of a family
  for (const Model::Object& o : m_.objects) {
    const std::vector<const Attribute*> attributes = all_attributes(m_, o.of_class);
    for (std::size_t i = 0; i < attributes.size() && i < o.initial.size(); ++i) {
      const Attribute& a = *attributes[i];
      const auto use = reference_uses_.find(&a);
      if (use == reference_uses_.end() || a.type.resolved.is_array() || o.initial[i].front() != 0) continue;
      if (!use->second.followed.valid() || use->second.assigned || use->second.tested) continue;
      if (!told.emplace(o.declaration, &a).second) continue;
      const ObjectDecl& d = m_.system->objects[o.declaration];
      d_.warning("unwired-reference", d.name_span.valid() ? d.name_span : d.span,
                 fmt::format("'{}' of {} refers to nobody, and nothing changes that", a.name, o.name),
                 fmt::format("wire it: {} : {} {{ {} = …; }}", quote_name(d.name), quote_name(d.class_name),
                             quote_name(a.name)))
          .related.push_back({use->second.followed, "a run that gets here ends in an error"});
    }
  }
}

void Resolver::warn_signals() {
  const bool open = m_.switches.environment == EnvironmentMode::Open;
  for (std::size_t i = 0; i < m_.signals.size(); ++i) {
    const SignalDecl& s = m_.signals[i];
    if (!sent_[i] && !received_[i]) {
      d_.warning("unused-signal", s.name_span,
                 fmt::format("the signal '{}' is neither sent nor received", s.name));
    } else if (!sent_[i] && !open) {
      d_.warning("never-sent", s.name_span,
                 fmt::format("the signal '{}' is received, but nobody sends it", s.name));
    } else if (!received_[i]) {
      d_.warning("never-received", s.name_span,
                 fmt::format("the signal '{}' is sent, but no transition receives it", s.name));
    }
  }
}

void Resolver::warn_unused() {
  for (std::size_t i = 0; i < m_.constants.size(); ++i) {
    if (constant_used_[i]) continue;
    d_.warning("unused-constant", m_.constants[i].name_span,
               fmt::format("the constant '{}' is never used", m_.constants[i].name));
  }
  std::vector<bool> used(m_.classes.size(), false);
  for (const Model::Object& o : m_.objects) {
    for (ClassId c = o.of_class; c.valid() && !used[c.index()]; c = m_.of(c).base_class)
      used[c.index()] = true;
  }
  for (std::size_t i = 0; i < m_.classes.size(); ++i) {
    const Class& c = m_.classes[i];
    if (!used[i]) {
      d_.warning("unused-class", c.name_span, fmt::format("the system has no object of class '{}'", c.name));
      continue;
    }
    for (const Attribute& a : c.attributes) {
      if (attribute_used_.contains(&a)) continue;
      d_.warning("unused-attribute", a.name_span, fmt::format("the attribute '{}' is never used", a.name));
    }
    for (const Operation& o : c.operations) {
      if (operation_used_.contains(&o)) continue;
      d_.warning("unused-operation", o.name_span, fmt::format("the operation '{}' is never called", o.name));
    }
  }
}

}  // namespace parley::model
