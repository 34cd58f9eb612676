#include "explore/compare.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "explore/explore.hpp"
#include "explore/interpreted.hpp"
#include "verdict/replay.hpp"

namespace parley::testing {

using system::PropertyKind;

namespace {

class Comparer {
 public:
  Comparer(const system::System& s, const std::vector<std::uint32_t>& capacities, const Interpreter& in,
           const Oracle& oracle, Comparison& out)
      : s_(s), capacities_(capacities), in_(in), oracle_(oracle), out_(out) {}

  void all() {
    explore::Explorer counting({explore::SearchOrder::BreadthFirst, true});
    check("bfs", counting.check(request()), counting.statistics(), true);
    explore::Explorer deep({explore::SearchOrder::DepthFirst, true});
    check("dfs", deep.check(request()), deep.statistics(), false);
    explore::Explorer early;
    verdicts("early stop", early.check(request()), true);
    const engine::Request r = request();
    explore::Tracker tracker(r, engine::EngineKind::BreadthFirst, &in_);
    explore::InterpretedModel<Interpreter> model(in_, explore::concrete_shape(s_, capacities_));
    explore::Search search(model, tracker, r,
                           explore::SearchOptions{explore::SearchOrder::BreadthFirst, true});
    const std::optional<engine::Stop> stopped = search.run();
    check("interpreted", tracker.results(search.statistics(), stopped), search.statistics(), true);
  }

 private:
  engine::Request request() const {
    std::vector<system::PropertyId> ids;
    for (std::size_t i = 0; i < s_.properties.size(); ++i) ids.emplace_back(i);
    return engine::Request{s_, ids, capacities_, {}, 0, nullptr, {}, {}};
  }
  void differ(std::string text) { out_.differences.push_back(std::move(text)); }

  void check(const std::string& who, const std::vector<verdict::PropertyResult>& results,
             const explore::Statistics& st, bool breadth_first) {
    if (!st.complete) differ(fmt::format("{}: not complete", who));
    if (st.states != oracle_.states)
      differ(fmt::format("{}: {} states, not {}", who, st.states, oracle_.states));
    if (st.transitions != oracle_.transitions)
      differ(fmt::format("{}: {} transitions, not {}", who, st.transitions, oracle_.transitions));
    if (breadth_first && oracle_.states > 0 &&
        !std::equal(st.states_at_depth.begin(), st.states_at_depth.end(), oracle_.levels.begin(),
                    oracle_.levels.end()))
      differ(fmt::format("{}: levels {}, not {}", who, fmt::join(st.states_at_depth, " "),
                         fmt::join(oracle_.levels, " ")));
    if (st.reached != oracle_.reached) differ(fmt::format("{}: coverage differs", who));
    verdicts(who, results, breadth_first);
  }

  struct Expected {
    const char* word;
    std::optional<std::size_t> source_depth;
  };

