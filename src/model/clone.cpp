#include "model/action.hpp"

namespace parley::model {
namespace {

ExprPtr clone_or_null(const ExprPtr& e) {
  return e ? clone(*e) : nullptr;
}

}  // namespace

Expr::Expr() = default;
Expr::~Expr() = default;

ExprPtr clone(const Expr& e) {
  auto copy = std::make_unique<Expr>();
  copy->kind = e.kind;
  copy->span = e.span;
  copy->value = e.value;
  copy->text = e.text;
  copy->op = e.op;
  copy->operands.reserve(e.operands.size());
  for (const ExprPtr& o : e.operands) copy->operands.push_back(clone_or_null(o));
  copy->has_receiver = e.has_receiver;
  copy->parenthesised = e.parenthesised;
  copy->name_span = e.name_span;
  copy->symbol = e.symbol;
  copy->index = e.index;
  copy->enumeration = e.enumeration;
  copy->owner_class = e.owner_class;
  copy->state = e.state;
  copy->signal = e.signal;
  copy->type = e.type;
  return copy;
}

TypeRef clone(const TypeRef& t) {
  TypeRef copy;
  copy.name = t.name;
  copy.lo = clone_or_null(t.lo);
  copy.hi = clone_or_null(t.hi);
  copy.array_size = clone_or_null(t.array_size);
  copy.span = t.span;
  copy.resolved = t.resolved;
  return copy;
}

StmtPtr clone(const Stmt& s) {
  auto copy = std::make_unique<Stmt>();
  copy->kind = s.kind;
  copy->span = s.span;
  copy->text = s.text;
  copy->op = s.op;
  copy->name_span = s.name_span;
  copy->type = clone(s.type);
  copy->target = clone_or_null(s.target);
  copy->value = clone_or_null(s.value);
  copy->hi = clone_or_null(s.hi);
  for (const ExprPtr& a : s.args) copy->args.push_back(clone_or_null(a));
  for (const StmtPtr& c : s.children) copy->children.push_back(c ? clone(*c) : nullptr);
  copy->signal = s.signal;
  copy->slot = s.slot;
  return copy;
}

Behaviour clone(const Behaviour& b) {
  Behaviour copy;
  if (b.body) copy.body = clone(*b.body);
  copy.span = b.span;
  copy.slots = b.slots;
  copy.name = b.name;
  return copy;
}

}  // namespace parley::model
