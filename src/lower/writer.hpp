// The statement lowerer at work on one behaviour: values.cpp holds its expressions, statements.cpp its
// statements. Private to lowering; use lower_behaviour.
#pragma once

#include <span>
#include <utility>

#include "lower/statements.hpp"

namespace parley::lower {

class Writer {
 public:
  Writer(Context& c, Scope scope, Frame& frame) : c_(c), s_(std::move(scope)), f_(frame) {}
  StmtId body(const model::Behaviour& b);
  void result_into(std::uint32_t local, const model::TypeRef& type);

 private:
  expr::Pool& pool() { return c_.pool(); }
  void emit(StmtId s) { out_->push_back(s); }
  template <class F>
  std::vector<StmtId> capture(F&& write) {
    std::vector<StmtId> list;
    std::vector<StmtId>* outer = std::exchange(out_, &list);
    write();
    out_ = outer;
    return list;
  }
  template <class F>
  StmtId captured(F&& write) {
    return c_.block(capture(write));
  }
  ExprId save(ExprId value);
  // Fails at run time when the value does not fit the type.
  ExprId checked(ExprId value, const model::ModelType& type, const diag::Span& span, const std::string& what);
  ExprId value(const model::Expr& e);
  // Values of several expressions in order; earlier ones are kept from what later ones do.
  std::vector<ExprId> values(std::span<const model::ExprPtr> list);
  ExprId binary(const model::Expr& e);
  ExprId any(const model::Expr& e);
  // Any value of a type; references with null.
  ExprId any_of(const Type& type);
  // Inlines an operation.
  ExprId call(const model::Expr& e, bool wanted);
  void inlined(const model::Expr& e, const model::Operation& op, Scope inner,
               const std::vector<ExprId>& arguments, std::optional<std::uint32_t> result);
  // Where an attribute, field or element lies; row and column become values.
  Located place(const model::Expr& e);
  void sequence(std::span<const model::StmtPtr> list, bool tail);
  ExprId flag();
  StmtId branch(ExprId condition, StmtId then, StmtId otherwise, const model::Stmt& s);
  void statement(const model::Stmt& s, bool tail);
  void local(const model::Stmt& s);
  void put(const Located& at, ExprId v, const model::Stmt& s);
  ExprId updated(const model::Stmt& s, ExprId old);
  void assign(const model::Stmt& s);
  void send(const model::Stmt& s);
  void for_loop(const model::Stmt& s);
  void loop(ExprId condition, StmtId round, std::uint32_t limit, const model::Stmt& s);
  void while_loop(const model::Stmt& s);
  void havoc(const model::Stmt& s);
  Context& c_;
  Scope s_;
  Frame& f_;
  std::vector<StmtId>* out_ = nullptr;
  std::optional<std::uint32_t> flag_, result_;
  const model::ModelType* result_type_ = nullptr;
};

}  // namespace parley::lower
