// A wrapper of the next-state seam that checks, while any search runs over it, what seam.hpp promises: the
// same question has the same answer; the successors are those of the reference model; every path replays on
// the reference semantics and ends where it says; parts by owner and by action make up the whole; every step
// stays within its action's footprint, both ways (what it changes is declared, what it does not read does not
// matter); properties are as true as in the reference; the search's answers to `arrive` are right. After
// LTSmin's checking wrapper. It collects what is wrong as text; it does not fail by itself.
#pragma once

#include <fmt/format.h>

#include <random>
#include <set>

#include "explore/interpreted.hpp"
#include "explore/seam_mirror.hpp"

namespace parley::testing {

// Everything a model told a listener.
struct Heard {
  struct Successor {
    std::vector<std::uint32_t> words;
    std::uint32_t completing = 0;
    explore::Path path;
  };
  std::vector<Successor> successors;
  std::vector<std::pair<explore::Event, std::vector<semantics::Step>>> events;
  std::vector<std::pair<semantics::Outcome, std::uint32_t>> omitted;
  bool moved = false;
  bool complete = true;  // the listener did not have enough

  // What does not depend on the order of enumeration or on which of several paths is told.
  struct Sets {
    std::set<std::vector<std::uint32_t>> words;
    std::set<explore::Event> events;
    std::set<std::pair<semantics::Outcome, std::uint32_t>> omitted;
    bool moved = false;
    friend bool operator==(const Sets&, const Sets&) = default;
  };
  Sets sets() const;
  void add_to(Sets& sets) const;
  // Word for word.
  friend bool operator==(const Heard&, const Heard&);
};

// Listens, and passes on to another listener if there is one (not Deaf).
template <class M, explore::Listener L>
struct Recorder {
  M& model;
  Heard& heard;
  std::vector<std::uint32_t> buffer;
  L* next = nullptr;

  Recorder(M& m, Heard& h, L* n = nullptr) : model(m), heard(h), buffer(m.words(), 0), next(n) {}
  std::uint32_t* room() { return buffer.data(); }
  explore::Arrival arrive(std::uint32_t completing) {
    heard.successors.push_back({buffer, completing, model.path()});
    if constexpr (std::same_as<L, explore::Deaf>) return explore::Arrival::Expanded;
    std::copy(buffer.begin(), buffer.end(), next->room());
    return next->arrive(completing);
  }
  void happen(explore::Event event) {
    heard.events.emplace_back(event, model.path().steps);
    if (next != nullptr) next->happen(event);
  }
  void omit(semantics::Outcome outcome, std::uint32_t queue) {
    heard.omitted.emplace_back(outcome, queue);
    if (next != nullptr) next->omit(outcome, queue);
  }
  bool enough() {
    if (next == nullptr || !next->enough()) return false;
    heard.complete = false;
    return true;
  }
};

template <explore::Divisible M>
Heard hear(M& model, const std::vector<std::uint32_t>& words) {
  Heard heard;
  Recorder<M, explore::Deaf> recorder(model, heard);
  heard.moved = model.successors(words.data(), recorder);
  return heard;
}
template <explore::Divisible M>
Heard hear_owner(M& model, const std::vector<std::uint32_t>& words, std::uint32_t owner) {
  Heard heard;
  Recorder<M, explore::Deaf> recorder(model, heard);
  heard.moved = model.successors_of(words.data(), owner, recorder);
  return heard;
}
template <explore::Divisible M>
Heard hear_actions(M& model, const std::vector<std::uint32_t>& words, const explore::ActionSet& actions) {
  Heard heard;
  Recorder<M, explore::Deaf> recorder(model, heard);
  heard.moved = model.successors_by(words.data(), actions, recorder);
  return heard;
}

// The checks that know no model, only what was heard of one.
class StepChecker {
 public:
  using Words = std::vector<std::uint32_t>;
  StepChecker(const semantics::Interpreter& in, const explore::Layout& layout,
              std::vector<std::string>& complaints)
      : in_(in), layout_(layout), complaints_(complaints) {}

  // Paths replay, end in their successor, stay inside a stretch on the way, and respect footprints.
  void check_paths(const Words& from, const Heard& heard);

 private:
  void check_failures(const Words& from, const Heard& heard);
  void check_effect(const semantics::State& before, const semantics::Step& step,
                    const semantics::State& after);
  void check_indifference(const semantics::State& before, const semantics::Step& step);
  bool completes(const explore::Path& path, std::uint32_t owner) const;
  void complain(std::string what) { complaints_.push_back(std::move(what)); }

  const semantics::Interpreter& in_;
  const explore::Layout& layout_;
  std::vector<std::string>& complaints_;
  std::mt19937_64 rng_{1};
};

template <explore::Divisible M>
class SelfChecked {
 public:
  using Words = std::vector<std::uint32_t>;
  static constexpr bool asks_for_arrivals = true;

  SelfChecked(M& model, const semantics::Interpreter& in, explore::SearchOrder order)
      : model_(model),
        in_(in),
        reference_(in, explore::concrete_shape(in.system(), in.queue_capacities())),
        steps_(in, reference_.layout(), complaints_),
        mirror_(order) {}

  const std::vector<std::string>& complaints() const { return complaints_; }
  std::size_t states() const { return states_; }  // that were checked

  std::uint32_t words() const { return model_.words(); }
  std::uint32_t owners() const { return model_.owners(); }
  explore::Path path() const { return model_.path(); }
  std::vector<bool> reached() const { return model_.reached(); }
  std::vector<std::uint32_t> longest() const { return model_.longest(); }
  bool may_complete_forever(std::uint32_t owner) const { return model_.may_complete_forever(owner); }

