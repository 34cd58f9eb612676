#include "bounds/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <unordered_map>

#include "domain/interval_arithmetic.hpp"

namespace parley::bounds {

using domain::Interval;
using domain::only;
using domain::values_of;
using semantics::Message;
using semantics::Outcome;
using semantics::State;
using semantics::Step;

namespace {

constexpr std::uint32_t kEndless = 1U << 24;  // capacity of queues without one

void put(std::string& out, std::int32_t v) {
  std::uint32_t u = (static_cast<std::uint32_t>(v) << 1) ^ static_cast<std::uint32_t>(v >> 31);
  while (u >= 0x80) {
    out += static_cast<char>(u | 0x80U);
    u >>= 7;
  }
  out += static_cast<char>(u);
}

std::string encode(const State& state) {
  std::string out;
  put(out, state.holder.valid() ? static_cast<std::int32_t>(state.holder.index()) : -1);
  for (std::int32_t v : state.cells) put(out, v);
  for (const auto& queue : state.queues) {
    put(out, static_cast<std::int32_t>(queue.size()));
    for (const Message& m : queue) {
      put(out, static_cast<std::int32_t>(m.signal.index()));
      for (std::int32_t a : m.args) put(out, a);
    }
  }
  return out;
}

class Reader {
 public:
  explicit Reader(const std::string& bytes) : bytes_(bytes) {}
  std::int32_t get() {
    std::uint32_t u = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto b = static_cast<unsigned char>(bytes_[at_++]);
      u |= static_cast<std::uint32_t>(b & 0x7fU) << shift;
      if ((b & 0x80U) == 0) break;
    }
    return static_cast<std::int32_t>(u >> 1) ^ -static_cast<std::int32_t>(u & 1U);
  }

 private:
  const std::string& bytes_;
  std::size_t at_ = 0;
};

State decode(const system::System& s, const std::string& bytes) {
  Reader in(bytes);
  State state;
  const std::int32_t holder = in.get();
  if (holder >= 0) state.holder = system::OwnerId(static_cast<std::size_t>(holder));
  for (std::size_t i = 0; i < s.cells.size(); ++i) state.cells.push_back(in.get());
  state.queues.resize(s.queues.size());
  for (auto& queue : state.queues) {
    queue.resize(static_cast<std::size_t>(in.get()));
    for (Message& m : queue) {
      m.signal = system::SignalId(static_cast<std::size_t>(in.get()));
      for (std::size_t i = 0; i < s.signal(m.signal).params.size(); ++i) m.args.push_back(in.get());
    }
  }
  return state;
}

bool grew(const State& a, const State& b) {
  bool more = false;
  for (std::size_t q = 0; q < a.queues.size(); ++q) {
    if (b.queues[q].size() < a.queues[q].size()) return false;
    more = more || b.queues[q].size() > a.queues[q].size();
  }
  return more;
}

void measure(const State& state, std::vector<std::uint32_t>& longest) {
  longest.resize(state.queues.size(), 0);
  for (std::size_t q = 0; q < state.queues.size(); ++q)
    longest[q] = std::max(longest[q], static_cast<std::uint32_t>(state.queues[q].size()));
}

bool all_found(const std::vector<bool>& wanted, const SearchResult& result) {
  for (std::size_t q = 0; q < wanted.size(); ++q)
    if (wanted[q] && !result.pumps.contains(q)) return false;
  return std::find(wanted.begin(), wanted.end(), true) != wanted.end();
}

}  // namespace

std::string control_key(const State& state, const Relevance& relevance) {
  std::string out;
  put(out, state.holder.valid() ? static_cast<std::int32_t>(state.holder.index()) : -1);
  for (std::size_t c = 0; c < state.cells.size(); ++c)
    if (relevance.cells[c]) put(out, state.cells[c]);
  return out;
}

Searcher::Searcher(const system::System& system, std::uint64_t seed)
    : s_(system),
      interpreter_(system, std::vector<std::uint32_t>(system.queues.size(), kEndless)),
      checker_(system),
      seed_(seed) {
  for (const system::Stmt& st : system.stmts) {
    if (st.kind != system::StmtKind::Choose) continue;
    const auto range = [&](system::ExprId e) {
      const expr::Node& n = system.exprs[e];
      if (n.op == expr::Op::Const) return only(n.value);
      return n.op == expr::Op::Cell ? values_of(system.cell(system::CellId(n.a)).type) : values_of(n.type);
    };
    if (range(st.hi).hi - range(st.lo).lo > 4096) hindrance_ = "a choice among more than 4096 values";
  }
}

