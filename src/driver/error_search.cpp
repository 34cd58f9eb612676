#include "driver/error_search.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "system/failures.hpp"

namespace parley::driver {

using system::PropertyId;
using system::PropertyKind;
using verdict::AssumptionCode;
using verdict::PropertyResult;

namespace {

// A full queue that is an error and one that only cuts runs short are one property; where the model has both,
// nobody can ask about the first alone.
bool only_errors_overflow(const system::System& s) {
  return std::all_of(s.queues.begin(), s.queues.end(), [](const system::Queue& q) {
    return q.overflow == system::OverflowPolicy::Error || q.overflow == system::OverflowPolicy::Block;
  });
}

// The ways in which runs of the System can end.
std::vector<PropertyKind> endings_of_runs(const system::System& s) {
  const system::Failures possible = system::possible_failures(s);
  std::vector<PropertyKind> kinds;
  if (possible.errors) kinds.push_back(PropertyKind::NoRuntimeError);
  if (possible.assertions) kinds.push_back(PropertyKind::NoAssertionFailure);
  if (possible.overflows) kinds.push_back(PropertyKind::NoOverflow);
  return kinds;
}

bool rests_on_a_run(const verdict::Holds& h) {
  return h.certificate.kind == verdict::CertificateKind::Witness ||
         h.certificate.kind == verdict::CertificateKind::Covered;
}

}  // namespace

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

std::optional<verdict::Assumption> assumption_without_search(const system::System& s,
                                                             const std::vector<Board::Row>& wanted) {
  std::vector<const char*> open;
  for (const PropertyKind kind : endings_of_runs(s))
    if (std::none_of(wanted.begin(), wanted.end(),
                     [&](const Board::Row& row) { return s.property(row.property).kind == kind; }))
      open.push_back(kind == PropertyKind::NoRuntimeError       ? "run-time error"
                     : kind == PropertyKind::NoAssertionFailure ? "failed assertion"
                                                                : "queue overflow");
  if (open.empty()) return std::nullopt;
  return verdict::Assumption{AssumptionCode::NoErrors,
                             fmt::format("no run ends in a {}: they were not looked for (--assume-no-errors)",
                                         fmt::join(open, " or a "))};
}

void assume_errors_excluded(const system::System& s, std::vector<PropertyResult>& results) {
  std::vector<std::string> open;
  for (const PropertyResult& r : results)
    if (r.unknown() && looks_for_errors(s, r.property))
      open.push_back(fmt::format("`{}`", s.property(r.property).name));
  if (open.empty()) return;
  for (PropertyResult& r : results) {
    const auto* h = std::get_if<verdict::Holds>(&r.verdict);
    if (h == nullptr || rests_on_a_run(*h) || looks_for_errors(s, r.property)) continue;
    r.assumptions.push_back(
        {AssumptionCode::ErrorsNotExcluded,
         fmt::format("no run ends early in an error: {} stayed unknown", fmt::join(open, " and "))});
  }
}

}  // namespace parley::driver
