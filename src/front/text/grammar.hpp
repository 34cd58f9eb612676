// The recursive-descent parser's inside, shared by the parse_*.cpp files; nobody else includes it. Each
// function parses one production of docs/language.md. A syntax error throws Panic, which never leaves this
// room: the nearest list of items (declarations, members, statements) catches it, skips to the item's end and
// goes on.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "front/text/lexer.hpp"

namespace parley::front::text {

struct Panic {};
struct TooDeep {
};  // nested beyond a limit: the whole declaration is given up, what is left of it means little

// Counts nesting while it lives.
class Deeper {
 public:
  explicit Deeper(int& depth) : depth_(depth) { ++depth_; }
  ~Deeper() { --depth_; }
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;

 private:
  int& depth_;
};

// sends, receives, discards, takes
std::optional<model::EventKind> event_word(std::string_view word);
// A temporal operator, event or pattern.
bool formula_only(const model::Expr& e);
// `a <-> b` between state predicates is a == b.
void settle_equivalences(model::Expr& e);

// Gives a flag another value while it lives.
class Switched {
 public:
  Switched(bool& flag, bool value) : flag_(flag), before_(flag) { flag_ = value; }
  ~Switched() { flag_ = before_; }
  Switched(const Switched&) = delete;
  Switched& operator=(const Switched&) = delete;

 private:
  bool& flag_;
  bool before_;
};

class Grammar {
 public:
  Grammar(const diag::SourceMap& sources, diag::FileId file, diag::Diagnostics& diagnostics);
  model::Model file();

 private:
  using Span = model::Span;
  using ExprPtr = model::ExprPtr;
  using StmtPtr = model::StmtPtr;

  // Limits on nesting, so that neither this parser nor a later walk over the tree runs out of stack.
  static constexpr int kExprDepth = 1000;
  static constexpr int kExprHeight = 1000;
  static constexpr int kStmtDepth = 300;
  static constexpr int kStateDepth = 2000;
  static constexpr int kMaxErrors = 1000;

  // tokens (grammar.cpp)
  const Token& peek(std::size_t ahead = 0) const;
  std::string_view text(const Token& t) const;
  std::string name_text(const Token& t) const;
  Span span(const Token& t) const { return {file_, t.begin, t.end}; }
  Span since(const Token& first) const { return {file_, first.begin, last_end_}; }
  bool at(std::string_view punctuation, std::size_t ahead = 0) const;
  bool at_word(std::string_view word, std::size_t ahead = 0) const;  // a name, not in backquotes, spelled so
  bool at_name(std::size_t ahead = 0) const { return peek(ahead).kind == TokenKind::Name; }
  bool at_end() const { return peek().kind == TokenKind::End; }
  const Token& take();
  bool accept(std::string_view punctuation);
  bool accept_word(std::string_view word);
  void expect(std::string_view punctuation, std::string_view where);
  void expect_word(std::string_view word, std::string_view where);
  void expect_semicolon(std::string_view what);
  std::string expect_name(std::string_view what, Span* place = nullptr);
  std::string expect_string(std::string_view what);
  [[noreturn]] void fail(std::string_view expected, std::string hint = {});
  [[noreturn]] void too_deep(Span place, std::string message, std::string hint = {});
  [[noreturn]] void fail_at(Span place, std::string code, std::string message, std::string hint = {});
  std::string describe(const Token& t) const;
  void skip_item(std::size_t from);
  bool at_declaration() const;        // a word that starts a declaration, at a line's start
  void unclosed(std::size_t opened);  // a declaration was met inside a block
  bool follows_bad_text() const;      // the lexer complained just here
  template <class F>
  void items_until_brace(F&& item);                       // items until `}` (taken) with recovery
  void no_id(const std::string& id, const Token& first);  // complains if there is one
  std::string id_annotation();                            // @id("…") or ""

  // declarations (parse_declarations.cpp)
  void assumption(model::Model& m);
  void declaration(model::Model& m);
  void constant(model::Model& m, const Token& first);
  void enumeration(model::Model& m, const Token& first, std::string id);
  void signals(model::Model& m, const Token& first, std::string id);
  void class_declaration(model::Model& m, const Token& first, std::string id);
  void member(model::Class& c);
  void operation(model::Class& c, const Token& first, std::string id, model::TypeRef result);
  void attributes(model::Class& c, const Token& first, std::string id, model::TypeRef type);
  std::vector<model::Parameter> parameters();
  model::TypeRef type(std::string_view what);
  model::TypeRef copy(const model::TypeRef& t) { return model::clone(t); }

  // data partitions (parse_partition.cpp)
  void partition(model::Model& m, const Token& first);
  model::PartitionDecl::Cell partition_cell();

