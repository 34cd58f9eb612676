// Name resolution, type checking and well-formedness of a Model: what every front end runs after building it.
// Reports everything wrong in one go (diag::Diagnostics), suppresses cascades by giving failed expressions
// the type Unknown, and warns about dead, shadowed and suspicious things. On success `model.resolved` is true
// and lowering may rely on every "after resolve" field.
#pragma once

#include <map>
#include <string>

#include "diag/diagnostic.hpp"
#include "model/model.hpp"

namespace parley::model {

struct ResolveOptions {
  std::map<std::string, std::string> constants;  // --set NAME=VALUE, override declared constants
  std::map<std::string, std::string> switches;   // --semantics NAME=VALUE, override the model's
};

void resolve(Model& model, diag::Diagnostics& diagnostics, const ResolveOptions& options = {});

// All attributes of a class, inherited ones first: what attribute indices refer to.
std::vector<const Attribute*> all_attributes(const Model& model, ClassId of_class);
// The operation a call means, searched from the class upwards; null if there is none.
const Operation* find_operation(const Model& model, ClassId of_class, const std::string& name);
// The class whose machine an object of this class runs (its own or the nearest inherited); invalid: passive.
ClassId machine_class(const Model& model, ClassId of_class);
// True if `derived` is `base` or inherits from it.
bool is_a(const Model& model, ClassId derived, ClassId base);
// The value of a constant expression; nullopt (with a diagnostic) if it is not one.
std::optional<std::int32_t> fold_constant(const Model& model, const Expr& expression,
                                          diag::Diagnostics* diagnostics);

}  // namespace parley::model
