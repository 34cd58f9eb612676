// Operations as expressions: the body is run symbolically, branches become conditionals, bounded loops are
// unrolled. Used where no statement can stand (guards, checks, deferral conditions). An operation that
// changes attributes, sends, asserts or chooses has no such form and is refused with its place.
#pragma once

#include "lower/expressions.hpp"

namespace parley::lower {

// The value of a call; `scope` has self and parameters bound, `call` is where it stands.
ExprId unfold(Context& c, const model::Operation& op, Scope scope, const model::Expr& call);

}  // namespace parley::lower
