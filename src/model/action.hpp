// The action language as the user wrote it: expressions and statements of guards, effects, entry and exit
// behaviours, operations, environment declarations and checks. Front ends build these trees with names only;
// model/resolve.hpp fills in what each name means and every type. Lowering reads the resolved trees.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "diag/source.hpp"
#include "ltl/patterns.hpp"
#include "model/operators.hpp"
#include "support/ids.hpp"

namespace parley::model {

using diag::Span;
using ClassId = Id<struct ClassTag>;
using EnumId = Id<struct EnumTag>;
using SignalDeclId = Id<struct SignalDeclTag>;
using ConstId = Id<struct ConstTag>;

// A resolved type. Int carries its range (the full 32 bits by default); Ref its class; Enum its enumeration.
enum class TypeTag : std::uint8_t { Unknown, Void, Bool, Int, Enum, Ref, Timer };

struct ModelType {
  TypeTag tag = TypeTag::Unknown;
  std::int32_t lo = INT32_MIN;
  std::int32_t hi = INT32_MAX;
  EnumId enumeration;
  ClassId of_class;         // Ref; invalid for the type of `null`
  std::uint32_t array = 0;  // 0: not an array; else the number of elements
  bool is_array() const { return array != 0; }
  bool is_full_int() const { return tag == TypeTag::Int && lo == INT32_MIN && hi == INT32_MAX; }
  friend bool operator==(const ModelType&, const ModelType&) = default;
};

struct Expr;
using ExprPtr = std::unique_ptr<Expr>;

// A type as written: `bool`, `int`, `int(0..7)`, `timer(30)`, or a name of an enum or class; with an optional
// array size after the declared name.
struct TypeRef {
  std::string name;    // "bool", "int", "timer", "void", or a user's name
  ExprPtr lo, hi;      // int(lo..hi); timer(hi)
  ExprPtr array_size;  // null: no array
  Span span;
  ModelType resolved;
};

enum class ExprKind : std::uint8_t {
  IntLiteral,   // value
  BoolLiteral,  // value 0/1
  Null,
  This,
  Name,         // text; symbol says what it is
  Field,        // operands[0] . text          (attribute of a referenced object)
  Index,        // operands[0] [ operands[1] ]
  Unary,        // op operands[0]
  Binary,       // operands[0] op operands[1]
  Conditional,  // operands[0] ? operands[1] : operands[2]; in checks `a -> b` is a ? b : true with op Implies
  Call,  // text(args): an operation of the own class, or of operands[0] when it is a receiver (has_receiver)
  Any,   // any(lo..hi): operands[0], operands[1]; any(bool), any(EnumName): text; nondeterministic
  // Only in checks, `when` clauses and system blocks:
  InState,      // operands[0] in text          (dotted state path)
  QueueLength,  // len(operands[0])
  QueueHas,     // operands[0] has text         (a message of that signal is waiting)
  Event,        // only while a check is parsed: `event` says what
  Pattern,      // only while a check is parsed: `pattern` over the operands
  Forall,       // forall (text : operands[0]) operands[1]; operands[0] names a family or a class
  Exists
};

// What an object can be seen to do in a step.
enum class EventKind : std::uint8_t { Sends, Receives, Discards, Takes };
struct EventAtom;
struct PatternUse;

enum class SymbolKind : std::uint8_t {
  Unresolved,
  Local,
  Parameter /* of the trigger or the operation */,
  Attribute,
  Constant,
  EnumLiteral,
  Object,
  ObjectFamily,
  FamilyIndex /* `i` inside a family's wiring */,
  BoundVariable /* of forall/exists */,
  ClassName
};

struct Expr {
  Expr();
  ~Expr();
  ExprKind kind = ExprKind::IntLiteral;
  Span span;
  std::int64_t value = 0;        // literals; wider than int so that -2147483648 parses
  std::string text;              // of an operator of formulas: the word, if it was written as one
  Operator op = Operator::None;  // Unary, Binary, Conditional
  std::vector<ExprPtr> operands;
  bool has_receiver = false;            // Call: operands[0] is the object whose operation is called
  bool parenthesised = false;           // kept for the formatter
  std::unique_ptr<EventAtom> event;     // Event
  std::unique_ptr<PatternUse> pattern;  // Pattern
  Span name_span;                       // Field, Call, InState, QueueHas: the place of `text`
  // Filled in by resolve:
  SymbolKind symbol = SymbolKind::Unresolved;
  std::uint32_t index = 0;  // of the symbol: local slot, parameter, attribute, constant, literal, object
  EnumId enumeration;       // EnumLiteral
  ClassId owner_class;      // Attribute, Call: the class that declares it; ClassName
  std::uint32_t state = Id<void>::kNone;  // InState: VertexId of the state in the object's class
  SignalDeclId signal;                    // QueueHas
  ModelType type;
};

// Something that happens in a step, in a temporal formula or an assumption of fairness: an object, or one of
// a family, sends, receives or discards a message of a signal, or takes a transition.
struct EventAtom {
  // Whose step it is: the objects that the expression names, or nobody that the model declares.
  enum class Actor : std::uint8_t { Objects, Environment, Clock };

