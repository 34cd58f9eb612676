#include "cegar/interpolating_refiner.hpp"

#include <algorithm>
#include <map>

#include "cegar/backward_walk.hpp"
#include "cegar/tree_terms.hpp"

namespace parley::cegar {

using domain::Interval;
using expr::Op;
using solver::sat::Answer;
using solver::smt::WordSolver;

namespace {

const domain::Word kWord{32};
// Of the solver's own steps, per question. A 32-bit product of two variables may exceed it; its operands then
// stay exact.
constexpr std::uint64_t kBudget = 400'000;

// One question: which box around the concrete values of the names in an expression keeps its value in an
// interval, on the path through short circuits and conditionals that the concrete run took?
class Question {
 public:
  struct Leaf {
    const Tree* name = nullptr;
    WordSolver::Word word = 0;
    std::int64_t value = 0;
    Interval abstract, type;
    bool corresponds = false;  // the abstract value contains the concrete one
    Interval box;              // the answer; the type's range where nothing is asked
  };

  Question(const System& s, const Tree& c, const Tree* a, const Interval& wanted)
      : s_(s),
        solver_(solver::smt::make_word_solver(kBudget)),
        terms_(s, *solver_, [this](const Tree& name, const Tree* twin) { return leaf(name, twin); }) {
    const WordSolver::Word value = terms_.build(c, a);
    std::vector<WordSolver::Condition> all = terms_.path();
    all.push_back(solver_->within(value, wanted.lo, wanted.hi));
    solver_->require(solver_->negation(solver_->all(all)));
  }

  const std::vector<Leaf>& answer() {
    shrink_to_core();
    // Bounds that cost no new cell first: none at all, then the border of the abstract value.
    for (Leaf& l : leaves_)
      for (const bool upper : {false, true}) move_out(l, upper, upper ? l.type.hi : l.type.lo);
    for (Leaf& l : leaves_)
      for (const bool upper : {false, true}) move_out(l, upper, upper ? l.abstract.hi : l.abstract.lo);
    for (Leaf& l : leaves_)
      for (const bool upper : {false, true}) bisect(l, upper);
    return leaves_;
  }
  // What the question took as given: to be asked of by themselves.
  const std::vector<std::pair<const Tree*, const Tree*>>& opaque() const { return terms_.opaque(); }

 private:
  WordSolver::Word leaf(const Tree& c, const Tree* a) {
    const expr::Node& n = s_.exprs[c.expr];
    const auto key = n.op == Op::Elem ? std::pair{Op::Cell, c.cell.value} : std::pair{n.op, n.a};
    const auto [at, fresh] = index_.try_emplace(key, leaves_.size());
    if (!fresh) return leaves_[at->second].word;
    Leaf l;
    l.name = &c;
    l.word = solver_->variable();
    l.value = c.value.lo;
    l.type = kWord.all();
    if (n.type.kind == expr::TypeKind::Int || n.type.kind == expr::TypeKind::Bool)
      l.type = domain::hull({n.type.lo, n.type.hi}, {l.value, l.value});
    l.abstract = {l.value, l.value};
    l.corresponds = a != nullptr && a->value.contains(l.value);
    if (l.corresponds) l.abstract = intersect(a->value, l.type);
    l.box = {l.value, l.value};
    solver_->require(solver_->within(l.word, l.type.lo, l.type.hi));
    leaves_.push_back(l);
    return l.word;
  }

  static std::int64_t& bound(Leaf& l, bool upper) { return upper ? l.box.hi : l.box.lo; }
  WordSolver::Condition condition(const Leaf& l, bool upper) {
    return upper ? solver_->within(l.word, kWord.min(), l.box.hi)
                 : solver_->within(l.word, l.box.lo, kWord.max());
  }
  bool enough() {
    std::vector<WordSolver::Condition> all;
    for (const Leaf& l : leaves_) {
      if (l.box.lo > l.type.lo) all.push_back(condition(l, false));
      if (l.box.hi < l.type.hi) all.push_back(condition(l, true));
    }
    return solver_->solve(all) == Answer::Unsatisfiable;
  }

  void shrink_to_core() {
    std::vector<WordSolver::Condition> all;
    for (const Leaf& l : leaves_)
      for (const bool upper : {false, true}) all.push_back(condition(l, upper));
    if (solver_->solve(all) != Answer::Unsatisfiable) return;  // too dear: the point it is
    for (std::size_t i = 0; i < all.size(); ++i) {
      Leaf& l = leaves_[i / 2];
      const bool upper = i % 2 == 1;
      if (!solver_->failed(all[i])) bound(l, upper) = upper ? l.type.hi : l.type.lo;
    }
  }

  bool move_out(Leaf& l, bool upper, std::int64_t to) {
    std::int64_t& b = bound(l, upper);
    if (upper ? to <= b : to >= b) return false;
    const std::int64_t before = b;
    b = to;
    if (enough()) return true;
    b = before;
    return false;
  }

  // Boxes that are enough stay enough when they shrink, so bisection finds the widest.
  void bisect(Leaf& l, bool upper) {
    const std::int64_t edge = upper ? l.abstract.hi : l.abstract.lo;
    if (bound(l, upper) == edge) return;  // a border that is there already
    std::int64_t good = bound(l, upper), bad = upper ? l.type.hi : l.type.lo;
    while (std::abs(bad - good) > 1) {
      const std::int64_t middle = good + (bad - good) / 2;
      if (move_out(l, upper, middle))
        good = middle;
      else
        bad = middle;
    }
  }

  const System& s_;
  std::unique_ptr<WordSolver> solver_;
  TreeTerms terms_;
  std::vector<Leaf> leaves_;
  std::map<std::pair<Op, std::uint32_t>, std::size_t> index_;
};

class Walk : public BackwardWalk {
 public:
  Walk(const System& s, const AnalysisTrace& t, const engine::Deadline* deadline)
      : BackwardWalk(s, t, "interpolants"), deadline_(deadline) {}

 private:
  void into(const Tree& c, const Tree* a, Interval i) override {
    if (system().exprs[c.expr].op == Op::Const) return;
    if (deadline_ != nullptr && deadline_->reached()) return;
    Question q(system(), c, a, i);
    for (const Question::Leaf& l : q.answer()) {
      if (l.box == l.type) continue;  // any value will do
      const bool there_already = l.corresponds && l.box.contains(l.abstract);
      if (!there_already) ask(*l.name, widened(l));
    }
    for (const auto& [oc, oa] : q.opaque()) exactly(*oc, oa);
  }

  // A bound at the end of the type asks for nothing.
  static Interval widened(const Question::Leaf& l) {
    const std::int64_t lo = l.box.lo == l.type.lo ? kWord.min() : l.box.lo;
    const std::int64_t hi = l.box.hi == l.type.hi ? kWord.max() : l.box.hi;
    return {lo, hi};
  }

  const engine::Deadline* deadline_;
};

}  // namespace

Refinement interpolating_refinement(const System& system, const AnalysisTrace& trace,
                                    const Relevance& relevance, const engine::Deadline* deadline) {
  return Walk(system, trace, deadline).run(relevance);
}

}  // namespace parley::cegar
