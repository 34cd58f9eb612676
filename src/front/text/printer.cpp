#include "front/text/printer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "front/text/print.hpp"
#include "model/show.hpp"

namespace parley::front::text {

using model::quote_name;
using model::show;

std::string print(const model::Model& model, const diag::SourceMap* sources) {
  return Print(model, sources).run();
}

std::string Print::run() {
  for (const diag::Assumption& a : model_.assumptions)
    layout_.line(fmt::format("@assume({}, {});", name_of(a.code), model::quote_text(a.text)));
  char previous = 0;
  for (const auto& [kind, index] : order()) {
    declaration(kind, index, previous);
    previous = kind;
  }
  layout_.rest();
  return layout_.take();
}

std::string Print::id(const std::string& element_id) {
  return element_id.empty() ? "" : fmt::format("@id({}) ", model::quote_text(element_id));
}

void Print::in_text_order(std::vector<Item> items) {
  const bool placed = std::all_of(items.begin(), items.end(), [](const Item& i) { return i.span.valid(); });
  if (placed) {
    std::stable_sort(items.begin(), items.end(),
                     [](const Item& a, const Item& b) { return a.span.begin < b.span.begin; });
  }
  for (const Item& i : items) i.print();
}

std::vector<std::pair<char, std::uint32_t>> Print::order() const {
  const std::size_t count = model_.constants.size() + model_.enums.size() + model_.signals.size() +
                            model_.classes.size() + model_.checks.size() + model_.partitions.size() +
                            model_.fairness.size() + (model_.system ? 1 : 0);
  if (model_.order.size() == count) return model_.order;
  std::vector<std::pair<char, std::uint32_t>> result;
  const auto all = [&](char kind, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) result.emplace_back(kind, static_cast<std::uint32_t>(i));
  };
  all('c', model_.constants.size());
  all('e', model_.enums.size());
  all('s', model_.signals.size());
  all('k', model_.classes.size());
  all('y', model_.system ? 1 : 0);
  all('p', model_.partitions.size());
  all('f', model_.fairness.size());
  all('q', model_.checks.size());
  return result;
}

void Print::declaration(char kind, std::uint32_t index, char previous) {
  const bool large = kind == 'k' || kind == 'y' || previous == 'k' || previous == 'y';
  switch (kind) {
    case 'c': {
      const model::ConstDecl& c = model_.constants[index];
      layout_.before(c.span, large);
      layout_.line(fmt::format("const {} {} = {};", show(c.type), quote_name(c.name), show(*c.value)));
      return;
    }
    case 'e': {
      const model::EnumDecl& e = model_.enums[index];
      layout_.before(e.span, large);
      std::string literals;
      for (const std::string& l : e.literals) literals += (literals.empty() ? "" : ", ") + quote_name(l);
      layout_.line(fmt::format("{}enum {} {{ {} }}", id(e.element_id), quote_name(e.name), literals));
      return;
    }
    case 's': {
      const model::SignalDecl& s = model_.signals[index];
      const bool told = index > 0 && s.span.valid() && model_.signals[index - 1].span == s.span;
      if (told) return;  // printed with the first of its declaration
      layout_.before(s.span, large);
      signals(index);
      return;
    }
    case 'k':
      layout_.before(model_.classes[index].span, true);
      class_declaration(model_.classes[index]);
      return;
    case 'y':
      layout_.before(model_.system->span, true);
      system();
      return;
    case 'p':
      layout_.before(model_.partitions[index].span, large);
      layout_.line(fmt::format("partition {};", show(model_.partitions[index])));
      return;
    case 'f':
      layout_.before(model_.fairness[index].span, large);
      layout_.line(fmt::format("assume {};", show(model_.fairness[index])));
      return;
    case 'q': {
      const model::CheckDecl& c = model_.checks[index];
      layout_.before(c.span, large);
      layout_.line(fmt::format("check {}{};", c.name.empty() ? "" : quote_name(c.name) + ": ", show(c)));
      return;
    }
    default:
      return;
  }
}

void Print::signals(std::uint32_t first) {
  std::string out = id(model_.signals[first].element_id) + "signal ";
  for (std::uint32_t i = first; i < model_.signals.size(); ++i) {
    const model::SignalDecl& s = model_.signals[i];
    if (i > first) {
      if (!s.span.valid() || !(s.span == model_.signals[first].span)) break;
      out += ", " + id(s.element_id);
    }
    out += quote_name(s.name);
    if (!s.parameters.empty()) out += parameters(s.parameters);
  }
  layout_.line(out + ';');
}

std::string Print::parameters(const std::vector<model::Parameter>& list) {
  std::string out = "(";
  for (const model::Parameter& p : list) {
    if (out.size() > 1) out += ", ";
    out += show(p.type) + ' ' + quote_name(p.name);
  }
  return out + ')';
}

void Print::class_declaration(const model::Class& c) {
  std::string head = id(c.element_id) + "class " + quote_name(c.name);
  if (!c.base.empty()) head += " : " + quote_name(c.base);
  layout_.open(head);
  std::vector<Item> items;
  for (const model::Attribute& a : c.attributes) {
    items.push_back({a.span, [this, &a] {
                       layout_.before(a.span);
                       std::string text = id(a.element_id) + show(a.type) + ' ' + quote_name(a.name);
                       if (a.type.array_size) text += '[' + show(*a.type.array_size) + ']';
                       if (a.initial) text += " = " + show(*a.initial);
                       layout_.line(text + ';');
                     }});
  }
  for (const model::Operation& o : c.operations) {
    items.push_back({o.span, [this, &o] { operation(o); }});
  }
  if (c.machine) items.push_back({c.machine->span, [this, &c] { machine(c); }});
  in_text_order(std::move(items));
  layout_.before_end(c.span);
  layout_.close("}");
}

void Print::operation(const model::Operation& o) {
  layout_.before(o.span);
  const std::string head =
      id(o.element_id) + show(o.result) + ' ' + quote_name(o.name) + parameters(o.parameters);
  if (o.body.body == nullptr) {
    layout_.line(head + " { }");
    return;
  }
  behaviour(head, o.body, "");
}

}  // namespace parley::front::text
