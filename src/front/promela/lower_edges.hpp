// The steps of the processes, before they become actions of the System: edges of their automata with guard
// and body, and the two sides of each rendezvous.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "front/promela/lower_enabled.hpp"

namespace parley::front::promela {

struct Edge {
  std::uint32_t from = 0, to = 0;
  bool atomic = false, dies = false, plain = false, inside_dstep = false;
  ExprId guard;
  std::optional<system::Trigger> trigger;
  std::vector<StmtId> body;
  std::vector<ElementId> elements;
  std::uint32_t locals = 0;
  diag::Span span;
  std::string name;
};

struct Rendezvous {  // one side of it
  std::uint32_t slot = 0;
  Edge edge;  // guard without the location; body empty
  Alternative alternative;
  const Transition* transition = nullptr;
  std::vector<const Transition*> earlier;  // escapes that would be taken first
};

struct Edges {
  explicit Edges(const Layout& layout)
      : by_slot(layout.slots.size()),
        sends(layout.queue_shapes.size()),
        receives(layout.queue_shapes.size()) {}
  std::vector<std::vector<Edge>> by_slot;
  std::vector<std::vector<Rendezvous>> sends, receives;  // by queue
};

class EdgeCollector {
 public:
  EdgeCollector(const Translation& translation, const Layout& layout, Terms& terms, Effects& effects,
                Enabledness& enabledness, Edges& edges)
      : program_(translation.program),
        sources_(translation.sources),
        s_(translation.system),
        layout_(layout),
        terms_(terms),
        effects_(effects),
        enabledness_(enabledness),
        edges_(edges),
        elements_(layout.procs.size()) {}

  void collect();
  // Joins edges inside atomic sequences where no other step is possible between them.
  void extend_all();

 private:
  void collect(const Slot& slot);
  void extend(Edge& edge, const Slot& slot);
  ElementId element(std::uint32_t proctype, const Transition& t);

  const Program& program_;
  const diag::SourceMap& sources_;
  system::System& s_;
  const Layout& layout_;
  Terms& terms_;
  Effects& effects_;
  Enabledness& enabledness_;
  Edges& edges_;
  std::vector<std::map<std::uint32_t, ElementId>> elements_;  // by proctype, then number of the element
};

}  // namespace parley::front::promela
