#include "certify/fold.hpp"

namespace parley::certify {
namespace {

using z3::expr;

constexpr int kLevels = 8;

bool constant(const expr& e) {
  return e.is_numeral() || e.is_true() || e.is_false();
}

expr fold(const expr& e, int levels) {
  if (levels == 0 || !e.is_app() || e.num_args() == 0) return e;
  const Z3_decl_kind kind = e.decl().decl_kind();
  z3::expr_vector args(e.ctx());
  bool changed = false, constants = true;
  for (unsigned i = 0; i < e.num_args(); ++i) {
    args.push_back(fold(e.arg(i), levels - 1));
    changed = changed || !z3::eq(args.back(), e.arg(i));
    constants = constants && constant(args.back());
  }
  switch (kind) {
    case Z3_OP_AND:
    case Z3_OP_OR: {
      const bool conj = kind == Z3_OP_AND;
      z3::expr_vector left(e.ctx());
      for (const expr& a : args) {
        if (conj ? a.is_false() : a.is_true()) return a;
        if (conj ? a.is_true() : a.is_false()) continue;
        left.push_back(a);
      }
      if (left.size() == 0) return e.ctx().bool_val(conj);
      if (left.size() == 1) return left[0];
      return conj ? z3::mk_and(left) : z3::mk_or(left);
    }
    case Z3_OP_NOT:
      if (constants) return e.ctx().bool_val(args[0].is_false());
      if (args[0].is_app() && args[0].decl().decl_kind() == Z3_OP_NOT) return args[0].arg(0);
      break;
    case Z3_OP_ITE:
      if (args[0].is_true()) return args[1];
      if (args[0].is_false() || z3::eq(args[1], args[2])) return args[2];
      break;
    case Z3_OP_EQ:
      if (z3::eq(args[0], args[1])) return e.ctx().bool_val(true);
      // A choice between two constants (a truth value as a number), compared with a constant.
      for (unsigned i = 0; i < 2; ++i) {
        const expr &choice = args[i], &other = args[1 - i];
        if (!choice.is_ite() || !constant(other) || !constant(choice.arg(1)) || !constant(choice.arg(2)))
          continue;
        const bool yes = z3::eq(choice.arg(1), other), no = z3::eq(choice.arg(2), other);
        if (yes == no) return e.ctx().bool_val(yes);
        return yes ? choice.arg(0) : fold(!choice.arg(0), 2);
      }
      break;
    case Z3_OP_DISTINCT:
      if (args.size() == 2) return fold(!fold(args[0] == args[1], 1), 2);
      break;
    default:
      break;
  }
  expr out = changed ? e.decl()(args) : e;
  return constants ? out.simplify() : out;
}

}  // namespace

expr folded(const expr& e) {
  return fold(e, kLevels);
}

}  // namespace parley::certify
