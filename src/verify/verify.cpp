#include "verify/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "certify/registry.hpp"
#include "verdict/replay.hpp"
#include "verify/reached_again.hpp"

namespace parley::verify {
namespace {

using certificate::PropertyClaim;
using certificate::QueueClaim;
using certify::ProofCheck;
using system::PropertyKind;
using system::Question;
using verdict::CertificateKind;

Outcome rejected(std::string why) {
  return {Result::Rejected, std::move(why)};
}

Outcome outcome_of(const ProofCheck& check, CertificateKind kind) {
  switch (check.result) {
    case ProofCheck::Result::Accepted:
      return {Result::Confirmed, std::string(words_of(kind))};
    case ProofCheck::Result::Rejected:
      return rejected(check.why);
    case ProofCheck::Result::Undecided:
      return {Result::Undecided, check.why};
  }
  return rejected("no answer");
}

Outcome outcome_of(const certify::Check& check, CertificateKind kind) {
  if (check.accepted)
    return {Result::Confirmed,
            kind == CertificateKind::Exhaustive ? "a second search" : std::string(words_of(kind))};
  return {check.gave_up ? Result::Undecided : Result::Rejected, check.why};
}

// A proof about the relation of states and steps says nothing about runs that the capacities cut short.
std::vector<std::string> assumptions_of_proof(const system::System& s,
                                              const std::vector<std::uint32_t>& capacities) {
  std::vector<std::string> all;
  for (std::size_t q = 0; q < s.queues.size(); ++q) {
    if (s.queues[q].overflow != system::OverflowPolicy::Cut) continue;
    all.push_back(s.queues[q].limit.empty() ? fmt::format("the queue of {} needs no more than {} messages",
                                                          s.queues[q].name, capacities[q])
                                            : s.queues[q].limit);
  }
  if (s.integers == system::IntegerMode::AssumeNoOverflow) all.emplace_back("no integer overflows");
  return all;
}

// Boundedness is about runs without capacities; only where the translation has no room are they cut short.
std::vector<std::string> assumptions_of_limits(const system::System& s) {
  std::vector<std::string> all;
  for (const system::Queue& q : s.queues)
    if (system::marks_cut(q))
      all.push_back(q.limit.empty() ? "no run needs more room than the translation has" : q.limit);
  return all;
}

class Verification {
 public:
  Verification(const system::System& s, const certificate::Document& document, const Options& options)
      : s_(s), document_(document), options_(options), in_(s, document.capacities) {}

  Report run(ClosedSet* set) {
    Report report;
    const std::vector<ClaimReport> on_set = on_closed_set(set);
    std::size_t next = 0;
    for (const PropertyClaim& claim : document_.properties) {
      ClaimReport r = rests_on_set(claim) ? on_set[next++] : on_its_own(claim);
      r.claim = fmt::format("{}: {}", claim.holds ? "holds" : "violated", s_.property(claim.property).name);
      if (claim.holds) assume_what_the_model_does(r);
      report.claims.push_back(std::move(r));
    }
    for (const QueueClaim& claim : document_.queues) report.claims.push_back(about_queue(claim));
    if (document_.properties.empty()) return report;
    report.unclaimed = unclaimed([](const system::Property& p) { return !p.implicit; });
    // What nobody asked for is an assumption of the rest (load/error_search.hpp).
    for (const std::string& name : unclaimed([](const system::Property& p) { return p.implicit; }))
      for (std::size_t i = 0; i < document_.properties.size(); ++i)
        if (document_.properties[i].holds)
          report.claims[i].assumptions.push_back(
              fmt::format("no run ends early in an error: nothing is claimed about `{}`", name));
    return report;
  }

 private:
  std::optional<double> seconds_left() const {
    if (!options_.seconds) return std::nullopt;
    const double spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    return std::max(0.0, *options_.seconds - spent);
  }

  void assume_what_the_model_does(ClaimReport& r) const {
    for (const diag::Assumption& a : s_.assumptions) r.assumptions.push_back(a.text);
  }

  bool rests_on_set(const PropertyClaim& claim) const {
    return claim.certificate.kind == CertificateKind::Exhaustive && shown_by_closed_set(s_, claim);
  }

  std::vector<ClaimReport> on_closed_set(ClosedSet* set) const {
    std::vector<PropertyClaim> claims;
    for (const PropertyClaim& claim : document_.properties)
      if (rests_on_set(claim)) claims.push_back(claim);
    std::vector<ClaimReport> reports(claims.size());
    if (claims.empty()) return reports;
    if (set == nullptr) {
      for (ClaimReport& r : reports) r.outcome = rejected("the file has no closed set");
      return reports;
    }
    const ClosedSetOptions options{options_.threads, seconds_left(), options_.memory / 2, options_.share,
                                   options_.seed};
    const ClosedSetReport found = check_closed_set(in_, *set, claims, options);
    for (std::size_t i = 0; i < claims.size(); ++i) reports[i] = {"", found.outcomes[i], found.assumptions};
    return reports;
  }

