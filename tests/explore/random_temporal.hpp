// Random temporal properties and fairness for a System that is there: atoms are boolean expressions that its
// own properties ask for, and events of its owners and signals.
#pragma once

#include "ltl/random_formula.hpp"
#include "system/system.hpp"

namespace parley::testing {

class RandomTemporal {
 public:
  RandomTemporal(system::System& system, std::uint64_t seed, bool with_next)
      : s_(system), source_(seed), with_next_(with_next) {}

  system::PropertyId add_property(std::uint32_t operators) {
    system::Property p;
    p.kind = system::PropertyKind::Temporal;
    p.formula = formula(operators);
    p.name = p.temporal = system::show(s_, *p.formula);
    return s_.add(std::move(p));
  }

  void add_fairness(std::uint32_t how_many) {
    for (std::uint32_t i = 0; i < how_many && !s_.actions.empty(); ++i) {
      system::Fairness f;
      f.strength =
          source_.below(2) == 0 ? system::Fairness::Strength::Weak : system::Fairness::Strength::Strong;
      const system::OwnerId owner(source_.below(static_cast<std::uint32_t>(s_.owners.size())));
      for (std::size_t a = 0; a < s_.actions.size(); ++a)
        if (source_.below(3) == 0 || s_.actions[a].owner == owner) f.actions.emplace_back(a);
      f.shown = "fairness " + std::to_string(i);
      s_.fairness.push_back(std::move(f));
    }
  }

 private:
  using Formula = system::Formula;

  Formula atom() {
    std::vector<system::ExprId> predicates;
    for (const system::Property& p : s_.properties)
      if (p.expression.valid()) predicates.push_back(p.expression);
    Formula f;
    if (!predicates.empty() && (s_.signals.empty() || source_.below(3) != 0)) {
      f.predicate = predicates[source_.below(static_cast<std::uint32_t>(predicates.size()))];
      return f;
    }
    f.kind = Formula::Kind::Event;
    f.event.kind = static_cast<system::EventAtom::Kind>(source_.below(4));
    for (std::size_t o = 0; o < s_.owners.size(); ++o)
      if (source_.below(2) == 0) f.event.owners.emplace_back(o);
    for (std::size_t g = 0; g < s_.signals.size(); ++g)
      if (source_.below(2) == 0) f.event.signals.emplace_back(g);
    for (std::size_t e = 0; e < s_.elements.size(); ++e)
      if (source_.below(4) == 0) f.event.elements.emplace_back(e);
    return f;
  }

  Formula formula(std::uint32_t operators) {
    using Kind = Formula::Kind;
    if (operators == 0) return atom();
    static constexpr Kind kUnary[] = {Kind::Not, Kind::Globally, Kind::Finally, Kind::Next};
    static constexpr Kind kBinary[] = {Kind::And,     Kind::Or,    Kind::Implies,
                                       Kind::Iff,     Kind::Until, Kind::WeakUntil,
                                       Kind::Release, Kind::Until, Kind::Implies};
    Formula f;
    if (source_.below(5) < 3) {
      f.kind = kUnary[source_.below(with_next_ ? 4 : 3)];
      f.operands.push_back(formula(operators - 1));
      return f;
    }
    const std::uint32_t left = source_.below(operators);
    f.kind = kBinary[source_.below(9)];
    f.operands.push_back(formula(left));
    f.operands.push_back(formula(operators - 1 - left));
    return f;
  }

  system::System& s_;
  ltl::random::Source source_;
  bool with_next_;
};

}  // namespace parley::testing
