// The Model: what the user drew or wrote. Classes with attributes, signals, and hierarchical state machines
// (composite states, regions, pseudostates, deferral, history), a system of objects, and checks. It keeps
// names, places and element ids, so that everything said about the model can be said in the user's words.
// Built by front/text and front/uml, completed by model/resolve, consumed by lower and by model-level
// abstraction. A machine is a flat table of vertices, regions and transitions linked by ids.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "diag/assumption.hpp"
#include "model/action.hpp"

namespace parley::model {

using VertexId = Id<struct VertexTag>;
using RegionId = Id<struct RegionTag>;
using TransitionId = Id<struct TransitionTag>;

// A comment with where it stood; the formatter puts it back before the item that follows it.
struct Comment {
  std::string text;  // with its // or /* */
  Span span;
  bool own_line = true;  // false: after code on the same line
};

enum class VertexKind : std::uint8_t {
  State,  // simple, composite or orthogonal, by its regions
  Final,
  Initial,
  Choice,
  Junction,
  ShallowHistory,
  DeepHistory,
  Fork,
  Join,
  Terminate,
  EntryPoint,
  ExitPoint
};

struct Vertex {
  VertexKind kind = VertexKind::State;
  std::string name;
  RegionId region;                // that contains it; for entry/exit points the region of their state's owner
  std::vector<RegionId> regions;  // of a composite state
  Behaviour entry, exit;
  Behaviour do_activity;            // over-approximated, listed as an assumption
  std::vector<std::string> defers;  // signal names as written
  std::vector<Span> defer_spans;
  std::vector<SignalDeclId> deferred;  // after resolve
  bool waiting = false;                // marked as a place where waiting for ever is fine
  bool implicit = false;               // made by resolve for the targets `final` and `terminate`
  VertexId owner_state;                // entry and exit points: the composite state they sit on
  std::string element_id;              // xmi:id
  Span span, name_span;
};

struct Region {
  std::string name;  // empty: the only region of its state
  VertexId state;    // that owns it; invalid: a top region of the machine
  std::vector<VertexId> vertices;
  std::string element_id;
  Span span;
};

enum class TriggerKind : std::uint8_t {
  None,  // completion (from states), or the continuation of a pseudostate
  Signal,
  AnySignal,
  After,    // time event: n ticks after entering the source state
  Timeout,  // a timer attribute ran out
  Change    // UML change event `when (e)`: e becomes true
};

struct Trigger {
  TriggerKind kind = TriggerKind::None;
  std::string name;  // signal or timer
  std::vector<std::string>
      parameters;  // names bound to the message's values, in order; may be fewer than declared
  ExprPtr value;   // After: number of ticks; Change: the condition
  Span span;
  SignalDeclId signal;      // after resolve
  std::uint32_t timer = 0;  // Timeout: attribute index, after resolve
};

enum class TransitionKind : std::uint8_t { External, Local, Internal };

struct Transition {
  std::string name;  // given name, or empty
  VertexId source;
  VertexId target;          // internal transitions: the source
  std::string target_name;  // dotted path as written, until resolve sets `target`
  Span target_span;
  TransitionKind kind = TransitionKind::External;
  std::vector<Trigger> triggers;  // several: any of them
  ExprPtr guard;                  // null: true
  bool is_else = false;           // [else]
  Behaviour effect;
  std::string element_id;
  Span span;
};

struct Machine {
  std::string name;
  std::vector<RegionId> top;  // the machine's own regions; usually one
  std::vector<Vertex> vertices;
  std::vector<Region> regions;
  std::vector<Transition> transitions;
  std::string element_id;
  Span span;

