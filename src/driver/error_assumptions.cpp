#include "driver/error_assumptions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "load/error_search.hpp"

namespace parley::driver {

using load::endings_of_runs;
using load::looks_for_errors;
using system::PropertyKind;
using verdict::AssumptionCode;
using verdict::PropertyResult;

namespace {

bool rests_on_a_run(const verdict::Holds& h) {
  return h.certificate.kind == verdict::CertificateKind::Witness ||
         h.certificate.kind == verdict::CertificateKind::Covered;
}

}  // namespace

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
