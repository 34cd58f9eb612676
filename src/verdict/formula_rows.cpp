#include "verdict/formula_rows.hpp"

#include <algorithm>
#include <set>

#include "ltl/formula_text.hpp"
#include "verdict/temporal.hpp"

namespace parley::verdict {
namespace {

std::vector<bool> truth_of(std::size_t proposition, const ltl::Lasso& word, std::size_t positions) {
  std::vector<bool> truth;
  for (std::size_t i = 0; i < positions; ++i) truth.push_back(((word.at(i) >> proposition) & 1) != 0);
  return truth;
}

// Propositions have rows of their own; constants and what is the opposite of a row tell nothing.
bool is_told_elsewhere(const ltl::Store& formulas, ltl::FormulaId id) {
  const ltl::Kind kind = formulas.kind(id);
  return kind == ltl::Kind::Atom || kind == ltl::Kind::True || kind == ltl::Kind::False ||
         (kind == ltl::Kind::Not && formulas.kind(formulas.left(id)) == ltl::Kind::Atom);
}

// The beginnings `a && b` and `(a && b) && c` of a longer conjunction, and the same of disjunctions.
std::set<ltl::FormulaId> beginnings(const ltl::Store& formulas, const ltl::TruthTable& table) {
  std::set<ltl::FormulaId> found;
  for (const ltl::FormulaId id : table.formulas) {
    const ltl::Kind kind = formulas.kind(id);
    if ((kind == ltl::Kind::And || kind == ltl::Kind::Or) && formulas.kind(formulas.left(id)) == kind)
      found.insert(formulas.left(id));
  }
  return found;
}

void add_subformulas(const passes::Observed& o, const ltl::TruthTable& table, FormulaRows& out) {
  const std::set<ltl::FormulaId> unfinished = beginnings(o.formulas, table);
  std::vector<std::size_t> told;
  for (std::size_t i = 0; i < table.formulas.size(); ++i) {
    const ltl::FormulaId id = table.formulas[i];
    if (i + 1 == table.formulas.size() || !(is_told_elsewhere(o.formulas, id) || unfinished.contains(id)))
      told.push_back(i);
  }
  out.left_out = told.size() - std::min(told.size(), kMostSubformulas);
  const std::vector<std::string> names = names_in_formulas(o);
  for (std::size_t k = out.left_out; k < told.size(); ++k)
    out.subformulas.push_back(
        {ltl::show(o.formulas, table.formulas[told[k]], names, ltl::Syntax::Arrows), table.rows[told[k]]});
}

}  // namespace

std::optional<FormulaRows> formula_rows(const semantics::Interpreter& interpreter,
                                        system::PropertyId property, const Trace& trace) {
  if (interpreter.system().property(property).kind != system::PropertyKind::Temporal) return std::nullopt;
  const std::optional<TemporalRun> run = temporal_run(interpreter, property, trace);
  if (!run) return std::nullopt;
  const passes::Observed& o = run->observed;
  const ReadRun read = as_read(*run, trace);
  FormulaRows out;
  out.ends = *trace.loop_start == trace.steps.size();
  out.loop_from = read.loop_from;
  out.positions = read.positions;
  for (std::size_t p = 0; p < o.propositions.size(); ++p)
    if (o.propositions[p].kind != passes::Proposition::Kind::Alive)
      out.propositions.push_back({o.propositions[p].shown, truth_of(p, run->word, out.positions)});
  if (!o.claim) add_subformulas(o, read.truth, out);
  return out;
}

}  // namespace parley::verdict
