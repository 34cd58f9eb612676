#include "domain/precision.hpp"

#include <fmt/format.h>

namespace parley::domain {

using system::System;

std::string show(const System& s, const Variable& v) {
  switch (v.kind) {
    case Variable::Kind::Cell:
      return s.cells[v.a].name;
    case Variable::Kind::Param: {
      const system::Signal& signal = s.signals[v.a];
      if (v.b < signal.param_names.size() && !signal.param_names[v.b].empty())
        return fmt::format("{}.{}", signal.name, signal.param_names[v.b]);
      return fmt::format("{}.{}", signal.name, v.b);
    }
    case Variable::Kind::Local:
      return fmt::format("local{} (statement {})", s.stmts[v.a].local, v.a);
  }
  return "?";
}

Interval range_of(const System& s, const Variable& v) {
  switch (v.kind) {
    case Variable::Kind::Cell:
      return {s.cells[v.a].type.lo, s.cells[v.a].type.hi};
    case Variable::Kind::Param:
      return {s.signals[v.a].params[v.b].lo, s.signals[v.a].params[v.b].hi};
    case Variable::Kind::Local:
      break;
  }
  return Word{}.all();
}

bool Precision::split_at(const Variable& v, std::int64_t value) {
  const auto at = partitions_.find(v);
  return at != partitions_.end() && at->second.split_at(value);
}

bool Precision::cut_below(const Variable& v, std::int64_t value) {
  const auto at = partitions_.find(v);
  return at != partitions_.end() && at->second.cut_below(value);
}

std::size_t Precision::cells() const {
  std::size_t n = 0;
  for (const auto& [v, p] : partitions_) n += p.size();
  return n;
}

std::vector<Variable> siblings(const System& s, const Variable& v) {
  if (v.kind != Variable::Kind::Cell || !s.cells[v.a].owner.valid()) return {v};
  // "atm1.tries" of an object "atm1" of class Atm: the attribute is "tries".
  const auto attribute = [&s](const system::Cell& c) -> std::string {
    const std::string& owner = s.owner(c.owner).name;
    if (!c.name.starts_with(owner + ".")) return {};
    return c.name.substr(owner.size() + 1);
  };
  const system::Cell& mine = s.cells[v.a];
  const std::string name = attribute(mine);
  if (name.empty()) return {v};
  std::vector<Variable> all;
  for (std::size_t i = 0; i < s.cells.size(); ++i) {
    const system::Cell& c = s.cells[i];
    if (c.owner.valid() && s.owner(c.owner).type_name == s.owner(mine.owner).type_name &&
        c.type == mine.type && attribute(c) == name)
      all.push_back(Variable::cell(expr::CellId(i)));
  }
  return all;
}

}  // namespace parley::domain
