#include "lower/expressions.hpp"

#include <algorithm>

#include "lower/unfold_operation.hpp"
#include "support/check.hpp"

namespace parley::lower {

using model::ExprKind;
using model::SymbolKind;

namespace {

constexpr std::size_t kMaxUnfolded = 200000;

const model::ObjectDecl& family_of(const Context& c, const model::Expr& name) {
  return c.model.system->objects[name.index];
}

}  // namespace

Scope scope_of(const Object& o) {
  Scope s;
  s.self = &o;
  s.self_class = o.of_class;
  return s;
}

Op meaning(model::Operator op) {
  const std::optional<Op> found = model::info(op).meaning;
  PARLEY_CHECK(found.has_value());
  return *found;
}

bool is_pure(const Context& c, const model::Expr& e) {
  if (e.kind == ExprKind::Any) return false;
  if (e.kind == ExprKind::Call) {
    const model::Operation* op = model::find_operation(c.model, e.owner_class, e.text);
    if (op == nullptr || !is_single_return(c, *op)) return false;
  }
  return std::all_of(e.operands.begin(), e.operands.end(),
                     [&](const model::ExprPtr& x) { return is_pure(c, *x); });
}

bool is_single_return(const Context& c, const model::Operation& op) {
  const model::Stmt* s = op.body.body.get();
  while (s != nullptr && s->kind == model::StmtKind::Block && s->children.size() == 1)
    s = s->children[0].get();
  if (s == nullptr || s->kind != model::StmtKind::Return || !s->value) return false;
  // A ranged result or parameter is checked when it is passed: that needs statements.
  const auto checked = [](const model::TypeRef& t) {
    return t.resolved.tag == model::TypeTag::Int && !t.resolved.is_full_int();
  };
  if (checked(op.result)) return false;
  for (const model::Parameter& p : op.parameters)
    if (checked(p.type)) return false;
  return is_pure(c, *s->value);
}

const model::Operation* operation_of(Context& c, const model::Expr& call, ClassId of_class) {
  const model::Operation* op = model::find_operation(c.model, of_class, call.text);
  if (op == nullptr)
    c.refuse("unknown-operation", call.span, "there is no operation `" + call.text + "` here");
  return op;
}

bool count_call(Context& c, const model::Expr& call) {
  if (++c.unfolded <= kMaxUnfolded) return true;
  if (!c.refused) c.refuse("model-too-large", call.span, "unfolding the calls of operations takes too long");
  return false;
}

Located locate(Context& c, const Object* known, ExprId reference, ClassId of_class, std::uint32_t attribute,
               ExprId column) {
  Located result;
  if (known == nullptr && c.pool()[reference].op == Op::Const) {
    const std::int32_t value = c.pool()[reference].value;
    if (value > 0 && static_cast<std::size_t>(value) <= c.objects.size())
      known = &c.objects[static_cast<std::size_t>(value) - 1];
  }
  const auto attributes = model::all_attributes(c.model, known != nullptr ? known->of_class : of_class);
  PARLEY_CHECK(attribute < attributes.size());
  model::ModelType element = attributes[attribute]->type.resolved;
  element.array = 0;
  result.type = c.type(element);
  const expr::Node& k = c.pool()[column];
  const bool fixed_column = k.op == Op::Const;
  if (known != nullptr && fixed_column && k.value >= 0 &&
      static_cast<std::size_t>(k.value) < known->attributes[attribute].size()) {
    result.place.cell = known->attributes[attribute][static_cast<std::size_t>(k.value)];
    const bool wiring = element.tag == model::TypeTag::Ref && !c.assigned.contains(attributes[attribute]);
    if (wiring) result.constant = c.pool().constant(c.system.cell(result.place.cell).initial, result.type);
    return result;
  }
  const std::uint32_t key_object = known != nullptr ? known->number : Id<void>::kNone;
  const auto key = std::tuple(key_object, of_class.value, attribute);
  auto it = c.tables.find(key);
  if (it == c.tables.end()) {
    expr::Table t;
    t.name = attributes[attribute]->name;
    if (known != nullptr) {
      t.cells = known->attributes[attribute];
      t.columns = static_cast<std::uint32_t>(t.cells.size());
    } else {
      t.by_reference = true;
      t.columns = std::max(1u, attributes[attribute]->type.resolved.array);
      t.cells.resize(t.columns);
      for (const Object& o : c.objects) {
        const bool member = model::is_a(c.model, o.of_class, of_class);
        for (std::uint32_t i = 0; i < t.columns; ++i)
          t.cells.push_back(member ? o.attributes[attribute][i] : CellId{});
      }
    }
    it = c.tables.emplace(key, c.pool().add_table(std::move(t))).first;
  }
  result.place.table = it->second;
  result.place.row = known != nullptr ? c.pool().constant(0) : reference;
  result.place.column = column;
  return result;
}

ExprId read(Context& c, const Located& at) {
  if (at.constant.valid()) return at.constant;
  if (at.place.cell.valid()) return c.system.read(at.place.cell);
  return c.pool().elem(at.place.table, at.place.row, at.place.column, at.type);
}

namespace {

ExprId give_up(Context& c, const model::Expr& e, std::string code, std::string message,
               std::string hint = {}) {
  c.refuse(std::move(code), e.span, std::move(message), std::move(hint));
  return c.pool().constant(0, c.type(e.type));
}

ExprId name_value(Context& c, const model::Expr& e, Scope& s) {
  switch (e.symbol) {
    case SymbolKind::Local:
      if (e.index < s.locals.size() && s.locals[e.index].valid()) return s.locals[e.index];
      return give_up(c, e, "unknown-name", "`" + e.text + "` is used before it is declared");
    case SymbolKind::Parameter:
      if (e.index < s.parameters.size()) return s.parameters[e.index];
      return give_up(c, e, "unknown-name", "the parameter `" + e.text + "` has no value here");
    case SymbolKind::Attribute:
      return read(c, locate(c, s.self, s.self_ref, s.self_class, e.index, c.pool().constant(0)));
    case SymbolKind::Constant:
      return c.pool().constant(c.model.constants[e.index].resolved, c.type(e.type));
    case SymbolKind::EnumLiteral:
      return c.pool().constant(static_cast<std::int32_t>(e.index), c.type(e.type));
    case SymbolKind::Object:
      return c.pool().constant(static_cast<std::int32_t>(e.index) + 1, c.type(e.type));
    case SymbolKind::FamilyIndex:
      return c.pool().constant(s.family_index.value_or(0));
    case SymbolKind::BoundVariable: {
      const auto it = s.bound.find(e.text);
      if (it != s.bound.end())
        return c.pool().constant(static_cast<std::int32_t>(it->second) + 1, c.ref_type({}));
      break;
    }
    default:
      break;
  }
  return give_up(c, e, "unknown-name", "`" + e.text + "` has no value here");
}

// family[index]: the reference to one object of a family.
ExprId family_member(Context& c, const model::Expr& e, Scope& s) {
  const model::Expr& family = *e.operands[0];
  const model::ObjectDecl& d = family_of(c, family);
  const ExprId index = pure(c, *e.operands[1], s);
  const auto first = static_cast<std::int32_t>(d.first_object) + 1;
  const expr::Node& n = c.pool()[index];
  if (n.op != Op::Const) {  // outside the family: null, so that using it is an error
    const ExprId inside =
        c.pool().both(c.pool().binary(Op::Ge, index, c.pool().constant(0)),
                      c.pool().binary(Op::Lt, index, c.pool().constant(static_cast<std::int32_t>(d.count))));
    return c.pool().cond(inside, c.pool().binary(Op::Add, c.pool().constant(first), index),
                         c.pool().constant(0));
  }
  if (n.value < 0 || static_cast<std::uint32_t>(n.value) >= d.count)
    return give_up(c, e, "index-out-of-range",
                   "`" + d.name + "` has " + std::to_string(d.count) + " objects, there is no number " +
                       std::to_string(n.value));
  return c.pool().constant(first + n.value, c.type(e.type));
}

ExprId in_state(Context& c, const model::Expr& e, Scope& s) {
  const ExprId ref = pure(c, *e.operands[0], s);
  const VertexId state(e.state);
  const ClassId of_class = model::machine_class(c.model, e.operands[0]->type.of_class);
  // The same state in another object: by its number if it runs the same machine, else by its path.
  const auto test = [&](const Object& o) {
    if (o.machine == nullptr) return c.pool().boolean(false);
    if (o.machine->machine_class() == of_class) return c.active(o, state);
    const model::Machine& m = o.machine->m();
    const std::string path = of_class.valid() ? c.model.of(of_class).machine->path(state) : e.text;
    for (std::size_t v = 0; v < m.vertices.size(); ++v)
      if (m.vertices[v].kind == VertexKind::State && m.path(VertexId(v)) == path)
        return c.active(o, VertexId(v));
    return c.pool().boolean(false);
  };
  const expr::Node n = c.pool()[ref];
  if (n.op == Op::Const)
    return n.value > 0 ? test(c.objects[static_cast<std::size_t>(n.value) - 1]) : c.pool().boolean(false);
  ExprId result = c.pool().boolean(false);
  for (const Object& o : c.objects)
    if (n.type.contains(static_cast<std::int32_t>(o.number) + 1))
      result = c.pool().either(
          result, c.pool().both(c.pool().equals(ref, static_cast<std::int32_t>(o.number) + 1), test(o)));
  return result;
}

// A value that depends on which object a reference names, over the active objects.
template <class F>
ExprId over_objects(Context& c, const model::Expr& e, Scope& s, ExprId otherwise, F&& value) {
  const ExprId ref = pure(c, *e.operands[0], s);
  const expr::Node n = c.pool()[ref];
  ExprId result = otherwise;
  for (const Object& o : c.objects) {
    if (o.machine == nullptr) continue;
    const auto code = static_cast<std::int32_t>(o.number) + 1;
    if (n.op == Op::Const && n.value != code) continue;
    if (!n.type.contains(code) && n.op != Op::Const) continue;
    result = c.pool().cond(c.pool().equals(ref, code), value(o), result);
  }
  return result;
}

ExprId quantifier(Context& c, const model::Expr& e, Scope& s) {
  const bool all = e.kind == ExprKind::Forall;
  ExprId result = c.pool().boolean(all);
  for (std::uint32_t number : objects_named(c, *e.operands[0], s)) {
    Scope inner = s;
    inner.bound[e.text] = number;
    const ExprId one = pure(c, *e.operands[1], inner);
    result = all ? c.pool().both(result, one) : c.pool().either(result, one);
  }
  return result;
}

ExprId call(Context& c, const model::Expr& e, Scope& s) {
  Scope inner;
  inner.self = s.self;
  inner.self_ref = s.self_ref;
  inner.self_class = s.self_class;
  std::size_t first = 0;
  if (e.has_receiver) {
    inner.self = nullptr;
    inner.self_ref = pure(c, *e.operands[0], s);
    inner.self_class = e.operands[0]->type.of_class;
    const expr::Node& n = c.pool()[inner.self_ref];
    if (n.op == Op::Const && n.value > 0) inner.self = &c.objects[static_cast<std::size_t>(n.value) - 1];
    first = 1;
  }
  if (inner.self != nullptr) inner.self_class = inner.self->of_class;
  for (std::size_t i = first; i < e.operands.size(); ++i)
    inner.parameters.push_back(pure(c, *e.operands[i], s));
  const model::Operation* op = operation_of(c, e, inner.self_class);
  if (op == nullptr || !count_call(c, e)) return c.pool().constant(0, c.type(e.type));
  return unfold(c, *op, std::move(inner), e);
}

ExprId indexed(Context& c, const model::Expr& e, Scope& s) {
  const model::Expr& base = *e.operands[0];
  if (base.kind == ExprKind::Name && base.symbol == SymbolKind::ObjectFamily) return family_member(c, e, s);
  if (base.kind == ExprKind::Name && base.symbol == SymbolKind::Attribute) {
    const ExprId column = pure(c, *e.operands[1], s);
    return read(c, locate(c, s.self, s.self_ref, s.self_class, base.index, column));
  }
  if (base.kind == ExprKind::Field) {
    const ExprId ref = pure(c, *base.operands[0], s);
    const ExprId column = pure(c, *e.operands[1], s);
    return read(c, locate(c, nullptr, ref, base.operands[0]->type.of_class, base.index, column));
  }
  return give_up(c, e, "unsupported-array", "only attributes can be arrays");
}

}  // namespace

ExprId pure(Context& c, const model::Expr& e, Scope& s) {
  expr::Pool& p = c.pool();
  switch (e.kind) {
    case ExprKind::IntLiteral:
      return p.constant(static_cast<std::int32_t>(e.value));
    case ExprKind::BoolLiteral:
      return p.boolean(e.value != 0);
    case ExprKind::Null:
      return p.constant(0, Type{TypeKind::Ref, 0, 0, c.object_names});
    case ExprKind::This:
      return s.self != nullptr ? s.self->ref_value(p, c.ref_type(s.self->of_class)) : s.self_ref;
    case ExprKind::Name:
      return name_value(c, e, s);
    case ExprKind::Field: {
      const ExprId ref = pure(c, *e.operands[0], s);
      return read(c, locate(c, nullptr, ref, e.operands[0]->type.of_class, e.index, p.constant(0)));
    }
    case ExprKind::Index:
      return indexed(c, e, s);
    case ExprKind::Unary: {
      const ExprId x = pure(c, *e.operands[0], s);
      return p.unary(meaning(e.op), x);
    }
    case ExprKind::Binary: {
      const Op op = meaning(e.op);
      const ExprId x = pure(c, *e.operands[0], s);
      const bool decided = (op == Op::AndAlso && p.is_const(x, 0)) || (op == Op::OrElse && p.is_const(x, 1));
      if (decided) return x;  // as at run time, what is not evaluated need not make sense: fork[i + 1]
      const ExprId y = pure(c, *e.operands[1], s);
      return p.binary(op, x, y);
    }
    case ExprKind::Conditional: {
      const ExprId condition = pure(c, *e.operands[0], s);
      if (p[condition].op == Op::Const) return pure(c, *e.operands[p.is_const(condition, 0) ? 2 : 1], s);
      const ExprId x = pure(c, *e.operands[1], s);
      const ExprId y = pure(c, *e.operands[2], s);
      return p.cond(condition, x, y);
    }
    case ExprKind::Call:
      return call(c, e, s);
    case ExprKind::Any:
      return give_up(c, e, "nondeterministic-guard", "any(…) cannot be used in a guard or check",
                     "choose the value in an effect and test it afterwards");
    case ExprKind::InState:
      return in_state(c, e, s);
    case ExprKind::QueueLength:
      return over_objects(c, e, s, p.constant(0),
                          [&](const Object& o) { return p.queue_len(c.threads[o.thread].queue); });
    case ExprKind::QueueHas:
      return over_objects(c, e, s, p.boolean(false), [&](const Object& o) {
        return p.queue_has(c.threads[o.thread].queue, o.signals[e.signal.index()], p.boolean(true));
      });
    case ExprKind::Forall:
    case ExprKind::Exists:
      return quantifier(c, e, s);
    case ExprKind::Event:
    case ExprKind::Pattern:
      break;  // only while a check is parsed
  }
  return p.constant(0);
}

std::vector<std::uint32_t> objects_named(Context& c, const model::Expr& e, Scope& s) {
  std::vector<std::uint32_t> result;
  if (e.kind == ExprKind::Name && e.symbol == SymbolKind::ObjectFamily) {
    const model::ObjectDecl& d = family_of(c, e);
    for (std::uint32_t i = 0; i < d.count; ++i) result.push_back(d.first_object + i);
  } else if (e.kind == ExprKind::Name && e.symbol == SymbolKind::ClassName) {
    for (std::size_t i = 0; i < c.model.objects.size(); ++i)
      if (model::is_a(c.model, c.model.objects[i].of_class, e.owner_class))
        result.push_back(static_cast<std::uint32_t>(i));
  } else {
    const expr::Node n = c.pool()[pure(c, e, s)];
    if (n.op == Op::Const && n.value > 0)
      result.push_back(static_cast<std::uint32_t>(n.value) - 1);
    else
      c.refuse("not-an-object", e.span, "this does not name an object");
  }
  return result;
}

bool fits(const expr::Pool& pool, ExprId value, const model::ModelType& type) {
  if (type.tag != model::TypeTag::Int || type.is_full_int()) return true;
  const expr::Node& n = pool[value];
  if (n.op == Op::Const) return n.value >= type.lo && n.value <= type.hi;
  return n.type.lo >= type.lo && n.type.hi <= type.hi;
}

std::int32_t fold(Context& c, const model::Expr& e, Scope& s, const char* what) {
  const expr::Node n = c.pool()[pure(c, e, s)];
  if (n.op == Op::Const) return n.value;
  c.refuse("not-constant", e.span, std::string(what) + " must be a constant");
  return 0;
}

}  // namespace parley::lower
