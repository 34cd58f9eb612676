#include "solver/sat/cadical.hpp"

#include <cadical.hpp>

#include "support/check.hpp"

namespace parley::solver::sat {
namespace {

class Cadical final : public Solver, private CaDiCaL::Terminator {
 public:
  Cadical() {
    solver_.set("quiet", 1);
    solver_.connect_terminator(this);
  }
  ~Cadical() override { solver_.disconnect_terminator(); }

  std::string name() const override { return "cadical"; }
  Literal new_variable() override { return ++variables_; }
  void add_clause(std::span<const Literal> clause) override {
    for (const Literal l : clause) solver_.add(l);
    solver_.add(0);
  }
  Answer solve(std::span<const Literal> assumptions) override {
    solver_.reserve(variables_);
    for (const Literal l : assumptions) solver_.assume(l);
    switch (solver_.solve()) {
      case 10:
        return Answer::Satisfiable;
      case 20:
        return Answer::Unsatisfiable;
      default:
        return Answer::Unknown;
    }
  }
  bool value(Literal literal) override {
    PARLEY_CHECK(solver_.status() == 10);
    const int v = solver_.val(literal < 0 ? -literal : literal);
    return (v > 0) == (literal > 0);
  }
  bool failed(Literal assumption) override { return solver_.failed(assumption); }
  void interrupt_by(Interrupt interrupt) override { interrupt_ = std::move(interrupt); }

 private:
  bool terminate() override { return interrupt_.stop && interrupt_.stop(); }

  CaDiCaL::Solver solver_;
  Interrupt interrupt_;
  int variables_ = 0;
};

}  // namespace

std::unique_ptr<Solver> make_cadical() {
  return std::make_unique<Cadical>();
}

}  // namespace parley::solver::sat
