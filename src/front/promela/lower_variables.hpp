// Variables as cells of the System: reading them, writing them, and what is left of a value that is stored in
// one. Indices come as expressions; lower_expr.hpp makes them.
#pragma once

#include <string>
#include <vector>

#include "front/promela/terms.hpp"

namespace parley::front::promela {

class Variables {
 public:
  Variables(const Translation& translation, const Layout& layout, Terms& terms)
      : diagnostics_(translation.diagnostics), s_(translation.system), layout_(layout), terms_(terms) {}

  // The cells of what a reference names (`more`: below it), of the slot or global; null with an error if
  // there are none.
  const LeafCells* find_leaf(const Ref& ref, const Slot* slot, const std::string& more = {});
  // The position in row-major order, -1 if an index is out of range.
  ExprId flat_index(const std::vector<std::uint32_t>& dims, const std::vector<ExprId>& indices);
  ExprId read_leaf(const LeafCells& lc, const std::string& name, const std::vector<ExprId>& indices);
  system::Place place_of(const LeafCells& lc, const std::string& name, const std::vector<ExprId>& indices);
  // What is left of a value when it is stored in a variable or a message field of this type.
  ExprId truncate(const DataType& type, ExprId value);
  // Numbers that are no channels were stored as channels: lay out again with room for them.
  bool wants_wide_channels() const { return wants_wide_channels_; }

 private:
  diag::Diagnostics& diagnostics_;
  system::System& s_;
  const Layout& layout_;
  Terms& terms_;
  bool wants_wide_channels_ = false;
};

}  // namespace parley::front::promela
