// Expressions to bytecode: values into addresses, conditions into jumps. One assembler fills one Program; the
// compiler of bodies and plans (compile.cpp) drives it. It does not know actions.
#pragma once

#include <map>
#include <unordered_map>
#include <vector>

#include "explore/code.hpp"

namespace parley::explore {

// True if evaluating the expression can end in an error (or, by the integer mode, be assumed away).

class Assembler {
 public:
  Assembler(const system::System& system, const Layout& layout, Program& program);

  std::uint32_t here() const { return static_cast<std::uint32_t>(program_.code.size()); }
  std::uint32_t emit(Opcode op, std::uint32_t a = 0, std::uint32_t b = 0, std::uint32_t c = 0);
  void patch(std::uint32_t at, std::uint32_t target) { program_.code[at].c = target; }
  void patch_all(const std::vector<std::uint32_t>& list, std::uint32_t target) {
    for (std::uint32_t at : list) patch(at, target);
  }

  // An address that holds the value; computes it into a temporary if it has none.
  std::uint32_t value(system::ExprId e);
  // Jumps to a place patched later when the expression is (un)true; falls through otherwise.
  void jump_unless(system::ExprId e, std::vector<std::uint32_t>& out);
  void jump_if(system::ExprId e, std::vector<std::uint32_t>& out);
  // A condition as code of its own, ending in Yes or No. kNone: it is always true.
  std::uint32_t condition(system::ExprId e);
  std::uint32_t locate(system::TableId table, system::ExprId row, system::ExprId column);

  std::uint32_t constant(std::int32_t value);
  std::uint32_t temporary();
  void forget_temporaries() { used_temporaries_ = 0; }
  std::uint32_t range(const ValueRange& r);
  // The deferral conditions of a queue with the message's parameters at nesting depth `depth`.
  std::uint32_t deferrals(std::uint32_t queue, std::uint32_t depth);
  // Emits the code of predicates that were asked for so far. Call last.
  void finish();

 private:
  // Predicates are subroutines: they run in the middle of other code, so their temporaries are their own.
  struct Subroutine {
    system::ExprId expression;
    std::uint32_t depth = 0;
    std::uint32_t pc = kNone;
    std::uint32_t test = kNone;       // whose predicate it is, or
    std::uint32_t deferrals = kNone;  // whose condition, and which
    std::size_t condition = 0;
  };
  std::uint32_t params_at(std::uint32_t depth) const;
  std::uint32_t queue_test(system::ExprId e);
  void check_null(system::TableId table, std::uint32_t row, system::ExprId column);
  // Goes through expr::compute, which says when it overflows.
  bool checked(expr::Op op) const;
  std::uint32_t compute_into(system::ExprId e, std::uint32_t to);
  void as_value(system::ExprId e, std::uint32_t to);

  const system::System& system_;
  const Layout& layout_;
  Program& program_;
  std::uint32_t depth_ = 0;  // of nested queue predicates: whose message Param means
  std::unordered_map<std::int32_t, std::uint32_t> constants_;
  std::vector<std::uint32_t> temporaries_;
  std::size_t used_temporaries_ = 0;
  std::vector<Subroutine> pending_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> tests_;      // by expression and depth
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> deferrals_;  // by queue and depth
};

}  // namespace parley::explore
