#include "bounds/published/test.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "bounds/published/cycle_balance.hpp"
#include "bounds/published/cycle_guards.hpp"
#include "bounds/published/received_data.hpp"
#include "solver/ilp/simplex.hpp"

namespace parley::bounds::published {

using solver::ilp::Integer;
using solver::ilp::Program;
using solver::ilp::Rational;
using solver::ilp::Sense;
using solver::ilp::Terms;

std::vector<std::int64_t> solve_cycles(const FlowGraph& graph, const std::vector<CycleRun>& cycles,
                                       const std::vector<CycleConstraint>& constraints) {
  Program p;
  std::vector<Terms> net(graph.kinds.size());
  std::vector<Rational> total(cycles.size(), 0);
  for (const CycleRun& c : cycles) {
    const std::uint32_t x = p.add_variable(1);
    for (const auto& [k, a] : c.effect) {
      if (graph.kinds[k].sort == KindSort::Data) continue;
      net[k].emplace_back(x, Rational(static_cast<long>(a)));
      if (graph.kinds[k].sort == KindSort::Message) total[x] += static_cast<long>(a);
    }
  }
  for (std::size_t k = 0; k < net.size(); ++k)
    if (!net[k].empty())
      p.add_row(std::move(net[k]), graph.kinds[k].sort == KindSort::Ledger ? Sense::Equal : Sense::AtLeast,
                0);
  Terms produced;
  for (std::uint32_t x = 0; x < total.size(); ++x)
    if (sgn(total[x]) != 0) produced.emplace_back(x, total[x]);
  if (produced.empty()) return {};
  p.add_row(std::move(produced), Sense::AtLeast, 1);
  for (const CycleConstraint& c : constraints) {
    Terms t;
    for (const auto& [x, k] : c.terms) t.emplace_back(x, Rational(static_cast<long>(k)));
    if (t.empty() && c.sense == Sense::AtLeast && c.bound > 0) return {};
    if (!t.empty()) p.add_row(std::move(t), c.sense, Rational(static_cast<long>(c.bound)));
  }
  // Every constraint allows scaling up, so a rational solution gives an integral one.
  const solver::ilp::Solution s = solver::ilp::solve(p);
  if (s.status != solver::ilp::Status::Optimal) return {};
  Integer denominator = 1;
  for (const Rational& x : s.values) denominator = lcm(denominator, x.get_den());
  std::vector<std::int64_t> counts;
  for (const Rational& x : s.values)
    counts.push_back(Integer(x.get_num() * (denominator / x.get_den())).get_si());
  return counts;
}

namespace {

using Constraints = std::vector<CycleConstraint>;

CycleConstraint positive(const std::vector<std::uint32_t>& sum) {
  CycleConstraint c;
  for (std::uint32_t x : sum) c.terms.emplace_back(x, 1);
  c.bound = 1;
  return c;
}
CycleConstraint zero(std::uint32_t x) {
  return {{{x, 1}}, Sense::AtMost, 0};
}

class Test {
 public:
  Test(const system::System& s, const FlowGraph& g, const Options& o)
      : s_(s), g_(g), o_(o), guards_(s, g, r_.cycles, o), received_(s, g) {}

  Report run() {
    CycleList list = elementary_cycles(g_, o_.max_cycles);
    r_.cycles = std::move(list.cycles);
    if (!list.complete) return stopped(fmt::format("{} cycles", o_.max_cycles));
    neighbours_ = neighbours(g_, r_.cycles);
    std::deque<Constraints> open{{}};
    while (!open.empty()) {
      if (r_.programs == o_.max_programs) return stopped(fmt::format("{} programs", o_.max_programs));
      if (o_.stop && o_.stop()) return stopped("the time");
      ++r_.programs;
      Constraints base = std::move(open.front());
      open.pop_front();
      base.insert(base.end(), left_out_.begin(), left_out_.end());
      const std::vector<std::int64_t> counts = solve_cycles(g_, r_.cycles, base);
      if (counts.empty()) continue;
      ++r_.counterexamples;
      std::vector<Constraints> more = refine(counts);
      if (!more.empty()) {
        ++r_.spurious;
      } else {
        set_aside(counts);
        if (!o_.keep_going) break;
        more.emplace_back();  // the same program, without what was left out
      }
      for (const Constraints& extra : more) {
        open.push_back(base);
        open.back().insert(open.back().end(), extra.begin(), extra.end());
      }
    }
    r_.answer = r_.set_aside.empty() ? Answer::Bounded : Answer::Unknown;
    return std::move(r_);
  }

