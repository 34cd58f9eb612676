#include "lower/walker.hpp"

#include <algorithm>
#include <functional>

#include "expr/operators.hpp"

namespace parley::lower::test {

namespace {

using namespace model;
using expr::Op;

enum class Stop { Blocked, Cut, Assertion, Error, Overflow };

const std::map<std::string, Op> kOps = {
    {"+", Op::Add},    {"-", Op::Sub},   {"*", Op::Mul},    {"/", Op::Div},  {"%", Op::Rem},
    {"&", Op::BitAnd}, {"|", Op::BitOr}, {"^", Op::BitXor}, {"<<", Op::Shl}, {">>", Op::Shr},
    {">>>", Op::Ushr}, {"==", Op::Eq},   {"!=", Op::Ne},    {"<", Op::Lt},   {"<=", Op::Le},
    {">", Op::Gt},     {">=", Op::Ge}};

struct Env {
  std::uint32_t self = 0;
  std::vector<std::int32_t> parameters;
  std::vector<std::int32_t> locals;
  std::map<std::string, std::uint32_t> bound;
  std::int32_t family_index = 0;
};

struct Capacity {
  std::size_t size = 4;
  Overflow overflow = Overflow::Cut;
};

// One step under way: the state it changes, and the choices it makes.
class Walk {
 public:
  Walk(const Model& m, WalkState state, semantics::Choices& choices)
      : m_(m), s(std::move(state)), choices_(choices) {}

  const Model& m_;
  WalkState s;

  // --- data
  // ---------------------------------------------------------------------------------------------------
  std::int32_t eval(const Expr& e, Env& env) {
    switch (e.kind) {
      case ExprKind::IntLiteral:
      case ExprKind::BoolLiteral:
        return static_cast<std::int32_t>(e.value);
      case ExprKind::Null:
        return 0;
      case ExprKind::This:
        return static_cast<std::int32_t>(env.self) + 1;
      case ExprKind::Name:
        return name(e, env);
      case ExprKind::Field:
      case ExprKind::Index:
        if (e.kind == ExprKind::Index && e.operands[0]->symbol == SymbolKind::ObjectFamily) {
          const ObjectDecl& d = m_.system->objects[e.operands[0]->index];
          return static_cast<std::int32_t>(d.first_object) + 1 + eval(*e.operands[1], env);
        }
        return *place(e, env);
      case ExprKind::Unary: {
        const std::int32_t x = eval(*e.operands[0], env);
        if (e.op == Operator::Not) return x == 0 ? 1 : 0;
        return expr::compute(e.op == Operator::Neg ? Op::Neg : Op::BitNot, x, 0u).value;
      }
      case ExprKind::Binary: {
        const std::int32_t x = eval(*e.operands[0], env);
        if (e.op == Operator::AndAlso) return x != 0 ? eval(*e.operands[1], env) : 0;
        if (e.op == Operator::OrElse) return x != 0 ? 1 : eval(*e.operands[1], env);
        return apply(spelling(e.op), x, eval(*e.operands[1], env));
      }
      case ExprKind::Conditional:
        return eval(*e.operands[eval(*e.operands[0], env) != 0 ? 1 : 2], env);
      case ExprKind::Call:
        return call(e, env);
      case ExprKind::Any: {
        std::int32_t lo = 0, hi = 1;
        if (e.operands.size() == 2) {
          lo = eval(*e.operands[0], env);
          hi = eval(*e.operands[1], env);
        } else if (e.type.tag == TypeTag::Enum) {
          hi = static_cast<std::int32_t>(m_.enums[e.type.enumeration.index()].literals.size()) - 1;
        }
        if (lo > hi) throw Stop::Error;
        return lo + static_cast<std::int32_t>(choices_.pick(static_cast<std::uint64_t>(hi - lo) + 1));
      }
      case ExprKind::InState: {
        const std::int32_t ref = eval(*e.operands[0], env);
        if (ref == 0) return 0;
        const WalkObject& o = s.objects[static_cast<std::size_t>(ref) - 1];
        if (o.place.empty()) return 0;
        const RegionId r = machine(static_cast<std::uint32_t>(ref) - 1).vertex(VertexId(e.state)).region;
        return o.place[r.index()] == static_cast<std::int32_t>(e.state) ? 1 : 0;
      }
      case ExprKind::QueueLength: {
        const std::int32_t ref = eval(*e.operands[0], env);
        return ref == 0
                   ? 0
                   : static_cast<std::int32_t>(s.objects[static_cast<std::size_t>(ref) - 1].queue.size());
      }
      case ExprKind::QueueHas: {
        const std::int32_t ref = eval(*e.operands[0], env);
        if (ref == 0) return 0;
        const auto& q = s.objects[static_cast<std::size_t>(ref) - 1].queue;
        return std::any_of(q.begin(), q.end(),
                           [&](const WalkMessage& x) { return x.signal == e.signal.value; })
                   ? 1
                   : 0;
      }
      case ExprKind::Forall:
      case ExprKind::Exists: {
        const bool all = e.kind == ExprKind::Forall;
        for (std::uint32_t o : named(*e.operands[0])) {
          Env inner = env;
          inner.bound[e.text] = o;
          if ((eval(*e.operands[1], inner) != 0) != all) return all ? 0 : 1;
        }
        return all ? 1 : 0;
      }
      case ExprKind::Event:
      case ExprKind::Pattern:
        break;  // only while a check is parsed
    }
    return 0;
  }

  std::vector<std::uint32_t> named(const Expr& e) {
    std::vector<std::uint32_t> result;
    Env none;
    if (e.symbol == SymbolKind::ObjectFamily) {
      const ObjectDecl& d = m_.system->objects[e.index];
      for (std::uint32_t i = 0; i < d.count; ++i) result.push_back(d.first_object + i);
    } else if (e.symbol == SymbolKind::ClassName) {
      for (std::size_t i = 0; i < m_.objects.size(); ++i)
        if (is_a(m_, m_.objects[i].of_class, e.owner_class)) result.push_back(static_cast<std::uint32_t>(i));
    } else {
      result.push_back(static_cast<std::uint32_t>(eval(e, none)) - 1);
    }
    return result;
  }

