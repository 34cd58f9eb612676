// Expressions and conditions on what is known: ranges in, ranges out; a condition that is assumed narrows the
// ranges it speaks about. The lower half of abstract_run.cpp's executor, which adds statements; used there
// only.
#pragma once

#include <optional>
#include <vector>

#include "bounds/abstract_run.hpp"

namespace parley::bounds {

// Thrown where no concrete run gets to.
struct Infeasible {};

class AbstractValues {
 protected:
  AbstractValues(const RunContext& c, const std::vector<Interval>& view, semantics::Choices& choices);

  // One value of a range, by a recorded choice. Throws TooWide.
  Interval pick_value(const Interval& r);

  static Known plain(const Interval& r);
  Known eval(system::ExprId id);
  Known load(system::CellId cell);
  // The cells a table access may mean; indices that fail are left out.
  std::vector<system::CellId> candidates(system::TableId id, system::ExprId row, system::ExprId column);
  // Nothing if the evaluation always fails.
  std::optional<Interval> attempt(system::ExprId e);

  void require(system::ExprId e);
  bool decide(system::ExprId e);
  // Takes note of cells and parameters that left the expression open.
  void note_open(system::ExprId e);
  // Whether assuming the expression can narrow a range.
  bool teaches(system::ExprId e, bool truth) const;
  // Assumes unless already known.
  void check(system::ExprId e, bool truth);

  const RunContext& c_;
  const system::System& s_;
  semantics::Choices& choices_;
  Way way_;
  std::vector<Known> locals_, params_;
  system::SignalId signal_;
  bool in_predicate_ = false;

 private:
  void assume(system::ExprId e, bool truth);
  void compare(expr::Op op, system::ExprId x, system::ExprId y, bool truth);
  // The expression's value lies in r.
  void narrow(system::ExprId e, const Interval& r);
  void narrow_cell(system::CellId cell, const Interval& r);
  void narrow_known(Known& k, const Interval& r);
};

}  // namespace parley::bounds
