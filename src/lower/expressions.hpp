// Expressions of the action language as expressions of the System, seen from one object. Pure ones only:
// calls of operations are unfolded symbolically, so that guards may use them; what needs a statement (any(…),
// an operation that changes something) is the business of statements.hpp.
#pragma once

#include <map>
#include <optional>

#include "lower/context.hpp"

namespace parley::lower {

// How names are read: whose attributes, which values for parameters and locals.
struct Scope {
  const Object* self = nullptr;  // the object, when it is known
  ExprId self_ref;               // else the reference to it; both empty in checks and system blocks
  ClassId self_class;
  std::vector<ExprId> parameters;
  std::vector<ExprId> locals;                  // by slot; invalid: not declared yet
  std::map<std::string, std::uint32_t> bound;  // forall/exists variables: object numbers
  std::optional<std::int32_t> family_index;
};

Scope scope_of(const Object& o);

ExprId pure(Context& c, const model::Expr& e, Scope& scope);
// No nondeterminism and only calls that `pure` can unfold.
bool is_pure(const Context& c, const model::Expr& e);

// The cell or table entry an attribute expression means. `row` and `column` must already be values.
struct Located {
  system::Place place;
  Type type;
  ExprId constant;  // a reference that no behaviour ever changes: its value
};
Located locate(Context& c, const Object* known, ExprId reference, ClassId of_class, std::uint32_t attribute,
               ExprId column);
ExprId read(Context& c, const Located& at);

// The objects an expression of a system block or check names: one, or a whole family or class.
std::vector<std::uint32_t> objects_named(Context& c, const model::Expr& e, Scope& scope);

// The operation a call reaches for an object of this class; reports when there is none.
const model::Operation* operation_of(Context& c, const model::Expr& call, ClassId of_class);
// Counts an unfolded call (the resolver has refused recursion); false, with a report, when it becomes too
// much.
bool count_call(Context& c, const model::Expr& call);
// The operation is one expression: unfolding it costs nothing.
bool is_single_return(const Context& c, const model::Operation& op);
// The value is known to lie in the range of the type (always so for what is no ranged integer).
bool fits(const expr::Pool& pool, ExprId value, const model::ModelType& type);
std::int32_t fold(Context& c, const model::Expr& e, Scope& scope, const char* what);
// What the System computes for an operator; operators of formulas do not get here.
Op meaning(model::Operator op);

}  // namespace parley::lower
