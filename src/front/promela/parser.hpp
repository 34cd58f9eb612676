// From tokens to a Program: syntax, scopes, types and the checks that Spin makes while it reads. Reports as
// many errors as it can find in one run and never throws for a wrong program. Statement separators follow
// both rules of Spin's history: `;` and `->`, or the end of a line where a statement can end.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "diag/diagnostic.hpp"
#include "front/promela/ast.hpp"

namespace parley::front::promela {

class Parser {
 public:
  Parser(Tokens tokens, diag::Diagnostics& diagnostics);
  Program run();

 private:
  // Thrown inside the parser after a reported syntax error, caught at the next statement or unit.
  struct Recover {};
  struct InlineDef {
    std::string name;
    std::vector<std::string> parameters;
    Tokens body;  // with its braces
    diag::Span span;
  };
  struct Expansion {
    std::string name;
    diag::Span call;
    std::uint32_t parent = 0;
    ExprPtr result;  // x of x = name(…): what its return statements assign to; null: they may have none
  };
  struct Scope {
    std::string path;
    std::map<std::string, VariablePtr> names;
  };

  // stream (parser.cpp)
  const Token& peek(std::size_t ahead = 0) const;
  Token take();
  bool at(Tok kind) const { return peek().kind == kind; }
  bool accept(Tok kind);
  Token expect(Tok kind, const char* where, const char* hint = "");
  [[noreturn]] void fail(const Token& token, const std::string& what, const std::string& hint = {});
  diag::Diagnostic& error(const char* code, diag::Span span, std::string message, std::string hint = {});
  diag::Span span_from(const diag::Span& begin) const;
  void skip_braces();
  void push_scope();
  void pop_scope();
  std::string text_between(std::size_t begin, std::size_t end) const;
  diag::Span span_between(std::size_t begin, std::size_t end) const;

  // units and declarations (parse_unit.cpp)
  void unit();
  void proctype();
  void init_process();
  void never_claim();
  void ltl();
  void read_formulas();
  void type_definition();
  void inline_definition();
  void embedded_c();
  void event_trace();
  void check_runs();
  void skip_to_unit();
  bool at_declaration() const;
  bool at_type() const;
  void declaration(std::vector<VariablePtr>& into, bool is_field);
  bool mtype_declaration();
  DataType type();
  VariablePtr variable(const DataType& type);
  void initialiser(Variable& v);
  ChannelShape channel_shape();
  void declare(const VariablePtr& v, std::vector<VariablePtr>& into, bool is_field);
  std::int32_t constant_expression(const char* where);
  std::optional<std::int32_t> constant_value(const Expr& e) const;
  std::uint32_t array_size();
  void body(Proctype& p);

  // statements (parse_stmt.cpp)
  Sequence sequence();
  void step(Sequence& into);
  void statement(Sequence& into);
  StmtPtr unlabelled(Sequence& into);
  StmtPtr simple();
  StmtPtr options(StmtKind kind);
  StmtPtr braced(StmtKind kind);
  StmtPtr for_loop(Sequence& into);
  StmtPtr select(Sequence& into);
  StmtPtr counting_loop(Sequence body, ExprPtr counter, bool with_else, diag::Span span);
  StmtPtr send(ExprPtr channel);
  StmtPtr receive(ExprPtr channel);
  StmtPtr print();
  void exclusive_claim();
  void local_declaration(Sequence& into);
  bool at_sequence_end() const;
  void separator(const Sequence& so_far);
  void recover_statement();
  void expand_inline(ExprPtr result);
  StmtPtr inline_call(ExprPtr result);
  StmtPtr return_statement();
  bool at_return() const;
  bool at_inline_call() const;
  StmtPtr make(StmtKind kind, diag::Span span) const;

  // expressions (parse_expr.cpp)
  void measure(Expr& e);
  ExprPtr expression();
  ExprPtr binary(int level);
  ExprPtr unary();
  ExprPtr literal();
  ExprPtr primary();
  ExprPtr name_expression();
  ExprPtr remote(const Token& proc, ExprPtr index);
  ExprPtr run_expression();
  ExprPtr call_of(ExprKind kind);
  ExprPtr channel_test(ExprKind kind);
  ExprPtr reference();
  ExprPtr channel_reference();
  std::vector<ExprPtr> arguments();
  std::vector<ExprPtr> receive_arguments(Tok close);
  ExprPtr receive_argument();
  VariablePtr find_variable(const std::string& name) const;
  bool find_mtype(const std::string& name, std::int32_t& value) const;
  [[noreturn]] void unknown_name(const Token& name);
  ExprPtr constant(std::int32_t value, diag::Span span) const;
  ExprPtr node(ExprKind kind, diag::Span span) const;
  ExprPtr operation(Tok op, ExprPtr x, ExprPtr y) const;

  Tokens tokens_;
  std::size_t pos_ = 0;
  diag::Diagnostics& diagnostics_;
  Program program_;
  std::map<std::string, InlineDef> inlines_;
  std::unordered_map<std::string, std::uint32_t> typedef_names_;
  std::unordered_map<std::string, std::uint32_t> proctype_names_;
  std::vector<Expansion> expansions_;
  std::vector<Scope> scopes_;
  std::uint32_t scope_counter_ = 0;
  Proctype* current_ = nullptr;    // the proctype being read
  bool initialisation_ok_ = true;  // declarations still belong to the start of the process
  bool temporal_ = false;          // reading an ltl formula
  bool array_names_ok_ = false;    // an array may stand without index (for … in)
  int loop_depth_ = 0;
  int depth_ = 0;  // of nested statements and expressions
  struct RunUse {
    ExprPtr run;
  };
  std::vector<RunUse> runs_;
  struct FormulaTokens {
    std::size_t begin, end, index;
  };
  std::vector<FormulaTokens> formula_tokens_;
};

}  // namespace parley::front::promela
