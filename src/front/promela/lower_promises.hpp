// Promises of a model that Spin checks while it runs: xr and xs (nobody else receives from, or sends to, this
// channel) and D_proctype (never two statements executable at once). A broken promise is a run-time error,
// reported where the offending process stands, whether or not its statement can be executed: Spin looks at
// the claim first. A claim lasts as long as the process that made it; Spin's lasts for ever, whichever
// process its search meets first.
#pragma once

#include <string>

#include "front/promela/lower_edges.hpp"

namespace parley::front::promela {

class Promises {
 public:
  Promises(const Translation& translation, const Layout& layout, Terms& terms, Expressions& expressions,
           Statements& statements, Enabledness& enabledness, Edges& edges)
      : program_(translation.program),
        sources_(translation.sources),
        diagnostics_(translation.diagnostics),
        s_(translation.system),
        layout_(layout),
        terms_(terms),
        expressions_(expressions),
        statements_(statements),
        enabledness_(enabledness),
        edges_(edges) {}

  // Adds an edge for each way to break a promise.
  void collect();

 private:
  void claim_edges(const Slot& slot, std::uint32_t state, const Transition& t);
  void determinism_edges(const Slot& slot, std::uint32_t state);
  void warn_of_idle_claims();
  void error_edge(const Slot& slot, std::uint32_t state, ExprId guard, std::string text, diag::Span span);

  const Program& program_;
  const diag::SourceMap& sources_;
  diag::Diagnostics& diagnostics_;
  system::System& s_;
  const Layout& layout_;
  Terms& terms_;
  Expressions& expressions_;
  Statements& statements_;
  Enabledness& enabledness_;
  Edges& edges_;
};

}  // namespace parley::front::promela
