// Which expressions can be evaluated whatever their operands are, and which statements are always carried out
// to their end: the checker's own judgement, written down operator by operator. It must not ask the table of
// the engines (expr/op.hpp says what may fail, and system/may_fail.hpp is made of that): an operator that is
// wrong there would be wrong here too. A test compares the two. Used by pump_check.cpp and worlds.cpp.
#pragma once

#include "system/system.hpp"

namespace parley::certify {

// The operator has a value for all operands, when integers are treated in this way. A queue test is judged
// without its predicate.
bool total(expr::Op op, system::IntegerMode integers);
// So have all operators in the expression, and the conditions of deferral that it asks; divisions only by a
// number other than zero.
bool total(const system::System& system, system::ExprId expression);
// So has the statement's effect, if queues have room: no run-time error and no failed assertion.
bool total(const system::System& system, system::StmtId statement);

}  // namespace parley::certify
