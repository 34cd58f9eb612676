#include "solver/smt/z3_solver.hpp"

#include <z3++.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

namespace parley::solver::smt {
namespace {

using sat::Answer;
using sat::Literal;

// Z3 has no polled terminator, so a watcher thread asks and interrupts. The check runs in the caller's
// thread; the watcher touches nothing but the interrupt flag.
class Watch {
 public:
  Watch(z3::context& context, const sat::Interrupt& interrupt) {
    if (!interrupt.stop) return;
    thread_ = std::thread([this, &context, stop = interrupt.stop] {
      while (!done_.load()) {
        if (stop()) {
          stopped_ = true;
          context.interrupt();
          return;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
      }
    });
  }
  ~Watch() {
    done_ = true;
    if (thread_.joinable()) thread_.join();
  }

 private:
  std::atomic<bool> done_{false}, stopped_{false};
  std::thread thread_;
};

class Z3Solver final : public sat::Solver {
 public:
  Z3Solver() : solver_(context_, "QF_FD") {}

  std::string name() const override { return "z3"; }
  Literal new_variable() override {
    variables_.push_back(context_.bool_const(("v" + std::to_string(variables_.size() + 1)).c_str()));
    return static_cast<Literal>(variables_.size());
  }
  void add_clause(std::span<const Literal> clause) override {
    z3::expr_vector terms(context_);
    for (const Literal l : clause) terms.push_back(term(l));
    solver_.add(z3::mk_or(terms));
  }
  Answer solve(std::span<const Literal> assumptions) override {
    z3::expr_vector terms(context_);
    for (const Literal l : assumptions) terms.push_back(term(l));
    core_.clear();
    model_.reset();
    if (interrupt_.stop && interrupt_.stop()) return Answer::Unknown;
    z3::check_result result = z3::unknown;
    try {
      const Watch watch(context_, interrupt_);
      result = solver_.check(terms);
    } catch (const z3::exception&) {
      return Answer::Unknown;  // interrupted
    }
    if (result == z3::sat) {
      model_ = std::make_unique<z3::model>(solver_.get_model());
      return Answer::Satisfiable;
    }
    if (result != z3::unsat) return Answer::Unknown;
    const z3::expr_vector core = solver_.unsat_core();
    for (unsigned i = 0; i < core.size(); ++i) core_.push_back(core[static_cast<int>(i)].id());
    return Answer::Unsatisfiable;
  }
  bool value(Literal literal) override { return model_->eval(term(literal), true).is_true(); }
  bool failed(Literal assumption) override {
    return std::find(core_.begin(), core_.end(), term(assumption).id()) != core_.end();
  }
  void interrupt_by(sat::Interrupt interrupt) override { interrupt_ = std::move(interrupt); }

 private:
  z3::expr term(Literal l) const {
    const z3::expr& v = variables_[static_cast<std::size_t>((l < 0 ? -l : l) - 1)];
    return l < 0 ? !v : v;
  }

  z3::context context_;
  z3::solver solver_;
  std::vector<z3::expr> variables_;
  std::unique_ptr<z3::model> model_;
  std::vector<unsigned> core_;
  sat::Interrupt interrupt_;
};

}  // namespace

std::unique_ptr<sat::Solver> make_z3() {
  return std::make_unique<Z3Solver>();
}

}  // namespace parley::solver::smt
