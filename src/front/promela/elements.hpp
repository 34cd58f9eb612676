// A body as Spin chains it: elements in the order in which statements are read, with the ends of selections
// and the targets of break as elements of their own, jumps by label, atomic and d_step as marks, escapes of
// unless attached to every element they can leave. flow.cpp makes the automaton of it; nobody else uses it.
#pragma once

#include <string>
#include <vector>

#include "diag/diagnostic.hpp"
#include "front/promela/ast.hpp"

namespace parley::front::promela {

enum Status : unsigned { kDone = 1, kAtom = 2, kLastAtom = 4, kDStep = 32 };
inline constexpr int kNone = -1;

enum class Node : std::uint8_t {
  Leaf,
  Goto,
  Skip,
  If,
  Do,
  Unless,
  Atomic,
  Block,
  DStep,
  Dot,
  BreakTarget,
  End
};

struct Chain {  // a sequence of elements
  int first = kNone, last = kNone, extent = kNone;
};

struct Element {
  Node node = Node::Leaf;
  const Stmt* statement = nullptr;
  unsigned status = 0;
  int next = kNone;
  std::vector<int> subs;     // If, Do, Unless: chains
  int inner = kNone;         // Atomic, Block, DStep: chain
  std::vector<int> escapes;  // chains, outermost first
  std::string jump;          // Goto: label
  std::string scope;
  diag::Span span;
};

struct PlacedLabel {
  std::string name, scope;
  int element;
  diag::Span span;
};

class ElementGraph {
 public:
  ElementGraph(const Proctype& proctype, const std::vector<std::string>& referenced,
               diag::Diagnostics& diagnostics)
      : proctype_(proctype), referenced_(referenced), diagnostics_(diagnostics) {}

  // Reads the body. False: there were errors.
  bool read();

  Element& element(int i) { return elements_[static_cast<std::size_t>(i)]; }
  Chain& chain(int i) { return chains_[static_cast<std::size_t>(i)]; }
  std::size_t size() const { return elements_.size(); }
  const std::vector<PlacedLabel>& labels() const { return labels_; }
  int top() const { return top_; }  // the chain of the body
  int end() const { return end_; }  // the element with which the process ends
  bool failed() const { return failed_; }
  void fail(const char* code, diag::Span span, std::string message, std::string hint = {});
  // The element a jump leads to: its label in the same block, else in an enclosing one, else anywhere.
  int find_label(int jump);

 private:
  int new_chain();
  int new_element(Node node, const Stmt* s, diag::Span span);
  int read_chain(const Sequence& statements);
  void set_label(const std::string& name, const std::string& scope, int e, diag::Span span);
  void append(int e, int c);
  void add(const Stmt& s);
  bool is_skip(int e);
  bool labelled(int e) const;
  void prune_skips(int c);
  int add_selection(const Stmt& s, int here);
  int add_unless(const Stmt& s, int here);
  void attach_escape(int to, int escape);
  void attach_to_element(int f, int escape);
  void make_atomic(int c, unsigned added);
  void walk_atomic(int from, int to, unsigned added);
  void keep_referenced_jumps();
  void tie_loose_ends();

  const Proctype& proctype_;
  const std::vector<std::string>& referenced_;
  diag::Diagnostics& diagnostics_;
  std::vector<Element> elements_;
  std::vector<Chain> chains_;
  std::vector<PlacedLabel> labels_;
  std::vector<std::string> breaks_;
  std::vector<int> open_;
  int top_ = kNone, end_ = kNone;
  int break_count_ = 0;
  bool failed_ = false;
};

}  // namespace parley::front::promela
