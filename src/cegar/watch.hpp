// Watching a run: the values of all subexpressions, statement by statement, as trees. `Watching<D>` is any
// value domain with a recorder attached; the interpreter calls it (domain::Observes). The analysis compares
// the trees of a concrete and of an abstract run; nothing here knows which is which.
#pragma once

#include <optional>
#include <vector>

#include "domain/concrete.hpp"
#include "domain/interval_domain.hpp"
#include "semantics/interpreter.hpp"

namespace parley::cegar {

// An evaluated expression. Children are the operands that were evaluated, in order: of `a && b` only the
// first if it decided, of `c ? x : y` the condition and the branch taken.
struct Tree {
  expr::ExprId expr;
  domain::Interval value;  // concretely one integer
  bool failed = false;     // evaluating it ended the run
  expr::CellId cell;       // of Elem: the entry looked up
  std::vector<Tree> children;
};

// What one statement evaluated. A loop has one item per test of its condition. Expressions evaluated before
// the first statement (deferral conditions, the guard) are items without statement.
struct Item {
  system::StmtId stmt;
  std::vector<Tree> roots;
  std::optional<domain::Interval> local;  // what the statement set its local to
};

class Recorder {
 public:
  const std::vector<Item>& items() const { return items_; }
  void clear() {
    items_.clear();
    statements_.clear();
    open_.clear();
  }
  void begin_statement(system::StmtId id) {
    items_.push_back({id, {}, std::nullopt});
    statements_.push_back(items_.size() - 1);
  }
  void end_statement() { statements_.pop_back(); }
  void begin_expression(expr::ExprId id) {
    Tree t;
    t.expr = id;
    open_.push_back(std::move(t));
  }
  void end_expression(domain::Interval value, bool failed) {
    Tree t = std::move(open_.back());
    open_.pop_back();
    t.value = value;
    t.failed = failed;
    if (!open_.empty()) {
      open_.back().children.push_back(std::move(t));
      return;
    }
    if (statements_.empty()) {
      items_.push_back({system::StmtId{}, {std::move(t)}, std::nullopt});
      return;
    }
    // A second root while later items exist: a loop's condition after its body.
    std::size_t at = statements_.back();
    if (at + 1 != items_.size() && !items_[at].roots.empty()) {
      items_.push_back({items_[at].stmt, {}, std::nullopt});
      at = statements_.back() = items_.size() - 1;
    }
    items_[at].roots.push_back(std::move(t));
  }
  void located(expr::CellId cell) {
    if (!open_.empty())
      open_.back().cell = cell;
    else
      place_ = cell;
  }
  void local_set(domain::Interval value) {
    if (!statements_.empty()) items_[statements_.back()].local = value;
  }

 private:
  std::vector<Item> items_;
  std::vector<std::size_t> statements_;  // running, innermost last
  std::vector<Tree> open_;
  expr::CellId place_;
};

inline domain::Interval as_interval(std::int32_t v) {
  return {v, v};
}
inline domain::Interval as_interval(const domain::IntervalDomain::Value& v) {
  return v.interval();
}

template <class D>
class Watching : public D {
 public:
  using Value = typename D::Value;
  Watching(D domain, Recorder* recorder) : D(std::move(domain)), recorder_(recorder) {}
  void begin_statement(system::StmtId id) const { recorder_->begin_statement(id); }
  void end_statement(system::StmtId) const { recorder_->end_statement(); }
  void begin_expression(expr::ExprId id) const { recorder_->begin_expression(id); }
  void end_expression(const Value& v, bool failed) const {
    recorder_->end_expression(as_interval(v), failed);
  }
  void located(expr::CellId cell) const { recorder_->located(cell); }
  void local_set(const Value& v) const { recorder_->local_set(as_interval(v)); }

 private:
  Recorder* recorder_;
};

using WatchedConcrete = semantics::BasicInterpreter<Watching<domain::Concrete>>;
using WatchedAbstract = semantics::BasicInterpreter<Watching<domain::IntervalDomain>>;

}  // namespace parley::cegar