  const Vertex& vertex(VertexId id) const { return vertices[id.index()]; }
  Vertex& vertex(VertexId id) { return vertices[id.index()]; }
  const Region& region(RegionId id) const { return regions[id.index()]; }
  Region& region(RegionId id) { return regions[id.index()]; }
  const Transition& transition(TransitionId id) const { return transitions[id.index()]; }
  VertexId add(Vertex v);  // also lists it in its region
  RegionId add(Region r);  // also lists it in its state or in `top`
  TransitionId add(Transition t) {
    transitions.push_back(std::move(t));
    return TransitionId(transitions.size() - 1);
  }
  // "checking", "serving.dispensing": the path of names from the top, region names left out.
  std::string path(VertexId v) const;
  // The innermost composite state around a vertex (for entry and exit points: the state they sit on);
  // invalid at the top.
  VertexId enclosing_state(VertexId v) const;
};

struct Attribute {
  std::string name;
  TypeRef type;
  ExprPtr initial;  // null: 0, false, first literal, null
  std::string element_id;
  Span span, name_span;
};

struct Parameter {
  std::string name;
  TypeRef type;
  Span span;
};

struct Operation {
  std::string name;
  TypeRef result;  // "void" for procedures
  std::vector<Parameter> parameters;
  Behaviour body;
  std::string element_id;
  Span span, name_span;
};

struct Class {
  std::string name;
  std::string base;  // generalisation, as written; empty: none
  Span base_span;
  ClassId base_class;                 // after resolve
  std::vector<Attribute> attributes;  // own; inherited ones are reached through base_class
  std::vector<Operation> operations;
  std::optional<Machine> machine;
  std::string element_id;
  Span span, name_span;
};

struct EnumDecl {
  std::string name;
  std::vector<std::string> literals;
  std::vector<Span> literal_spans;
  std::string element_id;
  Span span, name_span;
};

struct SignalDecl {
  std::string name;
  std::vector<Parameter> parameters;
  std::string element_id;
  Span span, name_span;
};

struct ConstDecl {
  std::string name;
  TypeRef type;
  ExprPtr value;
  std::int32_t resolved = 0;  // after resolve
  Span span, name_span;
};

// name : Class { attr = e; … }   or   name[size] : Class { left = fork[i]; }
struct ObjectDecl {
  std::string name;
  ExprPtr size;  // null: a single object
  std::string class_name;
  struct Wiring {
    std::string attribute;
    ExprPtr index;  // attr[index] = value for arrays; null otherwise
    ExprPtr value;
    Span span;
    std::uint32_t attribute_index = 0;  // after resolve, in the class's full attribute list
  };
  std::vector<Wiring> wiring;
  ClassId of_class;                // after resolve
  std::uint32_t first_object = 0;  // after resolve: number of the first object of the family
  std::uint32_t count = 1;         // after resolve
  std::string element_id;
  Span span, name_span, class_span;
};

// partition Account.balance: ..-1 | 0 | 1..;   partition pay.amount: sign;   partition atm.tries: 3+;
// How data abstraction begins to see an integer (docs/cegar.md). Means nothing to the other engines.
struct PartitionDecl {
  enum class Kind : std::uint8_t { Cells, Sign, One, Exact, UpTo };  // UpTo: 0, 1, … k-1, the rest
  struct Cell {
    ExprPtr lo, hi;       // null: open
    bool single = false;  // only lo
    Span span;
  };
  std::string of;    // a class, a signal, or an object or family
  std::string name;  // of its attribute or parameter
  Kind kind = Kind::Cells;
  std::vector<Cell> cells;
  ExprPtr count;  // UpTo
  Span span, of_span, name_span;
  // After resolve: one of the three, the attribute (in the class's full list) or parameter, the first values
  // of the cells.
  ClassId of_class;
  SignalDeclId of_signal;
  std::optional<std::uint32_t> of_object;  // index in system->objects
  std::uint32_t index = 0;
  std::vector<std::int32_t> starts;
};

enum class Overflow : std::uint8_t { Block, Cut, Lose, Error };

// thread t { a, b[0], c } : these objects share one queue.
struct ThreadDecl {
  std::string name;
  std::vector<ExprPtr> members;  // objects or whole families
  Span span, name_span;
};

// queue of a : capacity 4, overflow lose;   or without names: the default of all
struct QueueDecl {
  std::vector<ExprPtr> of;  // objects, families or threads (a Name); empty: all
  ExprPtr capacity;         // null: not said
  std::optional<Overflow> overflow;
  Span span;
};

// environment sends card(0..3, any) to atm [when e] [at most n];
struct EnvironmentDecl {
  std::string signal;
  struct Argument {  // lo == hi for a single value; both null: any value of the parameter's type
    ExprPtr lo, hi;
    Span span;
  };
  std::vector<Argument> arguments;
  ExprPtr target;          // object, family (any of them)
  ExprPtr when;            // null: always
  ExprPtr at_most;         // null: without end
  SignalDeclId signal_id;  // after resolve
  Span span, signal_span;
};

// The semantics switches of docs/semantics.md. Unset: the default of the profile.
enum class RunToCompletion : std::uint8_t { Atomic, Split };
enum class CompletionMode : std::uint8_t { First, Free };
enum class DiscardMode : std::uint8_t { NoTriggered, NoTransition };
enum class EnvironmentMode : std::uint8_t { Declared, Open };
enum class Integers : std::uint8_t { Wrap, NoOverflow, Error };
enum class TimeMode : std::uint8_t { None, Lazy /* ticks only when nothing else can move */, Free };
enum class RegionOrder : std::uint8_t { All, Declared };
enum class DeferralMode : std::uint8_t { Pssm, AnyEnabled };
// What the model assumes; nothing; or that and fairness of all objects.
enum class FairnessMode : std::uint8_t { Declared, None, Weak, Strong };
// How temporal checks read a run that ends: its last state goes on for ever, or the run is a finite word.
enum class RunsMode : std::uint8_t { Stutter, Finite };

struct Switches {
  RunToCompletion run_to_completion = RunToCompletion::Atomic;
  CompletionMode completion = CompletionMode::First;
  DiscardMode discard = DiscardMode::NoTriggered;
  EnvironmentMode environment = EnvironmentMode::Declared;
  Integers integers = Integers::Wrap;
  Overflow overflow = Overflow::Cut;
  TimeMode time = TimeMode::Free;
  RegionOrder regions = RegionOrder::All;
  DeferralMode deferral = DeferralMode::Pssm;
  FairnessMode fairness = FairnessMode::Declared;
  RunsMode runs = RunsMode::Stutter;
};
// Sets one switch by its spelling ("completion", "free"); false if there is no such switch or value.
bool set_switch(Switches& switches, const std::string& name, const std::string& value);
// All names with their admitted values, for messages and help.
const std::vector<std::pair<std::string, std::vector<std::string>>>& switch_spellings();

struct SemanticsDecl {  // semantics { completion = free; … }
  struct Item {
    std::string name, value;
    Span span;
  };
  std::vector<Item> items;
  Span span;
};

struct SystemDecl {
  std::vector<ObjectDecl> objects;
  std::vector<ThreadDecl> threads;
  std::vector<QueueDecl> queues;
  std::vector<EnvironmentDecl> environment;
  std::vector<SemanticsDecl> semantics;
  Span span;
};

enum class CheckKind : std::uint8_t {
  NoDeadlock,
  NoLostMessages,
  NoAssertionFailures,
  NoRuntimeErrors,
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

// A temporal formula over state predicates and events.
struct Formula;
using FormulaPtr = std::unique_ptr<Formula>;
struct Formula {
  enum class Kind : std::uint8_t {
    Predicate,
    Event,
    Not,
    And,
    Or,
    Implies,
    Iff,
    Globally,
    Finally,
    Until,
    WeakUntil,
    Release,
    Next,
    Forall,  // of the objects of a family or class
    Exists,
    Pattern
  };
  Kind kind = Kind::Predicate;
  ExprPtr expression;                 // Predicate; Forall, Exists: the family or class
  std::optional<EventAtom> event;     // Event
  std::optional<PatternUse> pattern;  // Pattern
  std::string variable;               // Forall, Exists
  Span variable_span;
  bool in_words = false;  // the operator: `always`, not `G`
  std::vector<FormulaPtr> operands;
  Span span;
};
// Events are atoms, not operators: `a receives x -> a in idle` has none.
bool has_temporal_operator(const Formula& formula);
bool has_event(const Formula& formula);

struct CheckDecl {
  CheckKind kind = CheckKind::NoDeadlock;
  std::string name;    // optional label: check label: …
  ExprPtr expression;  // Always, Never, Reachable
  FormulaPtr formula;  // Temporal
  Span span;
};

// assume fair scheduling;   assume strongly fair (channel takes deliver);   assume weakly fair (queue of a);
// Temporal checks are asked of fair runs only.
struct FairnessDecl {
  enum class Of : std::uint8_t { Scheduling, Steps, Queue, Event };
  Of of = Of::Scheduling;
  bool strong = false;
  // Steps, Queue: of an object, or of each of a family; Event. (For Steps only `object` and `actor`.)
  EventAtom event;
  Span span;
};

struct Model {
  std::vector<ConstDecl> constants;
  std::vector<EnumDecl> enums;
  std::vector<SignalDecl> signals;
  std::vector<Class> classes;
  std::optional<SystemDecl> system;
  std::vector<CheckDecl> checks;
  std::vector<FairnessDecl> fairness;
  std::vector<PartitionDecl> partitions;
  std::vector<Comment> comments;  // in order of place
  // Declaration order across kinds, for the formatter: (kind letter, index).
  std::vector<std::pair<char, std::uint32_t>> order;  // 'c' const, 'e' enum, 's' signal, 'k' class, 'y'
                                                      // system, 'q' check, 'p' partition, 'f' fairness
  std::vector<diag::Assumption> assumptions;  // of the front end: what it dropped, guessed, over-approximated
  bool damaged = false;  // the front end had to skip text: unknown names are then no news
  // After resolve:
  Switches switches;
  struct Object {
    std::string name;  // "phil[2]"
    ClassId of_class;
    std::uint32_t declaration = 0;  // index in system->objects
    std::uint32_t position = 0;     // within its family
    // Values at the start, per attribute of all_attributes() and per element (one if it is no array):
    // declared initial values overridden by the wiring. References are 0 for null or the object's number plus
    // one.
    std::vector<std::vector<std::int32_t>> initial;
  };
  std::vector<Object> objects;  // sorted so that each class's objects (with subclasses) are contiguous
  bool resolved = false;

  const Class& of(ClassId id) const { return classes[id.index()]; }
};

}  // namespace parley::model
