// What the code on a cycle says about how often it can be repeated: section 4 of [leue2005]. A condition
// statement (B) is put into disjunctive normal form of linear atoms; each atom has a control expression and a
// boundary value; the step values of the control expression come from linear programs over the cycle's code,
// and tell whether the boundary is an exit border; with the initial values they bound max_B, how often (B)
// can be passed before somebody else must change its variables. Used by test.cpp. Integers are taken as
// unbounded, as in the paper, so its answers are for comparison with the paper; the verdicts of analyse() do
// not rest on it.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "bounds/flow_graph.hpp"
#include "solver/ilp/program.hpp"

namespace parley::bounds::published {

// Sum of coefficient * cell, plus a constant.
struct Linear {
  std::map<system::CellId, std::int64_t> terms;
  std::int64_t constant = 0;
  friend bool operator==(const Linear&, const Linear&) = default;
};
std::optional<Linear> linear_form(const system::System& system, system::ExprId expression);

// control expression `op` boundary, with > and < only (non-strict ones are shifted by one) or =.
enum class Relation : std::uint8_t { Less, Greater, Equal };
struct Atom {
  Linear control;  // constant 0
  Relation relation = Relation::Less;
  std::int64_t boundary = 0;
};
using Disjunct = std::vector<Atom>;
// Negation-free disjunctive normal form; nothing if some atom is not linear over cells.
std::optional<std::vector<Disjunct>> normal_form(const system::System& system, system::ExprId condition,
                                                 bool negated = false);

// A statement of the straight-line code of a cycle or path.
struct CodeStep {
  enum class Kind : std::uint8_t { Condition, Assign, Forget } kind = Kind::Condition;
  system::ExprId expression;
  system::CellId cell;  // Assign, Forget
};
// The code of an edge: conditions on data, then assignments; what branches or receives (a rendezvous too)
// becomes Forget.
std::vector<CodeStep> code_of(const system::System& system, const Edge& edge);

// Lower and upper bound of (control after one round - control before), under the disjunct; nothing if
// unbounded.
struct StepValues {
  std::optional<std::int64_t> lowest, highest;
};
// `code` begins with the condition.
StepValues step_values(const system::System& system, const std::vector<CodeStep>& code, const Disjunct& under,
                       const Linear& control);

struct AtomFacts {
  std::int64_t step = 0;  // the slowest step, 0: no exit border
  bool exit_border = false;
  bool monotone = false;
  std::optional<std::int64_t> most;  // max_{B,d,l}
};
struct ConditionFacts {
  std::vector<std::vector<AtomFacts>> atoms;  // by disjunct
  bool exits = false;                         // every disjunct has an exit border
  std::optional<std::int64_t> most;           // max_B
  std::vector<Disjunct> form;
};
// `initial`: values the control expression may have when the cycle is entered; nothing: not known.
using InitialValues = std::function<std::optional<std::vector<std::int64_t>>(const Linear&)>;
// Disjuncts that `possible` rules out are left out (a range of the cell may exclude one half of `!=`).
using Possible = std::function<bool(const Disjunct&)>;
std::optional<ConditionFacts> analyse_condition(const system::System& system,
                                                const std::vector<CodeStep>& code,
                                                const InitialValues& initial, const Possible& possible = {});

// Values a linear form may have whenever the cycle (its edges) is entered anew: backwards from every way into
// it until the form is a constant or the start is reached, as the paper's searches do. Nothing if some way
// does not tell; ways back that leave alone what the cycle left are none. The paper only looks at acyclic
// ways; a loop on the way that changes the form makes it unknown here. `start`: a cell's value at the start,
// if it is not the declared one.
using StartValue = std::function<std::optional<std::int64_t>(system::CellId)>;
std::optional<std::vector<std::int64_t>> values_on_entry(const system::System& system,
                                                         const Component& component,
                                                         const std::vector<std::uint32_t>& cycle,
                                                         const Linear& form, const StartValue& start = {});

}  // namespace parley::bounds::published
