// A resolved Model as text without places: two models with equal dumps mean the same to lowering.
#pragma once

#include <fmt/format.h>

#include <string>

#include "model/model.hpp"
#include "model/show.hpp"

namespace parley::front::text {

class Dump {
 public:
  static std::string of(const model::Model& m) {
    Dump d;
    d.model(m);
    return std::move(d.out_);
  }

 private:
  template <class... T>
  void put(fmt::format_string<T...> format, T&&... args) {
    out_ += fmt::format(format, std::forward<T>(args)...);
  }
  void type(const model::ModelType& t) {
    put("<{} {} {} {} {} {}>", static_cast<int>(t.tag), t.lo, t.hi, t.enumeration.value, t.of_class.value,
        t.array);
  }
  void expr(const model::ExprPtr& e) {
    if (!e) return put("()");
    // An operand of a name is the enumeration of a qualified literal, which means the same as a plain one.
    const bool name = e->kind == model::ExprKind::Name;
    put("({} '{}' {} s{} i{} e{} c{} v{} g{}", static_cast<int>(e->kind),
        e->kind == model::ExprKind::IntLiteral ? "" : e->text, e->value, static_cast<int>(e->symbol),
        e->index, e->enumeration.value, e->owner_class.value, e->state, e->signal.value);
    type(e->type);
    for (const model::ExprPtr& o : e->operands) {
      if (!name) expr(o);
    }
    put(")");
  }
  void stmt(const model::StmtPtr& s) {
    if (!s) return put("{{}}");
    put("{{{} '{}' g{} slot{} ", static_cast<int>(s->kind), s->text, s->signal.value, s->slot);
    type(s->type.resolved);
    expr(s->target);
    expr(s->value);
    expr(s->hi);
    for (const model::ExprPtr& a : s->args) expr(a);
    for (const model::StmtPtr& c : s->children) stmt(c);
    put("}}\n");
  }
  void behaviour(const model::Behaviour& b) {
    put(" behaviour '{}' slots {} ", b.name, b.slots);
    stmt(b.body);
  }
  void machine(const model::Machine& m) {
    put("machine '{}'\n", m.element_id);
    for (const model::Region& r : m.regions) {
      put("region '{}' of {} id '{}':", r.name, r.state.value, r.element_id);
      for (const model::VertexId v : r.vertices) put(" {}", v.value);
      put("\n");
    }
    for (const model::Vertex& v : m.vertices) {
      put("vertex {} '{}' in {} of {} waiting {} implicit {} id '{}' defers", static_cast<int>(v.kind),
          v.name, v.region.value, v.owner_state.value, v.waiting, v.implicit, v.element_id);
      for (const model::SignalDeclId s : v.deferred) put(" {}", s.value);
      behaviour(v.entry);
      behaviour(v.exit);
      behaviour(v.do_activity);
      put("\n");
    }
    for (const model::Transition& t : m.transitions) {
      put("transition '{}' {} -> {} kind {} else {} id '{}'", t.name, t.source.value, t.target.value,
          static_cast<int>(t.kind), t.is_else, t.element_id);
      for (const model::Trigger& g : t.triggers) {
        put(" on {} {} {} [{}]", static_cast<int>(g.kind), g.signal.value, g.timer,
            fmt::join(g.parameters, ","));
        expr(g.value);
      }
      expr(t.guard);
      behaviour(t.effect);
      put("\n");
    }
  }
  void event(const model::EventAtom& e) {
    put(" {} {} '{}' {}", static_cast<int>(e.kind), static_cast<int>(e.actor), e.name, e.signal.value);
    for (const std::string& p : e.parameters) put(" {}", p);
    expr(e.object);
    expr(e.where);
    expr(e.to);
  }
  void formula(const model::FormulaPtr& f) {
    if (!f) return;
    put("[{}", static_cast<int>(f->kind));
    expr(f->expression);
    if (f->event) event(*f->event);
    if (f->pattern)
      put(" {} {} {}", static_cast<int>(f->pattern->pattern), static_cast<int>(f->pattern->scope),
          f->pattern->most);
    put(" '{}'", f->variable);
    for (const model::FormulaPtr& o : f->operands) formula(o);
    put("]");
  }
  void parameters(const std::vector<model::Parameter>& list) {
    for (const model::Parameter& p : list) {
      put(" {}", p.name);
      type(p.type.resolved);
    }
    put("\n");
  }
  void model(const model::Model& m) {
    for (const model::ConstDecl& c : m.constants) {
      put("const {} {} ", c.name, c.resolved);
      type(c.type.resolved);
    }
    for (const model::EnumDecl& e : m.enums)
      put("enum {} {} '{}'\n", e.name, fmt::join(e.literals, " "), e.element_id);
    for (const model::SignalDecl& s : m.signals) {
      put("signal {} '{}'", s.name, s.element_id);
      parameters(s.parameters);
    }
    for (const model::Class& c : m.classes) {
      put("class {} : {} '{}'\n", c.name, c.base_class.value, c.element_id);
      for (const model::Attribute& a : c.attributes) {
        put("attribute {} '{}' ", a.name, a.element_id);
        type(a.type.resolved);
        expr(a.initial);
      }
      for (const model::Operation& o : c.operations) {
        put("operation {} '{}' ", o.name, o.element_id);
        type(o.result.resolved);
        parameters(o.parameters);
        behaviour(o.body);
      }
      if (c.machine) machine(*c.machine);
    }
    system(m);
    for (const model::PartitionDecl& p : m.partitions)
      put("partition {} {}\n", model::show(p), fmt::join(p.starts, " "));
    for (const model::CheckDecl& c : m.checks) {
      put("check {} '{}' ", static_cast<int>(c.kind), c.name);
      expr(c.expression);
      formula(c.formula);
      put("\n");
    }
    for (const model::FairnessDecl& f : m.fairness) {
      put("assume {} {}", static_cast<int>(f.of), f.strong);
      event(f.event);
    }
  }
  void system(const model::Model& m) {
    for (const model::Model::Object& o : m.objects) {
      put("object {} {} {} {}:", o.name, o.of_class.value, o.declaration, o.position);
      for (const auto& values : o.initial) put(" [{}]", fmt::join(values, " "));
      put("\n");
    }
    if (!m.system) return;
    for (const model::ThreadDecl& t : m.system->threads) {
      put("thread {}", t.name);
      for (const model::ExprPtr& e : t.members) expr(e);
    }
    for (const model::QueueDecl& q : m.system->queues) {
      put("queue {}", q.overflow ? static_cast<int>(*q.overflow) : -1);
      for (const model::ExprPtr& e : q.of) expr(e);
      expr(q.capacity);
    }
    for (const model::EnvironmentDecl& e : m.system->environment) {
      put("environment {}", e.signal_id.value);
      for (const auto& a : e.arguments) {
        expr(a.lo);
        expr(a.hi);
      }
      expr(e.target);
      expr(e.when);
      expr(e.at_most);
    }
    const model::Switches& s = m.switches;
    put("switches {} {} {} {} {} {} {} {} {}\n", static_cast<int>(s.run_to_completion),
        static_cast<int>(s.completion), static_cast<int>(s.discard), static_cast<int>(s.environment),
        static_cast<int>(s.integers), static_cast<int>(s.overflow), static_cast<int>(s.time),
        static_cast<int>(s.regions), static_cast<int>(s.deferral));
  }
  std::string out_;
};

}  // namespace parley::front::text
