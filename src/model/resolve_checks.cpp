#include <fmt/format.h>

#include "model/resolver.hpp"
#include "model/show.hpp"

namespace parley::model {

void Resolver::checks() {
  std::unordered_map<std::string, Span> labels;
  for (CheckDecl& c : m_.checks) {
    if (!c.name.empty()) {
      const auto [it, fresh] = labels.emplace(c.name, c.span);
      if (!fresh) {
        d_.error("duplicate-name", c.span, fmt::format("two checks are called '{}'", c.name))
            .related.push_back({it->second, "the first one"});
      }
    }
    Scope scope = outside_scope();
    if (c.expression) want(*c.expression, TypeTag::Bool, scope, "what is checked");
    if (c.formula) formula(*c.formula, scope);
  }
}

void Resolver::formula(Formula& f, Scope& scope) {
  switch (f.kind) {
    case Formula::Kind::Predicate:
      want(*f.expression, TypeTag::Bool, scope, "a formula");
      return;
    case Formula::Kind::Event:
      object_or_family(*f.event->object, scope, "objects and families send and receive");
      f.event->signal_id = signal(f.event->signal, f.span);
      return;
    default:
      for (FormulaPtr& o : f.operands) formula(*o, scope);
  }
}

}  // namespace parley::model