 private:
  Report stopped(const std::string& limit) {
    r_.limit = limit;
    r_.answer = r_.set_aside.empty() ? Answer::Stopped : Answer::Unknown;
    return std::move(r_);
  }

  static std::vector<std::uint32_t> used_in(const std::vector<std::int64_t>& counts) {
    std::vector<std::uint32_t> used;
    for (std::uint32_t i = 0; i < counts.size(); ++i)
      if (counts[i] > 0) used.push_back(i);
    return used;
  }

  // The programs that replace this one; none: the counterexample stands.
  std::vector<Constraints> refine(const std::vector<std::int64_t>& counts) {
    const std::vector<std::uint32_t> used = used_in(counts);
    for (std::uint32_t c : used)
      if (auto more = by_code(c, counts)) return *more;
    for (std::uint32_t a : used)
      for (std::uint32_t b : used)
        if (a < b && r_.cycles[a].component == r_.cycles[b].component)
          if (auto more = by_structure(a, b, used)) return *more;
    if (!o_.counted) return {};
    for (std::uint32_t c : used)
      if (auto found = by_counting(c, counts)) {
        r_.log.push_back(fmt::format("spurious by counting: {}", found->why));
        return std::move(found->more);
      }
    return {};
  }

  void set_aside(const std::vector<std::int64_t>& counts) {
    SetAside a = judge(counts);
    r_.log.push_back(fmt::format("not decided ({}): {}", word(a.why), a.reason));
    for (std::uint32_t i : used_in(counts)) {
      a.cycles.push_back(r_.cycles[i]);
      a.cycles.back().times = counts[i];
    }
    left_out_.push_back(zero(a.left_out));
    r_.set_aside.push_back(std::move(a));
  }

  // Why the counterexample was not decided: the first reason in the order of Undecided that applies to one of
  // its cycles.
  SetAside judge(const std::vector<std::int64_t>& counts) {
    const std::vector<std::uint32_t> used = used_in(counts);
    for (std::uint32_t c : used)
      if (const auto found = by_counting(c, counts)) return {Undecided::Executions, found->why, c, {}};
    SetAside best{
        Undecided::Unguarded, fmt::format("no condition on {}", name(used.front())), used.front(), {}};
    for (std::uint32_t c : used) {
      const std::uint32_t component = r_.cycles[c].component;
      for (std::uint32_t e : r_.cycles[c].edges)
        for (const auto& b : received_.conditions(component, g_.components[component].edges[e])) {
          Undecided why = Undecided::Conditions;
          std::string rest = "which does not bound it";
          if (b.received) {
            why = Undecided::ReceivedData;
            rest = s_.cell(*b.received).name + " stores what was received";
          } else if (!guards_.local(component, {b.reads.begin(), b.reads.end()})) {
            why = Undecided::SharedData;
            rest = "which other processes change";
          }
          if (why < best.why)
            best = {
                why, fmt::format("{} asks ({}), {}", name(c), system::show(s_, b.expression), rest), c, {}};
        }
    }
    return best;
  }

  std::string name(std::uint32_t c) const {
    const CycleRun& x = r_.cycles[c];
    return fmt::format("{}: {}", g_.components[x.component].name,
                       show_cycle(g_.components[x.component], x.edges));
  }

  std::optional<std::vector<Constraints>> by_code(std::uint32_t c, const std::vector<std::int64_t>& counts) {
    for (const Guard& guard : guards_.of(c)) {
      const ConditionFacts& facts = guard.facts;
      if (!facts.exits) continue;
      const std::vector<std::uint32_t>&near = neighbours_[c], &helpers = guard.supplementary;
      const auto runs = [&](const std::vector<std::uint32_t>& list) {
        return std::any_of(list.begin(), list.end(), [&](std::uint32_t x) { return counts[x] > 0; });
      };
      const auto enough = [&](const std::vector<std::uint32_t>& list) {
        std::int64_t sum = 0;
        for (std::uint32_t x : list) sum += counts[x];
        return counts[c] <= *facts.most * sum;
      };
      const bool use_max = o_.with_max && facts.most.has_value();
      const bool fine = use_max ? enough(near) && enough(helpers) : runs(near) && runs(helpers);
      if (fine) continue;
      r_.log.push_back(fmt::format(
          "spurious by code: {} passes ({}) {}; {} neighbouring, {} supplementary cycles", name(c),
          system::show(s_, guard.condition),
          facts.most ? fmt::format("at most {} times in a row", *facts.most) : "finitely often in a row",
          near.size(), helpers.size()));
      if (!use_max)
        return std::vector<Constraints>{{zero(c)}, {positive({c}), positive(near), positive(helpers)}};
      Constraints both;
      for (const auto* list : {&near, &helpers}) {
        CycleConstraint k;
        k.terms.emplace_back(c, 1);
        for (std::uint32_t x : *list) k.terms.emplace_back(x, -*facts.most);
        k.sense = Sense::AtMost;
        both.push_back(std::move(k));
      }
      return std::vector<Constraints>{both};
    }
    return std::nullopt;
  }

