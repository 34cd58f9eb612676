#include "lower/context.hpp"

#include <algorithm>

namespace parley::lower {

using system::Stmt;
using system::StmtKind;

system::Origin origin_of(const diag::Span& span, const std::string& element) {
  return {span, element};
}

Type Context::type(const model::ModelType& t) {
  switch (t.tag) {
    case model::TypeTag::Bool:
      return Type::boolean();
    case model::TypeTag::Enum: {
      const auto count = static_cast<std::int32_t>(model.enums[t.enumeration.index()].literals.size());
      return {TypeKind::Enum, 0, count - 1, enum_names[t.enumeration.index()]};
    }
    case model::TypeTag::Ref:
      return ref_type(t.of_class);
    case model::TypeTag::Timer:
      return Type::range(-1, t.hi);
    default:
      return Type::range(t.lo, t.hi);
  }
}

Type Context::ref_type(ClassId of_class) const {
  Type result{TypeKind::Ref, 0, 0, object_names};
  if (!of_class.valid())
    return {TypeKind::Ref, 0, static_cast<std::int32_t>(model.objects.size()), object_names};
  for (std::size_t i = 0; i < model.objects.size(); ++i) {
    if (!model::is_a(model, model.objects[i].of_class, of_class)) continue;
    const auto value = static_cast<std::int32_t>(i) + 1;
    if (result.hi == 0) result.lo = value;
    result.hi = value;
  }
  return result;
}

StmtId Context::add(Stmt statement) {
  if (system.stmts.size() >= options.max_statements && !refused)
    refuse("model-too-large", {},
           "the model is too large to lower: more than " + std::to_string(options.max_statements) +
               " statements");
  return system.add(std::move(statement));
}

StmtId Context::skip() {
  if (!skip_.valid()) skip_ = system.add(Stmt{});
  return skip_;
}

StmtId Context::block(std::vector<StmtId> children) {
  std::erase_if(children, [&](StmtId s) { return s == skip(); });
  if (children.empty()) return skip();
  if (children.size() == 1) return children.front();
  Stmt s;
  s.children = std::move(children);
  return add(std::move(s));
}

StmtId Context::assign(CellId cell, ExprId value, const system::Origin& origin) {
  Stmt s;
  s.kind = StmtKind::Assign;
  s.place.cell = cell;
  s.value = value;
  s.origin = origin;
  return add(std::move(s));
}

StmtId Context::assign(CellId cell, std::int32_t value) {
  return assign(cell, pool().constant(value, system.cell(cell).type));
}

StmtId Context::set_local(std::uint32_t local, ExprId value) {
  Stmt s;
  s.kind = StmtKind::SetLocal;
  s.local = local;
  s.value = value;
  return add(std::move(s));
}

StmtId Context::choose(std::uint32_t local, ExprId lo, ExprId hi) {
  Stmt s;
  s.kind = StmtKind::Choose;
  s.local = local;
  s.lo = lo;
  s.hi = hi;
  return add(std::move(s));
}

StmtId Context::when(ExprId condition, StmtId then, StmtId otherwise) {
  if (pool().is_const(condition, 1)) return then;
  if (pool().is_const(condition, 0)) return otherwise;
  if (then == otherwise && then == skip()) return skip();
  Stmt s;
  s.kind = StmtKind::If;
  s.value = condition;
  s.children = {then, otherwise};
  return add(std::move(s));
}

StmtId Context::note(ElementId element) {
  Stmt s;
  s.kind = StmtKind::Note;
  s.element = element;
  return add(std::move(s));
}

StmtId Context::fail(system::RuntimeError error, std::string text, const system::Origin& origin) {
  Stmt s;
  s.kind = StmtKind::Fail;
  s.error = error;
  s.text = std::move(text);
  s.origin = origin;
  return add(std::move(s));
}

ExprId Context::at(const Object& o, RegionId region, std::uint32_t location) {
  return is(o.location[region.index()], static_cast<std::int32_t>(location));
}

ExprId Context::active(const Object& o, VertexId state) {
  return at(o, o.machine->m().vertex(state).region, o.machine->location(state));
}

ActionId Context::add(system::Action action, std::vector<BackMap::Fired> fired) {
  if (!action.body.valid()) action.body = skip();
  map.actions.push_back(std::move(fired));
  return system.add(std::move(action));
}

CellId Context::add_cell(system::Cell cell, BackMap::CellOrigin origin) {
  map.cells.push_back(origin);
  return system.add(std::move(cell));
}

}  // namespace parley::lower