  // --- the machine
  // ----------------------------------------------------------------------------------------------
  const Machine& machine(std::uint32_t o) const {
    return *m_.of(machine_class(m_, m_.objects[o].of_class)).machine;
  }
  WalkObject& at(std::uint32_t o) { return s.objects[o]; }

  void run(std::uint32_t o, const Behaviour& b, const std::vector<std::int32_t>& parameters = {}) {
    if (!b.body) return;
    Env env;
    env.self = o;
    env.parameters = parameters;
    env.locals.resize(b.slots);
    std::int32_t ignored = 0;
    execute(*b.body, env, ignored);
  }

  std::uint64_t pick(std::uint64_t n) { return n == 1 ? 0 : choices_.pick(n); }
  void any_order(std::vector<std::function<void()>> parts) {
    while (!parts.empty()) {
      const std::size_t k = m_.switches.regions == RegionOrder::Declared ? 0 : pick(parts.size());
      const auto part = parts[k];
      parts.erase(parts.begin() + static_cast<long>(k));
      part();
    }
  }

 private:
  std::int32_t apply(std::string_view op, std::int32_t x, std::int32_t y) {
    const expr::Computed c = expr::compute(kOps.at(std::string(op)), x, y);
    if (c.error != expr::EvalError::None) throw Stop::Error;
    return c.value;
  }
  void check(const ModelType& t, std::int32_t v) {
    if (t.tag == TypeTag::Int && (v < t.lo || v > t.hi)) throw Stop::Error;
  }
  std::int32_t name(const Expr& e, Env& env) {
    switch (e.symbol) {
      case SymbolKind::Local:
        return env.locals.at(e.index);
      case SymbolKind::Parameter:
        return env.parameters.at(e.index);
      case SymbolKind::Attribute:
        return *place(e, env);
      case SymbolKind::Constant:
        return m_.constants[e.index].resolved;
      case SymbolKind::EnumLiteral:
        return static_cast<std::int32_t>(e.index);
      case SymbolKind::Object:
        return static_cast<std::int32_t>(e.index) + 1;
      case SymbolKind::BoundVariable:
        return static_cast<std::int32_t>(env.bound.at(e.text)) + 1;
      case SymbolKind::FamilyIndex:
        return env.family_index;
      default:
        throw std::logic_error("name");
    }
  }
  std::int32_t* place(const Expr& e, Env& env) {
    const Expr& base = e.kind == ExprKind::Index ? *e.operands[0] : e;
    std::uint32_t object = env.self;
    if (base.kind == ExprKind::Field) {
      const std::int32_t ref = eval(*base.operands[0], env);
      if (ref == 0) throw Stop::Error;
      object = static_cast<std::uint32_t>(ref) - 1;
    } else if (base.symbol == SymbolKind::Local) {
      return &env.locals.at(base.index);
    }
    const std::int32_t index = e.kind == ExprKind::Index ? eval(*e.operands[1], env) : 0;
    auto& cells = s.objects[object].attributes.at(base.index);
    if (index < 0 || static_cast<std::size_t>(index) >= cells.size()) throw Stop::Error;
    return &cells[static_cast<std::size_t>(index)];
  }
  std::int32_t call(const Expr& e, Env& env) {
    Env inner;
    inner.self = env.self;
    std::size_t first = 0;
    if (e.has_receiver) {
      const std::int32_t ref = eval(*e.operands[0], env);
      if (ref == 0) throw Stop::Error;
      inner.self = static_cast<std::uint32_t>(ref) - 1;
      first = 1;
    }
    const Operation& op = *find_operation(m_, m_.objects[inner.self].of_class, e.text);
    for (std::size_t i = first; i < e.operands.size(); ++i) {
      inner.parameters.push_back(eval(*e.operands[i], env));
      check(op.parameters[i - first].type.resolved, inner.parameters.back());
    }
    inner.locals.resize(op.body.slots);
    std::int32_t result = 0;
    if (op.body.body) execute(*op.body.body, inner, result);
    if (op.result.resolved.tag != TypeTag::Void) check(op.result.resolved, result);
    return result;
  }

  // True: returned.
  bool execute(const Stmt& st, Env& env, std::int32_t& result) {
    switch (st.kind) {
      case StmtKind::Block:
        for (const auto& c : st.children)
          if (execute(*c, env, result)) return true;
        return false;
      case StmtKind::Local: {
        const std::int32_t v = st.value ? eval(*st.value, env) : 0;
        check(st.type.resolved, v);
        env.locals.at(st.slot) = v;
        return false;
      }
      case StmtKind::Assign: {
        std::int32_t v = 0;
        if (st.op == Operator::None) {
          v = eval(*st.value, env);
        } else {
          const std::int32_t old = eval(*st.target, env);
          v = apply(spelling(st.op), old, st.value ? eval(*st.value, env) : 1);
        }
        std::int32_t* to = place(*st.target, env);
        check(st.target->type, v);
        *to = v;
        return false;
      }
      case StmtKind::Send:
        return send(st, env), false;
      case StmtKind::Assert:
        if (eval(*st.value, env) == 0) throw Stop::Assertion;
        return false;
      case StmtKind::If:
        if (eval(*st.value, env) != 0) return execute(*st.children[0], env, result);
        return st.children.size() > 1 && execute(*st.children[1], env, result);
      case StmtKind::For: {
        const std::int64_t lo = eval(*st.value, env), hi = eval(*st.hi, env);
        for (std::int64_t i = lo; i <= hi; ++i) {
          env.locals.at(st.slot) = static_cast<std::int32_t>(i);
          if (execute(*st.children[0], env, result)) return true;
        }
        return false;
      }
      case StmtKind::While: {
        const std::int32_t limit = eval(*st.hi, env);
        for (std::int32_t i = 0; eval(*st.value, env) != 0; ++i) {
          if (i == limit) throw Stop::Error;
          if (execute(*st.children[0], env, result)) return true;
        }
        return false;
      }
      case StmtKind::Either:
        return execute(*st.children[pick(st.children.size())], env, result);
      case StmtKind::Call:
        return call(*st.value, env), false;
      case StmtKind::Return:
        if (st.value) result = eval(*st.value, env);
        return true;
      default:
        throw std::logic_error("statement");
    }
  }

