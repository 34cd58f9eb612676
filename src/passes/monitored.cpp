#include "passes/monitored.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "ltl/build.hpp"
#include "ltl/reduce.hpp"
#include "ltl/strength.hpp"
#include "passes/possible.hpp"
#include "passes/total_truth.hpp"
#include "support/check.hpp"
#include "system/footprint.hpp"

namespace parley::passes {

using namespace system;

namespace {

struct Refused {
  std::string why;
};

class Monitor {
 public:
  Monitor(const System& original, Observed observed, ltl::Automaton automaton, const MonitorOptions& options)
      : original_(original),
        propositions_(std::move(observed.propositions)),
        a_(std::move(automaton)),
        count_to_(options.count_to),
        s_(std::move(observed.passed.system)) {
    PARLEY_CHECK(!count_to_ || *count_to_ >= 1);
  }

  Monitored run(const std::string& property) {
    if (count_to_) soften_assertions();
    add_cells();
    for (const Proposition& p : propositions_) truths_.push_back(truth_of(p));
    if (count_to_) choose_fairness();
    reading_ = reading();
    for (std::size_t i = 0; i < s_.actions.size(); ++i)
      s_.actions[i].body = block({s_.actions[i].body, reading_, rounds(ActionId(i))});
    add_stuttering();
    std::vector<StmtId> start;
    if (s_.initial_body.valid()) start.push_back(s_.initial_body);
    start.insert(start.end(), {reading_, rounds({})});
    s_.initial_body = block(std::move(start));
    ask(property);
    Monitored m{{{}, same_ids(original_, s_)}, stutters_, state_, ended_, {}, {}, {}, rests_on_};
    m.passed.back.properties.assign(s_.properties.size(), PropertyId{});
    m.passed.back.adds_choices = true;
    m.forgotten = events();
    if (count_to_) {
      m.question = PropertyId(0);
    } else {
      m.marks = passed_;
      m.forgotten.insert(m.forgotten.end(), passed_.begin(), passed_.end());
    }
    m.passed.system = std::move(s_);
    return m;
  }

 private:
  // --- statements
  StmtId block(std::vector<StmtId> children) {
    Stmt st;
    st.children = std::move(children);
    return s_.add(std::move(st));
  }
  StmtId assign(CellId cell, ExprId value) {
    Stmt st;
    st.kind = StmtKind::Assign;
    st.place.cell = cell;
    st.value = value;
    return s_.add(std::move(st));
  }
  StmtId set(CellId cell, bool value) { return assign(cell, s_.exprs.boolean(value)); }
  StmtId if_else(ExprId condition, StmtId yes, StmtId no) {
    Stmt st;
    st.kind = StmtKind::If;
    st.value = condition;
    st.children = {yes, no};
    return s_.add(std::move(st));
  }
  CellId cell(std::string name, Type type, std::int32_t initial = 0) {
    Cell c;
    c.name = std::move(name);
    c.type = type;
    c.initial = initial;
    c.role = CellRole::Bookkeeping;
    return s_.add(std::move(c));
  }
  ExprId number(CellId cell, std::int32_t value) { return s_.exprs.constant(value, s_.cell(cell).type); }

  // As in passes/activation: a failed assertion is the question of this pass alone.
  void soften_assertions() {
    const StmtId nothing = block({});
    for (std::size_t i = 0, count = s_.stmts.size(); i < count; ++i) {
      if (s_.stmts[i].kind != StmtKind::Assert) continue;
      Stmt fail;
      fail.kind = StmtKind::Fail;
      fail.text = s_.stmts[i].text;
      const StmtId otherwise = s_.add(std::move(fail));
      s_.stmts[i].kind = StmtKind::If;
      s_.stmts[i].children = {nothing, otherwise};
    }
  }

  void add_cells() {
    state_ = cell("automaton", Type::range(0, static_cast<std::int32_t>(a_.states()) - 1),
                  static_cast<std::int32_t>(a_.initial));
    ended_ = cell("the run has ended", Type::boolean());
    if (!count_to_) {
      for (unsigned m = 0; m < a_.marks; ++m)
        passed_.push_back(cell(fmt::format("mark {}", m), Type::boolean()));
    }
  }