bool Searcher::note(Pump pump, const std::vector<bool>& wanted, SearchResult& result) const {
  bool useful = false;
  for (const Growth& g : pump.growth)
    useful = useful || (wanted[g.queue.index()] && !result.pumps.contains(g.queue.index()));
  if (!useful || !replay(pump, 3).empty()) return false;
  for (const Growth& g : pump.growth) result.pumps.try_emplace(g.queue.index(), pump);
  return true;
}

void Searcher::explore(const std::vector<bool>& wanted, const SearchLimits& limits,
                       SearchResult& result) const {
  struct Entry {
    std::string bytes;
    std::int64_t parent = -1;
    Step step;
    std::size_t control = 0;  // hash of the control key
    std::uint32_t messages = 0;
  };
  result.longest.resize(s_.queues.size(), 0);
  result.fired.resize(s_.actions.size(), false);
  if (!hindrance_.empty()) {
    result.why_open = hindrance_;
    return;
  }
  std::vector<Entry> entries;
  std::unordered_map<std::string, std::uint32_t> seen;
  std::size_t bytes = 0;
  const std::hash<std::string> hash;
  std::vector<std::vector<std::uint64_t>> initial_choices;
  const auto add = [&](const State& state, std::int64_t parent, Step step) -> bool {
    std::string code = encode(state);
    const auto [at, fresh] = seen.try_emplace(code, static_cast<std::uint32_t>(entries.size()));
    if (!fresh) return false;
    bytes += 2 * code.size() + 160;
    Entry e;
    e.parent = parent;
    e.step = std::move(step);
    e.control = hash(control_key(state, checker_.relevant()));
    for (const auto& q : state.queues) e.messages += static_cast<std::uint32_t>(q.size());
    e.bytes = std::move(code);
    entries.push_back(std::move(e));
    measure(state, result.longest);
    return true;
  };
  for (semantics::InitialState& i : interpreter_.initial_states()) {
    if (i.result.outcome == Outcome::AssumedAway) result.why_open = "an integer overflow is assumed away";
    if (semantics::is_failure(i.result.outcome)) measure(i.result.state, result.longest);
    if (i.result.outcome != Outcome::Done) continue;
    if (add(i.result.state, -1, {})) initial_choices.push_back(i.choices);
  }
  const std::size_t roots = entries.size();
  const auto try_pumps = [&](std::size_t b, const State& state) {
    // Ancestors with the same control part and fewer messages.
    std::vector<Step> back;
    std::size_t tried = 0;
    for (auto at = static_cast<std::int64_t>(b); at >= 0 && tried < 6;
         at = entries[static_cast<std::size_t>(at)].parent) {
      const Entry& e = entries[static_cast<std::size_t>(at)];
      if (static_cast<std::size_t>(at) != b && e.control == entries[b].control &&
          e.messages < entries[b].messages) {
        const State start = decode(s_, e.bytes);
        if (grew(start, state)) {
          ++tried;
          const std::vector<Step> loop(back.rbegin(), back.rend());
          const PumpCheck check = checker_.check(interpreter_, start, loop);
          bool useful = false;
          for (const Growth& g : check.growth)
            useful = useful || (wanted[g.queue.index()] && !result.pumps.contains(g.queue.index()));
          if (check.repeats && useful) {
            Pump pump;
            pump.loop = loop;
            pump.growth = check.growth;
            std::int64_t up = at;
            for (; entries[static_cast<std::size_t>(up)].parent >= 0;
                 up = entries[static_cast<std::size_t>(up)].parent)
              pump.prefix.steps.push_back(entries[static_cast<std::size_t>(up)].step);
            std::reverse(pump.prefix.steps.begin(), pump.prefix.steps.end());
            pump.prefix.initial_choices = initial_choices[static_cast<std::size_t>(up)];
            note(std::move(pump), wanted, result);
          }
        }
      }
      back.push_back(e.step);
    }
  };
  for (std::size_t next = 0; next < entries.size(); ++next) {
    if (entries.size() > limits.states || bytes > limits.bytes) {
      result.why_open = fmt::format("stopped after {} states", entries.size());
      break;
    }
    if (limits.stop && limits.stop()) {
      result.why_open = fmt::format("out of time after {} states", entries.size());
      break;
    }
    const State state = decode(s_, entries[next].bytes);
    for (semantics::Successor& succ : interpreter_.successors(state)) {
      if (succ.result.outcome == Outcome::AssumedAway)
        result.why_open = "an integer overflow is assumed away";
      if (semantics::is_failure(succ.result.outcome)) measure(succ.result.state, result.longest);
      if (succ.result.outcome != Outcome::Done) continue;
      result.fired[succ.step.action.index()] = true;
      if (!add(succ.result.state, static_cast<std::int64_t>(next), std::move(succ.step))) continue;
      try_pumps(entries.size() - 1, succ.result.state);
    }
    if (all_found(wanted, result)) {
      result.why_open = "every unproven queue has a pump";
      break;
    }
  }
  (void)roots;
  result.states = entries.size();
  result.closed = result.why_open.empty();
}

