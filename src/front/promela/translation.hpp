// What one lowering of a Promela program reads and writes, for the parts of it: every part takes what it
// needs of this and of the parts below it, in its constructor. The parts, each a class of its own, from the
// bottom:
//
//   layout       where processes, variables and channels of the program are in the System
//   terms        small expressions: processes alive, at a location, lists of conditions
//   lower_variables, lower_expr       reading variables; the value of an expression
//   lower_statements, lower_start, lower_messages, lower_effects   what a statement does
//   lower_enabled                     whether it can be executed now
//   lower_edges, lower_promises       steps of the processes, and of promises that are broken
//   lower_actions                     the actions of the System
//   lower_temporal                    ltl formulas, never claims, labels, event sequences
//
// lowering.cpp puts them together.
#pragma once

#include "diag/diagnostic.hpp"
#include "front/promela/ast.hpp"
#include "front/promela/promela.hpp"
#include "system/system.hpp"

namespace parley::front::promela {

using expr::Op;
using system::CellId;
using system::ElementId;
using system::ExprId;
using system::OwnerId;
using system::QueueId;
using system::SignalId;
using system::StmtId;

struct Translation {
  const Program& program;
  const diag::SourceMap& sources;
  diag::Diagnostics& diagnostics;
  const Options& options;
  system::System& system;  // under construction
};

// The source text of a statement on one line, cut where it gets long.
std::string text_of(const diag::SourceMap& sources, diag::Span span);

}  // namespace parley::front::promela
