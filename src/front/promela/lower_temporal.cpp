#include "front/promela/lower_temporal.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "front/promela/flow.hpp"

namespace parley::front::promela {

using system::Formula;

namespace {

bool is_temporal(const Expr& e) {
  if (e.kind == ExprKind::Temporal) return true;
  for (const ExprPtr& arg : e.args)
    if (is_temporal(*arg)) return true;
  return false;
}

Formula::Kind temporal_kind(const Expr& e) {
  switch (e.op) {
    case Tok::Box:
      return Formula::Kind::Globally;
    case Tok::Diamond:
      return Formula::Kind::Finally;
    case Tok::Equiv:
      return Formula::Kind::Iff;
    case Tok::Arrow:
      return Formula::Kind::Implies;
    default:
      break;
  }
  if (e.name == "X") return Formula::Kind::Next;
  if (e.name == "U") return Formula::Kind::Until;
  if (e.name == "V") return Formula::Kind::Release;
  return Formula::Kind::WeakUntil;
}

struct LabelInProcess {
  const Label* label;
  const Proctype* process;
};

// The labels of processes that begin so, in the order of the text.
std::vector<LabelInProcess> labels_of(const Program& program, const std::string& prefix) {
  std::vector<LabelInProcess> found;
  for (const Proctype& p : program.proctypes) {
    std::vector<const Stmt*> open;
    for (const StmtPtr& s : p.body) open.push_back(s.get());
    while (!open.empty()) {
      const Stmt* s = open.back();
      open.pop_back();
      for (const Label& l : s->labels)
        if (l.name.starts_with(prefix)) found.push_back({&l, &p});
      for (const Sequence& option : s->options)
        for (const StmtPtr& inner : option) open.push_back(inner.get());
    }
  }
  std::sort(found.begin(), found.end(),
            [](const LabelInProcess& a, const LabelInProcess& b) { return a.label->span < b.label->span; });
  return found;
}

}  // namespace

// Spin looks for these when told to (pan -a, pan -l); a model that has the labels asks for it. A run that
// stands still in an accepting state accepts, one that ends makes no more progress and is not blamed for it,
// as in Spin.
void TemporalProperties::add_labels(const std::string& prefix, const std::string& name,
                                    bool AutomatonState::*labelled) {
  const std::vector<LabelInProcess> labels = labels_of(program_, prefix);
  if (labels.empty()) return;
  system::Property p;
  p.kind = system::PropertyKind::Temporal;
  p.name = name;
  for (const LabelInProcess& l : labels)
    p.temporal += fmt::format("{}{}@{}", p.temporal.empty() ? "" : ", ", l.process->name, l.label->name);
  p.origin.span = labels.front().label->span;
  const auto made = [](Formula::Kind kind, std::vector<Formula> operands) {
    Formula f;
    f.kind = kind;
    f.operands = std::move(operands);
    return f;
  };
  Formula there;
  there.predicate = terms_.at_label(labelled);
  Formula again = made(Formula::Kind::Globally, {made(Formula::Kind::Finally, {there})});
  if (labelled == &AutomatonState::accept_label) {
    p.formula = made(Formula::Kind::Not, {std::move(again)});
  } else {
    Formula moves;
    moves.kind = Formula::Kind::Event;
    moves.event.kind = system::EventAtom::Kind::Takes;
    moves.event.shown = "a step is taken";
    for (std::size_t o = 0; o < s_.owners.size(); ++o) moves.event.owners.emplace_back(o);
    Formula ends = made(Formula::Kind::Finally,
                        {made(Formula::Kind::Globally, {made(Formula::Kind::Not, {std::move(moves)})})});
    p.formula = made(Formula::Kind::Or, {std::move(again), std::move(ends)});
  }
  s_.add(std::move(p));
}

std::string TemporalProperties::as_written(diag::Span span, const std::string& tokens) const {
  if (!span.valid() || span.end > sources_.text(span.file).size()) return tokens;
  return sources_.text(span.file).substr(span.begin, span.end - span.begin);
}

std::string TemporalProperties::unobservable(const Expr& e) {
  // [] and <> bind more tightly than comparisons, in Spin too, which makes nonsense of it without a word.
  const bool connects = e.kind == ExprKind::Temporal || (e.kind == ExprKind::Unary && e.op == Tok::Bang) ||
                        (e.kind == ExprKind::Binary && (e.op == Tok::AndAnd || e.op == Tok::OrOr));
  if (is_temporal(e) && !connects)
    return "a temporal operator stands inside an ordinary expression: `<> x == 1` is `(<> x) == 1`; write "
           "`<> (x == 1)`";
  if (e.kind == ExprKind::PcValue) return "pc_value speaks of Spin's numbers of states";
  if (e.kind == ExprKind::Run) return "a property cannot start a process";
  if (e.kind == ExprKind::Special && (e.name == "_pid" || e.name == "_priority"))
    return fmt::format("{} has no meaning outside a process", e.name);
  if (e.kind == ExprKind::Var && e.ref.parts[0].variable->proctype)
    return fmt::format("'{}' is a variable of a process", e.ref.parts[0].variable->name);
  if (e.kind == ExprKind::Var)
    for (const Ref::Part& part : e.ref.parts)
      if (part.index)
        if (std::string why = unobservable(*part.index); !why.empty()) return why;
  for (const ExprPtr& arg : e.args)
    if (std::string why = unobservable(*arg); !why.empty()) return why;
  return {};
}

Formula TemporalProperties::formula(const Expr& e) {
  Formula f;
  f.span = e.span;
  if (!is_temporal(e)) {
    f.predicate = expressions_.boolean(e, &observer_);
    return f;
  }
  f.kind = e.kind == ExprKind::Temporal ? temporal_kind(e)
           : e.kind == ExprKind::Unary  ? Formula::Kind::Not
           : e.op == Tok::AndAnd        ? Formula::Kind::And
                                        : Formula::Kind::Or;
  for (const ExprPtr& arg : e.args) f.operands.push_back(formula(*arg));
  return f;
}

// One edge per statement of the claim; a claim observes, so all it may do is test, assert and jump.
void TemporalProperties::claim_automaton(const Proctype& claim, system::Property& property) {
  const auto give_up = [&](std::string why) { property.unformalised = std::move(why); };
  diag::Diagnostics problems;
  const Automaton a = build_automaton(claim, {}, problems);
  if (problems.has_errors()) return give_up(problems.sorted().front().message);
  system::NeverClaim result;
  std::vector<std::uint32_t> index(a.states.size());
  for (std::uint32_t s : a.reachable) {
    index[s] = static_cast<std::uint32_t>(result.states.size());
    system::NeverClaim::State state;
    state.span = a.states[s].span;
    state.name = a.states[s].label;
    if (state.name.empty() && state.span.valid())
      state.name = fmt::format("line {}", sources_.position(state.span).line);
    state.accepting = a.states[s].accept_label;
    state.final = s == a.end;
    result.states.push_back(std::move(state));
  }
  result.start = index[a.start];
  for (std::uint32_t s : a.reachable) {
    std::vector<ExprId> others;
    for (const Transition& t : a.states[s].transitions) {
      if (t.is_end) continue;
      system::NeverClaim::Edge edge;
      edge.guard = s_.exprs.boolean(true);
      edge.target = index[t.target];
      edge.span = t.span;
      if (t.statement) {
        const Stmt& statement = *t.statement;
        if (statement.expr)
          if (std::string why = unobservable(*statement.expr); !why.empty()) return give_up(std::move(why));
        switch (statement.kind) {
          case StmtKind::Condition:
            edge.guard = expressions_.boolean(*statement.expr, &observer_);
            break;
          case StmtKind::Assert:
            edge.assertion = expressions_.boolean(*statement.expr, &observer_);
            break;
          case StmtKind::Else:
            edge.guard = terms_.negate(terms_.any_of(others));
            break;
          case StmtKind::Print:
          case StmtKind::Printm:
            break;
          default:
            return give_up("this claim does more than test and assert");
        }
      }
      others.push_back(edge.guard);
      result.states[index[s]].edges.push_back(std::move(edge));
    }
  }
  property.claim = std::move(result);
}

void TemporalProperties::add() {
  for (const TemporalFormula& f : program_.formulas) {
    system::Property p;
    p.kind = system::PropertyKind::Temporal;
    p.name = "ltl " + f.name;
    p.temporal = as_written(f.text_span, f.text);
    p.origin.span = f.span;
    p.unformalised = f.formula ? unobservable(*f.formula) : "the formula could not be read";
    if (p.unformalised.empty()) p.formula = formula(*f.formula);
    s_.add(std::move(p));
  }
  for (const Proctype& c : program_.claims) {
    system::Property p;
    p.kind = system::PropertyKind::Temporal;
    p.name = "never " + c.name;
    p.temporal = "never " + as_written(c.text_span, c.text);
    p.origin.span = c.span;
    claim_automaton(c, p);
    s_.add(std::move(p));
  }
  add_labels("accept", "no acceptance cycles", &AutomatonState::accept_label);
  add_labels("progress", "no non-progress cycles", &AutomatonState::progress_label);
  for (const EventSequence& e : program_.event_sequences) {
    system::Property p;
    p.kind = system::PropertyKind::Temporal;
    p.name = e.keyword;
    p.temporal = e.keyword + " " + as_written(e.text_span, e.text);
    p.origin.span = e.span;
    p.unformalised = "sequences of events are kept as text";
    s_.add(std::move(p));
  }
}

}  // namespace parley::front::promela
