// The actions of the System from the edges of the processes: steps, deaths, and rendezvous, where two
// processes move at once.
#pragma once

#include <optional>
#include <vector>

#include "front/promela/lower_edges.hpp"
#include "front/promela/lower_hidden.hpp"

namespace parley::front::promela {

class Actions {
 public:
  Actions(const Translation& translation, const Layout& layout, Terms& terms, Expressions& expressions,
          Statements& statements, Messages& messages, Effects& effects, Enabledness& enabledness,
          const Scratch& scratch, const Edges& edges)
      : program_(translation.program),
        s_(translation.system),
        layout_(layout),
        terms_(terms),
        expressions_(expressions),
        statements_(statements),
        messages_(messages),
        effects_(effects),
        enabledness_(enabledness),
        scratch_(scratch),
        edges_(edges) {}

  void emit() {
    emit_edges();
    emit_rendezvous();
    note_elements();
    finish_owners();
  }

 private:
  void emit_edges();
  void emit_rendezvous();
  void emit_pair(const Rendezvous& send, const Rendezvous& receive);
  void emit_death(const Slot& slot, const Edge& edge);
  void death_body(const Slot& slot, std::vector<StmtId>& body, diag::Span span);
  void add_action(const Slot& slot, const Edge& edge);
  ExprId step_condition(const Slot& slot, const Edge& edge);
  std::vector<StmtId> move(const Slot& slot, const Edge& edge);
  void note_elements();
  void finish_owners();

  const Program& program_;
  system::System& s_;
  const Layout& layout_;
  Terms& terms_;
  Expressions& expressions_;
  Statements& statements_;
  Messages& messages_;
  Effects& effects_;
  Enabledness& enabledness_;
  const Scratch& scratch_;
  const Edges& edges_;
};

}  // namespace parley::front::promela