  ClaimReport on_its_own(const PropertyClaim& claim) const {
    const PropertyKind kind = s_.property(claim.property).kind;
    // A run is evidence that a property is violated, and for `reachable` that it holds.
    if (claim.run) {
      if (claim.holds != (kind == PropertyKind::Reachable))
        return {"", rejected("a run shows the opposite"), {}};
      const verdict::Confirmation c = verdict::confirm(in_, claim.property, *claim.run);
      if (!c.confirmed) return {"", rejected(c.why), {}};
    }
    switch (claim.certificate.kind) {
      case CertificateKind::Witness:
        if (!claim.run || system::question(kind) == Question::Boundedness)
          return {"", rejected("there is no run that shows it"), {}};
        return {"", {Result::Confirmed, fmt::format("run of {} steps", claim.run->steps.size())}, {}};
      case CertificateKind::Covered:
        if (!claim.holds || system::question(kind) != Question::Coverage)
          return {"", rejected("a certificate of kind `covered` says nothing about this"), {}};
        return {"", reached_again(in_, kind, seconds_left()), {}};
      case CertificateKind::Pump:
        if (claim.holds || !claim.run || system::question(kind) != Question::Boundedness)
          return {"", rejected("a certificate of kind `pump` says nothing about this"), {}};
        return {"", outcome_of(certify::check_growing(s_, claim.certificate), CertificateKind::Pump), {}};
      default:
        break;
    }
    // What the checkers show: that the property holds, and of `reachable` that it does not.
    if (claim.run || claim.holds == (kind == PropertyKind::Reachable))
      return {"",
              rejected(fmt::format("a certificate of kind `{}` shows the opposite",
                                   name_of(claim.certificate.kind))),
              {}};
    ClaimReport r;
    r.outcome = outcome_of(
        certify::check_property(s_, claim.property, document_.capacities, claim.certificate, seconds_left()),
        claim.certificate.kind);
    if (system::question(kind) == Question::Safety || system::question(kind) == Question::Temporal)
      r.assumptions = assumptions_of_proof(s_, document_.capacities);
    if (system::question(kind) == Question::Temporal)
      for (const system::Fairness& f : s_.fairness) r.assumptions.push_back(f.shown + " is given");
    if (system::question(kind) == Question::Boundedness) r.assumptions = assumptions_of_limits(s_);
    return r;
  }

  ClaimReport about_queue(const QueueClaim& claim) const {
    const std::string& name = s_.queue(claim.queue).name;
    ClaimReport r;
    r.claim = claim.limit ? fmt::format("bounded: queue {} holds at most {} messages", name, *claim.limit)
                          : fmt::format("unbounded: queue {} can grow for ever", name);
    std::optional<std::int64_t> limit;
    if (claim.limit) limit = static_cast<std::int64_t>(*claim.limit);
    const certify::QueueClaim checked{claim.queue, limit, claim.certificate};
    r.outcome = outcome_of(certify::check_queues(s_, {checked}, {seconds_left(), seconds_left()}).front(),
                           claim.certificate.kind);
    if (claim.limit) {
      r.assumptions = assumptions_of_limits(s_);
      assume_what_the_model_does(r);
    }
    return r;
  }

  template <class F>
  std::vector<std::string> unclaimed(F wanted) const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < s_.properties.size(); ++i)
      if (wanted(s_.properties[i]) &&
          std::none_of(document_.properties.begin(), document_.properties.end(),
                       [&](const PropertyClaim& c) { return c.property.index() == i; }))
        names.push_back(s_.properties[i].name);
    return names;
  }

  const system::System& s_;
  const certificate::Document& document_;
  const Options& options_;
  const semantics::Interpreter in_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

Result Report::result() const {
  Result worst = claims.empty() ? Result::Undecided : Result::Confirmed;
  for (const ClaimReport& c : claims) worst = std::max(worst, c.outcome.result);
  return worst;
}

Report verify(const system::System& system, const certificate::Document& document, const Head& head,
              const std::string& path, const Options& options) {
  std::optional<ClosedSet> set;
  if (head.closed_set) set.emplace(path, *head.closed_set, options.memory / 2);
  return Verification(system, document, options).run(set ? &*set : nullptr);
}

}  // namespace parley::verify
