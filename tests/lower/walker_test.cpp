// Random models: the state graph of the lowered System against that of the walker over the Model
// (walker.hpp). Compared are the numbers of states and edges, what every state shows (attributes, active
// states, queues), and which failures and discards occur.
#include "lower/walker.hpp"

#include "lower/harness.hpp"
#include "random/model.hpp"

using namespace parley;
using namespace parley::lower::test;

namespace {

#ifndef PARLEY_WALKS
#define PARLEY_WALKS 300  // the slow tier walks more
#endif
constexpr std::size_t kLimit = 600;  // states

using View = std::vector<std::int32_t>;

void add_message(View& view, std::uint32_t signal, const std::vector<std::int32_t>& values) {
  view.push_back(static_cast<std::int32_t>(signal));
  view.insert(view.end(), values.begin(), values.end());
}

View view_of(const WalkState& s) {
  View view;
  for (const WalkObject& o : s.objects) {
    for (const auto& a : o.attributes) view.insert(view.end(), a.begin(), a.end());
    for (std::int32_t p : o.place) view.push_back(p >= 0 && p < kAtJoin ? p : kOut);
    if (o.place.empty()) continue;
    view.push_back(static_cast<std::int32_t>(o.queue.size()));
    for (const WalkMessage& m : o.queue) add_message(view, m.signal, m.values);
  }
  return view;
}

View view_of(const Loaded& l, const semantics::State& s) {
  View view;
  const lower::BackMap& map = l.lowered->map;
  std::size_t queue = 0;
  for (std::uint32_t o = 0; o < l.model.objects.size(); ++o) {
    bool active = false;
    std::vector<std::int32_t> places;
    for (std::size_t i = 0; i < map.cells.size(); ++i) {
      if (map.cells[i].object != o) continue;
      if (map.cells[i].kind == lower::BackMap::CellKind::Attribute) view.push_back(s.cells[i]);
      if (map.cells[i].kind != lower::BackMap::CellKind::Region) continue;
      active = true;
      const model::VertexId v = map.locations[i][static_cast<std::size_t>(s.cells[i])];
      places.push_back(v.valid() ? static_cast<std::int32_t>(v.value) : kOut);
    }
    view.insert(view.end(), places.begin(), places.end());
    if (!active) continue;
    // One queue per active object; they are made in order of the objects.
    const auto& q = s.queues[queue++];
    view.push_back(static_cast<std::int32_t>(q.size()));
    for (const semantics::Message& m : q) add_message(view, m.signal.value, m.args);
  }
  return view;
}

struct Graph {
  std::map<semantics::State, std::size_t> states;
  std::set<std::pair<std::size_t, std::size_t>> edges;
  std::size_t discards = 0;
  bool assertion = false, error = false, overflow = false, complete = true;
};

Graph graph_of(const Loaded& l) {
  semantics::Interpreter in(l.system());
  Graph g;
  std::vector<semantics::State> open;
  const auto result = [&](const semantics::StepResult& r, std::optional<std::size_t> from) {
    g.assertion = g.assertion || r.outcome == semantics::Outcome::AssertionFailed;
    g.error = g.error || r.outcome == semantics::Outcome::RuntimeError;
    g.overflow = g.overflow || r.outcome == semantics::Outcome::QueueOverflow;
    if (r.outcome != semantics::Outcome::Done) return false;
    const auto [it, fresh] = g.states.emplace(r.state, g.states.size());
    if (from) g.edges.insert({*from, it->second});
    if (fresh) open.push_back(r.state);
    return true;
  };
  for (const auto& i : in.initial_states()) result(i.result, std::nullopt);
  while (!open.empty() && g.complete) {
    const semantics::State s = open.back();
    open.pop_back();
    bool discards = false;
    for (const auto& next : in.successors(s))
      if (result(next.result, g.states.at(s)))
        discards = discards || l.system().action(next.step.action).kind == system::ActionKind::Discard;
    g.discards += discards ? 1 : 0;
    g.complete = g.states.size() <= kLimit;
  }
  return g;
}

// What differs, or nothing.
std::string difference(const std::string& text, bool* compared = nullptr) {
  const auto l = load(text);
  if (!l->lowered || !can_walk(l->model)) return "";
  const WalkGraph a = walk(l->model, kLimit);
  if (!a.complete) return "";
  const Graph b = graph_of(*l);
  if (compared != nullptr) *compared = true;
  const auto say = [](const char* what, std::size_t x, std::size_t y) {
    return std::string(what) + ": walked " + std::to_string(x) + ", lowered " + std::to_string(y);
  };
  if (a.assertion != b.assertion) return say("assertion failures", a.assertion, b.assertion);
  if (a.error != b.error) return say("run-time errors", a.error, b.error);
  if (a.overflow != b.overflow) return say("overflows", a.overflow, b.overflow);
  std::set<View> x, y;
  for (const auto& [s, number] : a.states) x.insert(view_of(s));
  for (const auto& [s, number] : b.states) y.insert(view_of(*l, s));
  if (x != y) return say("different visible states", x.size(), y.size());
  if (a.states.size() != b.states.size()) return say("states", a.states.size(), b.states.size());
  if (a.edges.size() != b.edges.size()) return say("edges", a.edges.size(), b.edges.size());
  if (a.discards != b.discards) return say("states with a discard", a.discards, b.discards);
  return "";
}

}  // namespace

TEST(Walker, AgreesWithLoweringOnRandomModels) {
  random::Profile profile;
  profile.timers = 0;
  profile.threads = 0;
  profile.switches = 30;  // those it cannot walk are left out
  profile.errors = 5;
  profile.assertions = 5;
  profile.failing_guards = 0;  // it reads the guards it needs, not all that the steps read
  profile.wide_integers = 0;
  profile.composite = 50;
  profile.orthogonal = 40;
  std::size_t compared = 0;
  constexpr std::uint64_t seeds = PARLEY_WALKS;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const random::Piece piece = random::model(seed, profile);
    bool done = false;
    const std::string what = difference(random::text(piece), &done);
    compared += done ? 1 : 0;
    if (what.empty()) continue;
    const random::Piece small = random::shrink(
        piece, [](const random::Piece& p) { return !difference(random::text(p)).empty(); }, 400);
    FAIL() << "seed " << seed << ": " << what << "\nshrunk: " << difference(random::text(small)) << "\n"
           << random::text(small);
  }
  RecordProperty("compared", static_cast<int>(compared));
  EXPECT_GT(compared, seeds / 3);  // the others have too many states
}
