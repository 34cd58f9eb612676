// `run P(args)`: the first free slot of P is started; none free is an error, so that the answer is never
// silently about fewer processes.
#pragma once

#include <map>
#include <vector>

#include "front/promela/lower_expr.hpp"
#include "front/promela/lower_statements.hpp"

namespace parley::front::promela {

class ProcessStart {
 public:
  ProcessStart(const Translation& translation, const Layout& layout, Terms& terms, Variables& variables,
               Expressions& expressions, Statements& statements)
      : program_(translation.program),
        diagnostics_(translation.diagnostics),
        s_(translation.system),
        layout_(layout),
        terms_(terms),
        variables_(variables),
        expressions_(expressions),
        statements_(statements) {}

  void start(const Expr& run, const Slot& caller, std::vector<StmtId>& body);

 private:
  struct Limit {  // full when another instance is started
    QueueId queue;
    SignalId signal;
  };

  StmtId beyond_limit(std::size_t p, const Expr& run);
  StmtId start_slot(const Slot& slot, const std::vector<ExprId>& args, const Expr& run, diag::Span span);

  const Program& program_;
  diag::Diagnostics& diagnostics_;
  system::System& s_;
  const Layout& layout_;
  Terms& terms_;
  Variables& variables_;
  Expressions& expressions_;
  Statements& statements_;
  std::map<std::size_t, Limit> limits_;  // by proctype of which any number can be started
};

}  // namespace parley::front::promela
