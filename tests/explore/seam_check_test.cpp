// The self-checking wrapper under the search as it is: on examples and random Systems it finds nothing and
// counts what is counted without it, and it finds what is wrong with models and listeners that lie.
#include "explore/seam_check.hpp"

#include <gtest/gtest.h>

#include "explore/compiled.hpp"
#include "explore/example_systems.hpp"
#include "explore/random_system.hpp"
#include "explore/seam_product.hpp"
#include "explore/seam_searching.hpp"
#include "semantics/hand_made.hpp"

namespace parley::testing {
namespace {

using explore::Arrival;
using explore::CompiledModel;
using explore::SearchOrder;
using semantics::Interpreter;
using Checked = SelfChecked<CompiledModel>;

static_assert(explore::Divisible<Checked> && explore::AsksForArrivals<Checked>);

// States without the wrapper; nothing if there are too many.
std::optional<Searched> unwrapped(const System& s, std::uint64_t most) {
  engine::Request request = whole_request(s);
  request.limits.states = most;
  explore::Tracker tracker(request, engine::EngineKind::BreadthFirst, nullptr);
  CompiledModel model(s, semantics::capacities(s));
  explore::Search search(model, tracker, request, {SearchOrder::BreadthFirst, true});
  if (const std::optional<engine::Stop> stopped = search.run(); !stopped)
    return Searched{search.statistics(), tracker.results(search.statistics(), stopped)};
  return std::nullopt;
}

// Searches through the wrapper in both orders; false if the System is too large.
bool check_system(const System& s, const std::string& name, std::uint64_t most) {
  const std::optional<Searched> plain = unwrapped(s, most);
  if (!plain) return false;
  const Interpreter in(s);
  for (SearchOrder order : {SearchOrder::BreadthFirst, SearchOrder::DepthFirst}) {
    CompiledModel model(s, semantics::capacities(s));
    Checked checked(model, in, order);
    const Searched found = search_whole(checked, s, order);
    EXPECT_EQ(found.states(), plain->states()) << name;
    EXPECT_EQ(found.transitions(), plain->transitions()) << name;
    EXPECT_EQ(checked.states(), plain->states()) << name;
    if (order == SearchOrder::BreadthFirst) {
      EXPECT_EQ(found.statistics.states_at_depth, plain->statistics.states_at_depth) << name;
    }
    for (std::size_t i = 0; i < s.properties.size(); ++i)
      EXPECT_STREQ(verdict::word(found.results[i].verdict), verdict::word(plain->results[i].verdict)) << name;
    for (const std::string& c : checked.complaints()) ADD_FAILURE() << name << ": " << c;
  }
  return true;
}

TEST(SeamCheck, ExamplesKeepThePromises) {
  std::size_t checked = 0;
  for (const ExampleSystem& e : example_systems()) checked += check_system(e.system, e.file, 300) ? 1 : 0;
  EXPECT_GE(checked, 4u);
}

TEST(SeamCheck, RandomSystemsKeepThePromises) {
  std::size_t checked = 0;
  for (std::uint64_t seed = 1; seed <= 300 && !HasFailure(); ++seed)
    checked += check_system(RandomSystem(seed).make(), "seed " + std::to_string(seed), 200) ? 1 : 0;
  EXPECT_GE(checked, 180u);
}

TEST(SeamCheck, AProductOfACheckedModelIsSearchedToo) {
  // Wrappers stack. A monitor that allows everything leaves ping-pong its 9 states and 10 transitions
  // (search_test.cpp), and the last state stutters.
  PingPong p;
  const Monitor nothing{{{0, 0, {}}}, {false}, PropertyId{}};
  const Interpreter in(p.s);
  for (SearchOrder order : {SearchOrder::BreadthFirst, SearchOrder::DepthFirst}) {
    CompiledModel model(p.s, semantics::capacities(p.s));
    Checked checked(model, in, order);
    Product product(checked, nothing);
    const Searched found = search_whole(product, p.s, order);
    EXPECT_EQ(found.states(), 9u);
    EXPECT_EQ(found.transitions(), 11u);
    EXPECT_EQ(checked.states(), 9u);
    EXPECT_TRUE(checked.complaints().empty());
  }
}

// --- what lies
// ---------------------------------------------------------------------------------------------------

enum class Lie : std::uint8_t { Forgets, ChangesItsMind, MixesOwners };

// The compiled model, except for one thing.
class Liar : public CompiledModel {
 public:
  Liar(const System& s, Lie lie) : CompiledModel(s, semantics::capacities(s)), lie_(lie) {}
  template <explore::Listener L>
  bool successors(const std::uint32_t* words, L& listener) {
    const bool honest = lie_ == Lie::MixesOwners || (lie_ == Lie::ChangesItsMind && ++asked_ % 2 == 0);
    return honest ? CompiledModel::successors(words, listener)
                  : CompiledModel::successors_of(words, 0, listener);
  }
  template <explore::Listener L>
  bool successors_of(const std::uint32_t* words, std::uint32_t owner, L& listener) {
    if (lie_ == Lie::MixesOwners) owner = 1 - owner;
    return CompiledModel::successors_of(words, owner, listener);
  }

