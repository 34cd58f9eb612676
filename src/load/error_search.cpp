#include "load/error_search.hpp"

#include <algorithm>

#include "system/failures.hpp"

namespace parley::load {

using diag::AssumptionCode;
using system::PropertyId;
using system::PropertyKind;

namespace {

// A full queue that is an error and one that only cuts runs short are one property; where the model has both,
// nobody can ask about the first alone.
bool only_errors_overflow(const system::System& s) {
  return std::all_of(s.queues.begin(), s.queues.end(), [](const system::Queue& q) {
    return q.overflow == system::OverflowPolicy::Error || q.overflow == system::OverflowPolicy::Block;
  });
}

}  // namespace

std::vector<PropertyKind> endings_of_runs(const system::System& s) {
  const system::Failures possible = system::possible_failures(s);
  std::vector<PropertyKind> kinds;
  if (possible.errors) kinds.push_back(PropertyKind::NoRuntimeError);
  if (possible.assertions) kinds.push_back(PropertyKind::NoAssertionFailure);
  if (possible.overflows) kinds.push_back(PropertyKind::NoOverflow);
  return kinds;
}

void add_error_search(system::System& s) {
  for (const PropertyKind kind : endings_of_runs(s)) {
    if (std::any_of(s.properties.begin(), s.properties.end(),
                    [&](const system::Property& p) { return p.kind == kind; }))
      continue;
    if (kind == PropertyKind::NoOverflow && !only_errors_overflow(s)) {
      s.assumptions.push_back({AssumptionCode::ErrorsNotExcluded,
                               "no queue whose overflow is an error is ever full (`check no overflow` looks "
                               "for that)"});
      continue;
    }
    system::Property p;
    p.kind = kind;
    p.name = system::describe(kind);
    p.implicit = true;
    s.add(std::move(p));
  }
}

bool looks_for_errors(const system::System& s, PropertyId id) {
  const system::Property& p = s.property(id);
  return p.implicit || p.kind == PropertyKind::NoRuntimeError || p.kind == PropertyKind::NoAssertionFailure;
}

}  // namespace parley::load
