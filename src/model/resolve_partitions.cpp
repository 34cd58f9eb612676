// Partitions of integers: whose they are, and that their cells cover the type without gap or overlap.
#include <fmt/format.h>

#include <set>
#include <tuple>

#include "model/resolver.hpp"
#include "model/show.hpp"

namespace parley::model {
namespace {

constexpr std::int32_t kMostSingleValues = 100'000;  // of `k+`

std::string range(std::int64_t lo, std::int64_t hi) {
  return lo == hi ? fmt::format("{}", lo) : fmt::format("{}..{}", lo, hi);
}

}  // namespace

void Resolver::partitions() {
  std::map<std::tuple<std::string, std::string>, Span> seen;
  for (PartitionDecl& p : m_.partitions) {
    const auto [first, fresh] = seen.try_emplace({p.of, p.name}, p.span);
    if (!fresh)
      d_.error("duplicate-partition", p.span, fmt::format("'{}.{}' has a partition already", p.of, p.name))
          .related.push_back({first->second, "the first one"});
    const TypeRef* t = partitioned(p);
    if (t == nullptr) continue;
    ModelType element = t->resolved;
    element.array = 0;  // of an array: the same for every element
    if (element.tag == TypeTag::Unknown) continue;
    if (element.tag != TypeTag::Int) {
      error("partition-type", p.name_span,
            fmt::format("'{}' is of type {}, and only integers are partitioned", p.name, show(element, m_)));
      continue;
    }
    cells_of(p, element);
  }
}

// The attribute or parameter that a partition is about.
const TypeRef* Resolver::partitioned(PartitionDecl& p) {
  ClassId of_class;
  if (const auto s = signals_.find(p.of); s != signals_.end()) {
    p.of_signal = s->second;
    const std::vector<Parameter>& list = m_.signals[s->second.index()].parameters;
    std::vector<std::string> known;
    for (std::size_t i = 0; i < list.size(); ++i) {
      known.push_back(list[i].name);
      if (list[i].name != p.name) continue;
      p.index = static_cast<std::uint32_t>(i);
      return &list[i].type;
    }
    error_unknown("unknown-name", p.name_span, fmt::format("parameter of '{}'", p.of), p.name, known);
    return nullptr;
  }
  if (const auto c = classes_.find(p.of); c != classes_.end()) {
    p.of_class = of_class = c->second;
  } else if (const auto o = objects_.find(p.of); o != objects_.end()) {
    p.of_object = o->second;
    of_class = m_.system->objects[o->second].of_class;
    if (!of_class.valid()) return nullptr;  // told already
  } else {
    std::vector<std::string> known;
    for (const Class& c2 : m_.classes) known.push_back(c2.name);
    for (const SignalDecl& s2 : m_.signals) known.push_back(s2.name);
    for (const auto& [name, index] : objects_) known.push_back(name);
    std::sort(known.begin(), known.end());
    error_unknown("unknown-name", p.of_span, "class, signal or object", p.of, known);
    return nullptr;
  }
  const std::vector<const Attribute*> attributes = all_attributes(m_, of_class);
  std::vector<std::string> known;
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    known.push_back(attributes[i]->name);
    if (attributes[i]->name != p.name) continue;
    p.index = static_cast<std::uint32_t>(i);
    return &attributes[i]->type;
  }
  error_unknown("unknown-name", p.name_span, fmt::format("attribute of '{}'", p.of), p.name, known);
  return nullptr;
}

void Resolver::cells_of(PartitionDecl& p, const ModelType& type) {
  Scope scope;
  scope.constant = true;
  std::set<std::int64_t> starts{type.lo};
  switch (p.kind) {
    case PartitionDecl::Kind::One:
    case PartitionDecl::Kind::Exact:
      break;
    case PartitionDecl::Kind::Sign:
      starts.insert({0, 1});
      break;
    case PartitionDecl::Kind::UpTo: {
      const auto k = constant_value(*p.count, TypeTag::Int, scope, "number of values");
      if (!k) return;
      if (*k < 0 || *k > kMostSingleValues)
        return error("partition-count", p.count->span, fmt::format("{}+ is no partition", *k),
                     fmt::format("k+ keeps 0 to k-1 apart, for a k from 0 to {}", kMostSingleValues));
      for (std::int64_t v = 0; v <= *k; ++v) starts.insert(v);
      break;
    }
    case PartitionDecl::Kind::Cells: {
      std::vector<std::pair<std::int64_t, std::int64_t>> cells;
      for (PartitionDecl::Cell& c : p.cells) {
        std::int64_t lo = type.lo, hi = type.hi;
        if (c.lo) {
          const auto v = constant_value(*c.lo, TypeTag::Int, scope, "bound of a cell");
          if (!v) return;
          lo = *v;
        }
        if (c.single) hi = lo;
        if (c.hi) {
          const auto v = constant_value(*c.hi, TypeTag::Int, scope, "bound of a cell");
          if (!v) return;
          hi = *v;
        }
        cells.emplace_back(lo, hi);
      }
      cover(p, type, cells);
      for (const auto& [lo, hi] : cells) starts.insert(lo);
      break;
    }
  }
  for (const std::int64_t v : starts)
    if (v >= type.lo && v <= type.hi) p.starts.push_back(static_cast<std::int32_t>(v));
}

// One complaint per partition: the later ones would follow from it.
void Resolver::cover(PartitionDecl& p, const ModelType& type,
                     const std::vector<std::pair<std::int64_t, std::int64_t>>& cells) {
  std::int64_t next = type.lo;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto [lo, hi] = cells[i];
    const Span place = p.cells[i].span;
    if (lo > hi) return error("empty-range", place, fmt::format("the cell {}..{} is empty", lo, hi));
    if (lo < type.lo || hi > type.hi)
      return error("partition-range", place,
                   fmt::format("'{}' has values of {} only", p.name, range(type.lo, type.hi)),
                   i == 0 ? "leave the bound of the first or last cell out: ..0 or 9.." : "");
    if (lo < next) {
      d_.error("partition-overlap", place,
               fmt::format("{} in two cells",
                           lo == std::min(hi, next - 1)
                               ? fmt::format("the value {} is", lo)
                               : fmt::format("the values {}..{} are", lo, std::min(hi, next - 1))),
               "cells are written in ascending order and do not overlap")
          .related.push_back({p.cells[i - 1].span, "the other cell"});
      return;
    }
    if (lo > next)
      return error(
          "partition-gap", place,
          fmt::format("before this cell, {} in none",
                      next == lo - 1 ? fmt::format("the value {} is", next)
                                     : fmt::format("the values {}..{} are", next, lo - 1)),
          i == 0 ? fmt::format("begin with ..{}", lo - 1) : fmt::format("add {}", range(next, lo - 1)));
    next = hi + 1;
  }
  if (next <= type.hi)
    error("partition-gap", p.cells.back().span,
          fmt::format("after this cell, {} in none",
                      next == type.hi ? fmt::format("the value {} is", next)
                                      : fmt::format("the values {}..{} are", next, type.hi)),
          fmt::format("end with {}..", next));
}

}  // namespace parley::model