  // machines (parse_machine.cpp)
  struct Place {             // where items of a region or state body go
    model::VertexId state;   // the state whose body this is; invalid: a machine's or region's body
    model::RegionId region;  // current region; made on demand for a state's direct vertices
    bool has_direct = false, has_regions = false;
  };
  void machine(model::Class& c, const Token& first, std::string id);
  void region_body(model::Machine& m, model::RegionId region);
  void state_item(model::Machine& m, Place& place);
  bool vertex_item(model::Machine& m, Place& place, const Token& first, const std::string& id);
  void state_vertex(model::Machine& m, Place& place, const Token& first, const std::string& id, bool waiting);
  void pseudostate(model::Machine& m, Place& place, const Token& first, const std::string& id,
                   model::VertexKind kind, bool named);
  void region_item(model::Machine& m, Place& place, const Token& first, const std::string& id);
  void point(model::Machine& m, Place& place, const Token& first, const std::string& id,
             model::VertexKind kind);
  void defer(model::Machine& m, Place& place);
  void set_behaviour(model::Behaviour& slot, const Token& word);
  void transition(model::Machine& m, model::VertexId source, const Token& first, const std::string& id);
  void continuations(model::Machine& m, model::VertexId vertex, const Token& first);
  void continuation(model::Machine& m, model::VertexId source, const Token& first, const std::string& id);
  model::Transition transition_head(model::VertexId source, const std::string& id);
  void triggers(model::Transition& t);
  void transition_rest(model::Machine& m, model::Transition t, const Token& first, bool arrow_needed);
  model::Behaviour behaviour();
  model::RegionId region_for(model::Machine& m, Place& place, const Token& first);
  std::string path(Span* place);

  // statements (parse_statements.cpp)
  StmtPtr block(std::string_view where);
  void block_items(model::Stmt& into);
  StmtPtr statement();
  StmtPtr braced_or_single(std::string_view where);
  StmtPtr send_statement();
  StmtPtr assert_statement();
  StmtPtr if_statement();
  StmtPtr for_statement();
  StmtPtr while_statement();
  StmtPtr either_statement();
  StmtPtr return_statement();
  StmtPtr timer_statement(model::StmtKind kind);
  StmtPtr local_statement();
  StmtPtr assign_or_call();
  model::Operator take_step();
  bool at_local() const;

  // expressions (parse_expressions.cpp); height_ is the height of the tree parsed last
  ExprPtr expression();
  ExprPtr binary(model::Precedence lowest);
  ExprPtr unary();
  ExprPtr postfix();
  ExprPtr primary();
  ExprPtr quantifier();
  ExprPtr any_expression();
  ExprPtr make_binary(ExprPtr left, const Token& at, model::Operator op, ExprPtr right);
  ExprPtr state_test(ExprPtr left, const Token& op);
  std::vector<ExprPtr> arguments();
  model::Precedence operator_level(model::Operator* op) const;
  void grow(int height, Span place);
  ExprPtr node(model::ExprKind kind, const Token& first);

  // what only formulas have (parse_formulas.cpp)
  bool at_prefix_temporal() const;
  ExprPtr prefix_temporal();
  ExprPtr event(ExprPtr object, const Token& word);
  ExprPtr pattern_or_formula();
  ExprPtr pattern(ExprPtr first);
  ExprPtr scoped(ExprPtr pattern);
  ExprPtr scope_start();
  model::FormulaPtr formula(ExprPtr e);

  // system and checks (parse_system.cpp, parse_checks.cpp)
  void system(model::Model& m, const Token& first);
  void system_item(model::SystemDecl& s);
  void object(model::SystemDecl& s, const Token& first, std::string id);
  void thread(model::SystemDecl& s, const Token& first);
  void queue(model::SystemDecl& s, const Token& first);
  void environment(model::SystemDecl& s, const Token& first);
  void semantics(model::SystemDecl& s, const Token& first);
  void check(model::Model& m, const Token& first);
  bool property_check(model::CheckDecl& c);
  void state_property(model::CheckDecl& c);  // of a formula that is one
  bool is_temporal(const model::Expr& e);    // and says so
  void assume(model::Model& m, const Token& first);
  bool at_assumption() const;

  const diag::SourceMap& sources_;
  diag::FileId file_;
  diag::Diagnostics& diagnostics_;
  const std::string& source_;
  TokenStream stream_;
  std::size_t at_ = 0;
  std::uint32_t last_end_ = 0;
  int expr_depth_ = 0, stmt_depth_ = 0, state_depth_ = 0;
  int height_ = 0;
  bool temporal_ = false;    // inside a check: -> <-> and the operators and words of formulas are known
  bool until_ends_ = false;  // `until` belongs to a scope (after Q until R) and is no operator
  bool damaged_ = false;
  std::size_t unclosed_at_ = 0;  // the declaration that was reported to stand inside a block
  bool end_reported_ = false;    // that the text ends too early is said once
};

template <class F>
void Grammar::items_until_brace(F&& item) {
  const std::size_t opened = at_ - 1;
  while (!at("}") && !at_end() && !at_declaration()) {
    const std::size_t before = at_;
    try {
      item();
    } catch (const Panic&) {
      skip_item(before);
    }
  }
  if (at_declaration()) return unclosed(opened);
  expect("}", "at the end of the block");
}

}  // namespace parley::front::text
