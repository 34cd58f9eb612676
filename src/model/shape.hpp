// Well-formedness of one machine beyond names and types: what may lead where, how many transitions a
// pseudostate has, and which parts nothing leads to. Part of model::resolve; all targets that could be
// resolved are set.
#pragma once

#include <vector>

#include "diag/diagnostic.hpp"
#include "model/model.hpp"

namespace parley::model {

class Shape {
 public:
  Shape(const Model& model, const Machine& machine, diag::Diagnostics& diagnostics);
  void check();

 private:
  using Ids = std::vector<TransitionId>;
  const Transition& transition(TransitionId id) const { return m_.transition(id); }
  const Ids& out(VertexId v) const { return out_[v.index()]; }
  const Ids& in(VertexId v) const { return in_[v.index()]; }
  void error(const char* code, diag::Span span, std::string message, std::string hint = {});
  void warning(const char* code, diag::Span span, std::string message, std::string hint = {});
  diag::Span place(VertexId v) const;
  std::string called(VertexId v) const;  // "the choice 'c'"

  // pseudostates (shape_pseudostates.cpp)
  void vertex(VertexId v);
  void initial(VertexId v);
  void ending(VertexId v);
  void branching(VertexId v);
  void fork(VertexId v);
  void join(VertexId v);
  void history(VertexId v);
  void entry_point(VertexId v);
  void exit_point(VertexId v);
  void no_triggers(VertexId v);
  void no_guards(VertexId v);
  void one_else(const Ids& ids, const char* where);

  // regions, transitions, the whole (shape.cpp)
  void regions();
  void region_names_unique(const std::vector<RegionId>& list);
  void default_entries();
  void transition_kinds();
  void else_of_triggers(VertexId v);
  void cycles();
  void reachability();
  void completion(VertexId v);
  void deferral(VertexId v);
  bool inside(VertexId v, VertexId state) const;  // v is state or nested in it
  bool inside_region(VertexId v, RegionId region) const;
  bool sibling_regions(VertexId a, VertexId b) const;  // in different regions of one orthogonal state

  const Model& model_;
  const Machine& m_;
  diag::Diagnostics& d_;
  std::vector<Ids> out_, in_;
  std::vector<std::uint32_t> depth_;
};

}  // namespace parley::model
