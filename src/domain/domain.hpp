// The value-domain seam: the only thing that changes between concrete and abstract execution. A state stores
// one 32-bit code per cell and message argument; a domain says what a code stands for and what operators may
// yield. Operators return every possible result; the interpreter resolves more than one by a recorded choice,
// so that a step with its choices replays to the same successor (the function F of ojala2008, section 3.2).
#pragma once

#include <concepts>
#include <cstdint>
#include <vector>

#include "expr/operators.hpp"
#include "system/system.hpp"

namespace parley::domain {

using expr::CellId;
using expr::EvalError;
using expr::Op;
using expr::SignalId;
using expr::Type;

// One possible result of an operator.
template <class V>
struct Possible {
  V value{};
  EvalError error = EvalError::None;
  bool overflowed = false;
};

// One possible code for a value about to be stored; not `fits`: outside the variable's range.
struct Stored {
  std::int32_t code = 0;
  bool fits = true;
};

struct Truth {
  bool may_be_true = false;
  bool may_be_false = false;
};

// What the interpreter asks of a domain. All out-parameters are appended to and never left empty.
template <class D>
concept ValueDomain = requires(const D& d, typename D::Value v, CellId cell, SignalId signal, std::uint32_t i,
                               std::int32_t code, Op op, Type type,
                               std::vector<Possible<typename D::Value>>& results, std::vector<Stored>& stored,
                               std::vector<std::int32_t>& integers) {
  { d.constant(code, type) } -> std::same_as<typename D::Value>;
  { d.load_cell(cell, code) } -> std::same_as<typename D::Value>;
  { d.load_param(signal, i, code) } -> std::same_as<typename D::Value>;
  {d.store_cell(cell, v, stored)};
  {d.store_param(signal, i, v, stored)};
  {d.apply_unary(op, v, i, results)};  // i: number of bits of the truncations
  {d.apply_binary(op, v, v, results)};
  { d.truth(v) } -> std::same_as<Truth>;
  // The integers a value may stand for, to find a table entry or a route: those in 0..limit-1, and one more
  // integer outside if any is.
  {d.indices(v, i, integers)};
  // Choose lo..hi: how many alternatives there are, and the k-th of them.
  { d.choice_count(v, v) } -> std::same_as<std::uint64_t>;
  { d.choice(v, v, std::uint64_t{}) } -> std::same_as<typename D::Value>;
};

// Optional: a domain that keeps the values of locals apart by the statement that sets them (SetLocal,
// Choose).
template <class D>
concept SplitsLocals = requires(const D& d, typename D::Value v, system::StmtId stmt,
                                std::vector<typename D::Value>& out) {
  {d.keep_local(stmt, v, out)};
};

// Optional: a domain that watches the run, for analyses at the granularity of statements and subexpressions.
// Calls nest; `failed` says that evaluating the expression ended the run.
template <class D>
concept Observes = requires(const D& d, typename D::Value v, system::StmtId stmt, expr::ExprId e,
                            CellId cell) {
  {d.begin_statement(stmt)};
  {d.end_statement(stmt)};
  {d.begin_expression(e)};
  {d.end_expression(v, bool{})};
  {d.located(cell)};  // of the table entry just looked up
  {d.local_set(v)};   // by the statement that is running
};

}  // namespace parley::domain