void Searcher::walk(const std::vector<bool>& wanted, const std::vector<bool>& hint, std::size_t walks,
                    std::size_t length, const std::function<bool()>& stop, SearchResult& result) const {
  if (!hindrance_.empty()) return;
  std::mt19937_64 random(seed_ + 1);
  result.longest.resize(s_.queues.size(), 0);
  result.fired.resize(s_.actions.size(), false);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  std::vector<semantics::InitialState> initial = interpreter_.initial_states();
  std::erase_if(initial, [](const auto& i) { return i.result.outcome != Outcome::Done; });
  if (initial.empty()) return;
  for (std::size_t w = 0; w < walks; ++w) {
    const semantics::InitialState& start = initial[below(initial.size())];
    // Policies in turn: uniform; sending first; sending and the counterexample's actions first.
    const std::size_t policy = w % 3;
    std::vector<State> states{start.result.state};
    std::vector<Step> steps;
    std::unordered_map<std::string, std::vector<std::size_t>> places;
    for (std::size_t n = 0; n < length; ++n) {
      if (stop && stop()) return;
      std::vector<semantics::Successor> next = interpreter_.successors(states.back());
      for (const semantics::Successor& s : next)
        if (semantics::is_failure(s.result.outcome)) measure(s.result.state, result.longest);
      std::erase_if(next, [](const semantics::Successor& s) { return s.result.outcome != Outcome::Done; });
      if (next.empty()) break;
      for (const semantics::Successor& s : next) result.fired[s.step.action.index()] = true;
      std::vector<std::size_t> liked;
      if (policy > 0 && below(10) < 8) {
        for (std::size_t i = 0; i < next.size(); ++i) {
          const system::ActionId a = next[i].step.action;
          const bool sends = std::any_of(next[i].result.events.begin(), next[i].result.events.end(),
                                         [](const auto& e) { return e.kind == semantics::EventKind::Sent; });
          const bool hinted = policy == 2 && a.index() < hint.size() && hint[a.index()];
          if (sends || hinted) liked.push_back(i);
        }
      }
      const std::size_t k = liked.empty() ? below(next.size()) : liked[below(liked.size())];
      places[control_key(states.back(), checker_.relevant())].push_back(states.size() - 1);
      states.push_back(std::move(next[k].result.state));
      steps.push_back(std::move(next[k].step));
      measure(states.back(), result.longest);
      const auto same = places.find(control_key(states.back(), checker_.relevant()));
      if (same == places.end()) continue;
      std::size_t tried = 0;
      for (auto p = same->second.rbegin(); p != same->second.rend() && tried < 5; ++p) {
        if (!grew(states[*p], states.back()) || steps.size() - *p > 400) continue;
        ++tried;
        Pump pump;
        pump.loop.assign(steps.begin() + static_cast<long>(*p), steps.end());
        PumpCheck check = checker_.check(interpreter_, states[*p], pump.loop);
        if (!check.repeats) continue;
        pump.growth = std::move(check.growth);
        pump.prefix.initial_choices = start.choices;
        pump.prefix.steps.assign(steps.begin(), steps.begin() + static_cast<long>(*p));
        note(std::move(pump), wanted, result);
        if (all_found(wanted, result)) return;
      }
    }
  }
}

std::string Searcher::replay(const Pump& pump, std::size_t rounds) const {
  semantics::StepResult r = interpreter_.initial_state(pump.prefix.initial_choices);
  if (r.outcome != Outcome::Done) return "the run does not start";
  for (const Step& step : pump.prefix.steps) {
    r = interpreter_.run(r.state, step);
    if (r.outcome != Outcome::Done) return "the run to the loop cannot be taken";
  }
  for (std::size_t round = 0; round < rounds; ++round) {
    std::vector<std::size_t> before;
    for (const Growth& g : pump.growth) before.push_back(r.state.queues[g.queue.index()].size());
    for (const Step& step : pump.loop) {
      r = interpreter_.run(r.state, step);
      if (r.outcome != Outcome::Done) return fmt::format("round {} cannot be taken", round + 1);
    }
    for (std::size_t i = 0; i < before.size(); ++i)
      if (r.state.queues[pump.growth[i].queue.index()].size() != before[i] + pump.growth[i].per_round)
        return fmt::format("round {} does not grow as claimed", round + 1);
  }
  return {};
}

}  // namespace parley::bounds
