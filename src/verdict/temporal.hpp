// Runs that violate temporal properties: whether a trace really is one, and in which words. The trace is
// replayed on the System with the property's events in its states (passes/observe.hpp), its loop must close
// on the same state (or the run must really end), and the formula is evaluated on what was replayed by the
// evaluator of ltl/lasso.hpp, which knows no automaton. Never claims have no formula: there the automaton
// that the user wrote is run over the word.
#pragma once

#include "ltl/lasso.hpp"
#include "passes/observe.hpp"
#include "verdict/replay.hpp"

namespace parley::verdict {

Confirmation confirm_temporal(const semantics::Interpreter& interpreter, system::PropertyId property,
                              const Trace& trace);

// The run as a word, with the truth of every sub-formula at every position: what reports show as rows.
struct TemporalRun {
  passes::Observed observed;
  ltl::Lasso word;
  ltl::TruthTable truth;  // of the formula as written; no rows for claims
};
// Nothing if the trace does not replay.
std::optional<TemporalRun> temporal_run(const semantics::Interpreter& interpreter,
                                        system::PropertyId property, const Trace& trace);

// The same as people read it: the formula as written, on the positions that they see. Differs from the above
// where runs that end are finite words: there the word has no loop.
struct ReadRun {
  ltl::TruthTable truth;      // of the formula as written; no rows for claims
  std::size_t positions = 0;  // from 0
  std::size_t loop_from = 0;  // as many as there are positions: a finite word

  std::optional<std::size_t> next(std::size_t position) const {
    if (position + 1 < positions) return position + 1;
    return loop_from < positions ? std::optional(loop_from) : std::nullopt;
  }
};
ReadRun as_read(const TemporalRun& run, const Trace& trace);

// The propositions as they stand inside formulas: in brackets if they are more than a word.
std::vector<std::string> names_in_formulas(const passes::Observed& observed);

// "after step 3 atm receives card, and atm in idle never follows".
std::string temporal_reason(const TemporalRun& run, const Trace& trace);

}  // namespace parley::verdict
