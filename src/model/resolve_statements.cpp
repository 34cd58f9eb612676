#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "model/resolver.hpp"
#include "model/show.hpp"

namespace parley::model {
namespace {

// Whether every way through the statement ends in a return.
bool always_returns(const Stmt& s) {
  switch (s.kind) {
    case StmtKind::Return:
      return true;
    case StmtKind::Block:
      return std::any_of(s.children.begin(), s.children.end(),
                         [](const StmtPtr& c) { return always_returns(*c); });
    case StmtKind::If:
      return s.children.size() == 2 && always_returns(*s.children[0]) && always_returns(*s.children[1]);
    case StmtKind::Either:
      return std::all_of(s.children.begin(), s.children.end(),
                         [](const StmtPtr& c) { return always_returns(*c); });
    default:
      return false;
  }
}

}  // namespace

void Resolver::behaviour(Behaviour& b, Scope& scope) {
  if (!b.body) return;
  const std::size_t size = scope.variables.size();
  scope.in_behaviour = true;
  scope.slots = 0;
  statement(*b.body, scope);
  pop(scope, size);
  b.slots = scope.slots;
}

void Resolver::push(Scope& scope, Variable v) {
  if (const Variable* other = find(scope, v.name); other != nullptr) {
    d_.error("duplicate-name", v.span, fmt::format("the variable '{}' is declared already", v.name))
        .related.push_back({other->span, "here"});
  } else if (scope.of_class.valid() && find_attribute(scope.of_class, v.name)) {
    d_.warning("shadowed", v.span, fmt::format("the variable '{}' hides the attribute of that name", v.name),
               "rename one of them");
  }
  scope.variables.push_back(std::move(v));
}

void Resolver::pop(Scope& scope, std::size_t size) {
  for (std::size_t i = size; i < scope.variables.size(); ++i) {
    const Variable& v = scope.variables[i];
    // After an error the use may be what was not understood.
    if (!v.used && !v.fixed && v.symbol == SymbolKind::Local && !d_.has_errors()) {
      d_.warning("unused-variable", v.span, fmt::format("the variable '{}' is never read", v.name));
    }
  }
  scope.variables.resize(size);
}

void Resolver::block(Stmt& s, Scope& scope) {
  const std::size_t size = scope.variables.size();
  bool over = false;
  for (StmtPtr& c : s.children) {
    if (over) {
      d_.warning("unreachable-code", c->span, "nothing gets here: the statement before it returns");
      over = false;
    }
    statement(*c, scope);
    if (always_returns(*c) && &c != &s.children.back()) over = true;
  }
  pop(scope, size);
}

void Resolver::statement(Stmt& s, Scope& scope) {
  const auto not_pure = [&](const char* why) {
    if (scope.operation != nullptr) impure_.emplace(scope.operation, why);
  };
  switch (s.kind) {
    case StmtKind::Block:
      return block(s, scope);
    case StmtKind::Local:
      return local(s, scope);
    case StmtKind::Assign:
      return assign(s, scope);
    case StmtKind::Send:
      not_pure("sends");
      return send(s, scope);
    case StmtKind::Assert:
      not_pure("asserts");
      want(*s.value, TypeTag::Bool, scope, "what is asserted");
      return;
    case StmtKind::If:
      want(*s.value, TypeTag::Bool, scope, "the condition");
      for (StmtPtr& c : s.children) statement(*c, scope);
      return;
    case StmtKind::For:
    case StmtKind::While:
      return loop(s, scope);
    case StmtKind::Either:
      not_pure("chooses with 'either'");
      for (StmtPtr& c : s.children) statement(*c, scope);
      return;
    case StmtKind::Call:
      expression(*s.value, scope);
      return;
    case StmtKind::Return:
      return returns(s, scope);
    case StmtKind::StartTimer:
    case StmtKind::StopTimer:
      not_pure("sets a timer");
      return timer(s, scope);
    case StmtKind::Havoc:
      not_pure("changes attributes");
      expression(*s.target, scope);
      writable(*s.target, scope);
      return;
  }
}

void Resolver::local(Stmt& s, Scope& scope) {
  const ModelType t = type(s.type, "variable");
  if (s.value) {
    expression(*s.value, scope, &t);
    assignable(*s.value, t, fmt::format("the variable '{}'", s.text));
  }
  Variable v;
  v.name = s.text;
  v.type = t;
  v.index = s.slot = scope.slots++;
  v.span = s.name_span;
  if (scope.slots == kMaxLocals)
    error("too-many", s.span, fmt::format("more than {} local variables", kMaxLocals));
  if (scope.slots < kMaxLocals) push(scope, std::move(v));
}

// Whether the (resolved) expression is a place that can be assigned.
bool Resolver::writable(Expr& target, Scope& scope) {
  if (target.type.tag == TypeTag::Unknown) return false;
  const auto refuse = [&](const char* code, const std::string& message, const std::string& hint = {}) {
    error(code, target.span, message, hint);
    return false;
  };
  Expr* base = &target;
  if (base->kind == ExprKind::Index) base = base->operands[0].get();
  if (target.type.tag == TypeTag::Timer) {
    return refuse("timer-value", fmt::format("'{}' is a timer", show(target)), "use start and stop");
  }
  if (target.type.is_array()) {
    return refuse("array-assignment", fmt::format("'{}' is a whole array", show(target)),
                  "assign its elements one by one");
  }
  const bool place = base->kind == ExprKind::Field || base->kind == ExprKind::Name;
  if (!place) return refuse("not-assignable", fmt::format("'{}' cannot be assigned", show(target)));
  switch (base->symbol) {
    case SymbolKind::Attribute:
      if (ReferenceUse* use = reference_use(*base)) use->assigned = true;
      if (scope.operation != nullptr) impure_.emplace(scope.operation, "changes attributes");
      return true;
    case SymbolKind::Local:
      if (const Variable* v = find(scope, base->text); v != nullptr && v->fixed) {
        return refuse("not-assignable", fmt::format("'{}' is the variable of a for loop", base->text),
                      "the loop alone changes it");
      }
      return true;
    case SymbolKind::Parameter:
      return refuse("not-assignable", fmt::format("'{}' is a parameter", base->text),
                    "copy it to a local variable first");
    case SymbolKind::Constant:
      return refuse("not-assignable", fmt::format("'{}' is a constant", base->text));
    default:
      return refuse("not-assignable", fmt::format("'{}' cannot be assigned", show(target)));
  }
}

void Resolver::assign(Stmt& s, Scope& scope) {
  const Variable* v = s.target->kind == ExprKind::Name ? find(scope, s.target->text) : nullptr;
  const bool was_used = v != nullptr && v->used;
  const ModelType t = expression(*s.target, scope);
  if (v != nullptr && s.op == Operator::None)
    find(scope, s.target->text)->used = was_used;  // writing is not reading
  const bool place = writable(*s.target, scope);
  if (s.value) expression(*s.value, scope, &t);
  if (!place) return;
  if (s.op == Operator::None) {
    assignable(*s.value, t, fmt::format("'{}'", show(*s.target)));
    return;
  }
  const bool bits = s.op == Operator::BitAnd || s.op == Operator::BitOr || s.op == Operator::BitXor;
  const bool fine = t.tag == TypeTag::Int || (bits && t.tag == TypeTag::Bool);
  if (!fine) {
    const std::string word = fmt::format("{}{}", spelling(s.op), s.value ? "=" : spelling(s.op));
    error("type-mismatch", s.target->span, fmt::format("'{}' does not work on {}", word, show(t, m_)));
  } else if (s.value && s.value->type.tag != TypeTag::Unknown && s.value->type.tag != t.tag) {
    error("type-mismatch", s.value->span,
          fmt::format("'{}' is {}, but '{}' is {}", show(*s.target), show(t, m_), show(*s.value),
                      show(s.value->type, m_)));
  }
}

void Resolver::send(Stmt& s, Scope& scope) {
  s.signal = signal(s.text, s.name_span);
  const SignalDecl* decl = s.signal.valid() ? &m_.signals[s.signal.index()] : nullptr;
  if (decl != nullptr) sent_[s.signal.index()] = true;
  for (std::size_t i = 0; i < s.args.size(); ++i) {
    const bool declared = decl != nullptr && i < decl->parameters.size();
    expression(*s.args[i], scope, declared ? &decl->parameters[i].type.resolved : nullptr);
    if (declared) {
      assignable(*s.args[i], decl->parameters[i].type.resolved,
                 fmt::format("parameter '{}'", decl->parameters[i].name));
    }
  }
  if (decl != nullptr && s.args.size() != decl->parameters.size()) {
    error("argument-count", s.span,
          fmt::format("signal '{}' carries {} value{}, not {}", decl->name, decl->parameters.size(),
                      decl->parameters.size() == 1 ? "" : "s", s.args.size()));
  }
  if (!s.target) return;
  const ModelType t = expression(*s.target, scope);
  if (t.tag == TypeTag::Unknown) return;
  follow(*s.target, scope);
  if (t.tag != TypeTag::Ref || t.is_array()) {
    error("type-mismatch", s.target->span,
          fmt::format("a message goes to an object, but '{}' is {}", show(*s.target), show(t, m_)),
          t.is_array() ? "choose an element with [ ]" : "");
  } else if (!t.of_class.valid()) {
    error("send-to-null", s.target->span, "nobody receives what is sent to null");
  } else {
    if (!may_receive_[t.of_class.index()]) {
      d_.warning("passive-receiver", s.target->span,
                 fmt::format("class '{}' has no machine to receive messages", m_.of(t.of_class).name));
    }
  }
}

void Resolver::timer(Stmt& s, Scope& scope) {
  const ModelType t = expression(*s.target, scope);
  if (t.tag != TypeTag::Unknown && (t.tag != TypeTag::Timer || s.target->kind != ExprKind::Name)) {
    error("not-a-timer", s.target->span, fmt::format("'{}' is not a timer of this class", show(*s.target)),
          "declare it as an attribute: timer(30) t;");
  }
  if (!s.value || !want(*s.value, TypeTag::Int, scope, "the number of ticks") || t.tag != TypeTag::Timer)
    return;
  const auto ticks = fold(m_, *s.value, {}, nullptr);
  if (ticks && (*ticks < 1 || *ticks > t.hi)) {
    error("out-of-range", s.value->span,
          fmt::format("the timer '{}' runs for 1 to {} ticks, not {}", show(*s.target), t.hi, *ticks));
  }
}

void Resolver::returns(Stmt& s, Scope& scope) {
  if (scope.operation == nullptr) {
    error("return-place", s.span, "'return' stands only in operations");
    if (s.value) expression(*s.value, scope);
    return;
  }
  const ModelType& result = scope.operation->result.resolved;
  if (s.value) {
    expression(*s.value, scope, &result);
    if (result.tag == TypeTag::Void) {
      error("type-mismatch", s.value->span,
            fmt::format("'{}' is void and returns no value", scope.operation->name));
    } else {
      assignable(*s.value, result, fmt::format("the result of '{}'", scope.operation->name));
    }
  } else if (result.tag != TypeTag::Void && result.tag != TypeTag::Unknown) {
    error("missing-return", s.span, fmt::format("'{}' returns {}", scope.operation->name, show(result, m_)));
  }
}

void Resolver::loop(Stmt& s, Scope& scope) {
  if (s.kind == StmtKind::While) {
    want(*s.value, TypeTag::Bool, scope, "the condition");
    const auto limit = constant_value(*s.hi, TypeTag::Int, scope, "the limit of the loop");
    if (limit && *limit < 1) error("loop-limit", s.hi->span, "the limit of a loop is at least 1");
    statement(*s.children[0], scope);
    return;
  }
  const auto lo = constant_value(*s.value, TypeTag::Int, scope, "the bound of the loop");
  const auto hi = constant_value(*s.hi, TypeTag::Int, scope, "the bound of the loop");
  if (lo && hi && static_cast<std::int64_t>(*hi) - *lo >= 100000) {
    error("loop-limit", diag::join(s.value->span, s.hi->span), "a loop runs at most 100000 times");
  }
  const std::size_t size = scope.variables.size();
  Variable v;
  v.name = s.text;
  v.type = {TypeTag::Int, lo.value_or(INT32_MIN), hi.value_or(INT32_MAX), {}, {}, 0};
  if (v.type.lo > v.type.hi) v.type.lo = v.type.hi;
  v.index = s.slot = scope.slots++;
  v.fixed = true;
  v.span = s.name_span;
  push(scope, std::move(v));
  statement(*s.children[0], scope);
  pop(scope, size);
}

void Resolver::operations(Class& c, ClassId id) {
  for (Operation& o : c.operations) {
    Scope scope;
    scope.of_class = id;
    scope.operation = &o;
    scope.operation_class = id;
    for (std::size_t i = 0; i < o.parameters.size(); ++i) {
      Variable v;
      v.name = o.parameters[i].name;
      v.type = o.parameters[i].type.resolved;
      v.index = static_cast<std::uint32_t>(i);
      v.symbol = SymbolKind::Parameter;
      v.span = o.parameters[i].span;
      if (find_attribute(id, v.name)) {
        d_.warning("shadowed", v.span,
                   fmt::format("the parameter '{}' hides the attribute of that name", v.name),
                   "rename one of them");
      }
      scope.variables.push_back(std::move(v));
    }
    behaviour(o.body, scope);
    const TypeTag result = o.result.resolved.tag;
    if (result != TypeTag::Void && result != TypeTag::Unknown && o.body && !always_returns(*o.body.body)) {
      error("missing-return", o.name_span, fmt::format("'{}' does not return a value on every way", o.name));
    }
  }
}

// Operations that call themselves, and chains of calls too long to be put in place of the call.
void Resolver::check_recursion() {
  std::unordered_map<const Operation*, std::vector<const Operation*>> calls;
  for (const Use& u : uses_) {
    if (u.caller != nullptr) calls[u.caller].push_back(u.callee);
  }
  struct Frame {
    const Operation* operation;
    std::size_t next = 0;
  };
  std::unordered_map<const Operation*, std::size_t> height;  // 0 while on the stack
  bool too_long = false;
  for (const Class& c : m_.classes) {
    for (const Operation& start : c.operations) {
      if (height.contains(&start)) continue;
      std::vector<Frame> stack{{&start}};
      height[&start] = 0;
      while (!stack.empty()) {
        Frame& f = stack.back();
        const std::vector<const Operation*>& callees = calls[f.operation];
        if (f.next == callees.size()) {
          std::size_t below = 0;
          for (const Operation* callee : callees) below = std::max(below, height[callee]);
          height[f.operation] = below + 1;
          if (below + 1 > kMaxCallChain && !std::exchange(too_long, true)) {
            error("too-deep", f.operation->name_span,
                  fmt::format("operations call one another over more than {} levels", kMaxCallChain));
          }
          stack.pop_back();
          continue;
        }
        const Operation* callee = callees[f.next++];
        if (!height.contains(callee)) {
          height[callee] = 0;
          stack.push_back({callee});
        } else if (height[callee] == 0) {
          std::string way;
          bool on = false;
          for (const Frame& g : stack) {
            on = on || g.operation == callee;
            if (on && way.size() < 200) way += g.operation->name + " -> ";
          }
          error("recursion", callee->name_span,
                fmt::format("the operation '{}' calls itself: {}{}", callee->name, way, callee->name),
                "use a bounded loop");
        }
      }
    }
  }
}

// Operations called in guards must neither change nor choose anything, directly or through others.
void Resolver::check_purity() {
  for (bool changed = true; changed;) {
    changed = false;
    for (const Use& u : uses_) {
      if (u.caller == nullptr || impure_.contains(u.caller) || !impure_.contains(u.callee)) continue;
      impure_.emplace(u.caller, impure_.at(u.callee));
      changed = true;
    }
  }
  for (const Use& u : uses_) {
    if (!u.must_be_pure) continue;
    const auto it = impure_.find(u.callee);
    if (it == impure_.end()) continue;
    d_.error("impure-guard", u.span,
             fmt::format("'{}' {}, so it cannot be used here", u.callee->name, it->second),
             "guards and checks may only call operations that just compute")
        .related.push_back({u.callee->name_span, "the operation"});
  }
}

}  // namespace parley::model
