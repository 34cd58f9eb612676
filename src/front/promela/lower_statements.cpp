#include "front/promela/lower_statements.hpp"

namespace parley::front::promela {

StmtId Statements::assign(system::Place place, ExprId value, diag::Span span) {
  system::Stmt st;
  st.kind = system::StmtKind::Assign;
  st.place = place;
  st.value = value;
  st.origin.span = span;
  return s_.add(std::move(st));
}

StmtId Statements::assign(CellId cell, ExprId value, diag::Span span) {
  system::Place place;
  place.cell = cell;
  return assign(place, value, span);
}

StmtId Statements::block(std::vector<StmtId> children, diag::Span span) {
  if (children.size() == 1) return children[0];
  system::Stmt st;
  st.kind = system::StmtKind::Block;
  st.children = std::move(children);
  st.origin.span = span;
  return s_.add(std::move(st));
}

StmtId Statements::failure(system::RuntimeError error, std::string text, diag::Span span) {
  system::Stmt st;
  st.kind = system::StmtKind::Fail;
  st.error = error;
  st.text = std::move(text);
  st.origin.span = span;
  return s_.add(std::move(st));
}

ExprId Statements::keep(ExprId value, std::uint32_t& locals, diag::Span span, std::vector<StmtId>& body) {
  system::Stmt st;
  st.kind = system::StmtKind::SetLocal;
  st.local = locals;
  st.value = value;
  st.origin.span = span;
  const ExprId kept = s_.exprs.local(locals++, s_.exprs[value].type);
  body.push_back(s_.add(std::move(st)));
  return kept;
}

}  // namespace parley::front::promela