  void send(const Stmt& st, Env& env) {
    const std::int32_t ref = st.target ? eval(*st.target, env) : static_cast<std::int32_t>(env.self) + 1;
    WalkMessage msg;
    msg.signal = st.signal.value;
    for (std::size_t i = 0; i < st.args.size(); ++i) msg.values.push_back(eval(*st.args[i], env));
    if (ref == 0 || s.objects[static_cast<std::size_t>(ref) - 1].place.empty()) throw Stop::Error;
    for (std::size_t i = 0; i < msg.values.size(); ++i)
      check(m_.signals[msg.signal].parameters[i].type.resolved, msg.values[i]);
    put(static_cast<std::uint32_t>(ref) - 1, std::move(msg));
  }

 public:
  void put(std::uint32_t o, WalkMessage msg) {
    Capacity c;
    c.overflow = m_.switches.overflow;
    for (const bool general : {true, false})
      for (const QueueDecl& d : m_.system->queues) {
        if (d.of.empty() != general) continue;
        bool mine = general;
        for (const auto& e : d.of)
          for (std::uint32_t x : named(*e)) mine = mine || x == o;
        if (!mine) continue;
        Env none;
        if (d.capacity) c.size = static_cast<std::size_t>(eval(*d.capacity, none));
        if (d.overflow) c.overflow = *d.overflow;
      }
    auto& q = s.objects[o].queue;
    if (q.size() < c.size) return q.push_back(std::move(msg));
    switch (c.overflow) {
      case Overflow::Block:
        throw Stop::Blocked;
      case Overflow::Cut:
        throw Stop::Cut;
      case Overflow::Error:
        throw Stop::Overflow;
      case Overflow::Lose:
        return;
    }
  }

 private:
  semantics::Choices& choices_;
};

// The machine of one object, walked.
class Mover {
 public:
  Mover(Walk& w, std::uint32_t object, std::vector<std::int32_t> parameters = {})
      : w_(w), o_(object), m_(w.machine(object)), parameters_(std::move(parameters)) {}

  struct Route {
    std::vector<TransitionId> segments;
    VertexId end;
  };

  std::vector<TransitionId> out(VertexId v) const {
    std::vector<TransitionId> result;
    for (std::size_t i = 0; i < m_.transitions.size(); ++i)
      if (m_.transitions[i].source == v) result.push_back(TransitionId(i));
    return result;
  }
  bool is(VertexId v, VertexKind k) const { return m_.vertex(v).kind == k; }
  bool point(VertexId v) const { return is(v, VertexKind::EntryPoint) || is(v, VertexKind::ExitPoint); }
  VertexId home(VertexId v) const {
    return point(v) ? m_.vertex(v).owner_state : m_.region(m_.vertex(v).region).state;
  }
  bool within(VertexId v, VertexId state) const {  // strictly
    for (VertexId x = home(v); x.valid(); x = home(x))
      if (x == state) return true;
    return false;
  }
  bool active(VertexId v) const {
    return obj().place[m_.vertex(v).region.index()] == static_cast<std::int32_t>(v.value);
  }
  WalkObject& obj() const { return w_.at(o_); }
  bool completion(TransitionId t) const {
    const Transition& x = m_.transition(t);
    return is(x.source, VertexKind::State) && x.kind != TransitionKind::Internal &&
           std::all_of(x.triggers.begin(), x.triggers.end(),
                       [](const Trigger& g) { return g.kind == TriggerKind::None; });
  }

  bool guard(TransitionId t, const std::vector<TransitionId>& siblings) {
    const Transition& x = m_.transition(t);
    if (x.is_else)
      return std::none_of(siblings.begin(), siblings.end(), [&](TransitionId y) {
        return y != t && !m_.transition(y).is_else && guard(y, {});
      });
    Env env;
    env.self = o_;
    env.parameters = parameters_;
    return !x.guard || w_.eval(*x.guard, env) != 0;
  }

  // Open routes from here on, junction guards read now.
  std::vector<Route> open(const std::vector<TransitionId>& from) {
    std::vector<Route> result;
    for (TransitionId t : from) {
      if (!guard(t, from)) continue;
      const VertexId v = m_.transition(t).target;
      const auto next = out(v);
      const bool passes = (is(v, VertexKind::Junction) || (point(v) && !joins(v) && !forks(v))) &&
                          !(next.empty() && is(v, VertexKind::EntryPoint));
      if (!passes) {
        result.push_back({{t}, v});
        continue;
      }
      for (Route& r : open(next)) {
        r.segments.insert(r.segments.begin(), t);
        result.push_back(std::move(r));
      }
    }
    return result;
  }

