// Initial values of variables, computed where the program gives an expression for them.
#pragma once

#include "front/promela/lower_expr.hpp"

namespace parley::front::promela {

class InitialValues {
 public:
  InitialValues(const Translation& translation, const Layout& layout, Terms& terms, Variables& variables,
                Expressions& expressions)
      : program_(translation.program),
        diagnostics_(translation.diagnostics),
        s_(translation.system),
        layout_(layout),
        terms_(terms),
        variables_(variables),
        expressions_(expressions) {}

  // Into the cells of globals, and of the locals of processes that are started with the system.
  void set();

 private:
  void set_initial(const VariablePtr& v, const Slot* slot);
  std::int32_t initial_value(ExprId e, diag::Span span);

  const Program& program_;
  diag::Diagnostics& diagnostics_;
  system::System& s_;
  const Layout& layout_;
  Terms& terms_;
  Variables& variables_;
  Expressions& expressions_;
};

}  // namespace parley::front::promela
