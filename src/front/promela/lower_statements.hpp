// Statements of the System, made in one line each.
#pragma once

#include <string>
#include <vector>

#include "front/promela/translation.hpp"

namespace parley::front::promela {

class Statements {
 public:
  explicit Statements(system::System& system) : s_(system) {}

  StmtId assign(system::Place place, ExprId value, diag::Span span);
  StmtId assign(CellId cell, ExprId value, diag::Span span);
  StmtId block(std::vector<StmtId> children, diag::Span span);  // of one statement: that statement
  StmtId failure(system::RuntimeError error, std::string text, diag::Span span);
  // Computes a value now and keeps it; the answer reads it. `locals` counts the locals of the action.
  ExprId keep(ExprId value, std::uint32_t& locals, diag::Span span, std::vector<StmtId>& body);

 private:
  system::System& s_;
};

}  // namespace parley::front::promela
