// The translation of behaviour text, shared by the files code_*.cpp of this room: expressions, statements,
// sends, and what becomes of text that is not understood. Not visible outside of front/uml; code_meaning.hpp
// is the door.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>

#include "front/uml/code_meaning.hpp"
#include "front/uml/names.hpp"

namespace parley::front::uml::code {

using model::Expr;
using model::ExprKind;
using model::ExprPtr;
using model::Stmt;
using model::StmtKind;
using model::StmtPtr;
using Tag = ValueType::Tag;

// Marks a block that is no scope of its own: its statements belong to the block around it.
inline constexpr const char* kFlat = "flat";

// Thrown and caught inside the translation only: leaves the statement or condition being translated.
struct NoMeaning {
  std::string reason;
};

struct Typed {
  ExprPtr expr;
  ValueType type;
};

inline bool one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

inline std::string last_part(const std::string& qualified) {
  const auto at = qualified.rfind("::");
  return at == std::string::npos ? qualified : qualified.substr(at + 2);
}

// Does running it change anything, or send?
bool changes_something(const Node& n);

class Translator {
 public:
  Translator(const Code& code, const Scope& scope, diag::Span span)
      : code_(code), scope_(scope), span_(span) {
    for (const auto& [key, variable] : scope.self->attributes) local_names_.reserve(variable.model_name);
    for (const auto& [key, variable] : scope.parameters) local_names_.reserve(variable.model_name);
  }

  StmtPtr statement(const Node& n) {
    try {
      return known_statement(n);
    } catch (const NoMeaning& e) {
      return unknown(n, e.reason);
    }
  }

  Typed expression(const Node& n);
  ExprPtr to_bool(Typed t);
  ExprPtr coerce(Typed t, const ValueType& wanted);

  // A condition; not understood: any outcome (and a Problem), after `before` has the effects it may have.
  ExprPtr condition(const Node& n, std::vector<StmtPtr>& before) {
    try {
      if (const Node* sent = send_result(n)) {
        before.push_back(send_chain(*sent));
        return make_any({Tag::Bool, ""}, span_);
      }
      return to_bool(expression(n));
    } catch (const NoMeaning& e) {
      if (StmtPtr effect = unknown(n, e.reason)) before.push_back(std::move(effect));
      return scope_.havoc ? make_any({Tag::Bool, ""}, span_) : make_bool(true, span_);
    }
  }

  Meaning result;

 private:
  [[noreturn]] void fail(std::string reason) const { throw NoMeaning{std::move(reason)}; }

  StmtPtr known_statement(const Node& n);
  StmtPtr expression_statement(const Node& n);
  StmtPtr assign(const Node& n, const Node& left, std::string op, const Node* right);
  StmtPtr declaration(const Node& n);
  StmtPtr for_loop(const Node& n);
  StmtPtr switch_chain(const Node& n);
  StmtPtr call_statement(const Node& n);
  StmtPtr send_by_function(const Node& call, const Node* receiver);
  StmtPtr send_chain(const Node& call);
  StmtPtr send(const std::string& key, ExprPtr target, ExprPtr port,
               const std::vector<const Node*>& arguments);
  StmtPtr send_to_port(const PortInfo& port, const std::string& message,
                       const std::vector<const Node*>& arguments, const Node* index);
  const Node* send_result(const Node& n) const;
  const PortInfo* port_of(const Node& n) const;
  const SignalInfo* signal_of(const std::string& name, std::string& key) const;
  bool is_output(const Node& n) const;
  StmtPtr unknown(const Node& n, const std::string& reason);
  Typed name(const Node& n);
  Typed member(const Node& n);
  Typed call(const Node& n);
  Typed binary(const Node& n);
  const ClassInfo& class_of(const ValueType& type) const;
  Typed operation_call(const OperationInfo& operation, ExprPtr receiver, const Node& n);

  StmtPtr flat(std::vector<StmtPtr> statements) const {
    auto block = make_block(std::move(statements), span_);
    if (block != nullptr) block->text = kFlat;
    return block;
  }
  StmtPtr make(StmtKind kind) const {
    auto s = std::make_unique<Stmt>();
    s->kind = kind;
    s->span = span_;
    return s;
  }
  ExprPtr make_expr(ExprKind kind) const {
    auto e = std::make_unique<Expr>();
    e->kind = kind;
    e->span = span_;
    return e;
  }
  static std::vector<const Node*> arguments_of(const Node& n, std::size_t from) {
    std::vector<const Node*> result_nodes;
    for (std::size_t i = from; i < n.children.size(); ++i) result_nodes.push_back(n.children[i].get());
    return result_nodes;
  }

  const Code& code_;
  const Scope& scope_;
  diag::Span span_;
  std::map<std::string, Variable> locals_;
  Names local_names_;             // the action language has no hiding of names
  std::set<std::string> opaque_;  // locals of types that the model does not have
};

}  // namespace parley::front::uml::code
