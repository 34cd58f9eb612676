// What behaviour text means: its syntax tree, with the names of the class it belongs to, becomes the action
// language of model/action.hpp. Used by the machine and class readers. Whatever has no counterpart is a
// Problem with its text; where the caller wants it, it is replaced by an over-approximation: any value for
// each attribute the text may change, any outcome for a condition.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "front/uml/code_syntax.hpp"
#include "model/action.hpp"

namespace parley::front::uml {

// A type as far as the translation needs it.
struct ValueType {
  enum class Tag : std::uint8_t { Opaque, Void, Bool, Int, Enum, Ref };
  Tag tag = Tag::Opaque;
  std::string name;  // Enum, Ref: name in the model
  bool known() const { return tag != Tag::Opaque && tag != Tag::Void; }
  friend bool operator==(const ValueType&, const ValueType&) = default;
};

struct Variable {
  std::string model_name;
  ValueType type;
  std::uint32_t array = 0;  // number of elements; 0: no array
};

struct OperationInfo {
  std::string model_name;
  ValueType result;
  std::vector<ValueType> parameters;
  bool has_body = false;  // false: what it does is unknown
  std::string signal;     // calling it is sending this signal (it triggers transitions); else ""
};

struct SignalInfo {
  std::string model_name;
  std::vector<ValueType> parameters;  // without the hidden one
  bool carries_port = false;  // UML-RT: a first parameter says at which of the receiver's ports it arrives
};

enum class PortKind : std::uint8_t { Wired, Log, Timing, System };

struct PortInfo {
  PortKind kind = PortKind::Wired;
  std::string peer;               // attribute that refers to the other side; "" when not connected
  std::string peer_port;          // attribute that holds the other side's port number; "" if not needed
  std::uint32_t replication = 0;  // 0: one; else an array of that many
  std::map<std::string, std::string> sends;  // message name -> key of the signal in Library::signals
};

struct ClassInfo {
  std::map<std::string, Variable> attributes;   // by the name in the diagram, inherited ones included
  std::map<std::string, std::string> left_out;  // attributes that have no counterpart: name -> type
  std::map<std::string, OperationInfo> operations;
  std::map<std::string, PortInfo> ports;
};

struct Library {
  std::map<std::string, SignalInfo> signals;  // by name in the diagram (last part)
  std::map<std::string, std::pair<std::string, std::string>>
      literals;                                    // "RED" and "Colour::RED" -> enum, literal
  std::map<std::string, ClassInfo> classes;        // by model name
  std::map<std::string, std::string> class_names;  // name in the diagram -> model name
  std::map<std::string, std::pair<ValueType, std::int64_t>> constants;  // names with a fixed value
};

struct Scope {
  const Library* library = nullptr;
  const ClassInfo* self = nullptr;
  std::string self_name;                       // model name of the class
  std::map<std::string, Variable> parameters;  // of the trigger or operation
  std::set<std::string> event_names;  // words that mean the received message: its signal's name, "sig", …
  ValueType result;                   // of the operation; Void elsewhere
  bool parameters_hide_attributes = false;  // operations: yes; messages: an attribute of the same name wins
  bool havoc = false;
};

struct Problem {
  std::string text;
  std::string reason;
};

struct Meaning {
  model::StmtPtr body;       // null: nothing to do
  model::ExprPtr condition;  // of parse_guard
  bool is_else = false;
  std::vector<Problem> problems;    // over-approximated if Scope::havoc, else not translated
  std::vector<std::string> output;  // statements that only print
  std::vector<std::string> timers;  // uses of a timing service
  std::vector<std::string> sent;    // keys of the signals sent
};

Meaning read_statements(const std::string& text, const Scope& scope, diag::Span span);
Meaning read_guard(const std::string& text, const Scope& scope, diag::Span span);
// An initial value or a time: a constant expression; null if it is none.
model::ExprPtr read_value(const std::string& text, const ValueType& wanted, const Scope& scope,
                          diag::Span span);

// Small builders, shared by the readers.
model::ExprPtr make_int(std::int64_t value, diag::Span span);
model::ExprPtr make_bool(bool value, diag::Span span);
model::ExprPtr make_name(std::string name, diag::Span span);
model::ExprPtr make_binary(model::Operator op, model::ExprPtr left, model::ExprPtr right, diag::Span span);
model::ExprPtr make_any(const ValueType& type, diag::Span span);  // null for references
model::StmtPtr make_block(std::vector<model::StmtPtr> statements, diag::Span span);
model::StmtPtr make_havoc(const Variable& variable, diag::Span span);
// The type that a type's name means in programming languages and UML: "Integer", "bool", "uint8_t", …
ValueType primitive_type(const std::string& name);

}  // namespace parley::front::uml