  template <explore::Listener L>
  void initial(L& listener) {
    const bool searching = !mirror_.started();
    mirror_.start();
    Heard heard;
    Answered<L> answered{*this, listener, searching};
    Recorder recorder(model_, heard, &answered);
    model_.initial(recorder);
    if (searching && heard.complete) check_initial(heard);
  }
  template <explore::Listener L>
  bool successors(const std::uint32_t* given, L& listener) {
    const Words source(given, given + words());
    // Asked again about a state: somebody who looks for something, and answers as such.
    const bool searching = !mirror_.was_entered(source);
    expect(!searching || mirror_.enter(source), "a state is expanded out of turn");
    Heard heard;
    Answered<L> answered{*this, listener, searching};
    Recorder recorder(model_, heard, &answered);
    const bool moved = heard.moved = model_.successors(source.data(), recorder);
    if (searching && heard.complete) check(source, heard);
    return moved;
  }
  template <explore::Listener L>
  bool successors_of(const std::uint32_t* given, std::uint32_t owner, L& listener) {
    return model_.successors_of(given, owner, listener);
  }
  template <explore::Listener L>
  bool successors_by(const std::uint32_t* given, const explore::ActionSet& actions, L& listener) {
    return model_.successors_by(given, actions, listener);
  }
  domain::Truth inspect(const std::uint32_t* given, system::PropertyId property) {
    const domain::Truth truth = model_.inspect(given, property);
    const domain::Truth wanted = reference_.inspect(given, property);
    expect(truth.may_be_true == wanted.may_be_true && truth.may_be_false == wanted.may_be_false,
           "a property is not as true as in the reference");
    return truth;
  }
  bool at_rest(const std::uint32_t* given) {
    const bool rests = model_.at_rest(given);
    expect(rests == reference_.at_rest(given), "rests where the reference does not, or the other way");
    return rests;
  }

 private:
  // The search behind the wrapper, whose answers are checked.
  template <explore::Listener L>
  struct Answered {
    SelfChecked& checked;
    L& listener;
    bool searching;
    std::uint32_t* written = nullptr;
    std::uint32_t* room() { return written = listener.room(); }
    explore::Arrival arrive(std::uint32_t completing) {
      const Words state(written, written + checked.words());
      const explore::Arrival wanted = searching ? checked.mirror_.arrive(state) : explore::Arrival::Expanded;
      const explore::Arrival answer = listener.arrive(completing);
      checked.expect(answer == wanted,
                     fmt::format("arrival: {}, not {}", static_cast<int>(answer), static_cast<int>(wanted)));
      return answer;
    }
    void happen(explore::Event event) { listener.happen(event); }
    void omit(semantics::Outcome outcome, std::uint32_t queue) { listener.omit(outcome, queue); }
    bool enough() { return listener.enough(); }
  };

  void expect(bool condition, std::string_view otherwise) {
    if (!condition) complaints_.emplace_back(otherwise);
  }
  void check_initial(const Heard& heard) {
    Heard wanted;
    Recorder<explore::InterpretedModel<semantics::Interpreter>, explore::Deaf> recorder(reference_, wanted);
    reference_.initial(recorder);
    expect(heard.sets() == wanted.sets(), "other initial states than the reference");
    for (const Heard::Successor& s : heard.successors) {
      const semantics::StepResult r = in_.initial_state(s.path.initial_choices);
      expect(r.outcome == semantics::Outcome::Done &&
                 r.state == explore::unpack(reference_.layout(), s.words.data()),
             "an initial state is not where its choices lead");
    }
  }
  void check(const Words& source, const Heard& heard) {
    ++states_;
    expect(hear(model_, source) == heard, "asked twice, another answer");
    expect(hear(reference_, source).sets() == heard.sets(), "other successors than the reference");
    steps_.check_paths(source, heard);
    check_owners(source, heard.sets());
    check_halves(source, heard.sets());
  }
  void check_owners(const Words& source, const Heard::Sets& whole) {
    Heard::Sets together;
    for (std::uint32_t o = 0; o < model_.owners(); ++o) {
      const Heard part = hear_owner(model_, source, o);
      part.add_to(together);
      steps_.check_paths(source, part);
      expect(part.sets() == hear_owner(reference_, source, o).sets(),
             "other steps of an owner than the reference");
      for (const Heard::Successor& s : part.successors)
        expect(in_.system().action(s.path.steps.front().action).owner.value == o, "a step of another owner");
    }
    expect(together == whole, "the owners together are not the whole");
  }
  // Any set of actions and the rest.
  void check_halves(const Words& source, const Heard::Sets& whole) {
    explore::ActionSet half, rest;
    for (std::size_t i = 0; i < in_.system().actions.size(); ++i) {
      half.push_back(rng_() % 2 == 0);
      rest.push_back(!half.back());
    }
    Heard::Sets together;
    for (const explore::ActionSet* actions : {&half, &rest}) {
      const Heard part = hear_actions(model_, source, *actions);
      part.add_to(together);
      expect(part.sets() == hear_actions(reference_, source, *actions).sets(),
             "other steps of some actions than the reference");
      for (const Heard::Successor& s : part.successors)
        expect((*actions)[s.path.steps.front().action.index()], "a step of another action");
    }
    expect(together == whole, "two halves of the actions are not the whole");
  }

  M& model_;
  const semantics::Interpreter& in_;
  explore::InterpretedModel<semantics::Interpreter> reference_;
  std::vector<std::string> complaints_;
  StepChecker steps_;
  SearchMirror mirror_;
  std::mt19937_64 rng_{1};
  std::size_t states_ = 0;
};

}  // namespace parley::testing
