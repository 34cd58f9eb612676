// Sending and receiving: the ways to execute such a statement, one for each channel that it can mean. On a
// rendezvous channel both sides are only described; lower_actions.cpp joins them.
#pragma once

#include <optional>
#include <vector>

#include "front/promela/lower_expr.hpp"
#include "front/promela/lower_statements.hpp"

namespace parley::front::promela {

// One way to execute a statement.
struct Alternative {
  ExprId guard;  // may read Param if there is a trigger
  std::optional<system::Trigger> trigger;
  std::vector<StmtId> body;
  bool rendezvous_send = false, rendezvous_receive = false;
  QueueId queue;
  std::vector<ExprId> args;       // rendezvous send: the fields
  std::vector<Pattern> patterns;  // rendezvous receive
  std::uint32_t locals = 0;
};

class Messages {
 public:
  Messages(const Translation& translation, const Layout& layout, Terms& terms, Variables& variables,
           Expressions& expressions, Statements& statements)
      : options_(translation.options),
        s_(translation.system),
        layout_(layout),
        terms_(terms),
        variables_(variables),
        expressions_(expressions),
        statements_(statements) {}

  std::vector<Alternative> send(const Stmt& s, const Slot& slot);
  std::vector<Alternative> receive(const Stmt& s, const Slot& slot);
  // A received value into the variable that a pattern names, if it names one.
  void store(const Pattern& p, ExprId value, const Slot& slot, diag::Span span, std::vector<StmtId>& body);

 private:
  const Options& options_;
  system::System& s_;
  const Layout& layout_;
  Terms& terms_;
  Variables& variables_;
  Expressions& expressions_;
  Statements& statements_;
};

}  // namespace parley::front::promela
