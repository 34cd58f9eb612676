// The System: what engines see. Typed cells with finite domains, queues of messages, and guarded actions
// with atomic bodies. Front ends and lowering build it through Builder-free plain tables; engines read it.
// It knows nothing of solvers, parsers, UML or Promela. docs/semantics.md says what it means, and
// semantics/interpreter.hpp is that meaning as code.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "diag/assumption.hpp"
#include "diag/source.hpp"
#include "expr/expr.hpp"
#include "system/temporal.hpp"

namespace parley::system {

using expr::CellId;
using expr::ExprId;
using expr::QueueId;
using expr::SignalId;
using expr::TableId;
using expr::Type;
using StmtId = Id<struct StmtTag>;
using PropertyId = Id<struct PropertyTag>;

// Where something comes from: its place in the user's text and, for drawn models, the element's own id.
struct Origin {
  diag::Span span;
  std::string element;  // e.g. an xmi:id; empty for text models
};

// Printable names of the values of an enum, a set of locations or the objects of a class.
struct NameTable {
  std::string name;
  std::int32_t first = 0;  // value of names[0]
  std::vector<std::string> names;
};

enum class CellRole : std::uint8_t {
  Data,        // an attribute or variable of the user
  Location,    // the active state of a region, the program counter of a process
  Bookkeeping  // completion flags, history, timers: state that the user did not name
};

struct Cell {
  std::string name;  // in the user's words: "atm.tries", "atm" for its top region's location
  Type type;
  std::int32_t initial = 0;
  CellRole role = CellRole::Data;
  OwnerId owner;  // may be invalid: global
  bool is_timer = false;
  Origin origin;
};

// A signal as carried in queues: on a queue shared by several objects there is one per receiver.
struct Signal {
  std::string name;  // as shown
  std::vector<Type> params;
  std::vector<std::string> param_names;
  OwnerId receiver;  // only for signals of shared queues
  Origin origin;
};

enum class OverflowPolicy : std::uint8_t { Block, Cut, Lose, Error };

// A message of `signal` is deferred (passed over when a message is selected) while `condition` holds; the
// condition may read the message through Param.
struct Deferral {
  SignalId signal;
  ExprId condition;
};

struct Queue {
  std::string name;
  OwnerId owner;                          // who consumes; invalid when several do
  std::optional<std::uint32_t> capacity;  // declared; the run decides when absent
  OverflowPolicy overflow = OverflowPolicy::Cut;
  std::vector<Deferral> deferrals;
  std::vector<SignalId> signals;  // that may be in it
  // Not a queue of the model but a limit of its translation: what is assumed when it was full, as a sentence.
  std::string limit;
  Origin origin;
};

enum class OwnerKind : std::uint8_t { Object, Process, Environment, Clock };

struct Owner {
  std::string name;
  std::string type_name;  // class or proctype
  OwnerKind kind = OwnerKind::Object;
  std::vector<CellId> locations;
  ExprId may_rest;  // true: being stuck here is fine (final, `end`, marked as waiting)
  Origin origin;
};

// An entry of a send's routing table: where a message for this reference value goes, as which signal.
struct Route {
  QueueId queue;  // invalid: sending there is an error (null, or not an active object)
  SignalId signal;
};

enum class StmtKind : std::uint8_t {
  Block,     // children in order
  Assign,    // place = value
  SetLocal,  // local = value
  Choose,    // local = any of lo..hi
  Send,      // message to routes[target]
  Assert,    // value must be true
  If,        // value ? children[0] : children[1]
  Branch,    // pick any child i whose conditions[i] is true; none: last child if has_else, otherwise an error
  While,     // while value: children[0], at most `limit` times
  Fail,      // a run-time error
  Note,      // `element` was fired or entered; for traces and coverage
  Print      // text with args; only for traces
};

// Where a message is put into its queue: at the end, or before the first that is greater (Promela's !!).
enum class Insertion : std::uint8_t { AtBack, Sorted };

enum class RuntimeError : std::uint8_t {
  DivisionByZero,
  NullDereference,
  IndexOutOfRange,
  ArithmeticOverflow,
  SendToNull,
  RangeExceeded,
  NoBranchEnabled,
  LoopLimit,
  ProcessLimit,
  Other
};
const char* describe(RuntimeError error);

// An assignable place: a fixed cell, or a table entry chosen by row and column.
struct Place {
  CellId cell;
  TableId table;
  ExprId row;
  ExprId column;
};

struct Stmt {
  StmtKind kind = StmtKind::Block;
  std::vector<StmtId> children;
  std::vector<ExprId> conditions;            // Branch
  bool has_else = false;                     // Branch: the last child has no condition
  Place place;                               // Assign
  std::uint32_t local = 0;                   // SetLocal, Choose
  ExprId value;                              // Assign, SetLocal, Assert, If, While
  ExprId lo, hi;                             // Choose
  ExprId target;                             // Send: index into routes
  std::vector<Route> routes;                 // Send
  std::vector<ExprId> args;                  // Send, Print
  Insertion insertion = Insertion::AtBack;   // Send
  std::uint32_t limit = 0;                   // While
  RuntimeError error = RuntimeError::Other;  // Fail
  ElementId element;                         // Note
  std::string text;                          // Assert and Fail: message; Print: format
  Origin origin;
};

enum class ActionKind : std::uint8_t {
  Fire,
  Complete,
  Discard,
  Dispatch,
  EndStep,
  Environment,
  Tick,
  Internal
};
const char* describe(ActionKind kind);

enum class Selection : std::uint8_t {
  Selected,      // the first message that is not deferred; it must be of the signal and pass the guard
  FirstMatching  // the first message of the signal that passes the guard (Promela's ??)
};

struct Trigger {
  QueueId queue;
  SignalId signal;
  Selection selection = Selection::Selected;
  bool consume = true;  // false: look at the message and leave it (Promela's ?<…>)
};

// A message that was taken from its queue before and is kept in cells since.
struct KeptMessage {
  SignalId signal;
  std::vector<ExprId> arguments;
};

struct Action {
  std::string name;  // shown, e.g. "idle -> checking on card"
  OwnerId owner;
  OwnerId partner;  // joint actions (rendezvous): who takes part; else invalid
  ActionKind kind = ActionKind::Fire;
  std::optional<Trigger> trigger;
  std::optional<KeptMessage> drops;  // Discard without trigger: what is thrown away
  ExprId guard;                      // pure; may read Param of the trigger's message
  StmtId body;
  std::uint32_t locals = 0;         // size of the frame
  OwnerId hold;                     // after this action only `hold` may move, if it can: an exclusive stretch
  std::vector<ElementId> elements;  // transitions of the model that this action fires
  Origin origin;
};

enum class ElementKind : std::uint8_t { State, Transition, Statement };

// Something the user wrote that can be reached or not: the unit of coverage.
struct Element {
  ElementKind kind = ElementKind::Transition;
  std::string name;        // "Atm: idle -> checking on card"
  std::string type_name;   // class or proctype
  bool ignorable = false;  // not reported when unreached (e.g. code after a label that may not be reached)
  Origin origin;
};

enum class PropertyKind : std::uint8_t {
  NoDeadlock,
  NoLostMessages,
  NoAssertionFailure,
  NoRuntimeError,
  NoOverflow,
  NoUnreachableStates,
  NoUnreachableTransitions,
  NoEndlessCompletion,
  NoUnboundedQueues,
  Always,
  Never,
  Reachable,
  Temporal
};
const char* describe(PropertyKind kind);

struct Property {
  PropertyKind kind = PropertyKind::NoDeadlock;
  std::string name;   // as shown: "no deadlock", "always (atm.tries <= 3)"
  ExprId expression;  // Always, Never, Reachable
  // Temporal: as written, and what it means if the front end could say so.
  std::string temporal;
  std::optional<Formula> formula;
  std::optional<NeverClaim> claim;
  std::string unformalised;  // why there is neither formula nor claim
  bool implicit = false;     // the model does not ask for it; the driver does (load/error_search.hpp)
  Origin origin;
};

// How the model asks engines that abstract data to see an integer at first; the others ignore it.
struct DataPartition {
  CellId cell;  // or, if that is invalid, a parameter
  SignalId signal;
  std::uint32_t param = 0;
  bool exact = false;                // every value for itself
  std::vector<std::int32_t> starts;  // first values of the cells, ascending; the first is the type's
};

enum class IntegerMode : std::uint8_t { Wrap, AssumeNoOverflow, OverflowIsError };

struct System {
  std::string name;
  expr::Pool exprs;
  std::vector<NameTable> name_tables;
  std::vector<Cell> cells;
  std::vector<Signal> signals;
  std::vector<Queue> queues;
  std::vector<Owner> owners;
  std::vector<Stmt> stmts;
  std::vector<Action> actions;
  std::vector<Element> elements;
  std::vector<Property> properties;
  StmtId initial_body;  // runs once, atomically, before the first step; may choose and send
  // Whose part of it a statement is (and what that contains); what is in no part belongs to nobody.
  struct StartPart {
    StmtId body;
    OwnerId owner;
  };
  std::vector<StartPart> start_parts;
  std::uint32_t initial_locals = 0;
  IntegerMode integers = IntegerMode::Wrap;
  std::uint32_t default_capacity = 4;
  std::vector<DataPartition> partitions;      // at most one per cell and parameter
  std::vector<diag::Assumption> assumptions;  // of front ends and lowering; part of every verdict
  std::vector<Fairness> fairness;             // temporal properties are asked of fair runs only
  RunEnd run_end = RunEnd::Stutters;          // of temporal properties

