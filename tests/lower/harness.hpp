// Runs small models from their text through the reference interpreter and writes down what can happen, so
// that tests compare it with a list worked out by hand. A run is a line of tokens:
//   T1      a transition named T1 fired            +s     state s was entered (only if asked for)
//   5       the attribute `out` was set to 5       ~sig   a message was discarded
//   !assert, !error, !overflow                     the run ended so
//   tick    the clock ticked                       <sig   the environment sent sig
// A run ends where nothing more can happen; `…` marks one that was cut off.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <set>
#include <string>

#include "diag/diagnostic.hpp"
#include "front/text/parser.hpp"
#include "lower/lower.hpp"
#include "model/resolve.hpp"
#include "semantics/interpreter.hpp"

namespace parley::lower::test {

struct Loaded {
  diag::SourceMap sources;
  diag::Diagnostics diagnostics;
  model::Model model;
  std::optional<Lowered> lowered;
  std::string report() const { return diag::render(sources, diagnostics.sorted()); }
  const system::System& system() const { return lowered->system; }
};

inline std::unique_ptr<Loaded> load(const std::string& text,
                                    const std::map<std::string, std::string>& switches = {},
                                    const LowerOptions& options = {}) {
  auto result = std::make_unique<Loaded>();
  const diag::FileId file = result->sources.add("model.ply", text);
  result->model = front::text::parse(result->sources, file, result->diagnostics);
  model::ResolveOptions resolve_options;
  resolve_options.switches = switches;
  model::resolve(result->model, result->diagnostics, resolve_options);
  if (!result->diagnostics.has_errors()) result->lowered = lower(result->model, result->diagnostics, options);
  EXPECT_FALSE(result->lowered && result->diagnostics.has_errors());
  return result;
}

struct Show {
  bool states = false;
  bool sends = false;
  std::size_t longest = 40;  // tokens
};

class Runs {
 public:
  Runs(const Loaded& l, Show show) : l_(l), show_(show), in_(l.system()) {}

  std::set<std::string> all() {
    for (const semantics::InitialState& i : in_.initial_states()) {
      if (i.result.outcome == semantics::Outcome::AssumedAway) continue;
      std::vector<std::string> tokens;
      add(tokens, i.result, nullptr);
      go(i.result, tokens, 0);
    }
    return lines_;
  }

 private:
  void add(std::vector<std::string>& tokens, const semantics::StepResult& r, const system::Action* a) {
    const system::System& s = l_.system();
    if (a != nullptr && a->kind == system::ActionKind::Tick) tokens.push_back("tick");
    if (a != nullptr && a->kind == system::ActionKind::Discard && r.outcome == semantics::Outcome::Done)
      tokens.push_back("~" + a->name.substr(9));
    for (const semantics::Event& e : r.events) {
      if (e.kind == semantics::EventKind::Sent && a != nullptr && a->kind == system::ActionKind::Environment)
        tokens.push_back("<" + semantics::show(s, e.message));
      if (e.kind == semantics::EventKind::Sent && show_.sends)
        tokens.push_back(">" + semantics::show(s, e.message));
      if (e.kind == semantics::EventKind::Lost) tokens.push_back("lost:" + semantics::show(s, e.message));
      if (e.kind == semantics::EventKind::Assigned && s.cell(e.cell).name.ends_with(".out"))
        tokens.push_back(std::to_string(e.after));
      if (e.kind != semantics::EventKind::Noted) continue;
      const BackMap::ElementOrigin& o = l_.lowered->map.elements[e.element.index()];
      const model::Machine& m = *l_.model.of(o.machine_class).machine;
      if (o.transition.valid() && !m.transition(o.transition).name.empty())
        tokens.push_back(m.transition(o.transition).name);
      if (o.vertex.valid() && show_.states) {
        const std::string name = m.vertex(o.vertex).name;
        tokens.push_back("+" + (name.empty() ? "final" : name));
      }
    }
    if (r.outcome == semantics::Outcome::AssertionFailed) tokens.push_back("!assert");
    if (r.outcome == semantics::Outcome::RuntimeError) tokens.push_back("!error");
    if (r.outcome == semantics::Outcome::QueueOverflow) tokens.push_back("!overflow");
  }

  void end(const std::vector<std::string>& tokens, const std::string& mark = "") {
    std::string line;
    for (const std::string& t : tokens) line += (line.empty() ? "" : " ") + t;
    lines_.insert(mark.empty() ? line : line + " " + mark);
  }

  void go(const semantics::StepResult& r, const std::vector<std::string>& tokens, std::size_t depth) {
    if (r.outcome != semantics::Outcome::Done) return end(tokens);
    if (tokens.size() > show_.longest || depth > 200) return end(tokens, "…");
    if (!seen_.insert({r.state, tokens}).second) return;
    bool moved = false;
    for (const semantics::Successor& next : in_.successors(r.state)) {
      const semantics::Outcome o = next.result.outcome;
      if (o == semantics::Outcome::Blocked || o == semantics::Outcome::Cut ||
          o == semantics::Outcome::AssumedAway)
        continue;
      moved = true;
      std::vector<std::string> longer = tokens;
      add(longer, next.result, &l_.system().action(next.step.action));
      go(next.result, longer, depth + 1);
    }
    if (!moved) end(tokens);
  }

  const Loaded& l_;
  Show show_;
  semantics::Interpreter in_;
  std::set<std::string> lines_;
  std::set<std::pair<semantics::State, std::vector<std::string>>> seen_;
};

inline std::set<std::string> runs(const std::string& text,
                                  const std::map<std::string, std::string>& switches = {}, Show show = {}) {
  const auto l = load(text, switches);
  if (!l->lowered) {
    ADD_FAILURE() << l->report();
    return {};
  }
  return Runs(*l, show).all();
}

// All reachable states, by cell name: for small models.
struct Reached {
  std::size_t states = 0, transitions = 0;
  bool deadlock = false;
};
inline Reached reach(const Loaded& l) {
  semantics::Interpreter in(l.system());
  std::set<semantics::State> seen;
  std::vector<semantics::State> open;
  Reached result;
  for (const auto& i : in.initial_states())
    if (i.result.outcome == semantics::Outcome::Done && seen.insert(i.result.state).second)
      open.push_back(i.result.state);
  while (!open.empty()) {
    const semantics::State s = open.back();
    open.pop_back();
    result.deadlock = result.deadlock || in.is_deadlock(s);
    for (const auto& next : in.successors(s)) {
      if (next.result.outcome != semantics::Outcome::Done) continue;
      ++result.transitions;
      if (seen.insert(next.result.state).second) open.push_back(next.result.state);
    }
  }
  result.states = seen.size();
  return result;
}

// A class `M` with the given signals, attributes and machine text, one object `m`, and more system items.
inline std::string machine(const std::string& signals, const std::string& attributes, const std::string& body,
                           const std::string& system = "") {
  return signals + "\nclass M {\n int out;\n" + attributes + "\n machine {\n" + body +
         "\n }\n}\nsystem { m : M; " + system + " }\n";
}

}  // namespace parley::lower::test
