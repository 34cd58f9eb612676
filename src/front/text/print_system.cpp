#include <fmt/format.h>

#include "front/text/print.hpp"
#include "model/show.hpp"

namespace parley::front::text {

using model::quote_name;
using model::show;

namespace {

std::string list(const std::vector<model::ExprPtr>& expressions) {
  std::string out;
  for (const model::ExprPtr& e : expressions) out += (out.empty() ? "" : ", ") + show(*e);
  return out;
}

}  // namespace

void Print::system() {
  const model::SystemDecl& s = *model_.system;
  layout_.open("system");
  std::vector<Item> items;
  for (const model::ObjectDecl& o : s.objects) items.push_back({o.span, [this, &o] { object(o); }});
  for (const model::ThreadDecl& t : s.threads) {
    items.push_back({t.span, [this, &t] {
                       layout_.before(t.span);
                       layout_.line(fmt::format("thread {} {{ {} }};", quote_name(t.name), list(t.members)));
                     }});
  }
  for (const model::QueueDecl& q : s.queues) items.push_back({q.span, [this, &q] { queue(q); }});
  for (std::size_t i = 0; i < s.environment.size(); ++i) {
    const model::EnvironmentDecl& e = s.environment[i];
    if (i > 0 && e.span.valid() && s.environment[i - 1].span == e.span) continue;
    items.push_back({e.span, [this, i] { environment(i); }});
  }
  for (const model::SemanticsDecl& d : s.semantics) items.push_back({d.span, [this, &d] { semantics(d); }});
  in_text_order(std::move(items));
  layout_.before_end(s.span);
  layout_.close("}");
}

void Print::object(const model::ObjectDecl& o) {
  layout_.before(o.span);
  std::string head = id(o.element_id) + quote_name(o.name);
  if (o.size) head += '[' + show(*o.size) + ']';
  head += " : " + quote_name(o.class_name);
  std::vector<std::string> values;
  for (const model::ObjectDecl::Wiring& w : o.wiring) {
    values.push_back(fmt::format("{}{} = {};", quote_name(w.attribute),
                                 w.index ? '[' + show(*w.index) + ']' : "", show(*w.value)));
  }
  if (values.empty() && !layout_.has_comment_in(o.span)) {
    layout_.line(head + ';');
    return;
  }
  const std::string inline_form = fmt::format("{} {{ {} }};", head, fmt::join(values, " "));
  const bool few = values.size() == 1 || (!layout_.has_sources() && values.size() <= 3);
  if ((few || layout_.was_one_line(o.span)) && layout_.fits(inline_form) && !layout_.has_comment_in(o.span)) {
    layout_.line(inline_form);
    return;
  }
  layout_.open(head);
  for (std::size_t i = 0; i < values.size(); ++i) {
    layout_.before(o.wiring[i].span);
    layout_.line(values[i]);
  }
  layout_.before_end(o.span);
  layout_.close("};");
}

void Print::queue(const model::QueueDecl& q) {
  layout_.before(q.span);
  std::string text = q.of.empty() ? "queues:" : "queue of " + list(q.of) + ':';
  if (q.capacity) text += " capacity " + show(*q.capacity);
  if (q.overflow) text += (q.capacity ? ", overflow " : " overflow ") + model::show_word(*q.overflow);
  layout_.line(text + ';');
}

void Print::environment(std::size_t index) {
  const std::vector<model::EnvironmentDecl>& all = model_.system->environment;
  const model::EnvironmentDecl& first = all[index];
  layout_.before(first.span);
  std::string text = "environment sends ";
  for (std::size_t i = index; i < all.size(); ++i) {
    const model::EnvironmentDecl& e = all[i];
    if (i > index && (!e.span.valid() || !(e.span == first.span))) break;
    if (i > index) text += ", ";
    text += quote_name(e.signal);
    if (e.arguments.empty()) continue;
    text += '(';
    for (std::size_t k = 0; k < e.arguments.size(); ++k) {
      const model::EnvironmentDecl::Argument& a = e.arguments[k];
      if (k > 0) text += ", ";
      if (!a.lo) {
        text += "any";
        continue;
      }
      const std::string lo = show(*a.lo), hi = show(*a.hi);
      text += lo == hi ? lo : lo + ".." + hi;
    }
    text += ')';
  }
  text += " to " + show(*first.target);
  if (first.when) text += " when (" + show(*first.when) + ')';
  if (first.at_most) text += " at most " + show(*first.at_most);
  layout_.line(text + ';');
}

void Print::semantics(const model::SemanticsDecl& d) {
  layout_.before(d.span);
  if (layout_.was_one_line(d.span)) {
    std::string text = "semantics {";
    for (const model::SemanticsDecl::Item& item : d.items)
      text += fmt::format(" {} = {};", item.name, item.value);
    if (layout_.fits(text + " }")) return layout_.line(text + " }");
  }
  layout_.open("semantics");
  for (const model::SemanticsDecl::Item& item : d.items) {
    layout_.before(item.span);
    layout_.line(fmt::format("{} = {};", item.name, item.value));
  }
  layout_.before_end(d.span);
  layout_.close("}");
}

}  // namespace parley::front::text
