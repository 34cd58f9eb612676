#include "semantics/checked.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "system/footprint.hpp"

namespace parley::semantics {
namespace {

template <class T>
std::optional<T> outside(const std::vector<T>& touched, const std::vector<T>& allowed) {
  for (const T& t : touched)
    if (!std::binary_search(allowed.begin(), allowed.end(), t)) return t;
  return std::nullopt;
}

}  // namespace

std::string footprint_violation(const Interpreter& in, const State& state, const Step& step) {
  const system::System& s = in.system();
  const system::Footprint f = system::footprint(s, step.action);
  AccessLog log;
  in.run(state, step, &log);
  const std::string& name = s.action(step.action).name;
  if (auto c = outside(log.cells_read, f.reads)) return fmt::format("{} reads {}", name, s.cell(*c).name);
  if (auto c = outside(log.cells_written, f.writes))
    return fmt::format("{} writes {}", name, s.cell(*c).name);
  if (auto q = outside(log.queues_taken, f.takes))
    return fmt::format("{} takes from {}", name, s.queue(*q).name);
  if (auto q = outside(log.queues_put, f.puts)) return fmt::format("{} sends to {}", name, s.queue(*q).name);
  if (auto q = outside(log.queues_tested, f.tests)) return fmt::format("{} tests {}", name, s.queue(*q).name);
  return {};
}

}  // namespace parley::semantics
