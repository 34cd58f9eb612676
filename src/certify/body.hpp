// One action, run over Z3 terms: guard, trigger and body under path conditions. Internal to certify/.
#pragma once

#include "certify/z3_system.hpp"

namespace parley::certify {

class Body {
 public:
  Body(Z3System& owner, const Z3System::State& state, const z3::expr& idle);

  struct Val {
    z3::expr v, error, assumed;
  };
  // Fixes choices instead of leaving them free.
  void follow(semantics::Choices* script) { script_ = script; }
  void enter(const system::Action& action);
  void execute(system::StmtId body, std::uint32_t locals) { execute(std::vector{body}, locals); }
  void execute(const std::vector<system::StmtId>& statements, std::uint32_t locals);
  Val eval(system::ExprId id);

  Z3System::State st;
  z3::expr enabled, guard_error, guard_assumed, fits, infeasible;
  z3::expr done, blocked, cut, assumed, assertion, error, overflow, lost;

 private:
  z3::expr statement(system::StmtId id, z3::expr path);
  z3::expr stop(const Val& v, const z3::expr& path);
  z3::expr send(const system::Stmt& st, z3::expr path);
  z3::expr put(const system::Stmt& st, system::QueueId q, const z3::expr& path, const z3::expr& code,
               const std::vector<z3::expr>& args);
  z3::expr branch(const system::Stmt& st, z3::expr path);
  z3::expr choose(const system::Stmt& st, z3::expr path);
  struct Found {
    std::vector<std::pair<system::CellId, z3::expr>> cells;
    z3::expr error, assumed;
  };
  Found find(system::TableId table, system::ExprId row, system::ExprId column);
  struct Pick {
    std::vector<z3::expr> at;
    z3::expr error, assumed;
  };
  Pick select(system::QueueId queue);
  Val holds_for(const Z3System::Slot& message, system::ExprId predicate);
  Z3System::Slot message(system::QueueId queue, const std::vector<z3::expr>& at);
  z3::expr is_signal(system::QueueId queue, const z3::expr& code, system::SignalId signal);
  z3::expr yes() { return o_.z_.bool_val(true); }
  z3::expr no() { return o_.z_.bool_val(false); }
  z3::expr num(std::int64_t v) { return o_.number(v); }
  z3::expr truth(const z3::expr& v) { return v != num(0); }
  z3::expr bit(const z3::expr& b) { return z3::ite(b, num(1), num(0)); }
  z3::expr free_number();

  Z3System& o_;
  const system::System& s_;
  z3::expr idle_;
  std::vector<z3::expr> locals_;
  std::vector<z3::expr> params_;
  semantics::Choices* script_ = nullptr;
};

}  // namespace parley::certify
