// The inside of model::resolve, shared by the resolve_*.cpp files; nobody else includes it. One object works
// on one Model: declarations first, then bodies, then the system and the checks, then warnings about the
// whole.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "model/resolve.hpp"
#include "model/vertex_names.hpp"

namespace parley::model {

inline const ModelType kBool{TypeTag::Bool, 0, 1, {}, {}, 0};
inline const ModelType kInt{TypeTag::Int, INT32_MIN, INT32_MAX, {}, {}, 0};

// What constant expressions may see besides constants.
struct FoldScope {
  std::optional<std::uint32_t> family_index;  // the value of `i`
};

// The value of an expression made of literals, constants, objects and operators; nullopt if it is not one or
// divides by zero. References are 0 for null or the object's number plus one.
std::optional<std::int32_t> fold(const Model& model, const Expr& e, const FoldScope& scope,
                                 diag::Span* division);

struct Enough {};  // thrown when there are so many errors that more would tell nothing

class Resolver {
 public:
  Resolver(Model& model, diag::Diagnostics& diagnostics, const ResolveOptions& options)
      : m_(model), d_(diagnostics), options_(options) {}
  void run();

 private:
  static constexpr std::size_t kMaxErrors = 500;
  static constexpr std::size_t kMaxParameters = 1000;
  static constexpr std::size_t kMaxInheritance = 100;
  static constexpr std::size_t kMaxConstantChain = 500;
  static constexpr std::size_t kMaxCallChain = 200;
  static constexpr std::size_t kMaxUnfoldedCalls = 10000;
  static constexpr std::size_t kMaxTriggers = 1000;
  static constexpr std::size_t kMaxLocals = 10000;
  static constexpr std::size_t kMaxFamily = 10000;
  static constexpr std::size_t kMaxObjects = 100000;
  static constexpr std::size_t kMaxCells = 10000000;
  static constexpr std::uint32_t kMostTimes = 1000;  // of `P at most n times`
  void all();

  struct Variable {
    std::string name;
    ModelType type;
    std::uint32_t index = 0;
    SymbolKind symbol = SymbolKind::Local;
    Span span;
    bool used = false;
    bool usable = true;  // false: the triggers disagree about it
    bool fixed = false;  // the variable of a for loop
  };
  // Where an expression stands: what it may see and do.
  struct Scope {
    ClassId of_class;                 // valid: inside a class
    std::vector<Variable> variables;  // innermost last: parameters, locals, bound variables
    bool sees_objects = false;        // system blocks and checks
    bool family_index = false;        // `i` is known
    bool state_tests = false;         // in, len, has, forall, exists
    bool pure = false;                // guards: no any(), only pure operations
    bool constant = false;            // only constants
    const Operation* operation = nullptr;
    ClassId operation_class;
    std::uint32_t slots = 0;
    std::uint32_t bound = 0;
    bool in_behaviour = false;  // any() and statements allowed
  };
  // What the classes do with an attribute that refers to an object.
  struct ReferenceUse {
    Span followed;          // a message is sent to it, or what it refers to is used: where first
    bool assigned = false;  // by somebody, some time
    bool tested = false;    // compared with null
  };
  struct Use {                          // one operation calls another
    const Operation* caller = nullptr;  // null: a guard, a check or a behaviour
    bool must_be_pure = false;
    const Operation* callee = nullptr;
    Span span;
  };
  struct LiteralUse {
    EnumId enumeration;
    std::uint32_t index = 0;
  };

  // declarations (resolve_declarations.cpp)
  void declare_names();
  void type_name_free(const std::string& name, Span span);
  void unique(const std::string& name, Span span, const char* what);
  void link_bases();
  void index_classes();
  void constants();
  void constant(std::size_t index);
  void override_constant(ConstDecl& c, const std::string& value);
  void unknown_options();
  ModelType type(TypeRef& t, const char* use);
  void signatures();
  void attribute_types(Class& c, ClassId id);
  void operation_types(Class& c, ClassId id);
  void initial_value(Attribute& a, ClassId id);

  // data partitions (resolve_partitions.cpp)
  void partitions();
  const TypeRef* partitioned(PartitionDecl& p);
  void cells_of(PartitionDecl& p, const ModelType& type);
  void cover(PartitionDecl& p, const ModelType& type,
             const std::vector<std::pair<std::int64_t, std::int64_t>>& cells);