  // The programs in which the cycle's condition gets what it needs in the long run, and why this
  // counterexample does not give it; nothing if it does. At least one program per disjunct, since one of them
  // is passed again and again.
  struct Counting {
    std::vector<Constraints> more;
    std::string why;
  };
  std::optional<Counting> by_counting(std::uint32_t c, const std::vector<std::int64_t>& counts) {
    for (const Guard& guard : guards_.of(c)) {
      std::vector<Constraints> more;
      for (const Guard::Counted& k : guard.counted) {
        Constraints all{positive({c})};
        all.insert(all.end(), k.constraints.begin(), k.constraints.end());
        more.push_back(all);
        if (!k.known) continue;
        more.back().push_back(*k.known);
        all.push_back(positive(k.unknown));
        more.push_back(std::move(all));
      }
      const bool fine = std::any_of(more.begin(), more.end(), [&](const Constraints& all) {
        return std::all_of(all.begin(), all.end(),
                           [&](const CycleConstraint& k) { return satisfied(k, counts); });
      });
      if (fine) continue;
      more.push_back({zero(c)});
      return Counting{std::move(more), fmt::format("{} passes ({}) more often than the other cycles allow",
                                                   name(c), system::show(s_, guard.condition))};
    }
    return std::nullopt;
  }

  std::optional<std::vector<Constraints>> by_structure(std::uint32_t a, std::uint32_t b,
                                                       const std::vector<std::uint32_t>& used) {
    std::vector<std::uint32_t> here;
    for (std::uint32_t x : used)
      if (r_.cycles[x].component == r_.cycles[a].component) here.push_back(x);
    // Reachable from each other through the counterexample's cycles?
    std::vector<std::uint32_t> reached{a};
    for (std::size_t i = 0; i < reached.size(); ++i)
      for (std::uint32_t x : neighbours_[reached[i]])
        if (std::find(here.begin(), here.end(), x) != here.end() &&
            std::find(reached.begin(), reached.end(), x) == reached.end())
          reached.push_back(x);
    if (std::find(reached.begin(), reached.end(), b) != reached.end()) return std::nullopt;
    std::vector<Constraints> more = {{zero(a), zero(b)}, {zero(a), positive({b})}, {positive({a}), zero(b)}};
    const auto sets = connecting_sets(neighbours_, a, b, o_.max_sets);
    if (sets) {
      for (const auto& set : *sets) {
        Constraints k;
        for (std::uint32_t x : set) k.push_back(positive({x}));
        more.push_back(std::move(k));
      }
    } else {
      Constraints k{positive({a}), positive({b})};
      for (const auto& layer : connecting_layers(neighbours_, a, b)) k.push_back(positive(layer));
      more.push_back(std::move(k));
    }
    r_.log.push_back(fmt::format("spurious by structure: {} and {} share no state; {} programs instead",
                                 name(a), name(b), more.size()));
    return more;
  }

  const system::System& s_;
  const FlowGraph& g_;
  const Options& o_;
  Report r_;
  Neighbours neighbours_;
  CycleGuards guards_;
  ReceivedData received_;
  Constraints left_out_;
};

}  // namespace

const char* word(Answer answer) {
  static const char* const words[] = {"bounded", "unknown", "stopped"};
  return words[static_cast<int>(answer)];
}

const char* word(Undecided why) {
  static const char* const words[] = {"executions", "received data", "shared data", "conditions",
                                      "unguarded"};
  return words[static_cast<int>(why)];
}

std::size_t Report::undecided(Undecided why) const {
  return static_cast<std::size_t>(
      std::count_if(set_aside.begin(), set_aside.end(), [&](const SetAside& a) { return a.why == why; }));
}

Report test(const system::System& system, const FlowGraph& graph, const Options& options) {
  return Test(system, graph, options).run();
}

}  // namespace parley::bounds::published
