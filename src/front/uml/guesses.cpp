// Guards whose text is not understood. The action language has no free choice in guards, so each such guard
// of a state's transition reads a truth value of its own that is guessed anew whenever the state is entered
// and after everything that happens while it is active: at each dispatch either outcome is possible. A
// message that the guess refuses is taken by an internal transition that guesses again, unless something else
// would react to it. At choices and junctions a guard that is not understood may always be true, and so may
// the else: one of the branches is taken.
#include <fmt/format.h>

#include <algorithm>

#include "front/uml/importer.hpp"

namespace parley::front::uml {
namespace {

using model::Machine;
using model::VertexId;
using model::VertexKind;

bool has_any(const model::Expr& e) {
  if (e.kind == model::ExprKind::Any) return true;
  return std::any_of(e.operands.begin(), e.operands.end(), [](const auto& o) { return has_any(*o); });
}

void replace_any(model::Expr& e, const std::string& name) {
  if (e.kind == model::ExprKind::Any) {
    e.kind = model::ExprKind::Name;
    e.text = name;
    e.operands.clear();
    return;
  }
  for (auto& o : e.operands) replace_any(*o, name);
}

// The part of a guard that is understood: conjuncts without a free choice.
model::ExprPtr without_any(model::ExprPtr e) {
  if (e == nullptr || !has_any(*e)) return e;
  if (e->op == model::Operator::AndAlso) {
    auto left = without_any(std::move(e->operands[0]));
    auto right = without_any(std::move(e->operands[1]));
    if (left == nullptr) return right;
    if (right == nullptr) return left;
    return make_binary(model::Operator::AndAlso, std::move(left), std::move(right), e->span);
  }
  return nullptr;
}

void append(model::Behaviour& behaviour, model::StmtPtr statement, diag::Span span) {
  if (behaviour.body == nullptr) {
    behaviour.body = std::make_unique<model::Stmt>();
    behaviour.body->span = span;
    if (!behaviour.span.valid()) behaviour.span = span;
  }
  behaviour.body->children.push_back(std::move(statement));
}

class Guesser {
 public:
  Guesser(Import& import, std::size_t class_index)
      : import_(import), class_index_(class_index), machine_(*import.model.classes[class_index].machine) {}

  void run() {
    free_branches();
    const std::size_t count = machine_.transitions.size();
    for (std::size_t i = 0; i < count; ++i) {
      const auto& t = machine_.transitions[i];
      if (t.guard != nullptr && has_any(*t.guard)) guess(i);
    }
    for (const auto i : refusals_) refuse(i);
  }

 private:
  bool is_state(VertexId v) const { return machine_.vertex(v).kind == VertexKind::State; }

  bool inside(VertexId v, VertexId state) const {
    for (VertexId at = v; at.valid();) {
      if (at == state) return true;
      const auto& vertex = machine_.vertex(at);
      at = vertex.owner_state.valid() ? vertex.owner_state : machine_.region(vertex.region).state;
    }
    return false;
  }

  void free_branches() {
    std::set<VertexId> open;
    for (auto& t : machine_.transitions) {
      if (is_state(t.source) || t.guard == nullptr || !has_any(*t.guard)) continue;
      open.insert(t.source);
      t.guard = without_any(std::move(t.guard));
    }
    for (auto& t : machine_.transitions) {
      if (t.is_else && open.contains(t.source)) t.is_else = false;
    }
    for (const auto v : open) {
      import_.assume(
          diag::AssumptionCode::Approximated, "guard of a branch",
          fmt::format("at `{}` of class `{}` guards are not understood: any of those branches may be taken, "
                      "and one of them is",
                      machine_.path(v), import_.classes[class_index_].name));
    }
  }

  void guess(std::size_t index) {
    const VertexId state = machine_.transitions[index].source;
    const auto span = machine_.transitions[index].span;
    model::Attribute attribute;
    attribute.name = import_.guesses.unique("guess", "guess");
    attribute.type = type_ref({ValueType::Tag::Bool, ""}, span);
    attribute.span = attribute.name_span = span;
    const std::string name = attribute.name;
    import_.model.classes[class_index_].attributes.push_back(std::move(attribute));
    replace_any(*machine_.transitions[index].guard, name);
    const Variable variable{name, {ValueType::Tag::Bool, ""}, 0};
    append(machine_.vertex(state).entry, make_havoc(variable, span), span);
    auto reset = std::make_unique<model::Stmt>();
    reset->kind = model::StmtKind::Assign;
    reset->span = span;
    reset->target = make_name(name, span);
    reset->value = make_bool(false, span);
    append(machine_.vertex(state).exit, std::move(reset), span);
    for (auto& t : machine_.transitions) {
      const bool stays =
          t.kind == model::TransitionKind::Internal
              ? inside(t.source, state)
              : inside(t.source, state) && inside(t.target, state) && t.source != state && t.target != state;
      if (stays) append(t.effect, make_havoc(variable, span), span);
    }
    guesses_[index] = variable;
    refusals_.push_back(index);
  }

