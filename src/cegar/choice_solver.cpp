#include "cegar/choice_solver.hpp"

#include "cegar/relevant.hpp"
#include "cegar/tree_terms.hpp"

namespace parley::cegar {

using expr::Op;
using solver::smt::WordSolver;

namespace {

// Of the solver's own steps, for one trace.
constexpr std::uint64_t kBudget = 4'000'000;

class Path {
 public:
  Path(const System& s, const AnalysisTrace& t)
      : s_(s),
        t_(t),
        solver_(solver::smt::make_word_solver(kBudget)),
        terms_(s, *solver_, [this](const Tree& c, const Tree*) { return name(c); }) {}

  std::vector<std::int64_t> solve() {
    for (number_ = 1; number_ < t_.steps.size(); ++number_) follow(t_.steps[number_ - 1]);
    const AnalysisStep& last = t_.steps.back();
    const std::size_t root = value_root(last);
    if (choices_.empty() || last.kind == StepKind::Recv || last.concrete.size() <= root ||
        last.abstract.size() <= root || last.abstract[root].failed || last.concrete[root].failed)
      return {};
    const WordSolver::Word decided = terms_.build(last.concrete[root], &last.abstract[root]);
    const domain::Interval wanted = last.abstract[root].value;
    // The path of the last expression may be another one in the abstract run, that of the others is the same.
    for (const WordSolver::Condition c : terms_.path()) solver_->require(c);
    solver_->require(solver_->within(decided, wanted.lo, wanted.hi));
    if (solver_->solve({}) != solver::sat::Answer::Satisfiable) return {};
    std::vector<std::int64_t> values;
    for (const WordSolver::Word w : choices_) values.push_back(solver_->value(w));
    return values;
  }

 private:
  void follow(const AnalysisStep& step) {
    const std::size_t value = value_root(step);
    switch (step.kind) {
      case StepKind::Assign:
        if (step.concrete.size() > value && step.target_concrete.valid())
          known_[{Location::Kind::Cell, step.target_concrete.value, 0}] =
              terms_.build(step.concrete[value], nullptr);
        return;
      case StepKind::SetLocal: {
        const Location local{Location::Kind::Local, step.event, step.local};
        if (s_.stmt(step.stmt).kind == system::StmtKind::Choose)
          known_[local] = choice(step);
        else if (step.concrete.size() > value)
          known_[local] = terms_.build(step.concrete[value], nullptr);
        return;
      }
      case StepKind::Send:
        for (std::uint32_t k = 0; k + 1 < step.concrete.size(); ++k)
          known_[{Location::Kind::Message, static_cast<std::uint32_t>(number_), k}] =
              terms_.build(step.concrete[k + 1], nullptr);
        return;
      case StepKind::Recv:
        if (!step.signal.valid()) return;
        for (std::uint32_t k = 0; k < s_.signal(step.signal).params.size(); ++k)
          if (const auto at = known_.find({Location::Kind::Message, step.message_concrete, k});
              at != known_.end())
            known_[{Location::Kind::FrameParam, step.event, k}] = at->second;
        return;
      default:
        return;
    }
  }

  // Its bounds are exact in every abstraction, so the run's are the ones.
  WordSolver::Word choice(const AnalysisStep& step) {
    const WordSolver::Word w = solver_->variable();
    if (step.concrete.size() >= 2)
      solver_->require(solver_->within(w, step.concrete[0].value.lo, step.concrete[1].value.lo));
    choices_.push_back(w);
    return w;
  }

  // What was set on the way is a term; what was there before is what the run saw.
  WordSolver::Word name(const Tree& c) {
    const expr::Node& n = s_.exprs[c.expr];
    const std::uint32_t event = t_.steps[number_ - 1].event;
    Location l{Location::Kind::Cell, n.op == Op::Elem ? c.cell.value : n.a, 0};
    if (n.op == Op::Param) l = {Location::Kind::FrameParam, event, n.a};
    if (n.op == Op::Local) l = {Location::Kind::Local, event, n.a};
    const auto at = known_.find(l);
    return at != known_.end() ? at->second : solver_->constant(static_cast<std::int32_t>(c.value.lo));
  }

  const System& s_;
  const AnalysisTrace& t_;
  std::unique_ptr<WordSolver> solver_;
  TreeTerms terms_;
  std::map<Location, WordSolver::Word> known_;
  std::vector<WordSolver::Word> choices_;
  std::size_t number_ = 1;
};

}  // namespace

std::vector<std::int64_t> solve_choices(const System& system, const AnalysisTrace& trace) {
  if (trace.steps.empty()) return {};
  return Path(system, trace).solve();
}

}  // namespace parley::cegar
