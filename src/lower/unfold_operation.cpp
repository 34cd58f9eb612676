#include "lower/unfold_operation.hpp"

namespace parley::lower {

using model::StmtKind;
using model::SymbolKind;

namespace {

// One symbolic run: what has been returned so far, and under which condition it has been.
class Unfolding {
 public:
  Unfolding(Context& c, const model::Operation& op, const model::Expr& call, Scope scope)
      : c_(c), op_(op), call_(call), s_(std::move(scope)) {
    s_.locals.resize(op.body.slots);
    for (std::size_t i = 0; i < s_.parameters.size() && i < op.parameters.size(); ++i)
      s_.parameters[i] = checked(s_.parameters[i], op.parameters[i].type.resolved, op.parameters[i].name);
    returned_ = c.pool().boolean(false);
    result_ = c.pool().constant(0, c.type(op.result.resolved));
  }

  ExprId run() {
    if (op_.body.body) statement(*op_.body.body);
    return result_;
  }

 private:
  static constexpr std::int64_t kMaxRounds = 256;

  void refuse(const model::Stmt& s, const char* what) {
    if (refused_) return;
    refused_ = true;
    c_.refuse("impure-guard", call_.span,
              "the operation `" + op_.name + "` " + what + ", so it cannot be used here",
              "guards, checks and conditions of deferral may not change anything");
    (void)s;
  }

  // From here on a statement acts only where nothing was returned yet.
  ExprId merged(ExprId fresh, ExprId old) { return c_.pool().cond(c_.pool().negate(returned_), fresh, old); }

  void statement(const model::Stmt& s) {
    if (refused_ || c_.pool().is_const(returned_, 1)) return;
    switch (s.kind) {
      case StmtKind::Block:
        for (const auto& child : s.children) statement(*child);
        return;
      case StmtKind::Local:
        s_.locals[s.slot] = s.value ? checked(pure(c_, *s.value, s_), s.type.resolved, s.text)
                                    : c_.pool().constant(0, c_.type(s.type.resolved));
        return;
      case StmtKind::Assign:
        return assign(s);
      case StmtKind::If:
        return branch(s);
      case StmtKind::For:
        return for_loop(s);
      case StmtKind::While:
        return while_loop(s);
      case StmtKind::Return: {
        if (s.value)
          result_ = merged(checked(pure(c_, *s.value, s_), op_.result.resolved, op_.name), result_);
        returned_ = c_.pool().boolean(true);
        return;
      }
      case StmtKind::Send:
        return refuse(s, "sends a message");
      case StmtKind::Assert:
        return refuse(s, "contains an assertion");
      case StmtKind::Either:
      case StmtKind::Havoc:
        return refuse(s, "makes a free choice");
      case StmtKind::Call:
        return refuse(s, "calls another operation for its effect");
      case StmtKind::StartTimer:
      case StmtKind::StopTimer:
        return refuse(s, "starts or stops a timer");
    }
  }

  void assign(const model::Stmt& s) {
    const model::Expr& target = *s.target;
    ExprId* slot = nullptr;
    if (target.kind == model::ExprKind::Name && target.symbol == SymbolKind::Local)
      slot = &s_.locals[target.index];
    if (target.kind == model::ExprKind::Name && target.symbol == SymbolKind::Parameter)
      slot = &s_.parameters[target.index];
    if (slot == nullptr) return refuse(s, "changes an attribute");
    const ExprId old = *slot;
    ExprId value = s.value ? pure(c_, *s.value, s_) : c_.pool().constant(1);  // x++ adds one
    if (s.op != model::Operator::None) value = c_.pool().binary(meaning(s.op), old, value);
    *slot = merged(checked(value, target.type, target.text), old);
  }

  // Runs a statement under a condition and merges its outcome with what held before.
  void guarded(ExprId condition, const model::Stmt& s) {
    const Scope before = s_;
    const ExprId returned = returned_, result = result_;
    statement(s);
    merge(condition, before, returned, result);
  }