  bool reacts(VertexId v, const model::Trigger& trigger) const {
    const auto& defers = machine_.vertex(v).defers;
    if (std::find(defers.begin(), defers.end(), trigger.name) != defers.end()) return true;
    for (const auto& t : machine_.transitions) {
      if (t.source != v) continue;
      for (const auto& other : t.triggers) {
        if (other.kind == model::TriggerKind::AnySignal ||
            (other.kind == model::TriggerKind::Signal && other.name == trigger.name))
          return true;
      }
    }
    return false;
  }

  // The internal transition that takes a message which the guess refuses.
  void refuse(std::size_t index) {
    const VertexId state = machine_.transitions[index].source;
    const std::size_t triggers = machine_.transitions[index].triggers.size();
    for (std::size_t k = 0; k < triggers; ++k) {
      const model::Trigger& trigger = machine_.transitions[index].triggers[k];
      if (trigger.kind != model::TriggerKind::Signal) continue;
      const auto& defers = machine_.vertex(state).defers;
      bool handled = std::find(defers.begin(), defers.end(), trigger.name) != defers.end();
      for (VertexId at = machine_.region(machine_.vertex(state).region).state; at.valid() && !handled;
           at = machine_.region(machine_.vertex(at).region).state) {
        handled |= reacts(at, trigger);
      }
      model::ExprPtr refused;
      for (std::size_t i = 0; i < machine_.transitions.size() && !handled; ++i) {
        const auto& t = machine_.transitions[i];
        if (t.source != state || !std::any_of(t.triggers.begin(), t.triggers.end(), [&](const auto& x) {
              return x.kind == trigger.kind && x.name == trigger.name;
            }))
          continue;
        if (t.is_else || t.guard == nullptr) {
          handled = true;
          break;
        }
        auto guard = model::clone(*t.guard);
        guard->parenthesised = true;
        auto negated = std::make_unique<model::Expr>();
        negated->kind = model::ExprKind::Unary;
        negated->op = model::Operator::Not;
        negated->span = guard->span;
        negated->operands.push_back(std::move(guard));
        refused = refused == nullptr
                      ? std::move(negated)
                      : make_binary(model::Operator::AndAlso, std::move(refused), std::move(negated), t.span);
      }
      const auto key = std::make_pair(state, trigger.name);
      if (handled || refused == nullptr || !made_.insert(key).second) continue;
      model::Transition t;
      t.source = t.target = state;
      t.kind = model::TransitionKind::Internal;
      t.span = t.target_span = machine_.transitions[index].span;
      model::Trigger copy;
      copy.kind = trigger.kind;
      copy.name = trigger.name;
      copy.span = trigger.span;
      copy.parameters = parameters_for(state, trigger.name);
      t.triggers.push_back(std::move(copy));
      t.guard = std::move(refused);
      for (const auto& [other, variable] : guesses_) {
        if (machine_.transitions[other].source == state)
          append(t.effect, make_havoc(variable, t.span), t.span);
      }
      machine_.add(std::move(t));
    }
  }

  // Names that the guards of the state's transitions for this signal use for its values; they all use the
  // same ones.
  std::vector<std::string> parameters_for(VertexId state, const std::string& signal) const {
    for (const auto& t : machine_.transitions) {
      if (t.source != state) continue;
      for (const auto& trigger : t.triggers) {
        if (trigger.name == signal && !trigger.parameters.empty()) return trigger.parameters;
      }
    }
    return {};
  }

  Import& import_;
  std::size_t class_index_;
  Machine& machine_;
  std::map<std::size_t, Variable> guesses_;  // by transition
  std::vector<std::size_t> refusals_;
  std::set<std::pair<VertexId, std::string>> made_;
};

}  // namespace

void replace_unknown_guards(Import& import) {
  for (const auto& c : import.model.classes) {
    for (const auto& a : c.attributes) import.guesses.reserve(a.name);
    for (const auto& o : c.operations) import.guesses.reserve(o.name);
  }
  for (std::size_t i = 0; i < import.classes.size(); ++i) {
    if (import.model.classes[i].machine) Guesser(import, i).run();
  }
}

}  // namespace parley::front::uml
