// Explicit runs of the system with queues as long as they get: breadth-first until everything was seen (then
// the largest lengths are exact) or a limit is met, and random walks that favour sending. Both look for pumps
// on the way. Runs the reference semantics itself, so what it reports replays by construction; it is one of
// the racers of the boundedness test, not a replacement for the explicit engine.
#pragma once

#include <functional>
#include <map>

#include "bounds/pump.hpp"
#include "verdict/verdict.hpp"

namespace parley::bounds {

struct Pump {
  verdict::Trace prefix;              // to the state where the loop starts
  std::vector<semantics::Step> loop;  // repeats
  std::vector<Growth> growth;
};

struct SearchLimits {
  std::size_t states = 150000;
  std::size_t bytes = std::size_t{1} << 30;
  std::function<bool()> stop;
};

struct SearchResult {
  bool closed = false;                 // every reachable state was seen
  std::string why_open;                // else
  std::vector<std::uint32_t> longest;  // per queue, as seen; in steps that fail too
  std::size_t states = 0;
  std::vector<bool> fired;            // by action: seen to
  std::map<std::size_t, Pump> pumps;  // by queue
};

// What a state looks like without its queues; equal keys may start and end a loop.
std::string control_key(const semantics::State& state, const Relevance& relevance);

class Searcher {
 public:
  Searcher(const system::System& system, std::uint64_t seed);

  // Breadth first. `wanted`: queues whose growth is worth a pump; stops early when all have one.
  void explore(const std::vector<bool>& wanted, const SearchLimits& limits, SearchResult& result) const;
  // Random walks for as long as `stop` allows. `hint`: actions to prefer (the counterexample's), may be
  // empty.
  void walk(const std::vector<bool>& wanted, const std::vector<bool>& hint, std::size_t walks,
            std::size_t length, const std::function<bool()>& stop, SearchResult& result) const;
  // Repeats the loop on the reference semantics; empty if every growing queue grows in each of the rounds.
  std::string replay(const Pump& pump, std::size_t rounds) const;
  const semantics::Interpreter& interpreter() const { return interpreter_; }
  const Relevance& relevant() const { return checker_.relevant(); }
  // Why runs cannot be listed (a choice among too many values), or empty.
  const std::string& hindrance() const { return hindrance_; }

 private:
  bool note(Pump pump, const std::vector<bool>& wanted, SearchResult& result) const;

  const system::System& s_;
  semantics::Interpreter interpreter_;
  PumpChecker checker_;
  std::uint64_t seed_;
  std::string hindrance_;
};

}  // namespace parley::bounds
