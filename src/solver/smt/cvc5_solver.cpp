#include "solver/smt/cvc5_solver.hpp"

#include <cvc5/cvc5.h>

#include <algorithm>

namespace parley::solver::smt {
namespace {

using sat::Answer;
using sat::Literal;

class Cvc5Solver final : public sat::Solver {
 public:
  Cvc5Solver() {
    solver_.setOption("incremental", "true");
    solver_.setOption("produce-models", "true");
    solver_.setOption("produce-unsat-assumptions", "true");
    solver_.setLogic("QF_UF");
  }

  std::string name() const override { return "cvc5"; }
  Literal new_variable() override {
    variables_.push_back(
        solver_.mkConst(solver_.getBooleanSort(), "v" + std::to_string(variables_.size() + 1)));
    negated_.push_back(solver_.mkTerm(cvc5::NOT, {variables_.back()}));
    return static_cast<Literal>(variables_.size());
  }
  void add_clause(std::span<const Literal> clause) override {
    if (clause.empty()) return solver_.assertFormula(solver_.mkBoolean(false));
    std::vector<cvc5::Term> terms;
    for (const Literal l : clause) terms.push_back(term(l));
    solver_.assertFormula(terms.size() == 1 ? terms[0] : solver_.mkTerm(cvc5::OR, terms));
  }
  Answer solve(std::span<const Literal> assumptions) override {
    if (interrupt_.stop && interrupt_.stop()) return Answer::Unknown;
    std::vector<cvc5::Term> terms;
    for (const Literal l : assumptions) terms.push_back(term(l));
    core_.clear();
    const cvc5::Result result = terms.empty() ? solver_.checkSat() : solver_.checkSatAssuming(terms);
    if (result.isSat()) return Answer::Satisfiable;
    if (!result.isUnsat()) return Answer::Unknown;
    if (!terms.empty()) core_ = solver_.getUnsatAssumptions();
    return Answer::Unsatisfiable;
  }
  bool value(Literal literal) override { return solver_.getValue(term(literal)).getBooleanValue(); }
  bool failed(Literal assumption) override {
    return std::find(core_.begin(), core_.end(), term(assumption)) != core_.end();
  }
  void interrupt_by(sat::Interrupt interrupt) override {
    interrupt_ = std::move(interrupt);
    if (interrupt_.seconds && variables_.empty())
      solver_.setOption("tlimit-per", std::to_string(static_cast<long>(*interrupt_.seconds * 1000) + 1));
  }

 private:
  const cvc5::Term& term(Literal l) const {
    return l < 0 ? negated_[static_cast<std::size_t>(-l - 1)] : variables_[static_cast<std::size_t>(l - 1)];
  }

  cvc5::Solver solver_;
  std::vector<cvc5::Term> variables_, negated_;
  std::vector<cvc5::Term> core_;
  sat::Interrupt interrupt_;
};

}  // namespace

std::unique_ptr<sat::Solver> make_cvc5() {
  return std::make_unique<Cvc5Solver>();
}

}  // namespace parley::solver::smt