  // --- leaving and entering
  // -----------------------------------------------------------------------------------
  void leave_region(RegionId r) {
    const std::int32_t p = obj().place[r.index()];
    if (p >= 0 && p < kAtJoin) leave(VertexId(static_cast<std::size_t>(p)));
    obj().place[r.index()] = kOut;
  }
  void leave(VertexId v) {
    std::vector<std::function<void()>> parts;
    for (RegionId r : m_.vertex(v).regions) parts.push_back([this, r] { leave_region(r); });
    w_.any_order(parts);
    w_.run(o_, m_.vertex(v).exit);
    std::erase(obj().finished, v.value);
    for (TransitionId t : out(v)) obj().armed.erase(t.value);
    const RegionId r = m_.vertex(v).region;
    if (remembers(r) && is(v, VertexKind::State))
      obj().history[r.index()] = static_cast<std::int32_t>(v.value);
    obj().place[r.index()] = kOut;
  }
  bool remembers(RegionId r) const {
    bool deep_only = false;
    for (;;) {
      for (VertexId v : m_.region(r).vertices)
        if (is(v, VertexKind::DeepHistory) || (!deep_only && is(v, VertexKind::ShallowHistory))) return true;
      if (!m_.region(r).state.valid()) return false;
      r = m_.vertex(m_.region(r).state).region;
      deep_only = true;
    }
  }
  VertexId initial(RegionId r) const {
    for (VertexId v : m_.region(r).vertices)
      if (is(v, VertexKind::Initial)) return v;
    return {};
  }
  bool ended(RegionId r) const {
    const std::int32_t p = obj().place[r.index()];
    if (p == kDone) return true;
    if (p == kOut) return !initial(r).valid();
    return p < kAtJoin && is(VertexId(static_cast<std::size_t>(p)), VertexKind::Final);
  }
  bool has_completion(VertexId v) const {
    const auto list = out(v);
    return std::any_of(list.begin(), list.end(), [&](TransitionId t) { return completion(t); });
  }
  void may_finish(VertexId state) {
    if (!state.valid() || !has_completion(state) || w_.m_.switches.completion == CompletionMode::Free) return;
    for (RegionId r : m_.vertex(state).regions)
      if (!ended(r)) return;
    obj().finished.push_back(state.value);
  }
  void enter_shell(VertexId v) {
    obj().place[m_.vertex(v).region.index()] = static_cast<std::int32_t>(v.value);
    w_.run(o_, m_.vertex(v).entry);
    for (TransitionId t : out(v))
      for (const Trigger& g : m_.transition(t).triggers)
        if (g.kind == TriggerKind::Change) {
          Env env;
          env.self = o_;
          if (w_.eval(*g.value, env) == 0) obj().armed.insert(t.value);
        }
  }
  void enter_region(RegionId r) {
    const VertexId v = initial(r);
    if (!v.valid() || out(v).empty()) return;
    Mover plain(w_, o_);
    plain.go_on(v);
  }
  void enter_regions(VertexId v, const std::set<RegionId>& except, std::function<void()> also = {}) {
    std::vector<std::function<void()>> parts;
    for (RegionId r : m_.vertex(v).regions) {
      if (!except.contains(r)) {
        parts.push_back([this, r] { enter_region(r); });
      } else if (also) {
        parts.push_back(also);
        also = {};
      }
    }
    w_.any_order(parts);
  }
  void enter(VertexId v) {
    enter_shell(v);
    const auto& regions = m_.vertex(v).regions;
    if (std::none_of(regions.begin(), regions.end(), [&](RegionId r) { return initial(r).valid(); }))
      return may_finish(v);
    enter_regions(v, {});
  }
  void restore(RegionId r, bool deep, const std::function<void()>& otherwise) {
    const std::int32_t h = obj().history[r.index()];
    if (h == kOut) return otherwise();
    const VertexId v(static_cast<std::size_t>(h));
    if (!deep || m_.vertex(v).regions.empty()) return enter(v);
    enter_shell(v);
    std::vector<std::function<void()>> parts;
    for (RegionId inner : m_.vertex(v).regions)
      parts.push_back([this, inner] { restore(inner, true, [this, inner] { enter_region(inner); }); });
    w_.any_order(parts);
  }

  // --- segments
  // ------------------------------------------------------------------------------------------------- On from
  // a pseudostate that is decided when it is reached.
  void go_on(VertexId v) {
    auto list = open(out(v));
    if (list.empty()) throw Stop::Error;
    fire(list[w_.pick(list.size())]);
  }
  void fire(const Route& r) { segment(r, 0); }

  std::vector<VertexId> around(VertexId v) const {  // outermost first
    std::vector<VertexId> result;
    for (VertexId x = home(v); x.valid(); x = home(x)) result.insert(result.begin(), x);
    return result;
  }
  RegionId region_in(
      VertexId v, VertexId state) const {  // the region of `state` in which v lies; invalid at a point of it
    for (VertexId x = v; x.valid(); x = home(x))
      if (home(x) == state) return point(x) ? RegionId{} : m_.vertex(x).region;
    return {};
  }
  // States that stay active: around both ends, in the same region; the state of a point is inside.
  std::size_t kept(const Transition& t) const {
    const auto a = around(t.source), b = around(t.target);
    std::size_t n = 0;
    while (n < a.size() && n < b.size() && a[n] == b[n]) ++n;
    if (n > 0) {
      const VertexId last = a[n - 1];
      const RegionId x = region_in(t.source, last), y = region_in(t.target, last);
      const bool from_point = !x.valid(), to_exit = !y.valid() && is(t.target, VertexKind::ExitPoint);
      if (x != y && !from_point && !to_exit) --n;
      if (x == y && !x.valid()) return n;
    }
    return n;
  }
  // The outermost state a segment leaves.
  VertexId left(const Transition& t) const {
    if (t.kind == TransitionKind::Internal) return {};
    if (t.kind == TransitionKind::Local && is(t.source, VertexKind::State) && within(t.target, t.source))
      return {};
    const auto a = around(t.source);
    const std::size_t n = kept(t);
    if (n < a.size()) return a[n];
    return is(t.source, VertexKind::State) && !(to_own_exit(t)) ? t.source : VertexId{};
  }
  bool to_own_exit(const Transition& t) const {
    return is(t.target, VertexKind::ExitPoint) && m_.vertex(t.target).owner_state == t.source;
  }

