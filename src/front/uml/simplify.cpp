// Free choices that nothing ever looks at are dropped: values for attributes, locals and message values that
// no expression of the model reads. They come from text that was not understood, and would only multiply
// states. What is dropped has no effect on any run as the checks see it; attributes that a given check names
// count as read.
#include <algorithm>

#include "front/uml/importer.hpp"

namespace parley::front::uml {
namespace {

using model::Expr;
using model::ExprKind;
using model::Stmt;
using model::StmtKind;
using model::StmtPtr;

class Simplifier {
 public:
  explicit Simplifier(model::Model& model) : model_(model) {}

  void run() {
    for (bool changed = true; changed;) {
      changed = false;
      read_.clear();
      collect();
      each_behaviour([&](model::Behaviour& b) {
        if (b.body == nullptr) return;
        locals_.clear();
        find_locals(*b.body);
        if (b.body->kind == StmtKind::Block) changed |= clean_children(*b.body);
        if (b.body->children.empty() && b.body->kind == StmtKind::Block && !keeps_empty_) b.body = nullptr;
      });
    }
  }

 private:
  template <class F>
  void each_behaviour(F&& f) {
    for (auto& c : model_.classes) {
      keeps_empty_ = true;
      for (auto& o : c.operations) f(o.body);
      keeps_empty_ = false;
      if (!c.machine) continue;
      for (auto& v : c.machine->vertices) {
        f(v.entry);
        f(v.exit);
      }
      for (auto& t : c.machine->transitions) f(t.effect);
    }
  }

  void reads(const Expr& e) {
    if (e.kind == ExprKind::Name || e.kind == ExprKind::Field) read_.insert(e.text);
    for (const auto& o : e.operands) reads(*o);
  }
  // Targets of assignments count as read where they have parts (an index, an object).
  void reads_target(const Expr& e) {
    for (const auto& o : e.operands) {
      if (o->kind != ExprKind::Name || e.kind == ExprKind::Field) reads(*o);
    }
    if (e.kind == ExprKind::Index && e.operands.size() > 1) reads(*e.operands[1]);
  }
  void reads(const Stmt& s) {
    if (s.target != nullptr) {
      if (s.kind == StmtKind::Assign || s.kind == StmtKind::Havoc)
        reads_target(*s.target);
      else
        reads(*s.target);
    }
    if (s.value != nullptr) reads(*s.value);
    if (s.hi != nullptr) reads(*s.hi);
    for (const auto& a : s.args) reads(*a);
    for (const auto& c : s.children) {
      if (c != nullptr) reads(*c);
    }
  }

  void collect() {
    for (const auto& check : model_.checks) {
      if (check.expression != nullptr) reads(*check.expression);
      if (check.formula != nullptr) reads(*check.formula);
    }
    if (model_.system) {
      for (const auto& e : model_.system->environment) {
        if (e.when != nullptr) reads(*e.when);
      }
    }
    each_behaviour([&](model::Behaviour& b) {
      if (b.body != nullptr) reads(*b.body);
    });
    for (const auto& c : model_.classes) {
      if (!c.machine) continue;
      for (const auto& t : c.machine->transitions) {
        if (t.guard != nullptr) reads(*t.guard);
        for (const auto& g : t.triggers) {
          if (g.value != nullptr) reads(*g.value);
        }
      }
    }
  }
  void reads(const model::Formula& f) {
    if (f.expression != nullptr) reads(*f.expression);
    if (f.event) reads(*f.event->object);
    if (f.event && f.event->where) reads(*f.event->where);
    for (const auto& o : f.operands) reads(*o);
  }

  void find_locals(const Stmt& s) {
    if (s.kind == StmtKind::Local) locals_.insert(s.text);
    for (const auto& c : s.children) {
      if (c != nullptr) find_locals(*c);
    }
  }

  // Evaluating it can neither fail nor do anything.
  static bool is_harmless(const Expr& e) {
    if (e.kind == ExprKind::Call || e.kind == ExprKind::Field || e.kind == ExprKind::Index) return false;
    if (const auto op = model::info(e.op).meaning; op && expr::info(*op).may_fail) return false;
    return std::all_of(e.operands.begin(), e.operands.end(), [](const auto& o) { return is_harmless(*o); });
  }

