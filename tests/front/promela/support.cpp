#include "front/promela/support.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <deque>
#include <fstream>
#include <set>
#include <sstream>

#include "front/promela/lexer.hpp"
#include "front/promela/parser.hpp"
#include "front/promela/preprocess.hpp"
#include "semantics/checked.hpp"

namespace parley::front::promela::testing {

std::string Loaded::messages() const {
  std::string out;
  for (const diag::Diagnostic& d : diagnostics.sorted()) {
    const auto at = d.span.valid() ? sources.position(d.span) : diag::Position{};
    out += fmt::format("{}:{} {} {}: {}", at.line, at.column,
                       d.severity == diag::Severity::Error ? "error" : "warning", d.code, d.message);
    if (!d.hint.empty()) out += fmt::format(" ({})", d.hint);
    for (const auto& r : d.related) {
      const auto place = r.span.valid() ? sources.position(r.span) : diag::Position{};
      out += fmt::format(" [{}:{} {}]", place.line, place.column, r.message);
    }
    out += '\n';
  }
  return out;
}

Loaded load_text(const std::string& text, const Options& options) {
  Loaded l;
  l.system = load(l.sources, "model.pml", text, l.diagnostics, options);
  return l;
}

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream all;
  all << in.rdbuf();
  return all.str();
}

Counted count(const system::System& system, std::size_t limit) {
  using semantics::State;
  const semantics::Interpreter in(system);
  Counted c;
  std::set<State> seen;
  std::deque<State> todo;
  const auto visit = [&](const State& s) {
    if (!seen.insert(s).second) return;
    if (s.visible()) ++c.states;
    todo.push_back(s);
  };
  for (const auto& i : in.initial_states()) visit(i.result.state);
  while (!todo.empty() && c.states < limit) {
    const State s = std::move(todo.front());
    todo.pop_front();
    bool moved = false;
    for (const semantics::Successor& next : in.successors(s)) {
      if (next.result.outcome == semantics::Outcome::Blocked) continue;
      moved = true;
      if (seen.size() < 2000) {
        EXPECT_EQ(semantics::footprint_violation(in, s, next.step), "");
      }
      if (next.result.outcome == semantics::Outcome::Done) {
        visit(next.result.state);
        continue;
      }
      if (next.result.outcome == semantics::Outcome::Cut) {
        ++c.cut;
        continue;
      }
      if (c.failure.empty()) c.failure = next.result.failure.message;
      ++(next.result.outcome == semantics::Outcome::AssertionFailed ? c.assertions : c.errors);
    }
    if (!moved && !in.all_at_rest(s)) ++c.deadlocks;
  }
  return c;
}

std::string show_automaton(const std::string& text, const std::string& name) {
  diag::SourceMap sources;
  diag::Diagnostics diagnostics;
  const diag::FileId file = sources.add("model.pml", text);
  const Program program =
      Parser(tokenize(sources, preprocess(sources, file, {}, diagnostics), diagnostics), diagnostics).run();
  std::string out;
  for (const Proctype& p : program.proctypes) {
    if (p.name != name) continue;
    const Automaton a = build_automaton(p, {}, diagnostics);
    for (std::uint32_t s : a.reachable)
      for (const Transition& t : a.states[s].transitions) {
        if (a.states[s].in_dstep) continue;
        out += fmt::format("{} -> {} {}{}{} {}\n", s, t.target, t.atomic ? 'A' : '-', t.dstep ? 'D' : '-',
                           a.states[s].end_label ? 'e' : '-', sources.position(t.span).line);
      }
  }
  EXPECT_EQ(diagnostics.error_count(), 0u);
  return out;
}

}  // namespace parley::front::promela::testing
