#include <fmt/format.h>

#include "model/show.hpp"

namespace parley::model {
namespace {

// Bounds are written without operators between them and the dots, so that `|` and `..` read well.
std::string bound(const ExprPtr& e) {
  if (!e) return {};
  const bool compound = e->kind == ExprKind::Binary || e->kind == ExprKind::Conditional;
  return compound ? '(' + show(*e) + ')' : show(*e);
}

}  // namespace

std::string show(const PartitionDecl& p) {
  std::string cells;
  switch (p.kind) {
    case PartitionDecl::Kind::Sign:
      cells = "sign";
      break;
    case PartitionDecl::Kind::One:
      cells = "one";
      break;
    case PartitionDecl::Kind::Exact:
      cells = "exact";
      break;
    case PartitionDecl::Kind::UpTo:
      cells = bound(p.count) + '+';
      break;
    case PartitionDecl::Kind::Cells:
      for (const PartitionDecl::Cell& c : p.cells) {
        if (!cells.empty()) cells += " | ";
        cells += c.single ? bound(c.lo) : bound(c.lo) + ".." + bound(c.hi);
      }
  }
  return fmt::format("{}.{}: {}", quote_name(p.of), quote_name(p.name), cells);
}

}  // namespace parley::model
