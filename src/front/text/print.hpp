// The formatter's inside, shared by the print_*.cpp files: one function per kind of item.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "front/text/layout.hpp"
#include "model/vertex_names.hpp"

namespace parley::front::text {

class Print {
 public:
  Print(const model::Model& model, const diag::SourceMap* sources)
      : model_(model), layout_(model.comments, sources) {}
  std::string run();

 private:
  // Items of a block with their places: printed in the order of the text, or as listed if they have none.
  struct Item {
    diag::Span span;
    std::function<void()> print;
  };
  void in_text_order(std::vector<Item> items);
  static std::string id(const std::string& element_id);

  // declarations and the system (printer.cpp, print_system.cpp)
  std::vector<std::pair<char, std::uint32_t>> order() const;
  void declaration(char kind, std::uint32_t index, char previous);
  void signals(std::uint32_t first);
  void class_declaration(const model::Class& c);
  void operation(const model::Operation& o);
  static std::string parameters(const std::vector<model::Parameter>& list);
  void system();
  void object(const model::ObjectDecl& o);
  void environment(std::size_t index);
  void queue(const model::QueueDecl& q);
  void semantics(const model::SemanticsDecl& d);

  // machines (print_machine.cpp)
  void machine(const model::Class& c);
  void region_items(const model::Machine& m, model::RegionId region, std::vector<Item>& items);
  void regions(const model::Machine& m, const std::vector<model::RegionId>& list, std::vector<Item>& items);
  void vertex(const model::Machine& m, model::VertexId v);
  void state(const model::Machine& m, model::VertexId v);
  void transition(const model::Machine& m, const model::Transition& t, const std::string& prefix);
  // Up to the effect (with its slash), and from the target on.
  std::string transition_head(const model::Transition& t, const std::string& prefix) const;
  std::string transition_tail(const model::Machine& m, const model::Transition& t) const;
  std::string transition_line(const model::Machine& m, const model::Transition& t) const;
  std::string target(const model::Machine& m, const model::Transition& t) const;
  void behaviour(const std::string& head, const model::Behaviour& b, const std::string& tail);
  static std::string behaviour_line(const std::string& head, const model::Behaviour& b,
                                    const std::string& tail);

  // statements (print_machine.cpp)
  void statements(const model::Stmt& block);
  void statement(const model::Stmt& s);
  void if_statement(const model::Stmt& s);

  const model::Model& model_;
  Layout layout_;
  const model::VertexNames* names_ = nullptr;    // of the machine being printed
  std::vector<std::vector<std::uint32_t>> out_;  // its transitions by source
};

}  // namespace parley::front::text