  bool is_useless(const Stmt& s) const {
    switch (s.kind) {
      case StmtKind::Havoc:
        return s.target->kind == ExprKind::Name && !read_.contains(s.target->text);
      case StmtKind::Local:
        return !read_.contains(s.text) && (s.value == nullptr || is_harmless(*s.value)) &&
               assigned_nowhere_else(s.text);
      case StmtKind::Assign:
        return s.target->kind == ExprKind::Name && locals_.contains(s.target->text) &&
               !read_.contains(s.target->text) && (s.value == nullptr || is_harmless(*s.value));
      case StmtKind::If:
        return is_harmless(*s.value) &&
               std::all_of(s.children.begin(), s.children.end(), [](const StmtPtr& c) {
                 return c == nullptr || (c->kind == StmtKind::Block && c->children.empty());
               });
      case StmtKind::For:
        return s.children.front()->kind == StmtKind::Block && s.children.front()->children.empty();
      case StmtKind::Block:
        return s.children.empty();
      default:
        return false;
    }
  }
  // Assignments and havocs of an unread local go first; then its declaration.
  bool assigned_nowhere_else(const std::string& local) const { return !assigned_.contains(local); }

  void find_assigned(const Stmt& s) {
    if ((s.kind == StmtKind::Assign || s.kind == StmtKind::Havoc) && s.target->kind == ExprKind::Name)
      assigned_.insert(s.target->text);
    for (const auto& c : s.children) {
      if (c != nullptr) find_assigned(*c);
    }
  }

  bool clean_children(Stmt& s) {
    bool changed = false;
    assigned_.clear();
    find_assigned(s);
    clean(s, changed);
    return changed;
  }

  void clean(Stmt& s, bool& changed) {
    for (auto& c : s.children) {
      if (c != nullptr) clean(*c, changed);
    }
    if (s.kind != StmtKind::Block) {
      // An else that does nothing.
      if (s.kind == StmtKind::If && s.children.size() == 2 && s.children[1]->kind == StmtKind::Block &&
          s.children[1]->children.empty()) {
        s.children.pop_back();
        changed = true;
      }
      return;
    }
    std::vector<StmtPtr> kept;
    for (auto& c : s.children) {
      if (c == nullptr || is_useless(*c)) {
        changed = true;
        continue;
      }
      // A block inside a block without declarations of its own is no scope.
      const bool declares = std::any_of(c->children.begin(), c->children.end(),
                                        [](const StmtPtr& x) { return x->kind == StmtKind::Local; });
      if (c->kind == StmtKind::Block && !declares) {
        for (auto& inner : c->children) kept.push_back(std::move(inner));
        changed = true;
        continue;
      }
      kept.push_back(std::move(c));
    }
    s.children = std::move(kept);
  }

  model::Model& model_;
  bool keeps_empty_ = false;
  std::set<std::string> read_, locals_, assigned_;
};

// Arguments that nobody reads need not be any value.
void settle_arguments(Import& import, Stmt& s) {
  if (s.kind == StmtKind::Send) {
    for (const auto& [key, record] : import.signals) {
      if (record.name != s.text) continue;
      const std::size_t hidden = record.carries_port ? 1 : 0;
      for (std::size_t i = 0; i < record.parameters.size() && i + hidden < s.args.size(); ++i) {
        auto& argument = s.args[i + hidden];
        if (argument->kind != ExprKind::Any || record.read.contains(record.parameters[i].first)) continue;
        if (record.parameters[i].second.tag == ValueType::Tag::Int) argument = make_int(0, argument->span);
        if (record.parameters[i].second.tag == ValueType::Tag::Bool)
          argument = make_bool(false, argument->span);
      }
    }
  }
  for (auto& c : s.children) {
    if (c != nullptr) settle_arguments(import, *c);
  }
}

}  // namespace

void drop_unread_choices(Import& import) {
  for (auto& c : import.model.classes) {
    for (auto& o : c.operations) {
      if (o.body.body != nullptr) settle_arguments(import, *o.body.body);
    }
    if (!c.machine) continue;
    for (auto& v : c.machine->vertices) {
      for (auto* b : {&v.entry, &v.exit}) {
        if (b->body != nullptr) settle_arguments(import, *b->body);
      }
    }
    for (auto& t : c.machine->transitions) {
      if (t.effect.body != nullptr) settle_arguments(import, *t.effect.body);
    }
  }
  Simplifier(import.model).run();
}

}  // namespace parley::front::uml