  Expected expected(std::uint32_t id) const {
    const bool conditional = oracle_.cut || oracle_.assumed_away || blocked_start();
    auto event = [](const std::optional<std::size_t>& found) {
      return Expected{found ? "violated" : "holds", found};
    };
    auto shown = [&]() -> std::optional<std::size_t> {
      const auto at = oracle_.shown.find(id);
      return at == oracle_.shown.end() ? std::nullopt : std::optional(at->second);
    };
    const PropertyKind kind = s_.properties[id].kind;
    switch (kind) {
      case PropertyKind::NoDeadlock:
        return event(oracle_.deadlock);
      case PropertyKind::NoLostMessages:
        return event(oracle_.lost);
      case PropertyKind::NoAssertionFailure:
        return event(oracle_.assertion);
      case PropertyKind::NoRuntimeError:
        return event(oracle_.error);
      case PropertyKind::NoOverflow:
        return event(oracle_.overflow);
      case PropertyKind::NoEndlessCompletion:
        return {oracle_.endless ? "violated" : "holds", {}};
      case PropertyKind::Always:
      case PropertyKind::Never:
        return event(shown());
      case PropertyKind::Reachable:
        if (shown()) return {"holds", shown()};
        return {conditional ? "unknown" : "violated", {}};
      case PropertyKind::NoUnreachableStates:
      case PropertyKind::NoUnreachableTransitions: {
        bool all = true;
        for (std::size_t i = 0; i < s_.elements.size(); ++i) {
          const bool transition = s_.elements[i].kind == system::ElementKind::Transition;
          if (transition == (kind == PropertyKind::NoUnreachableTransitions) && !s_.elements[i].ignorable)
            all = all && oracle_.reached[i];
        }
        return {all ? "holds" : conditional ? "unknown" : "violated", {}};
      }
      case PropertyKind::NoUnboundedQueues:
      case PropertyKind::Temporal:
        return {"unknown", {}};
    }
    return {"?", {}};
  }
  bool blocked_start() const {
    for (const auto& i : in_.initial_states())
      if (i.result.outcome == Outcome::Blocked) return true;
    return false;
  }

  void verdicts(const std::string& who, const std::vector<verdict::PropertyResult>& results, bool shortest) {
    for (const verdict::PropertyResult& r : results) {
      const std::string& name = s_.property(r.property).name;
      const Expected want = expected(r.property.value);
      if (verdict::word(r.verdict) != std::string(want.word)) {
        differ(fmt::format("{}: {} is {}, not {}", who, name, verdict::word(r.verdict), want.word));
        continue;
      }
      const verdict::Trace* trace = nullptr;
      if (const auto* v = std::get_if<verdict::Violated>(&r.verdict)) trace = v->trace ? &*v->trace : nullptr;
      if (const auto* h = std::get_if<verdict::Holds>(&r.verdict))
        trace = h->witness ? &*h->witness : nullptr;
      if (want.source_depth && trace == nullptr) differ(fmt::format("{}: {} has no trace", who, name));
      if (trace == nullptr) continue;
      const verdict::Confirmation c = verdict::confirm(in_, r.property, *trace);
      if (!c.confirmed) differ(fmt::format("{}: trace of {} not confirmed: {}", who, name, c.why));
      if (shortest && want.source_depth) length(who, name, *trace, *want.source_depth, r.property);
    }
  }

  // States are at their depth; an event belongs to the depth of the visible state its step started from.
  void length(const std::string& who, const std::string& name, const verdict::Trace& trace, std::size_t depth,
              system::PropertyId id) {
    const verdict::Replay replayed = verdict::replay(in_, trace);
    const PropertyKind kind = s_.property(id).kind;
    const bool of_state = kind == PropertyKind::NoDeadlock || s_.property(id).expression.valid();
    std::size_t last = replayed.states.size();
    if (!of_state && replayed.states.size() == trace.steps.size() + 1 && !trace.steps.empty()) --last;
    std::size_t visible = 0;
    for (std::size_t i = 0; i < last; ++i)
      if (replayed.states[i].visible()) ++visible;
    if (trace.steps.empty() && !of_state) visible = 1;
    if (visible != depth + 1)
      differ(fmt::format("{}: trace of {} comes from depth {}, not {}", who, name, visible - 1, depth));
  }

  const system::System& s_;
  const std::vector<std::uint32_t>& capacities_;
  const Interpreter& in_;
  const Oracle& oracle_;
  Comparison& out_;
};

}  // namespace

Comparison compare(const system::System& system, const std::vector<std::uint32_t>& capacities,
                   std::size_t most_states) {
  Comparison out;
  const Interpreter in(system, capacities);
  const Oracle oracle = OracleSearch(in, most_states).run();
  out.states = oracle.states;
  if (!oracle.complete) return out;
  out.decided = true;
  Comparer(system, capacities, in, oracle, out).all();
  return out;
}

}  // namespace parley::testing