  // --- what is true at a position
  ExprId truth_of(const Proposition& p) {
    if (p.kind == Proposition::Kind::Alive) return s_.exprs.negate(s_.read(ended_));
    // For a property nobody waits.
    const ExprId no = s_.exprs.boolean(false);
    const ExprId asked = s_.exprs.rewrite(
        p.expression, [&](ExprId leaf) { return s_.exprs[leaf].op == expr::Op::Idle ? no : ExprId{}; });
    const auto truth = true_without_failing(s_, asked);
    if (!truth) throw Refused{fmt::format("it cannot be said without failing whether `{}` is true", p.shown)};
    return *truth;
  }

  ExprId admits(ltl::Cube cube) {
    ExprId all = s_.exprs.boolean(true);
    for (std::size_t p = 0; p < truths_.size(); ++p) {
      if ((cube.positive >> p & 1) != 0) all = s_.exprs.both(all, truths_[p]);
      if ((cube.negative >> p & 1) != 0) all = s_.exprs.both(all, s_.exprs.negate(truths_[p]));
    }
    return all;
  }

  std::vector<CellId> events() const {
    std::vector<CellId> cells;
    for (const Proposition& p : propositions_)
      if (p.kind == Proposition::Kind::Event) cells.emplace_back(s_.exprs[p.expression].a);
    return cells;
  }

  // --- the automaton's step
  StmtId reading() {
    // Edges between the same states with the same marks are one choice.
    std::map<std::tuple<ltl::State, ltl::State, ltl::Marks>, std::vector<ExprId>> edges;
    for (ltl::State q = 0; q < a_.states(); ++q)
      for (const ltl::Edge& e : a_.edges[q]) edges[{q, e.target, e.marks}].push_back(admits(e.label));
    Stmt choice;
    choice.kind = StmtKind::Branch;
    choice.text = "the automaton has no edge here";
    for (const auto& [key, labels] : edges) {
      const auto& [from, to, marks] = key;
      choice.conditions.push_back(s_.exprs.both(
          s_.exprs.equals(s_.read(state_), static_cast<std::int32_t>(from)), s_.exprs.any(labels)));
      choice.children.push_back(taking(from, to, marks));
    }
    return s_.add(std::move(choice));
  }

  StmtId taking(ltl::State from, ltl::State to, ltl::Marks marks) {
    std::vector<StmtId> list;
    if (from != to) list.push_back(assign(state_, number(state_, static_cast<std::int32_t>(to))));
    for (unsigned m = 0; m < a_.marks; ++m) {
      const bool passes = (marks >> m & 1) != 0;
      if (!count_to_) list.push_back(set(passed_[m], passes));
      if (count_to_ && passes) list.push_back(single_mark() ? counting() : set(passed_[m], true));
    }
    return block(std::move(list));
  }

  // --- counting rounds
  bool single_mark() const { return a_.marks == 1 && rests_on_.empty(); }

  // Fairness that rules out no run is left out; all of it, where a violation is seen after finitely many
  // steps.
  void choose_fairness() {
    for (std::size_t f = 0; f < s_.fairness.size(); ++f)
      if (ltl::strength_of(a_) != ltl::Strength::Terminal && !s_.exprs.is_const(could(f, OwnerId{}), 0))
        rests_on_.push_back(f);
    if (single_mark()) return;
    for (std::size_t i = 0; i < a_.marks + rests_on_.size(); ++i)
      passed_.push_back(cell(fmt::format("round: {}", i), Type::boolean()));
  }

  // Some of the fairness's actions are surely possible after an action that makes `holder` hold.
  ExprId could(std::size_t fairness, OwnerId holder) {
    const auto [at, fresh] = could_.try_emplace({fairness, holder.value});
    if (!fresh) return at->second;
    std::vector<ExprId> ways;
    for (const ActionId a : std::vector<ActionId>(s_.fairness[fairness].actions))
      if (!holder.valid() || s_.action(a).owner == holder) ways.push_back(surely_possible(s_, a));
    return at->second = s_.exprs.any(ways);
  }

  // What follows the automaton's step: the fairness of the position, and the round, if it is complete.
  StmtId rounds(ActionId action) {
    if (!count_to_ || single_mark()) return block({});
    const OwnerId holder = action.valid() ? s_.action(action).hold : OwnerId{};
    std::vector<StmtId> list;
    for (std::size_t i = 0; i < rests_on_.size(); ++i) {
      const std::vector<ActionId>& fair = s_.fairness[rests_on_[i]].actions;
      const CellId seen = passed_[a_.marks + i];
      const bool taken = action.valid() && std::find(fair.begin(), fair.end(), action) != fair.end();
      const ExprId impossible = taken ? s_.exprs.boolean(true) : s_.exprs.negate(could(rests_on_[i], holder));
      list.push_back(assign(seen, s_.exprs.either(s_.read(seen), impossible)));
    }
    ExprId complete = s_.exprs.boolean(true);
    std::vector<StmtId> again;
    for (const CellId seen : passed_) {
      complete = s_.exprs.both(complete, s_.read(seen));
      again.push_back(set(seen, false));
    }
    again.push_back(counting());
    list.push_back(if_else(complete, block(std::move(again)), block({})));
    return block(std::move(list));
  }