  void effect(TransitionId t) { w_.run(o_, m_.transition(t).effect, parameters_); }

  void segment(const Route& r, std::size_t k) {
    const TransitionId id = r.segments[k];
    const Transition& t = m_.transition(id);
    if (t.kind == TransitionKind::Internal) return effect(id);
    if (joins(t.target)) return arm(id);
    const bool last = k + 1 == r.segments.size();
    const auto next = [&, last, k] {
      if (last)
        arrive(r.end);
      else
        segment(r, k + 1);
    };
    if (last && point(t.source) && home(t.source) == t.target) return effect(id);
    if (t.kind == TransitionKind::Local && is(t.target, VertexKind::State) && within(t.source, t.target)) {
      const RegionId inside = region_in(t.source, t.target);
      leave_region(inside);
      effect(id);
      obj().place[inside.index()] = kDone;
      if (remembers(inside)) obj().history[inside.index()] = kOut;
      return may_finish(t.target);
    }
    const bool ends =
        last && (is(t.target, VertexKind::State) || is(t.target, VertexKind::Final) ||
                 is(t.target, VertexKind::ShallowHistory) || is(t.target, VertexKind::DeepHistory));
    const bool local =
        t.kind == TransitionKind::Local && is(t.source, VertexKind::State) && within(t.target, t.source);
    if (local) {
      if (!point(t.target)) {
        std::vector<std::function<void()>> parts;
        for (RegionId x : m_.vertex(t.source).regions) parts.push_back([this, x] { leave_region(x); });
        w_.any_order(parts);
      }
      effect(id);
      if (point(t.target)) return next();
      const auto inner = around(t.target);
      const auto at =
          static_cast<std::size_t>(std::find(inner.begin(), inner.end(), t.source) - inner.begin());
      return open_state(t, inner, at, ends, false, next);
    }
    const std::size_t n = kept(t);
    depart(t);
    effect(id);
    inward(t, around(t.target), n, ends, next);
  }

  void depart(const Transition& t) {
    if (const VertexId x = left(t); x.valid()) leave(x);
  }

  void inward(const Transition& t, const std::vector<VertexId>& states, std::size_t n, bool ends,
              const std::function<void()>& next) {
    if (n >= states.size()) return next();
    open_state(t, states, n, ends, true, next);
  }
  // Enters states[n] (unless it is there already), its other regions, and goes on inward.
  void open_state(const Transition& t, const std::vector<VertexId>& states, std::size_t n, bool ends,
                  bool with_shell, const std::function<void()>& next) {
    const VertexId v = states[n];
    if (n + 1 == states.size() && point(t.target)) {
      std::set<RegionId> targeted;
      for (TransitionId x : out(t.target))
        if (const RegionId r = region_in(m_.transition(x).target, v); r.valid()) targeted.insert(r);
      if (targeted.empty()) {
        enter(v);
      } else {
        enter_shell(v);
        enter_regions(v, targeted);
      }
      return next();
    }
    if (with_shell) enter_shell(v);
    const RegionId r = region_in(t.target, v);
    const auto rest = [&] { inward(t, states, n + 1, ends, next); };
    if (ends) return enter_regions(v, {r}, rest);
    enter_regions(v, {r});
    rest();
  }

  void arrive(VertexId v) {
    const Vertex& x = m_.vertex(v);
    switch (x.kind) {
      case VertexKind::State:
        return enter(v);
      case VertexKind::Final:
        obj().place[x.region.index()] = static_cast<std::int32_t>(v.value);
        if (remembers(x.region)) obj().history[x.region.index()] = kOut;
        return may_finish(m_.region(x.region).state);
      case VertexKind::Terminate: {
        WalkObject& o = obj();
        std::fill(o.place.begin(), o.place.end(), kOut);
        std::fill(o.history.begin(), o.history.end(), kOut);
        o.finished.clear();
        o.armed.clear();
        o.dead = true;
        return;
      }
      case VertexKind::Choice:
        return go_on(v);
      case VertexKind::ShallowHistory:
      case VertexKind::DeepHistory:
        return restore(x.region, x.kind == VertexKind::DeepHistory, [this, v, &x] {
          if (out(v).empty())
            enter_region(x.region);
          else
            go_on(v);
        });
      case VertexKind::Fork:
        return fork(v);
      case VertexKind::EntryPoint:
        if (forks(v)) fork(v);
        return;
      default:
        return;
    }
  }

