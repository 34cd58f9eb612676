#include "passes/activation.hpp"

namespace parley::passes {

using namespace system;

Passed asking_for(const System& system, const std::vector<ActionId>& actions) {
  System s = system;
  const StmtId nothing = s.add(Stmt{});
  for (std::size_t i = 0; i < system.stmts.size(); ++i) {
    if (s.stmts[i].kind != StmtKind::Assert) continue;
    Stmt fail;
    fail.kind = StmtKind::Fail;
    fail.text = s.stmts[i].text;
    const StmtId otherwise = s.add(std::move(fail));
    s.stmts[i].kind = StmtKind::If;
    s.stmts[i].children = {nothing, otherwise};
  }
  Stmt fired;
  fired.kind = StmtKind::Assert;
  fired.value = s.exprs.boolean(false);
  fired.text = "it fires";
  const StmtId failure = s.add(std::move(fired));
  for (ActionId a : actions) s.actions[a.index()].body = failure;
  Property never;
  never.kind = PropertyKind::NoAssertionFailure;
  never.name = "none of these actions fires";
  s.properties = {never};
  BackMap back = same_ids(system, s);
  back.properties = {PropertyId{}};  // a question of this pass
  return {std::move(s), std::move(back)};
}

}  // namespace parley::passes
