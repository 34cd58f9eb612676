// Z3's bit-vectors behind the seam for words.
#include <z3++.h>

#include <algorithm>
#include <limits>
#include <map>
#include <vector>

#include "solver/smt/word_solver.hpp"
#include "support/check.hpp"

namespace parley::solver::smt {
namespace {

using expr::Op;
using sat::Answer;

class Z3Words final : public WordSolver {
 public:
  explicit Z3Words(std::uint64_t budget) : solver_(z_, "QF_BV") {
    z3::params options(z_);
    options.set("rlimit", static_cast<unsigned>(std::min<std::uint64_t>(budget, 0xffffffffu)));
    solver_.set(options);
  }

  Word constant(std::int32_t value) override { return add(z_.bv_val(value, 32)); }
  Word variable() override { return add(z_.bv_const(("w" + std::to_string(words_.size())).c_str(), 32)); }

  Word unary(Op op, Word x, std::uint32_t bits) override {
    const z3::expr a = words_[x];
    switch (expr::unary_op(op)) {
      case expr::UnaryOp::Not:
        return add(truth(a == z_.bv_val(0, 32)));
      case expr::UnaryOp::Neg:
        return add(-a);
      case expr::UnaryOp::BitNot:
        return add(~a);
      case expr::UnaryOp::TruncU:
        return add(bits >= 32 ? a : z3::zext(a.extract(bits - 1, 0), 32 - bits));
      case expr::UnaryOp::TruncS:
        return add(bits >= 32 ? a : z3::sext(a.extract(bits - 1, 0), 32 - bits));
    }
    internal_error("unary operator", __FILE__, __LINE__);
  }

  Word binary(Op op, Word x, Word y) override {
    const z3::expr a = words_[x], b = words_[y];
    if (expr::is_short_circuit(op)) {
      const z3::expr zero = z_.bv_val(0, 32);
      return add(truth(op == Op::AndAlso ? a != zero && b != zero : a != zero || b != zero));
    }
    const z3::expr distance = b & z_.bv_val(31, 32);
    switch (expr::binary_op(op)) {
      case expr::BinaryOp::Add:
        return add(a + b);
      case expr::BinaryOp::Sub:
        return add(a - b);
      case expr::BinaryOp::Mul:
        return add(a * b);
      case expr::BinaryOp::Div:
        return add(a / b);  // bvsdiv: truncates towards zero
      case expr::BinaryOp::Rem:
        return add(z3::srem(a, b));
      case expr::BinaryOp::BitAnd:
        return add(a & b);
      case expr::BinaryOp::BitOr:
        return add(a | b);
      case expr::BinaryOp::BitXor:
        return add(a ^ b);
      case expr::BinaryOp::Shl:
        return add(z3::shl(a, distance));
      case expr::BinaryOp::Shr:
        return add(z3::ashr(a, distance));
      case expr::BinaryOp::Ushr:
        return add(z3::lshr(a, distance));
      case expr::BinaryOp::Eq:
        return add(truth(a == b));
      case expr::BinaryOp::Ne:
        return add(truth(a != b));
      case expr::BinaryOp::Lt:
        return add(truth(a < b));
      case expr::BinaryOp::Le:
        return add(truth(a <= b));
      case expr::BinaryOp::Gt:
        return add(truth(a > b));
      case expr::BinaryOp::Ge:
        return add(truth(a >= b));
    }
    internal_error("binary operator", __FILE__, __LINE__);
  }

  Condition within(Word x, std::int64_t lo, std::int64_t hi) override {
    z3::expr c = z_.bool_val(lo <= hi);
    if (lo > std::numeric_limits<std::int32_t>::min()) c = c && words_[x] >= number(lo);
    if (hi < std::numeric_limits<std::int32_t>::max()) c = c && words_[x] <= number(hi);
    return keep(c);
  }

