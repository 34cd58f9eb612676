// What guards say about cells without running them: equalities `cell == k` among a guard's conjuncts. From
// them come the plans by which the successor generator finds candidates, the guards without the conjuncts a
// plan has already tested, and the static test whether completion actions of an owner could feed each other
// for ever.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "explore/code.hpp"

namespace parley::explore {

class Assembler;

class Plans {
 public:
  Plans(const system::System& system, const Layout& layout);

  // The code of an action's guard, without what its owner's plan tests. kNone: nothing is left to test.
  std::uint32_t guard(std::size_t action, Assembler& assembler) const;
  std::vector<OwnerPlan> owners(const Program& program) const;
  // By owner. False is a proof: a cycle of completion actions needs one whose guard allows what another
  // leaves.
  std::vector<bool> may_complete_forever() const;

 private:
  using Facts = std::map<std::uint32_t, std::set<std::int32_t>>;  // cell: values it may have
  struct Conjunct {
    system::ExprId expression;
    std::uint32_t cell = kNone;  // kNone: not of the form that a plan can use
    std::set<std::int32_t> values;
    bool early = false;  // evaluated before anything that can fail
  };
  std::vector<Conjunct> conjuncts(system::ExprId guard) const;
  std::optional<std::pair<std::uint32_t, std::set<std::int32_t>>> tabulated(system::ExprId e) const;
  // Tested by the owner's plan, so that the guard need not.
  bool in_plan(std::size_t action, const Conjunct& c) const;
  Facts after(std::size_t action) const;
  void forget_written(system::StmtId statement, Facts& facts, bool certain) const;

  const system::System& system_;
  const Layout& layout_;
  std::vector<std::vector<Conjunct>> conjuncts_;  // by action
  std::vector<std::uint32_t> index_cell_;         // by owner; kNone: none
};

}  // namespace parley::explore
