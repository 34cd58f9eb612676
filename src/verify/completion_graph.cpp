#include "verify/completion_graph.hpp"

#include <algorithm>
#include <unordered_map>

namespace parley::verify {
namespace {

using Iterator = std::vector<CompletionStep>::const_iterator;

// Takes away states without steps into them until none is left; what cannot be taken away is on a cycle or
// behind one. The steps are sorted by where they start.
bool has_cycle_of_one_owner(Iterator begin, Iterator end) {
  std::unordered_map<std::uint64_t, std::uint64_t> into;  // steps into a state
  for (Iterator s = begin; s != end; ++s) {
    into.try_emplace(s->from, 0);
    ++into[s->to];
  }
  std::vector<std::uint64_t> free;
  for (const auto& [state, count] : into)
    if (count == 0) free.push_back(state);
  std::size_t taken = 0;
  while (!free.empty()) {
    const std::uint64_t state = free.back();
    free.pop_back();
    ++taken;
    const auto starts_before = [](const CompletionStep& s, std::uint64_t from) { return s.from < from; };
    for (Iterator s = std::lower_bound(begin, end, state, starts_before); s != end && s->from == state; ++s)
      if (--into[s->to] == 0) free.push_back(s->to);
  }
  return taken < into.size();
}

}  // namespace

bool has_cycle(std::vector<CompletionStep> steps) {
  std::sort(steps.begin(), steps.end());
  for (Iterator begin = steps.begin(); begin != steps.end();) {
    const Iterator end = std::find_if(begin, Iterator(steps.end()),
                                      [&](const CompletionStep& s) { return s.owner != begin->owner; });
    if (has_cycle_of_one_owner(begin, end)) return true;
    begin = end;
  }
  return false;
}

}  // namespace parley::verify