  // --- forks and joins
  // ------------------------------------------------------------------------------------------
  bool forks(VertexId v) const {
    return is(v, VertexKind::Fork) || (is(v, VertexKind::EntryPoint) && out(v).size() > 1);
  }
  void fork(VertexId v) {
    std::vector<std::function<void()>> parts;
    const auto list = out(v);
    // The state whose regions are entered: the innermost around all targets.
    VertexId state = home(m_.transition(list[0]).target);
    while (!std::all_of(list.begin(), list.end(),
                        [&](TransitionId t) { return within(m_.transition(t).target, state); }))
      state = home(state);
    std::set<RegionId> targeted;
    for (TransitionId t : list) targeted.insert(region_in(m_.transition(t).target, state));
    for (TransitionId t : list)
      parts.push_back([this, t, state, targeted] {
        effect(t);
        const Transition& x = m_.transition(t);
        const auto states = around(x.target);
        const auto last =
            static_cast<std::size_t>(std::find(states.begin(), states.end(), state) - states.begin());
        if (!active(state)) {
          for (std::size_t i = kept(x); i <= last; ++i) {
            enter_shell(states[i]);
            if (i < last)
              enter_regions(states[i], {region_in(x.target, states[i])});
            else
              enter_regions(states[i], targeted);
          }
        }
        inward(x, states, last + 1, true, [this, &x] { arrive(x.target); });
      });
    w_.any_order(parts);
  }
  // The region of the joined state in which an arm lies.
  std::map<TransitionId, RegionId> arms(VertexId v) const {
    std::map<TransitionId, RegionId> result;
    std::vector<TransitionId> in;
    for (std::size_t i = 0; i < m_.transitions.size(); ++i)
      if (m_.transitions[i].target == v && m_.transitions[i].kind != TransitionKind::Internal)
        in.push_back(TransitionId(i));
    if (in.empty()) return result;
    VertexId state = home(m_.transition(in[0]).source);
    while (state.valid() && !std::all_of(in.begin(), in.end(), [&](TransitionId t) {
             return within(m_.transition(t).source, state);
           }))
      state = home(state);
    std::set<RegionId> regions;
    for (TransitionId t : in) {
      const RegionId r = region_in(m_.transition(t).source, state);
      if (!r.valid()) return {};
      result[t] = r;
      regions.insert(r);
    }
    if (regions.size() < 2) return {};
    return result;
  }
  bool joins(VertexId v) const {
    return (is(v, VertexKind::Join) || is(v, VertexKind::ExitPoint)) && !arms(v).empty();
  }
  void arm(TransitionId id) {
    const Transition& t = m_.transition(id);
    const auto all = arms(t.target);
    const std::int32_t here = kAtJoin + static_cast<std::int32_t>(t.target.value);
    const bool last = std::all_of(all.begin(), all.end(), [&](const auto& x) {
      return x.second == all.at(id) || obj().place[x.second.index()] == here;
    });
    if (!last) {
      leave_region(all.at(id));
      effect(id);
      obj().place[all.at(id).index()] = here;
      return;
    }
    const std::size_t n = kept(t);
    if (is(t.target, VertexKind::ExitPoint))
      leave_region(all.at(id));
    else
      depart(t);
    effect(id);
    inward(t, around(t.target), n, false, [this, &t] { go_on(t.target); });
  }

  // --- selection
  // ------------------------------------------------------------------------------------------------
  using Triggered = std::function<bool(TransitionId)>;
  struct Reaction {
    VertexId source;
    Route route;
  };
  using Set = std::vector<Reaction>;

  std::vector<Set> sets(const std::vector<RegionId>& regions, const Triggered& on) {
    std::vector<Set> result = {{}};
    for (RegionId r : regions) {
      const std::int32_t p = obj().place[r.index()];
      if (p < 0 || p >= kAtJoin) continue;
      const auto here = sets(VertexId(static_cast<std::size_t>(p)), on);
      if (here.empty()) continue;
      std::vector<Set> next;
      for (const Set& a : result)
        for (const Set& b : here) {
          next.push_back(a);
          next.back().insert(next.back().end(), b.begin(), b.end());
        }
      result = std::move(next);
    }
    std::erase_if(result, [](const Set& x) { return x.empty(); });
    return result;
  }
  std::vector<Set> sets(VertexId state, const Triggered& on) {
    auto inner = sets(m_.vertex(state).regions, on);
    if (!inner.empty()) return inner;
    std::vector<TransitionId> own;
    for (TransitionId t : out(state))
      if (on(t)) own.push_back(t);
    for (Route& r : open(own)) inner.push_back({{state, r}});
    return inner;
  }
  std::vector<Set> selected(const Triggered& on) {
    std::vector<Set> result;
    if (obj().dead) return result;
    for (const Set& x : sets(m_.top, on)) {
      const std::size_t n = x.size();
      for (std::uint32_t mask = 1; mask < (1u << n); ++mask) {
        const auto in = [&](std::size_t i) { return (mask >> i & 1u) != 0; };
        bool good = true;
        for (std::size_t i = 0; i < n; ++i) {
          bool clash = false;
          for (std::size_t k = 0; k < n; ++k) clash = clash || (k != i && in(k) && conflict(x[i], x[k]));
          good = good && (in(i) ? !clash : clash);
        }
        if (!good) continue;
        Set part;
        for (std::size_t i = 0; i < n; ++i)
          if (in(i)) part.push_back(x[i]);
        result.push_back(part);
      }
    }
    return result;
  }
  void leaves(VertexId v, std::set<VertexId>& seen, std::vector<VertexId>& states, bool& all) {
    if (!seen.insert(v).second) return;
    all = all || is(v, VertexKind::Terminate);
    if (joins(v) || is(v, VertexKind::Join)) return;
    const bool on =
        is(v, VertexKind::Choice) || is(v, VertexKind::Junction) || is(v, VertexKind::Fork) || point(v);
    for (TransitionId t : on ? out(v) : std::vector<TransitionId>{}) {
      states.push_back(left(m_.transition(t)));
      leaves(m_.transition(t).target, seen, states, all);
    }
  }
  bool hits(const Reaction& a, const Reaction& b) {
    bool all = false;
    std::set<VertexId> seen;
    std::vector<VertexId> states;
    for (TransitionId t : a.route.segments)
      if (!joins(m_.transition(t).target)) states.push_back(left(m_.transition(t)));
    leaves(a.route.end, seen, states, all);
    return all || std::any_of(states.begin(), states.end(), [&](VertexId v) {
             return v.valid() && (v == b.source || within(b.source, v));
           });
  }
  bool conflict(const Reaction& a, const Reaction& b) { return hits(a, b) || hits(b, a); }

  void fire_all(const Set& x) {
    if (x.size() == 1) return fire(x[0].route);
    std::vector<std::function<void()>> parts;
    for (const Reaction& r : x)
      parts.push_back([this, r] {
        if (active(r.source)) fire(r.route);
      });
    w_.any_order(parts);
  }

  bool any_within(VertexId state, const Triggered& on) { return !sets(state, on).empty(); }

 private:
  Walk& w_;
  std::uint32_t o_;
  const Machine& m_;
  std::vector<std::int32_t> parameters_;
};

// The whole graph.
class Explorer {
 public:
  Explorer(const Model& m, std::size_t limit) : m_(m), limit_(limit) {}