  // expressions (resolve_expressions.cpp)
  const ModelType& expression(Expr& e, Scope& scope, const ModelType* expected = nullptr);
  void name(Expr& e, Scope& scope, const ModelType* expected);
  bool literal(Expr& e, const ModelType* expected);
  bool is_ambiguous_literal(const Expr& e, Scope& scope) const;
  bool qualified_literal(Expr& e, Scope& scope);
  void unknown_name(Expr& e, const Scope& scope);
  void field(Expr& e, Scope& scope);
  void element(Expr& e, Scope& scope);
  void unary(Expr& e, Scope& scope);
  void binary(Expr& e, Scope& scope);
  void equality(Expr& e, Scope& scope);
  void bitwise(Expr& e, Scope& scope);
  void conditional(Expr& e, Scope& scope, const ModelType* expected);
  void call(Expr& e, Scope& scope);
  void any(Expr& e, Scope& scope);
  void state_test(Expr& e, Scope& scope);
  void quantifier(Expr& e, Scope& scope);
  // A variable for the objects of a family or class, whose number it gives.
  std::uint32_t bind_objects(const std::string& variable, Span span, Expr& domain, Scope& scope);
  void object_reference(Expr& e);
  bool want(Expr& e, TypeTag tag, Scope& scope, const char* use);
  std::optional<std::int32_t> constant_value(Expr& e, TypeTag tag, Scope& scope, const char* use);
  // `value` (resolved) goes into a place of this type.
  void assignable(const Expr& value, const ModelType& to, const std::string& place);
  bool fits(const ModelType& from, const ModelType& to) const;
  bool comparable(const ModelType& a, const ModelType& b) const;
  Variable* find(Scope& scope, const std::string& name);
  std::optional<std::pair<std::uint32_t, ClassId>> find_attribute(ClassId c, const std::string& name) const;
  const Attribute& attribute(ClassId c, std::uint32_t index) const;

  // statements (resolve_statements.cpp)
  void behaviour(Behaviour& b, Scope& scope);
  void statement(Stmt& s, Scope& scope);
  void block(Stmt& s, Scope& scope);
  void local(Stmt& s, Scope& scope);
  void assign(Stmt& s, Scope& scope);
  void send(Stmt& s, Scope& scope);
  void timer(Stmt& s, Scope& scope);
  void returns(Stmt& s, Scope& scope);
  void loop(Stmt& s, Scope& scope);
  bool writable(Expr& target, Scope& scope);
  void push(Scope& scope, Variable v);
  void pop(Scope& scope, std::size_t size);
  void operations(Class& c, ClassId id);
  void check_recursion();
  void check_purity();

  // machines (resolve_machine.cpp, resolve_transitions.cpp, resolve_shape.cpp)
  void machine(Class& c, ClassId id);
  void vertex_names_unique(Machine& m);
  void targets(Machine& m);
  void parameters_unique(const std::vector<Parameter>& list);
  void transition(Machine& m, Transition& t, ClassId id);
  void trigger(Trigger& g, Scope& scope, ClassId id);
  void bind_parameters(Transition& t, Scope& scope);
  void deferred(Vertex& v);
  void shape(Machine& m, ClassId id);

  // system and checks (resolve_system.cpp, resolve_checks.cpp)
  void declare_objects();
  void number_objects();
  void system();
  void wiring(ObjectDecl& o);
  void family_wiring(const ObjectDecl::Wiring& x, const ModelType& element, std::uint32_t elements);
  void initial_values();
  void threads();
  void queues();
  void environment(EnvironmentDecl& e);
  void switches();
  void object_or_family(Expr& e, Scope& scope, const char* use);
  void checks();
  void formula(Formula& f, Scope& scope);
  bool actor(EventAtom& e);  // that is no object
  void event(EventAtom& e, Scope& scope);
  void transition_label(const EventAtom& e);
  void fairness(FairnessDecl& d);
  Scope outside_scope() const;

  // warnings about the whole (resolve_warnings.cpp)
  void warnings();
  void warn_signals();
  void warn_unused();
  void warn_unwired();
  ReferenceUse* reference_use(const Expr& e);  // null: not an attribute
  void follow(const Expr& reference, const Scope& scope);

  SignalDeclId signal(const std::string& name, Span span);
  void error(const char* code, Span span, std::string message, std::string hint = {});
  void error_unknown(const char* code, Span span, const std::string& what, const std::string& name,
                     const std::vector<std::string>& candidates, const std::string& otherwise = {});

  Model& m_;
  diag::Diagnostics& d_;
  const ResolveOptions& options_;

  std::unordered_map<std::string, ConstId> constants_;
  std::unordered_map<std::string, EnumId> enums_;
  std::unordered_map<std::string, std::vector<LiteralUse>> literals_;
  std::unordered_map<std::string, SignalDeclId> signals_;
  std::unordered_map<std::string, ClassId> classes_;
  std::unordered_map<std::string, std::uint32_t> objects_;  // index in system->objects
  std::unordered_map<std::string, std::uint32_t> threads_;
  std::unordered_map<std::string, Span> declared_;  // one name space for top-level names
  std::vector<std::uint8_t> constant_state_;        // 0 not yet, 1 being resolved, 2 done
  std::vector<bool> sent_, received_, any_received_;
  std::vector<bool> constant_used_;
  std::unordered_set<const Attribute*> attribute_used_;
  std::unordered_set<const Operation*> operation_used_;
  std::unordered_map<const Attribute*, ReferenceUse> reference_uses_;
  std::vector<Use> uses_;
  std::vector<std::unordered_map<std::string, std::uint32_t>>
      own_attributes_;                    // by class: index in its own list
  std::vector<std::uint32_t> inherited_;  // by class: attributes it inherits
  std::vector<bool> may_receive_;         // by class: objects of it, or of a subclass, can have a machine
  std::size_t large_hints_ = 0;
  std::size_t constant_depth_ = 0;
  std::unordered_map<const Operation*, const char*> impure_;  // why it is not pure
  std::unordered_map<std::uint32_t, VertexNames> names_;      // by class with a machine
};

}  // namespace parley::model