  Condition exact(Op op, Word x) override {
    switch (expr::unary_op(op)) {
      case expr::UnaryOp::Neg:
        return keep(words_[x] != number(std::numeric_limits<std::int32_t>::min()));
      case expr::UnaryOp::Not:
      case expr::UnaryOp::BitNot:
      case expr::UnaryOp::TruncU:
      case expr::UnaryOp::TruncS:
        return keep(z_.bool_val(true));
    }
    internal_error("unary operator", __FILE__, __LINE__);
  }
  Condition exact(Op op, Word x, Word y) override {
    const z3::expr a = words_[x], b = words_[y];
    switch (expr::binary_op(op)) {
      case expr::BinaryOp::Add:
        return keep(fits(z3::sext(a, 1) + z3::sext(b, 1)));
      case expr::BinaryOp::Sub:
        return keep(fits(z3::sext(a, 1) - z3::sext(b, 1)));
      case expr::BinaryOp::Mul:
        return keep(z3::sext(a, 32) * z3::sext(b, 32) == z3::sext(a * b, 32));
      case expr::BinaryOp::Div:
        return keep(a != number(std::numeric_limits<std::int32_t>::min()) || b != number(-1));
      case expr::BinaryOp::Shl: {
        const z3::expr distance = b & z_.bv_val(31, 32);
        return keep(z3::ashr(z3::shl(a, distance), distance) == a);
      }
      case expr::BinaryOp::Rem:
      case expr::BinaryOp::BitAnd:
      case expr::BinaryOp::BitOr:
      case expr::BinaryOp::BitXor:
      case expr::BinaryOp::Shr:
      case expr::BinaryOp::Ushr:
      case expr::BinaryOp::Eq:
      case expr::BinaryOp::Ne:
      case expr::BinaryOp::Lt:
      case expr::BinaryOp::Le:
      case expr::BinaryOp::Gt:
      case expr::BinaryOp::Ge:
        return keep(z_.bool_val(true));
    }
    internal_error("binary operator", __FILE__, __LINE__);
  }

  Condition all(std::span<const Condition> conditions) override {
    z3::expr_vector list(z_);
    for (const Condition c : conditions) list.push_back(conditions_[c]);
    return keep(z3::mk_and(list));
  }
  Condition negation(Condition condition) override { return keep(!conditions_[condition]); }

  void require(Condition condition) override { solver_.add(conditions_[condition]); }

  Answer solve(std::span<const Condition> assumptions) override {
    z3::expr_vector names(z_);
    for (const Condition c : assumptions) names.push_back(name(c));
    core_.clear();
    model_.reset();
    z3::check_result r = z3::unknown;
    try {
      r = solver_.check(names);
    } catch (const z3::exception&) {
      return Answer::Unknown;
    }
    if (r == z3::unknown) return Answer::Unknown;
    if (r == z3::sat) {
      model_ = std::make_unique<z3::model>(solver_.get_model());
      return Answer::Satisfiable;
    }
    const z3::expr_vector core = solver_.unsat_core();
    for (unsigned i = 0; i < core.size(); ++i) core_.push_back(core[static_cast<int>(i)].id());
    return Answer::Unsatisfiable;
  }
  bool failed(Condition assumption) override {
    return std::find(core_.begin(), core_.end(), name(assumption).id()) != core_.end();
  }
  std::int32_t value(Word word) override {
    return static_cast<std::int32_t>(
        static_cast<std::uint32_t>(model_->eval(words_[word], true).get_numeral_uint64()));
  }

 private:
  z3::expr number(std::int64_t v) { return z_.bv_val(static_cast<std::int64_t>(v), 32); }
  z3::expr truth(const z3::expr& c) { return z3::ite(c, z_.bv_val(1, 32), z_.bv_val(0, 32)); }
  // A 33-bit sum that is one of 32 bits, too.
  z3::expr fits(const z3::expr& wide) { return wide.extract(32, 32) == wide.extract(31, 31); }
  Word add(const z3::expr& e) {
    words_.push_back(e);
    return static_cast<Word>(words_.size() - 1);
  }
  Condition keep(const z3::expr& e) {
    conditions_.push_back(e);
    return static_cast<Condition>(conditions_.size() - 1);
  }
  // Assumptions are named: cores are told in terms of names.
  const z3::expr& name(Condition c) {
    const auto known = names_.find(c);
    if (known != names_.end()) return known->second;
    const z3::expr fresh = z_.bool_const(("c" + std::to_string(c)).c_str());
    solver_.add(z3::implies(fresh, conditions_[c]));
    return names_.emplace(c, fresh).first->second;
  }

  z3::context z_;
  z3::solver solver_;
  std::vector<z3::expr> words_, conditions_;
  std::map<Condition, z3::expr> names_;
  std::unique_ptr<z3::model> model_;
  std::vector<unsigned> core_;
};

}  // namespace

std::unique_ptr<WordSolver> make_word_solver(std::uint64_t budget) {
  return std::make_unique<Z3Words>(budget);
}

}  // namespace parley::solver::smt
