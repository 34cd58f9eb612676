// A Promela program as written, names resolved: typedefs, mtypes, variables, proctypes with their statements.
// The parser builds it; flow.hpp turns a body into an automaton, lower.hpp the whole into a System. Loops
// written with `for` and `select` are already the `do` and `if` that they stand for, and inlines are
// expanded.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "diag/source.hpp"
#include "front/promela/token.hpp"

namespace parley::front::promela {

enum class Base : std::uint8_t { Bit, Bool, Byte, Pid, Short, Int, Unsigned, Mtype, Chan, Struct };

struct DataType {
  Base base = Base::Int;
  std::uint32_t bits = 0;           // Unsigned: its width
  std::uint32_t typedef_index = 0;  // Struct
  std::string mtype_set;            // Mtype: empty for the unnamed set
};

struct Expr;
struct Variable;
using ExprPtr = std::shared_ptr<Expr>;

struct ChannelShape {
  std::int32_t capacity = 0;
  std::vector<DataType> fields;
  diag::Span span;
};

struct Variable {
  std::string name;
  DataType type;
  bool is_array = false;
  std::uint32_t size = 1;
  ExprPtr init;                         // initialised when the process (or the system) starts
  std::vector<std::int32_t> init_list;  // of an array
  std::optional<ChannelShape> channel;
  bool hidden = false;
  bool parameter = false;
  std::optional<std::uint32_t> proctype;  // whose local this is
  diag::Span span;
};
using VariablePtr = std::shared_ptr<Variable>;

struct Typedef {
  std::string name;
  std::vector<VariablePtr> fields;
  diag::Span span;
};

// x, x[i], x.f, x[i].f[j].g
struct Ref {
  struct Part {
    VariablePtr variable;  // of the scope for the first part, a field for the others
    ExprPtr index;         // null: none
    diag::Span span;
  };
  std::vector<Part> parts;
  diag::Span span;
  const Variable& leaf() const { return *parts.back().variable; }
};

enum class ExprKind : std::uint8_t {
  Const,    // value
  Var,      // ref
  Special,  // name: _pid, _nr_pr, _last, _priority, or _ (write only)
  Unary,
  Binary,  // op, args
  Cond,    // args[0] ? args[1] : args[2]
  Run,     // name(args) priority value
  Len,
  Full,
  Empty,
  Nfull,
  Nempty,  // ref
  Poll,    // ref ? [args]; value 1: ??
  Eval,    // args[0]; only as an argument of a receive
  Timeout,
  NonProgress,
  Enabled,
  PcValue,
  GetPriority,  // args[0]
  RemoteLabel,  // name[args[0]]@label
  RemoteVar,    // name[args[0]]:label and perhaps [args[1]]
  Temporal      // op: Box, Diamond, Equiv, Arrow (implies), or Name with name X, U, V, W
};

struct Expr {
  ExprKind kind = ExprKind::Const;
  diag::Span span;
  std::int32_t value = 0;
  Tok op = Tok::End;
  std::vector<ExprPtr> args;
  Ref ref;
  std::string name;
  std::string label;
  std::string mtype;     // Const: the symbolic name it was written as
  bool indexed = false;  // remote references: args[0] is there
};

enum class StmtKind : std::uint8_t {
  Assign,     // ref = expr
  Declare,    // a declaration after the first statement: ref = expr, or nothing for a structure (expr null)
  Send,       // ref ! args; sorted
  Receive,    // ref ? args; random, copy
  Condition,  // expr
  Assert,
  Print,
  Printm,
  SetPriority,
  Goto,  // label
  Break,
  Else,
  If,
  Do,
  Atomic,
  DStep,
  Block,
  Unless
};

struct Stmt;
using StmtPtr = std::shared_ptr<Stmt>;
using Sequence = std::vector<StmtPtr>;

struct Label {
  std::string name;
  diag::Span span;
};

struct Stmt {
  StmtKind kind = StmtKind::Condition;
  diag::Span span;
  std::vector<Label> labels;  // outermost first
  std::string scope;          // path of the block it stands in: "_3_7_"
  std::string label;          // Goto
  ExprPtr target;             // Assign, Declare: Var or Special "_"; Send, Receive: the channel (Var)
  ExprPtr expr;               // Assign, Condition, Assert
  std::vector<ExprPtr> args;  // Send, Receive, Print, SetPriority
  std::string text;           // Print: the format
  bool sorted = false, random = false, copy = false;
  bool last_option_first = false;  // a loop made of for or select: Spin reads its body before its exit
  std::vector<Sequence> options;   // If, Do: one each; Atomic, DStep, Block: one; Unless: main and escape
};

// xr, xs: only this process receives from, or sends to, the channel.
struct ExclusiveClaim {
  ExprPtr channel;
  bool receives = false;
  diag::Span span;
};

enum class ProcKind : std::uint8_t { Proctype, Init, Claim };

struct Proctype {
  std::string name;
  ProcKind kind = ProcKind::Proctype;
  std::uint32_t active = 0;    // instances at the start
  bool deterministic = false;  // D_proctype
  std::int32_t priority = 1;
  bool has_priority = false;
  ExprPtr provided;
  std::vector<VariablePtr> parameters;
  std::vector<VariablePtr> locals;  // in order of declaration, parameters not included
  std::vector<ExclusiveClaim> claims;
  Sequence body;
  diag::Span span;       // the name
  diag::Span end_span;   // the closing brace
  std::string text;      // of claims: their tokens
  diag::Span text_span;  // and where they stand; invalid if in several files
};

struct TemporalFormula {
  std::string name;
  std::string text;      // its tokens
  diag::Span text_span;  // and where they stand; invalid if in several files
  ExprPtr formula;
  diag::Span span;
};

// trace and notrace blocks: which events a run must, or must not, show in this order. Kept as text.
struct EventSequence {
  std::string keyword;
  std::string text;      // its tokens
  diag::Span text_span;  // and where they stand; invalid if in several files
  diag::Span span;
};

struct MtypeSet {
  std::string name;                // empty: the unnamed one
  std::vector<std::string> names;  // names[i] has the value i + 1
};

struct Program {
  diag::Span end;  // of the text
  std::vector<Typedef> typedefs;
  std::vector<MtypeSet> mtypes;
  std::vector<VariablePtr> globals;
  std::vector<Proctype> proctypes;  // proctypes and init, in the order in which Spin starts the active ones
  std::vector<Proctype> claims;
  std::vector<TemporalFormula> formulas;
  std::vector<EventSequence> event_sequences;
  bool uses_last = false, uses_priority = false, uses_enabled = false, has_rendezvous = false;
};

}  // namespace parley::front::promela
