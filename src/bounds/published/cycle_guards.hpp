// The condition statements of a cycle that the test of [leue2005] can use: linear, over variables that only
// the cycle's process changes (local dependencies, section 4), with what follows from them: how often they
// can be passed, which cycles are supplementary (section 4.3), and what those must give in the long run
// (cycle_balance.hpp). Found out once per cycle.
#pragma once

#include <map>
#include <set>

#include "bounds/published/cycle_code.hpp"
#include "bounds/published/test.hpp"

namespace parley::bounds::published {

struct Guard {
  system::ExprId condition;
  ConditionFacts facts;
  std::vector<std::uint32_t> supplementary;
  // By disjunct, what cycle counts must satisfy if it is passed again and again: all of `constraints`, and
  // where steps of some cycles are not known, `known` or one of `unknown` runs.
  struct Counted {
    std::vector<CycleConstraint> constraints;
    std::optional<CycleConstraint> known;
    std::vector<std::uint32_t> unknown;
  };
  std::vector<Counted> counted;
};

class CycleGuards {
 public:
  CycleGuards(const system::System& system, const FlowGraph& graph, const std::vector<CycleRun>& cycles,
              const Options& options)
      : s_(system), g_(graph), cycles_(cycles), o_(options) {}

  const std::vector<Guard>& of(std::uint32_t cycle);
  // Whether no other process changes any of the variables.
  bool local(std::uint32_t component, const std::set<system::CellId>& cells) const;

 private:
  std::vector<Guard> find(std::uint32_t c) const;
  std::vector<CodeStep> code(std::uint32_t c, std::size_t first) const;
  bool possible(std::uint32_t component, std::uint32_t node, const Disjunct& d) const;
  std::vector<std::uint32_t> supplementary(std::uint32_t c, const ConditionFacts& facts,
                                           const std::set<system::CellId>& variables) const;
  Guard::Counted count(std::uint32_t c, const Disjunct& d, const std::vector<AtomFacts>& atoms) const;

  const system::System& s_;
  const FlowGraph& g_;
  const std::vector<CycleRun>& cycles_;
  const Options& o_;
  std::map<std::uint32_t, std::vector<Guard>> known_;
};

}  // namespace parley::bounds::published
