#include "verdict/checked.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace parley::verdict {
namespace {

// Limits of queues that rest on a search are searched again by their checker.
bool names_a_search(const Certificate& bounds) {
  const auto list = nlohmann::json::parse(bounds.payload, nullptr, false);
  return list.is_array() && std::any_of(list.begin(), list.end(), [](const nlohmann::json& queue) {
           return queue.is_object() && queue.contains("kind") &&
                  queue.at("kind") == name_of(CertificateKind::Exhaustive);
         });
}

CheckedBy checked_by(const Certificate& certificate) {
  switch (certificate.kind) {
    case CertificateKind::None:
    case CertificateKind::Exhaustive:
    case CertificateKind::Covered:
    case CertificateKind::Ranking:
      return CheckedBy::Nobody;
    case CertificateKind::Witness:
      return CheckedBy::Run;
    case CertificateKind::Bounds:
      return names_a_search(certificate) ? CheckedBy::SecondSearch : CheckedBy::Certificate;
    case CertificateKind::InductiveInvariant:
    case CertificateKind::KInduction:
    case CertificateKind::NoLongerRuns:
    case CertificateKind::AbstractClosure:
    case CertificateKind::KLiveness:
    case CertificateKind::Weights:
    case CertificateKind::Phases:
    case CertificateKind::LengthTests:
    case CertificateKind::Ordered:
    case CertificateKind::Activation:
    case CertificateKind::Pump:
      return CheckedBy::Certificate;
  }
  return CheckedBy::Nobody;
}

}  // namespace

std::optional<CheckedBy> checked_by(const PropertyResult& r) {
  if (r.unknown()) return std::nullopt;
  const bool unchecked = std::any_of(r.assumptions.begin(), r.assumptions.end(), [](const Assumption& a) {
    return a.code == AssumptionCode::UncheckedCertificate;
  });
  if (unchecked) return CheckedBy::Nobody;
  if (const auto* h = std::get_if<Holds>(&r.verdict)) return checked_by(h->certificate);
  const auto& v = std::get<Violated>(r.verdict);
  if (v.certificate) return checked_by(*v.certificate);
  return v.trace ? CheckedBy::Run : CheckedBy::Nobody;
}

}  // namespace parley::verdict