  EventKind kind = EventKind::Sends;
  ExprPtr object;
  std::string name;  // the signal; of Takes the transition's label
  Span name_span, span;
  bool has_parameters = false;
  std::vector<std::string> parameters;  // names of the message's values, in order; "_": none
  ExprPtr where;                        // of these names and constants; null: any message
  ExprPtr to;                           // Sends: the receiver, or a family of them; null: whoever it is
  // Filled in by resolve:
  Actor actor = Actor::Objects;
  SignalDeclId signal;
};

// A specification pattern as written; what it is about are operands: P or S, then P or S, then Q and R.
struct PatternUse {
  ltl::Pattern pattern = ltl::Pattern::Absence;
  ltl::Scope scope = ltl::Scope::Globally;
  ExprPtr times;           // P at most n times
  std::uint32_t most = 0;  // that number, after resolve
};

struct Stmt;
using StmtPtr = std::unique_ptr<Stmt>;

enum class StmtKind : std::uint8_t {
  Block,       // children
  Local,       // type name = value;
  Assign,      // target op= value; op None: target = value; without a value: target++ (Add), target-- (Sub)
  Send,        // send signal(args) to target;   target null: to itself
  Assert,      // assert value [: "message"];
  If,          // if (value) children[0] else children[1]
  For,         // for (name in lo..hi) children[0]     both bounds constant
  While,       // while (value) limit n children[0]
  Either,      // either children[0] or children[1] or …
  Call,        // value is a Call expression
  Return,      // return value?;
  StartTimer,  // start name = value;  the timer attribute runs out after `value` ticks
  StopTimer,   // stop name;
  Havoc  // name any value: over-approximation of text that was not understood (front/uml --havoc-unknown)
};

struct Stmt {
  StmtKind kind = StmtKind::Block;
  Span span;
  std::string text;              // Local, For: name; Send: signal; Assert: message
  Operator op = Operator::None;  // Assign
  Span name_span;                // Local, For, Send: the place of `text`
  TypeRef type;                  // Local
  ExprPtr target;  // Assign: left side; Send: receiver; timers: the timer attribute; Havoc: what
  ExprPtr value;
  ExprPtr hi;                 // For: upper bound (value is the lower); While: limit
  std::vector<ExprPtr> args;  // Send
  std::vector<StmtPtr> children;
  // Filled in by resolve:
  SignalDeclId signal;     // Send
  std::uint32_t slot = 0;  // Local, For: the local's slot in its behaviour
};

// A behaviour: the text of an effect, entry or exit action. Locals are numbered per behaviour.
struct Behaviour {
  StmtPtr body;  // null: none
  Span span;
  std::uint32_t slots = 0;  // number of local slots, after resolve
  std::string name;         // shown in traces when the model gives one (UML: the behaviour's name)
  explicit operator bool() const { return body != nullptr; }
};

ExprPtr clone(const Expr& e);  // not of what only a check has while it is parsed
StmtPtr clone(const Stmt& s);
TypeRef clone(const TypeRef& t);
Behaviour clone(const Behaviour& b);

}  // namespace parley::model