  WalkGraph run() {
    start();
    while (!open_.empty() && graph_.complete) {
      const WalkState s = open_.back();
      open_.pop_back();
      from_ = graph_.states.at(s);
      discards_ = false;
      for (std::uint32_t o = 0; o < m_.objects.size(); ++o)
        if (!s.objects[o].place.empty()) object_steps(s, o);
      environment(s);
      graph_.discards += discards_ ? 1 : 0;
    }
    return std::move(graph_);
  }

 private:
  // Does a step with every list of choices.
  void step(const WalkState& s, const std::function<void(Walk&)>& body, bool initial = false,
            bool discard = false) {
    semantics::Choices choices;
    do {
      Walk w(m_, s, choices);
      try {
        body(w);
        const auto [it, fresh] = graph_.states.emplace(w.s, graph_.states.size());
        if (!initial) graph_.edges.insert({from_, it->second});
        if (fresh) open_.push_back(w.s);
        if (graph_.states.size() > limit_) graph_.complete = false;
        discards_ = discards_ || discard;
      } catch (Stop why) {
        graph_.assertion = graph_.assertion || why == Stop::Assertion;
        graph_.error = graph_.error || why == Stop::Error;
        graph_.overflow = graph_.overflow || why == Stop::Overflow;
      }
    } while (choices.advance() && graph_.complete);
  }

