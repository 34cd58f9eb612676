#include "ltl/translate.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "support/check.hpp"

namespace parley::ltl {
namespace {

// Sorted, each once.
using Obligations = std::vector<FormulaId>;

Obligations joined(const Obligations& a, const Obligations& b) {
  Obligations all;
  all.reserve(a.size() + b.size());
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
  return all;
}

// One way to keep an obligation at this moment: the letter is in the cube, the obligations hold from the next
// moment on, and the promised eventualities were put off.
struct Branch {
  Cube now;
  Marks promised = 0;
  Obligations next;
  friend bool operator==(const Branch&, const Branch&) = default;
  friend auto operator<=>(const Branch&, const Branch&) = default;

  // Whatever is possible after the other is possible after this one (gastin2001, section 4).
  bool better_than(const Branch& other) const {
    return now.includes(other.now) && (promised & ~other.promised) == 0 &&
           std::includes(other.next.begin(), other.next.end(), next.begin(), next.end());
  }
};

// A disjunction of branches: none is better than another, sorted.
using Branches = std::vector<Branch>;

struct LimitReached {
  std::string reason;
};

class Translator {
 public:
  Translator(const Store& store, const TranslationLimits& limits) : store_(store), limits_(limits) {}

  Automaton run(FormulaId formula) {
    automaton_.initial = state_of(sorted_conjuncts(formula));
    for (State s = 0; s < unfolded_.size(); ++s) {
      const Branches branches = *unfolded_[s];
      std::vector<Edge> edges;
      for (const Branch& branch : branches)
        edges.push_back({branch.now, state_of(branch.next), branch.promised});
      count_edges(edges.size());
      automaton_.edges.push_back(std::move(edges));
    }
    automaton_.marks = static_cast<unsigned>(promise_number_.size());
    for (auto& edges : automaton_.edges) {
      for (Edge& edge : edges) edge.marks = automaton_.all_marks() & ~edge.marks;
      merge_labels(edges);
    }
    return std::move(automaton_);
  }