  const Cell& cell(CellId id) const { return cells[id.index()]; }
  const Signal& signal(SignalId id) const { return signals[id.index()]; }
  const Queue& queue(QueueId id) const { return queues[id.index()]; }
  const Owner& owner(OwnerId id) const { return owners[id.index()]; }
  const Stmt& stmt(StmtId id) const { return stmts[id.index()]; }
  const Action& action(ActionId id) const { return actions[id.index()]; }
  const Element& element(ElementId id) const { return elements[id.index()]; }
  const Property& property(PropertyId id) const { return properties[id.index()]; }

  CellId add(Cell x) { return append<CellId>(cells, std::move(x)); }
  SignalId add(Signal x) { return append<SignalId>(signals, std::move(x)); }
  QueueId add(Queue x) { return append<QueueId>(queues, std::move(x)); }
  OwnerId add(Owner x) { return append<OwnerId>(owners, std::move(x)); }
  StmtId add(Stmt x) { return append<StmtId>(stmts, std::move(x)); }
  ActionId add(Action x) { return append<ActionId>(actions, std::move(x)); }
  ElementId add(Element x) { return append<ElementId>(elements, std::move(x)); }
  PropertyId add(Property x) { return append<PropertyId>(properties, std::move(x)); }

  // The expression that reads a cell.
  ExprId read(CellId id) { return exprs.cell(id, cells[id.index()].type); }

 private:
  template <class IdType, class T>
  static IdType append(std::vector<T>& table, T&& x) {
    table.push_back(std::move(x));
    return IdType(table.size() - 1);
  }
};

// Whether the first parameter says what sort of message it is: its values have names, and not many of them
// (Promela's mtype).
bool has_message_type(const System& system, const Signal& signal);

// No channel but a mark: a send to it means that lowering had no room to follow the run (more Promela
// processes than slots).
bool marks_cut(const Queue& queue);

// Checks the tables' own consistency (ids in range, types of operands, every action with guard and body);
// throws InternalError. Lowering calls it last.
void validate(const System& system);

// A value as the user would write it, by the type's name table; messages as "verify(3, atm)".
std::string show_value(const System& system, const Type& type, std::int32_t value);

// An expression in the user's words, for messages and exports of text.
std::string show(const System& system, ExprId expression);

}  // namespace parley::system
