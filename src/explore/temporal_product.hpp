// The product of a model with the automaton of a temporal property, as a graph with marks: a run of it with
// every mark infinitely often is a run of the model that violates the property and is fair. Its states are a
// model's words and one more: the automaton's state, about to read the position, and whether the run has
// ended. Marks of the automaton come first, then one for each weak fairness: it is on a step that the fair
// actions take part in, and on every step that leaves a state where none of them can be taken. So fairness
// costs bits and no states. What is needed for strong fairness (who could move, who moved) is told beside the
// marks.
//
// Over any model of the seam that tells who is acting. Searched by explore/emptiness.hpp.
#pragma once

#include <algorithm>
#include <bit>

#include "explore/omissions.hpp"
#include "explore/seam.hpp"
#include "passes/observe.hpp"

namespace parley::explore {

template <class M>
concept TellsWhoActs = NextState<M> && requires(const M& m) {
  { m.acting() } -> std::convertible_to<std::uint32_t>;
};

// Which fairness an action matters for, by action; bit f is fairness f of the System.
class FairActions {
 public:
  explicit FairActions(const system::System& system) : of_(system.actions.size(), 0) {
    for (std::size_t f = 0; f < system.fairness.size(); ++f) {
      const std::uint64_t bit = std::uint64_t{1} << f;
      for (const system::ActionId a : system.fairness[f].actions) of_[a.index()] |= bit;
      (system.fairness[f].strength == system::Fairness::Strength::Weak ? weak_ : strong_) |= bit;
    }
  }
  std::uint64_t of(std::uint32_t action) const { return of_[action]; }
  std::uint64_t weak() const { return weak_; }
  std::uint64_t strong() const { return strong_; }

 private:
  std::vector<std::uint64_t> of_;
  std::uint64_t weak_ = 0, strong_ = 0;
};

// What a step of the product carries.
struct ArcMarks {
  ltl::Marks accepting = 0;  // of the automaton, then of weak fairness
  std::uint64_t could = 0;   // fairness whose actions can be taken in the state it leaves
  std::uint64_t did = 0;     // fairness whose actions it takes
  bool includes(const ArcMarks& other) const {
    return (other.accepting & ~accepting) == 0 && (other.did & ~did) == 0;
  }
};

template <TellsWhoActs M>
class TemporalProduct {
 public:
  TemporalProduct(M& model, const passes::Observed& observed, const ltl::Automaton& automaton,
                  const FairActions& fair, Omissions& omissions)
      : model_(model), observed_(observed), a_(automaton), fair_(fair), omissions_(omissions) {
    source_.resize(words());
  }

  std::uint32_t words() const { return model_.words() + 1; }
  // All of them infinitely often: a violation (if strong fairness agrees).
  ltl::Marks all_marks() const {
    return a_.all_marks() | static_cast<ltl::Marks>(weak_marks(fair_.weak()) << a_.marks);
  }
  std::uint32_t automaton_state(const std::uint32_t* words) const { return words[model_.words()] & ~kEnded; }
  bool ended(const std::uint32_t* words) const { return (words[model_.words()] & kEnded) != 0; }
  bool met_end() const { return met_end_; }  // some run ends

  // Calls f(words) for every initial state.
  template <class F>
  void initial(F&& f) {
    Collector collector{*this};
    start_collecting(nullptr);
    edges_.assign(1, {{}, a_.initial, 0});
    model_.initial(collector);
    for (std::size_t i = 0; i < found_.size(); ++i) f(made_.data() + i * words());
  }

  // Calls f(words, marks) for every step, stuttering after the end included.
  template <class F>
  void successors(const std::uint32_t* given, F&& f) {
    expand(given, nullptr);
    for (std::size_t i = 0; i < found_.size(); ++i) f(made_.data() + i * words(), found_[i].marks);
  }
  // The same in parts, for callers that look at all of them several times: how many steps there are, and one
  // of them. Valid until the next question.
  std::size_t count_successors(const std::uint32_t* given) {
    expand(given, nullptr);
    return found_.size();
  }
  const std::uint32_t* target(std::size_t i) const { return made_.data() + i * words(); }
  const ArcMarks& marks(std::size_t i) const { return found_[i].marks; }

  // How one state is reached from another by a step with these marks (from nothing: initially). A step that
  // stutters has an empty path.
  std::optional<Path> path(const std::uint32_t* given, const std::uint32_t* target, const ArcMarks& needed) {
    if (given == nullptr) {
      Collector collector{*this};
      start_collecting(target);
      edges_.assign(1, {{}, a_.initial, 0});
      model_.initial(collector);
    } else {
      expand(given, target);
    }
    for (Found& f : found_)
      if (f.marks.includes(needed)) return std::move(f.path);
    return std::nullopt;
  }