 private:
  void work(std::size_t steps) {
    work_ += steps;
    if (work_ > limits_.work) throw LimitReached{"more work than the translation is allowed"};
    since_poll_ += steps;
    if (since_poll_ < 10'000) return;
    since_poll_ = 0;
    if (limits_.interrupted && limits_.interrupted()) throw LimitReached{"interrupted"};
  }

  void count_edges(std::size_t edges) {
    edges_ += edges;
    if (edges_ > limits_.edges) throw LimitReached{"more than " + std::to_string(limits_.edges) + " edges"};
  }

  Obligations sorted_conjuncts(FormulaId formula) const {
    Obligations all = operands_of(store_, formula, Kind::And);
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    std::erase(all, store_.truth());
    return all;
  }

  // Without what a G f among them says anyway, the conjuncts of f: the unfolding is the same without them,
  // and conjunctions of recurrences need not be unfolded for every set of open eventualities.
  Obligations without_repetition(Obligations obligations) const {
    const Obligations all = obligations;
    for (const FormulaId f : all)
      if (store_.kind(f) == Kind::Globally)
        for (const FormulaId said : operands_of(store_, store_.left(f), Kind::And))
          std::erase(obligations, said);
    return obligations;
  }

  State state_of(const Obligations& given) {
    const Obligations obligations = without_repetition(given);
    const auto known = state_by_obligations_.find(obligations);
    if (known != state_by_obligations_.end()) return known->second;
    const auto [place, fresh] =
        state_by_branches_.try_emplace(unfold(obligations), static_cast<State>(unfolded_.size()));
    if (fresh) {
      if (unfolded_.size() == limits_.states)
        throw LimitReached{"more than " + std::to_string(limits_.states) + " states"};
      unfolded_.push_back(&place->first);
    }
    state_by_obligations_.emplace(obligations, place->second);
    return place->second;
  }

  Branches unfold(const Obligations& obligations) {
    Branches all = {Branch{}};
    for (const FormulaId f : obligations) all = conjunction(all, branches_of(f));
    return all;
  }

  // Only the best branches, sorted.
  Branches best_of(Branches branches) {
    std::sort(branches.begin(), branches.end());
    branches.erase(std::unique(branches.begin(), branches.end()), branches.end());
    Branches best;
    for (std::size_t i = 0; i < branches.size(); ++i) {
      work(branches.size());
      const bool beaten = std::any_of(branches.begin(), branches.end(), [&](const Branch& other) {
        return &other != &branches[i] && other.better_than(branches[i]);
      });
      if (!beaten) best.push_back(branches[i]);
    }
    return best;
  }

  Branches conjunction(const Branches& a, const Branches& b) {
    if (a.size() == 1 && a[0] == Branch{}) return b;
    Branches all;
    for (const Branch& x : a)
      for (const Branch& y : b) {
        work(1 + x.next.size() + y.next.size());
        const Cube now = x.now & y.now;
        if (!now.satisfiable()) continue;
        all.push_back({now, x.promised | y.promised, joined(x.next, y.next)});
        if (all.size() > limits_.edges) count_edges(all.size());  // no state would be allowed to have as many
      }
    return best_of(std::move(all));
  }

  Branches disjunction(Branches a, const Branches& b) {
    a.insert(a.end(), b.begin(), b.end());
    return best_of(std::move(a));
  }

  Branches always(const Branches& now, FormulaId f) {
    Branches all = conjunction(now, again(f, 0));
    for (Branch& branch : all) branch.next = without_repetition(branch.next);
    return best_of(std::move(all));
  }

  // f itself must hold again, with or without a promise that its eventuality comes.
  Branches again(FormulaId f, Marks promised) const { return {Branch{{}, promised, {f}}}; }

  // Eventualities with the same goal share their promise: putting off one puts off all that are open.
  Marks promise_of(FormulaId goal) {
    const auto [place, fresh] =
        promise_number_.try_emplace(goal, static_cast<unsigned>(promise_number_.size()));
    if (fresh && promise_number_.size() > kMostMarks)
      throw LimitReached{"more than " + std::to_string(kMostMarks) + " eventualities"};
    return Marks{1} << place->second;
  }

  // Memorised; operands that must be unfolded first are, from a stack of our own.
  const Branches& branches_of(FormulaId root) {
    std::vector<FormulaId> open = {root};
    while (!open.empty()) {
      const FormulaId f = open.back();
      if (branches_.contains(f)) {
        open.pop_back();
        continue;
      }
      const std::size_t before = open.size();
      if (store_.kind(f) != Kind::Next)
        for (const FormulaId operand : {store_.left(f), store_.right(f)})
          if (operand.valid() && !branches_.contains(operand)) open.push_back(operand);
      if (open.size() > before) continue;
      open.pop_back();
      branches_.emplace(f, unfold_one(f));
    }
    return branches_.at(root);
  }

  // The operands are unfolded already (that of Next is not needed).
  Branches unfold_one(FormulaId f) {
    const Node& node = store_[f];
    const auto left = [&]() -> const Branches& { return branches_.at(node.left); };
    const auto right = [&]() -> const Branches& { return branches_.at(node.right); };
    switch (node.kind) {
      case Kind::True:
        return {Branch{}};
      case Kind::False:
        return {};
      case Kind::Atom:
        return {Branch{{std::uint64_t{1} << node.proposition, 0}, 0, {}}};
      case Kind::Not:
        PARLEY_CHECK(store_.kind(node.left) == Kind::Atom);
        return {Branch{{0, std::uint64_t{1} << store_[node.left].proposition}, 0, {}}};
      case Kind::And:
        return conjunction(left(), right());
      case Kind::Or:
        return disjunction(left(), right());
      case Kind::Next:
        return {Branch{{}, 0, sorted_conjuncts(node.left)}};
      case Kind::Finally:
        return disjunction(left(), again(f, promise_of(node.left)));
      case Kind::Globally:
        return always(left(), f);
      case Kind::Until:
        return disjunction(right(), conjunction(left(), again(f, promise_of(node.right))));
      case Kind::Release:
        return conjunction(right(), disjunction(left(), again(f, 0)));
    }
    PARLEY_CHECK(false);
    return {};
  }

  const Store& store_;
  const TranslationLimits& limits_;
  std::size_t work_ = 0, since_poll_ = 0, edges_ = 0;
  std::unordered_map<FormulaId, Branches> branches_;
  std::map<Obligations, State> state_by_obligations_;
  std::map<Branches, State> state_by_branches_;
  std::vector<const Branches*> unfolded_;  // by state
  std::unordered_map<FormulaId, unsigned> promise_number_;
  Automaton automaton_;
};

}  // namespace

Translation translate(const Store& store, FormulaId formula, const TranslationLimits& limits) {
  try {
    return Translator(store, limits).run(formula);
  } catch (const LimitReached& limit) {
    return TooLarge{limit.reason};
  }
}

}  // namespace parley::ltl