  StmtId counting() {
    if (counting_.valid()) return counting_;
    Stmt reached;
    reached.kind = StmtKind::Assert;
    reached.value = s_.exprs.boolean(false);
    reached.text = "round complete";
    const StmtId last = s_.add(std::move(reached));
    if (*count_to_ == 1) return counting_ = last;
    const CellId count = cell("rounds", Type::range(0, static_cast<std::int32_t>(*count_to_) - 1));
    const ExprId more = s_.exprs.binary(expr::Op::Add, s_.read(count), number(count, 1));
    return counting_ = if_else(s_.exprs.equals(s_.read(count), static_cast<std::int32_t>(*count_to_) - 1),
                               last, assign(count, more));
  }

  // --- the end of runs
  void add_stuttering() {
    Owner nobody;
    nobody.name = "the end of the run";
    nobody.kind = OwnerKind::Environment;
    nobody.may_rest = s_.exprs.boolean(true);
    Action stays;
    stays.name = "nobody can move";
    stays.kind = ActionKind::Internal;
    stays.guard = s_.exprs.idle();
    for (std::size_t i = 0; i < s_.actions.size(); ++i) {
      if (!footprint(s_, ActionId(i)).reads_idle) continue;
      const auto possible = possible_when_idle(s_, ActionId(i));
      if (!possible)
        throw Refused{fmt::format("it cannot be said when `{}`, which waits for everybody, is possible",
                                  s_.actions[i].name)};
      stays.guard = s_.exprs.both(stays.guard, s_.exprs.negate(*possible));
    }
    stays.owner = s_.add(std::move(nobody));
    std::vector<StmtId> body{set(ended_, true)};
    for (const CellId event : events()) body.push_back(set(event, false));
    body.insert(body.end(), {reading_, rounds({})});
    stays.body = block(std::move(body));
    stutters_ = s_.add(std::move(stays));
  }

  void ask(const std::string& property) {
    s_.properties.clear();
    if (!count_to_) return;
    Property question;
    question.kind = PropertyKind::NoAssertionFailure;
    question.name = fmt::format("fewer than {} rounds of what violates `{}`", *count_to_, property);
    s_.properties.push_back(std::move(question));
  }

  const System& original_;
  std::vector<Proposition> propositions_;
  ltl::Automaton a_;
  std::optional<std::uint32_t> count_to_;
  System s_;
  CellId state_, ended_;
  ActionId stutters_;
  std::vector<ExprId> truths_;  // of the propositions
  std::vector<CellId> passed_;  // by mark: in the last step; when counting also fairness: in this round
  std::vector<std::size_t> rests_on_;
  std::map<std::pair<std::size_t, std::uint32_t>, ExprId> could_;
  StmtId reading_, counting_;
};

}  // namespace

Monitoring monitored(const System& system, PropertyId property, const MonitorOptions& options) {
  Observation observation = observe(system, property);
  if (!observation.observed) return {std::nullopt, std::move(observation.why_not)};
  Observed& observed = *observation.observed;
  ltl::Automaton automaton;
  if (observed.claim) {
    automaton = *observed.claim;
    ltl::reduce(automaton);
  } else {
    ltl::TranslationLimits limits;
    limits.interrupted = options.interrupted;
    ltl::Translation made =
        ltl::automaton_of(observed.formulas, observed.formulas.negate(observed.formula), limits);
    if (const auto* large = std::get_if<ltl::TooLarge>(&made))
      return {std::nullopt, "the automaton of the formula is too large: " + large->reason};
    automaton = std::move(std::get<ltl::Automaton>(made));
  }
  try {
    return {Monitor(system, std::move(observed), std::move(automaton), options)
                .run(system.property(property).name),
            {}};
  } catch (const Refused& refused) {
    return {std::nullopt, refused.why};
  }
}

}  // namespace parley::passes