 private:
  static constexpr std::uint32_t kEnded = 1U << 31;

  struct Found {
    ArcMarks marks;
    Path path;  // only if a target is wanted
  };

  // Hears the model's successors and keeps one of the product for every edge of the automaton.
  struct Collector {
    TemporalProduct& p;
    std::uint32_t* room() {
      p.arriving_.resize(p.words());
      return p.arriving_.data();
    }
    Arrival arrive(std::uint32_t) {
      const std::uint32_t action = p.model_.acting();
      p.keep(action == Id<void>::kNone ? 0 : p.fair_.of(action), true);
      return Arrival::Expanded;
    }
    void happen(Event) { p.enable(); }
    void omit(semantics::Outcome outcome, std::uint32_t queue) {
      if (outcome != semantics::Outcome::Blocked) p.enable();
      p.omissions_.note(outcome, queue);
    }
    bool enough() { return false; }
  };

  // Which weak fairness, as consecutive bits.
  std::uint64_t weak_marks(std::uint64_t fairness) const {
    std::uint64_t result = 0;
    unsigned at = 0;
    for (std::uint64_t rest = fair_.weak(); rest != 0; rest &= rest - 1, ++at)
      if ((fairness & rest & ~(rest - 1)) != 0) result |= std::uint64_t{1} << at;
    return result;
  }

  void start_collecting(const std::uint32_t* target) {
    target_ = target;
    made_.clear();
    found_.clear();
    could_ = 0;
  }

  // A step that fails or is not followed was possible all the same.
  void enable() {
    if (const std::uint32_t action = model_.acting(); action != Id<void>::kNone) could_ |= fair_.of(action);
  }

  void keep(std::uint64_t did, bool moves) {
    could_ |= did;
    for (const ltl::Edge& e : edges_) {
      arriving_[model_.words()] = e.target | (moves ? 0 : kEnded);
      if (target_ != nullptr && !std::equal(arriving_.begin(), arriving_.end(), target_)) continue;
      found_.push_back({{e.marks, 0, did}, target_ != nullptr && moves ? model_.path() : Path{}});
      made_.insert(made_.end(), arriving_.begin(), arriving_.end());
    }
  }

  void expand(const std::uint32_t* given, const std::uint32_t* target) {
    source_.assign(given, given + words());
    start_collecting(target);
    const bool has_ended = ended(source_.data());
    read(has_ended);
    if (edges_.empty()) return;
    bool moved = false;
    if (!has_ended) {
      Collector collector{*this};
      moved = model_.successors(source_.data(), collector);
    }
    if (!moved) {
      met_end_ = true;
      arriving_.assign(source_.begin(), source_.end());
      keep(0, false);
    }
    const std::uint64_t idle = fair_.weak() & ~could_;
    for (Found& f : found_) {
      f.marks.could = could_;
      f.marks.accepting |= weak_marks(idle | (f.marks.did & fair_.weak())) << a_.marks;
    }
  }

  // The automaton's edges for the position of source_. Propositions are looked at when an edge asks.
  void read(bool has_ended) {
    edges_.clear();
    ltl::Letter known = 0, holds = 0;
    const auto is_true = [&](unsigned p) {
      const std::uint64_t bit = std::uint64_t{1} << p;
      if ((known & bit) == 0) {
        known |= bit;
        const passes::Proposition& proposition = observed_.propositions[p];
        const bool truth = proposition.kind == passes::Proposition::Kind::Alive
                               ? !has_ended
                               : !(has_ended && proposition.kind == passes::Proposition::Kind::Event) &&
                                     model_.inspect(source_.data(), proposition.property).may_be_true;
        if (truth) holds |= bit;
      }
      return (holds & bit) != 0;
    };
    for (const ltl::Edge& e : a_.edges[automaton_state(source_.data())]) {
      bool open = true;
      for (std::uint64_t rest = e.label.positive; open && rest != 0; rest &= rest - 1)
        open = is_true(static_cast<unsigned>(std::countr_zero(rest)));
      for (std::uint64_t rest = e.label.negative; open && rest != 0; rest &= rest - 1)
        open = !is_true(static_cast<unsigned>(std::countr_zero(rest)));
      if (open) edges_.push_back(e);
    }
  }

  M& model_;
  const passes::Observed& observed_;
  const ltl::Automaton& a_;
  const FairActions& fair_;
  Omissions& omissions_;
  std::vector<std::uint32_t> source_, arriving_, made_;
  std::vector<ltl::Edge> edges_;
  std::vector<Found> found_;
  const std::uint32_t* target_ = nullptr;
  std::uint64_t could_ = 0;
  bool met_end_ = false;
};

}  // namespace parley::explore