  void merge(ExprId condition, const Scope& other, ExprId other_returned, ExprId other_result) {
    const auto join = [&](ExprId then, ExprId otherwise) {
      if (!otherwise.valid() || !then.valid()) return then.valid() ? then : otherwise;
      return c_.pool().cond(condition, then, otherwise);
    };
    for (std::size_t i = 0; i < s_.locals.size(); ++i) s_.locals[i] = join(s_.locals[i], other.locals[i]);
    for (std::size_t i = 0; i < s_.parameters.size(); ++i)
      s_.parameters[i] = join(s_.parameters[i], other.parameters[i]);
    result_ = join(result_, other_result);
    returned_ = join(returned_, other_returned);
  }

  void branch(const model::Stmt& s) {
    const ExprId condition = pure(c_, *s.value, s_);
    const Scope before = s_;
    const ExprId returned = returned_, result = result_;
    statement(*s.children[0]);
    Scope then = s_;
    const ExprId then_returned = returned_, then_result = result_;
    s_ = before;
    returned_ = returned;
    result_ = result;
    if (s.children.size() > 1) statement(*s.children[1]);
    std::swap(s_, then);
    const ExprId else_returned = returned_, else_result = result_;
    returned_ = then_returned;
    result_ = then_result;
    merge(condition, then, else_returned, else_result);
  }

  void for_loop(const model::Stmt& s) {
    const std::int64_t lo = fold(c_, *s.value, s_, "the bound of a loop");
    const std::int64_t hi = fold(c_, *s.hi, s_, "the bound of a loop");
    if (hi - lo + 1 > kMaxRounds) return refuse(s, "has a loop of more than 256 rounds");
    for (std::int64_t i = lo; i <= hi && !refused_; ++i) {
      s_.locals[s.slot] = c_.pool().constant(static_cast<std::int32_t>(i));
      statement(*s.children[0]);
    }
  }

  void while_loop(const model::Stmt& s) {
    const std::int64_t limit = fold(c_, *s.hi, s_, "the limit of a loop");
    if (limit > kMaxRounds) return refuse(s, "has a loop of more than 256 rounds");
    ExprId condition;
    for (std::int64_t i = 0; i <= limit && !refused_; ++i) {
      condition = c_.pool().both(c_.pool().negate(returned_), pure(c_, *s.value, s_));
      if (c_.pool().is_const(condition, 0)) return;
      if (i < limit) guarded(condition, *s.children[0]);
    }
    result_ = c_.pool().cond(
        condition, failing("loop of " + op_.name + ", beyond its limit", c_.pool()[result_].type), result_);
    returned_ = c_.pool().either(returned_, condition);
  }

  // An expression whose evaluation is a run-time error: an element that is not there.
  ExprId failing(std::string what, Type type) {
    expr::Table none;
    none.cells = {CellId{}};
    none.name = std::move(what);
    return c_.pool().elem(c_.pool().add_table(std::move(none)), c_.pool().constant(0), c_.pool().constant(0),
                          type);
  }

  ExprId checked(ExprId value, const model::ModelType& type, const std::string& what) {
    if (fits(c_.pool(), value, type)) return value;
    const ExprId inside = c_.pool().both(c_.pool().binary(Op::Ge, value, c_.pool().constant(type.lo)),
                                         c_.pool().binary(Op::Le, value, c_.pool().constant(type.hi)));
    return c_.pool().cond(inside, value, failing("range of " + what, c_.pool()[value].type));
  }

  Context& c_;
  const model::Operation& op_;
  const model::Expr& call_;
  Scope s_;
  ExprId returned_, result_;
  bool refused_ = false;
};

}  // namespace

ExprId unfold(Context& c, const model::Operation& op, Scope scope, const model::Expr& call) {
  return Unfolding(c, op, call, std::move(scope)).run();
}

}  // namespace parley::lower
