#include "verify/reached_again.hpp"

#include <fmt/format.h>

#include <chrono>
#include <deque>
#include <set>

namespace parley::verify {
namespace {

constexpr std::size_t kMostStates = 2'000'000;

}  // namespace

Outcome reached_again(const semantics::Interpreter& in, system::PropertyKind kind,
                      std::optional<double> seconds) {
  const system::System& s = in.system();
  std::set<std::size_t> missing;
  for (std::size_t e = 0; e < s.elements.size(); ++e) {
    const bool transition = s.elements[e].kind == system::ElementKind::Transition;
    if (!s.elements[e].ignorable && transition == (kind == system::PropertyKind::NoUnreachableTransitions))
      missing.insert(e);
  }
  std::set<semantics::State> seen;
  std::deque<const semantics::State*> open;
  const auto visit = [&](const semantics::StepResult& r) {
    if (!semantics::happens(r.outcome)) return;
    for (const semantics::Event& e : r.events)
      if (e.kind == semantics::EventKind::Noted) missing.erase(e.element.index());
    if (r.outcome != semantics::Outcome::Done) return;
    if (const auto [at, fresh] = seen.insert(r.state); fresh) open.push_back(&*at);
  };
  const auto start = std::chrono::steady_clock::now();
  for (const semantics::InitialState& i : in.initial_states()) visit(i.result);
  while (!missing.empty() && !open.empty()) {
    const double spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (seen.size() > kMostStates || (seconds && spent > *seconds))
      return {Result::Undecided,
              fmt::format("the second search has not reached everything after {} states", seen.size())};
    const semantics::State& state = *open.front();
    open.pop_front();
    for (const semantics::Successor& next : in.successors(state)) visit(next.result);
  }
  if (missing.empty())
    return {Result::Confirmed,
            fmt::format("a second search reaches everything within {} states", seen.size())};
  return {Result::Rejected, fmt::format("{} is never reached", s.elements[*missing.begin()].name)};
}

}  // namespace parley::verify