 private:
  Lie lie_;
  int asked_ = 0;
};

std::set<std::string> found_out(Lie lie) {
  const PingPong p;
  const Interpreter in(p.s);
  Liar liar(p.s, lie);
  SelfChecked<Liar> checked(liar, in, SearchOrder::BreadthFirst);
  search_whole(checked, p.s, SearchOrder::BreadthFirst);
  return {checked.complaints().begin(), checked.complaints().end()};
}

TEST(SeamCheck, LyingModelsAreFoundOut) {
  EXPECT_TRUE(found_out(Lie::Forgets).contains("other successors than the reference"));
  EXPECT_TRUE(found_out(Lie::Forgets).contains("the owners together are not the whole"));
  EXPECT_TRUE(found_out(Lie::ChangesItsMind).contains("asked twice, another answer"));
  EXPECT_TRUE(found_out(Lie::MixesOwners).contains("a step of another owner"));
}

// A search that calls everything new.
struct Flatterer {
  std::vector<std::uint32_t> buffer;
  std::uint32_t* room() { return buffer.data(); }
  Arrival arrive(std::uint32_t) { return Arrival::New; }
  void happen(explore::Event) {}
  void omit(semantics::Outcome, std::uint32_t) {}
  bool enough() { return false; }
};

TEST(SeamCheck, AListenerThatAnswersWronglyIsFoundOut) {
  const PingPong p;
  const Interpreter in(p.s);
  CompiledModel model(p.s, semantics::capacities(p.s));
  Checked checked(model, in, SearchOrder::BreadthFirst);
  Flatterer flatterer{std::vector<std::uint32_t>(model.words(), 0)};
  checked.initial(flatterer);
  EXPECT_TRUE(checked.complaints().empty());  // the first one is new
  const std::vector<std::uint32_t> first = flatterer.buffer;
  checked.successors(first.data(), flatterer);
  EXPECT_TRUE(checked.complaints().empty());
  checked.successors(first.data(), flatterer);  // again: what arrives has been met
  EXPECT_FALSE(checked.complaints().empty());
}

TEST(SeamCheck, AskingWhileAModelEnumeratesIsRefused) {
  const PingPong p;
  CompiledModel model(p.s, semantics::capacities(p.s));
  struct Curious : Flatterer {
    CompiledModel& model;
    explicit Curious(CompiledModel& m) : Flatterer{std::vector<std::uint32_t>(m.words(), 0)}, model(m) {}
    Arrival arrive(std::uint32_t) {
      model.at_rest(buffer.data());
      return Arrival::Expanded;
    }
  } curious(model);
  EXPECT_THROW(model.initial(curious), InternalError);
}

}  // namespace
}  // namespace parley::testing