  void start() {
    WalkState s;
    semantics::Choices none;
    s.sent.resize(m_.system->environment.size());
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < m_.objects.size(); ++i) {
      const Model::Object& d = m_.objects[i];
      WalkObject o;
      if (const ClassId id = machine_class(m_, d.of_class); id.valid()) {
        o.place.assign(m_.of(id).machine->regions.size(), kOut);
        o.history = o.place;
        order.push_back(i);
      }
      for (const Attribute* a : all_attributes(m_, d.of_class)) {
        const std::int32_t v = a->initial ? *fold_constant(m_, *a->initial, nullptr) : 0;
        o.attributes.emplace_back(std::max(1u, a->type.resolved.array), v);
      }
      s.objects.push_back(std::move(o));
    }
    for (std::uint32_t i = 0; i < m_.objects.size(); ++i)
      for (const ObjectDecl::Wiring& x : m_.system->objects[m_.objects[i].declaration].wiring) {
        Walk w(m_, s, none);
        Env env;
        env.self = i;
        env.family_index = static_cast<std::int32_t>(m_.objects[i].position);
        const std::int32_t v = w.eval(*x.value, env);
        auto& cells = s.objects[i].attributes[x.attribute_index];
        if (x.index)
          cells.at(static_cast<std::size_t>(w.eval(*x.index, env))) = v;
        else
          std::fill(cells.begin(), cells.end(), v);
      }
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      const auto& x = m_.objects[a];
      const auto& y = m_.objects[b];
      return std::pair(x.declaration, x.position) < std::pair(y.declaration, y.position);
    });
    step(
        s,
        [&](Walk& w) {
          for (std::uint32_t o : order) {
            Mover mover(w, o);
            std::vector<std::function<void()>> parts;
            for (RegionId r : w.machine(o).top) parts.push_back([&mover, r] { mover.enter_region(r); });
            w.any_order(parts);
          }
        },
        true);
  }

  void object_steps(const WalkState& s, std::uint32_t o) {
    semantics::Choices none;
    Walk look(m_, s, none);
    Mover mover(look, o);
    const WalkObject& x = s.objects[o];
    if (!x.finished.empty()) {
      const VertexId v(x.finished.front());
      std::vector<TransitionId> own;
      for (TransitionId t : mover.out(v))
        if (mover.completion(t)) own.push_back(t);
      const auto routes = mover.open(own);
      for (const auto& r : routes)
        step(s, [&](Walk& w) {
          w.at(o).finished.erase(w.at(o).finished.begin());
          Mover(w, o).fire(r);
        });
      if (routes.empty()) step(s, [&](Walk& w) { w.at(o).finished.erase(w.at(o).finished.begin()); });
      change_watch(s, o, look);
      return;
    }
    // Anything that may happen without a message keeps messages from being discarded (discard =
    // no-transition).
    bool spontaneous = free_steps(s, o, look);
    spontaneous = change_steps(s, o, look) || spontaneous;
    message_steps(s, o, look, m_.switches.discard == DiscardMode::NoTransition && spontaneous);
    change_watch(s, o, look);
  }

  // completion = free: whenever a state has finished.
  bool free_steps(const WalkState& s, std::uint32_t o, Walk& look) {
    if (m_.switches.completion != CompletionMode::Free) return false;
    const Machine& m = look.machine(o);
    Mover mover(look, o);
    bool some = false;
    for (std::size_t v = 0; v < m.vertices.size(); ++v) {
      if (m.vertices[v].kind != VertexKind::State || !mover.active(VertexId(v))) continue;
      const auto& regions = m.vertices[v].regions;
      if (!std::all_of(regions.begin(), regions.end(), [&](RegionId r) { return mover.ended(r); })) continue;
      std::vector<TransitionId> own;
      for (TransitionId t : mover.out(VertexId(v)))
        if (mover.completion(t)) own.push_back(t);
      for (const auto& r : mover.open(own)) {
        some = true;
        step(s, [&](Walk& w) { Mover(w, o).fire(r); });
      }
    }
    return some;
  }

  bool holds(Walk& look, std::uint32_t o, TransitionId t) {
    Env env;
    env.self = o;
    return look.eval(*look.machine(o).transition(t).triggers[0].value, env) != 0;
  }
  bool change_steps(const WalkState& s, std::uint32_t o, Walk& look) {
    bool some = false;
    for (std::uint32_t k : s.objects[o].armed) {
      const TransitionId t(k);
      if (!holds(look, o, t)) continue;
      Mover mover(look, o);
      const auto sets = mover.selected([&](TransitionId y) { return y == t; });
      some = some || !sets.empty();
      for (const auto& set : sets)
        step(s, [&](Walk& w) {
          w.at(o).armed.erase(k);
          Mover(w, o).fire_all(set);
        });
      if (sets.empty()) step(s, [&](Walk& w) { w.at(o).armed.erase(k); });
    }
    return some;
  }
  void change_watch(const WalkState& s, std::uint32_t o, Walk& look) {
    const Machine& m = look.machine(o);
    Mover mover(look, o);
    for (std::uint32_t k = 0; k < m.transitions.size(); ++k) {
      if (m.transitions[k].triggers.empty() || m.transitions[k].triggers[0].kind != TriggerKind::Change)
        continue;
      if (!mover.active(m.transitions[k].source) || s.objects[o].armed.contains(k) ||
          holds(look, o, TransitionId(k)))
        continue;
      step(s, [&](Walk& w) { w.at(o).armed.insert(k); });
    }
  }

  void message_steps(const WalkState& s, std::uint32_t o, Walk& look, bool keep) {
    const Machine& m = look.machine(o);
    for (std::size_t i = 0; i < s.objects[o].queue.size(); ++i) {
      const WalkMessage& msg = s.objects[o].queue[i];
      Mover mover(look, o, msg.values);
      const auto on = [&](TransitionId t) {
        const auto& list = m.transition(t).triggers;
        return std::any_of(list.begin(), list.end(), [&](const Trigger& g) {
          return g.kind == TriggerKind::AnySignal ||
                 (g.kind == TriggerKind::Signal && g.signal.value == msg.signal);
        });
      };
      bool deferred = false;
      for (std::size_t v = 0; v < m.vertices.size(); ++v) {
        const auto& list = m.vertices[v].deferred;
        if (std::find(list.begin(), list.end(), SignalDeclId(msg.signal)) == list.end() ||
            !mover.active(VertexId(v)))
          continue;
        deferred = deferred ||
                   (m_.switches.deferral == DeferralMode::AnyEnabled ? mover.selected(on).empty()
                                                                     : !mover.any_within(VertexId(v), on));
      }
      if (deferred) continue;
      const auto sets = mover.selected(on);
      const auto take = [&, i](Walk& w) {
        w.at(o).queue.erase(w.at(o).queue.begin() + static_cast<long>(i));
      };
      for (const auto& set : sets)
        step(s, [&](Walk& w) {
          take(w);
          Mover(w, o, msg.values).fire_all(set);
        });
      if (sets.empty() && !keep) step(s, take, false, true);
      return;
    }
  }

  void environment(const WalkState& s) {
    semantics::Choices none;
    Walk look(m_, s, none);
    for (std::size_t k = 0; k < m_.system->environment.size(); ++k) {
      const EnvironmentDecl& d = m_.system->environment[k];
      Env env;
      if (d.when && look.eval(*d.when, env) == 0) continue;
      if (d.at_most && s.sent[k] >= look.eval(*d.at_most, env)) continue;
      for (std::uint32_t o : look.named(*d.target))
        step(s, [&](Walk& w) {
          WalkMessage msg;
          msg.signal = d.signal_id.value;
          const auto& parameters = m_.signals[msg.signal].parameters;
          for (std::size_t i = 0; i < parameters.size(); ++i)
            msg.values.push_back(argument(w, d, i, parameters[i].type.resolved));
          w.put(o, std::move(msg));
          if (d.at_most) ++w.s.sent[k];
        });
    }
  }
  std::int32_t argument(Walk& w, const EnvironmentDecl& d, std::size_t i, const ModelType& t) {
    Env env;
    if (i < d.arguments.size() && d.arguments[i].lo) {
      const std::int32_t lo = w.eval(*d.arguments[i].lo, env), hi = w.eval(*d.arguments[i].hi, env);
      return lo + static_cast<std::int32_t>(w.pick(static_cast<std::uint64_t>(hi - lo) + 1));
    }
    std::vector<std::int32_t> values;
    if (t.tag == TypeTag::Ref) {
      values.push_back(0);
      for (std::size_t o = 0; o < m_.objects.size(); ++o)
        if (is_a(m_, m_.objects[o].of_class, t.of_class)) values.push_back(static_cast<std::int32_t>(o) + 1);
    } else {
      const std::int32_t lo = t.tag == TypeTag::Int ? t.lo : 0;
      const std::int32_t hi =
          t.tag == TypeTag::Int ? t.hi
          : t.tag == TypeTag::Bool
              ? 1
              : static_cast<std::int32_t>(m_.enums[t.enumeration.index()].literals.size()) - 1;
      for (std::int32_t v = lo; v <= hi; ++v) values.push_back(v);
    }
    return values[w.pick(values.size())];
  }

  const Model& m_;
  std::size_t limit_;
  WalkGraph graph_;
  std::vector<WalkState> open_;
  std::size_t from_ = 0;
  bool discards_ = false;
};

}  // namespace

bool can_walk(const Model& m) {
  const Switches& s = m.switches;
  if (!m.system || !m.system->threads.empty() || s.run_to_completion != RunToCompletion::Atomic ||
      s.environment != EnvironmentMode::Declared || s.integers != Integers::Wrap)
    return false;
  for (const Class& c : m.classes) {
    if (!c.machine) continue;
    for (const Vertex& v : c.machine->vertices)
      if (v.do_activity) return false;
    for (const Transition& t : c.machine->transitions)
      for (const Trigger& g : t.triggers)
        if (g.kind == TriggerKind::After || g.kind == TriggerKind::Timeout) return false;
  }
  return true;
}

WalkGraph walk(const Model& m, std::size_t limit) {
  return Explorer(m, limit).run();
}

}  // namespace parley::lower::test
