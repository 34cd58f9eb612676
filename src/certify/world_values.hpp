// Values and conditions in a world, for the checker's abstract execution (worlds.hpp): what an expression can
// be, and which worlds are left when a condition is supposed. Internal to worlds.cpp.
#pragma once

#include "certify/worlds.hpp"

namespace parley::certify {

using Worlds = std::vector<World>;

struct TooMany {};  // thrown
inline const Interval kAnyNumber{expr::kIntMin, expr::kIntMax};

// Sorted, without duplicates, not too many.
Worlds limited(Worlds worlds);

class WorldValues {
 public:
  explicit WorldValues(const Setting& setting) : c_(setting), s_(setting.system) {}

 protected:
  // The expression's value; nothing: evaluation fails for certain.
  std::optional<Amount> eval(const World& w, system::ExprId id) const;
  // The cells that a table entry can be.
  std::vector<system::CellId> entries(const World& w, system::TableId id, system::ExprId row,
                                      system::ExprId column) const;
  // The worlds in which the condition has the given truth.
  Worlds suppose(World w, system::ExprId e, bool truth) const;

  bool measures(system::QueueId q) const { return c_.measured == q; }
  // The value lies in r: what follows for its parts. False: impossible.
  bool confine(World& w, system::ExprId e, const Interval& r) const;

  const Setting& c_;
  const system::System& s_;

 private:
  Amount cell(const World& w, system::CellId c) const;
  // Whether the condition says something about a listed value.
  bool informative(const World& w, system::ExprId e, bool truth) const;
  bool confine(World& w, Amount& a, const Interval& r) const;
  bool confine_cell(World& w, system::CellId c, const Interval& r) const;
};

}  // namespace parley::certify
