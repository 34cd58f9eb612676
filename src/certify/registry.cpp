#include "certify/registry.hpp"

#include <fmt/format.h>

#include "certify/closure.hpp"
#include "certify/counting.hpp"
#include "certify/length_check.hpp"
#include "certify/phases_check.hpp"
#include "certify/pump_check.hpp"
#include "certify/weights_check.hpp"

namespace parley::certify {
namespace {

using nlohmann::json;
using system::Question;
using system::QueueId;
using system::System;
using Seconds = std::optional<double>;

ProofCheck limits_of_all_queues(const System& system, system::PropertyId, const std::vector<std::uint32_t>&,
                                const verdict::Certificate& certificate, Seconds seconds) {
  return check_all_bounded(system, certificate, seconds);
}

Check by_search(const System& endless, QueueId queue, std::int64_t limit, const json&, Seconds seconds) {
  return check_searched(endless, {{queue, limit}}, seconds);
}
Check by_weights(const System& endless, QueueId queue, std::int64_t limit, const json& j, Seconds seconds) {
  return check_weights(endless, queue, limit, j, {}, Patience(seconds));
}
Check by_phases(const System& endless, QueueId queue, std::int64_t limit, const json& j, Seconds seconds) {
  return check_phases(endless, queue, limit, j, {}, Patience(seconds));
}
Check by_length_tests(const System& endless, QueueId queue, std::int64_t limit, const json& j,
                      Seconds seconds) {
  return check_lengths(endless, queue, limit, j, Patience(seconds));
}
Check by_order(const System& endless, QueueId queue, std::int64_t limit, const json& j, Seconds seconds) {
  return check_ordered(endless, queue, limit, j, seconds);
}

}  // namespace

Checkers checkers_of(verdict::CertificateKind kind) {
  using verdict::CertificateKind;
  switch (kind) {
    case CertificateKind::None:
    case CertificateKind::Witness:
    case CertificateKind::Covered:
    case CertificateKind::Ranking:
      return {};
    case CertificateKind::KLiveness:
      return {.property = check_counting, .answers = {Question::Temporal}};
    case CertificateKind::Exhaustive:
      return {.limit = by_search};
    case CertificateKind::InductiveInvariant:
    case CertificateKind::KInduction:
    case CertificateKind::NoLongerRuns:
      return {.property = check_certificate, .answers = {Question::Safety}};
    case CertificateKind::AbstractClosure:
      return {.property = check_closure, .answers = {Question::Safety}};
    case CertificateKind::Bounds:
      return {.property = limits_of_all_queues, .answers = {Question::Boundedness}};
    case CertificateKind::Weights:
      return {.limit = by_weights};
    case CertificateKind::Phases:
      return {.limit = by_phases};
    case CertificateKind::LengthTests:
      return {.limit = by_length_tests};
    case CertificateKind::Ordered:
      return {.limit = by_order};
    case CertificateKind::Activation:
      return {.limit = check_activation};
    case CertificateKind::Pump:
      return {.growth = check_pump};
  }
  return {};
}

ProofCheck check_property(const System& system, system::PropertyId property,
                          const std::vector<std::uint32_t>& capacities,
                          const verdict::Certificate& certificate, Seconds seconds) {
  const Checkers checkers = checkers_of(certificate.kind);
  const system::PropertyKind asked = system.property(property).kind;
  if (checkers.property == nullptr || !checkers.answers.contains(system::question(asked)))
    return {ProofCheck::Result::Rejected, fmt::format("a certificate of kind `{}` says nothing about {}",
                                                      name_of(certificate.kind), system::describe(asked))};
  return checkers.property(system, property, capacities, certificate, seconds);
}

}  // namespace parley::certify
