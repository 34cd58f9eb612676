#include "front/promela/lower_variables.hpp"

#include <fmt/format.h>

namespace parley::front::promela {

using system::Type;

const LeafCells* Variables::find_leaf(const Ref& ref, const Slot* slot, const std::string& more) {
  const Variable* root = ref.parts[0].variable.get();
  const Storage* storage = nullptr;
  if (slot)
    if (const auto found = slot->variables.find(root); found != slot->variables.end())
      storage = &found->second;
  if (!storage)
    if (const auto found = layout_.globals.find(root); found != layout_.globals.end())
      storage = &found->second;
  if (!storage) {
    diagnostics_.error("unknown-name", ref.span, fmt::format("'{}' cannot be used here", root->name));
    return nullptr;
  }
  const auto found = storage->find(path_of(ref) + more);
  if (found == storage->end()) {
    diagnostics_.error("type", ref.span,
                       fmt::format("'{}' is a structure and has no single value", ref.leaf().name),
                       "name one of its fields");
    return nullptr;
  }
  return &found->second;
}

ExprId Variables::flat_index(const std::vector<std::uint32_t>& dims, const std::vector<ExprId>& indices) {
  if (dims.empty()) return terms_.constant(0);
  if (dims.size() == 1) return indices[0];
  std::vector<ExprId> inside;
  ExprId flat = terms_.constant(0);
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const auto size = static_cast<std::int32_t>(dims[i]);
    inside.push_back(s_.exprs.binary(Op::Ge, indices[i], terms_.constant(0)));
    inside.push_back(s_.exprs.binary(Op::Lt, indices[i], terms_.constant(size)));
    flat = s_.exprs.binary(Op::Add, s_.exprs.binary(Op::Mul, flat, terms_.constant(size)), indices[i]);
  }
  return s_.exprs.cond(terms_.all_of(inside), flat, terms_.constant(-1));
}

ExprId Variables::read_leaf(const LeafCells& lc, const std::string& name,
                            const std::vector<ExprId>& indices) {
  const ExprId flat = flat_index(lc.leaf.dims, indices);
  if (lc.fixed) {
    const expr::Node n = s_.exprs[flat];
    const Type type = layout_.channel_type();
    if (n.op == Op::Const && n.value >= 0 && static_cast<std::size_t>(n.value) < lc.queues.size())
      return s_.exprs.constant(
          static_cast<std::int32_t>(lc.queues[static_cast<std::size_t>(n.value)].value) + 1, type);
    ExprId result = s_.exprs.constant(0, type);
    for (std::size_t i = lc.queues.size(); i-- > 0;)
      result =
          s_.exprs.cond(s_.exprs.binary(Op::Eq, flat, terms_.constant(static_cast<std::int32_t>(i))),
                        s_.exprs.constant(static_cast<std::int32_t>(lc.queues[i].value) + 1, type), result);
    return result;
  }
  if (lc.leaf.dims.empty()) return s_.read(lc.cells[0]);
  expr::Table table;
  table.cells = lc.cells;
  table.columns = static_cast<std::uint32_t>(lc.cells.size());
  table.name = name;
  return s_.exprs.elem(s_.exprs.add_table(std::move(table)), terms_.constant(0), flat,
                       s_.cell(lc.cells[0]).type);
}

system::Place Variables::place_of(const LeafCells& lc, const std::string& name,
                                  const std::vector<ExprId>& indices) {
  system::Place place;
  const ExprId flat = flat_index(lc.leaf.dims, indices);
  const expr::Node n = s_.exprs[flat];
  if (n.op == Op::Const && n.value >= 0 && static_cast<std::size_t>(n.value) < lc.cells.size()) {
    place.cell = lc.cells[static_cast<std::size_t>(n.value)];
    return place;
  }
  expr::Table table;
  table.cells = lc.cells;
  table.columns = static_cast<std::uint32_t>(lc.cells.size());
  table.name = name;
  place.table = s_.exprs.add_table(std::move(table));
  place.row = terms_.constant(0);
  place.column = flat;
  return place;
}

ExprId Variables::truncate(const DataType& type, ExprId value) {
  if (type.base == Base::Chan) {
    const expr::Node n = s_.exprs[value];
    if (n.type.kind == expr::TypeKind::Chan || s_.exprs.is_const(value, 0)) return value;
    // Some models send other small numbers through fields declared as channels; Spin keeps a byte of them.
    wants_wide_channels_ = !layout_.wide_channels;
    const Type wanted = layout_.channel_type();
    const bool fits =
        n.op == Op::Const ? n.value >= 0 && n.value <= wanted.hi : n.type.lo >= 0 && n.type.hi <= wanted.hi;
    return fits || !layout_.wide_channels ? value : s_.exprs.unary(Op::TruncU, terms_.as_integer(value), 8);
  }
  value = terms_.as_integer(value);
  const expr::Node n = s_.exprs[value];
  const Type wanted = layout_.value_type(type);
  if (n.op == Op::Const ? wanted.contains(n.value) : (n.type.lo >= wanted.lo && n.type.hi <= wanted.hi))
    return value;
  switch (type.base) {
    case Base::Bit:
    case Base::Bool:
      return s_.exprs.unary(Op::TruncU, value, 1);
    case Base::Short:
      return s_.exprs.unary(Op::TruncS, value, 16);
    case Base::Unsigned:
      return s_.exprs.unary(Op::TruncU, value, type.bits);
    case Base::Mtype:
      if (wanted.hi > 255) {
        const ExprId ok = terms_.both(s_.exprs.binary(Op::Ge, value, terms_.constant(0)),
                                      s_.exprs.binary(Op::Le, value, terms_.constant(wanted.hi)));
        return s_.exprs.cond(ok, value, s_.exprs.unary(Op::TruncU, value, 8));
      }
      [[fallthrough]];
    case Base::Byte:
    case Base::Pid:
      return s_.exprs.unary(Op::TruncU, value, 8);
    default:
      return value;
  }
}

}  // namespace parley::front::promela
