// Whether evaluating an expression or carrying out a statement can be a run-time error: the one judgement of
// the engines, derived from the table of operators (expr/op.hpp). Judged by operators and types alone, apart
// from constants: coarse and safe. The certificate checker has a judgement of its own (certify/totality.hpp).
#pragma once

#include "system/system.hpp"

namespace parley::system {

// The operator itself can fail for some operands, when integers are treated in this way.
bool may_fail(expr::Op op, IntegerMode integers);
// The expression's outermost operator can, given operands that have values.
bool outermost_may_fail(const System& system, ExprId expression);
// Some operator in the expression can; for HeadIs also the conditions of deferral that it asks. An invalid id
// cannot.
bool may_fail(const System& system, ExprId expression);
// The statement may end its step before the end, queues having room: an error, a failed assertion, a value
// out of range, a loop beyond its limit.
bool may_fail(const System& system, StmtId statement);

}  // namespace parley::system
