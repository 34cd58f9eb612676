// The walk that refiners by interpolation share: from where the two runs part back to the start, asking of
// each expression which values of the variables in it are enough. What an expression asks of its variables is
// for the refiner to say (`within`); through assignments, receptions and sends the question is the same for
// all.
//
// The intervals asked for at a point of the trace contain the concrete values there, each step maps them into
// those of the next point, and the last ones exclude the divergence: a sequence interpolant of the concrete
// run and the divergence, in the shape of boxes (mcmillan2006 for sequences along a path). Their borders
// become cuts.
#pragma once

#include "cegar/refinement.hpp"

namespace parley::cegar {

class BackwardWalk {
 public:
  virtual ~BackwardWalk() = default;
  Refinement run(const Relevance& relevance);

 protected:
  BackwardWalk(const System& system, const AnalysisTrace& trace, std::string refiner);

  // The expression's value must stay in `i`, which contains its concrete value: says so with want() and
  // cut(), for the names in the expression. `a` is the abstract twin if there is one.
  virtual void into(const Tree& c, const Tree* a, domain::Interval i) = 0;

  void within(const Tree& c, const Tree* a, domain::Interval i);
  void exactly(const Tree& c, const Tree* a);
  void children_exactly(const Tree& c, const Tree* a);
  static const Tree* child(const Tree& c, const Tree* a, std::size_t i);
  // The abstract values of an operand, if they include the concrete one.
  static domain::Interval around(const Tree& c, const Tree* a);

  // The location that a name stands for at the present step must be in `i` before it, and its variable tells
  // values inside and outside apart.
  void ask(const Tree& name, const domain::Interval& i);
  static bool is_name(expr::Op op);
  const System& system() const { return s_; }

 private:
  std::optional<domain::Interval> take(const Location& l);
  void want(const Location& l, const domain::Interval& i);
  void back(const AnalysisStep& step);

  const System& s_;
  const AnalysisTrace& t_;
  std::size_t number_ = 0;
  std::map<Location, domain::Interval> wanted_;
  Refinement out_;
};

}  // namespace parley::cegar
