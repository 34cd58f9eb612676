#include "driver/certification.hpp"

#include <fmt/format.h>

#include "certify/registry.hpp"
#include "support/check.hpp"
#include "support/write_file.hpp"
#include "verdict/json.hpp"
#include "verdict/replay.hpp"

namespace parley::driver {
namespace {

using certify::ProofCheck;
using verdict::CertificateKind;
using verdict::PropertyResult;
using Result = ProofCheck::Result;

const verdict::Trace* trace_of(const PropertyResult& r) {
  if (const auto* v = std::get_if<verdict::Violated>(&r.verdict)) return v->trace ? &*v->trace : nullptr;
  if (const auto* h = std::get_if<verdict::Holds>(&r.verdict)) return h->witness ? &*h->witness : nullptr;
  return nullptr;
}

void confirm_trace(const semantics::Interpreter& interpreter, const PropertyResult& r) {
  const verdict::Trace* trace = trace_of(r);
  if (trace == nullptr) return;
  const verdict::Confirmation c = verdict::confirm(interpreter, r.property, *trace);
  if (c.confirmed) return;
  const std::string file = "parley-unconfirmed-trace.json";
  const std::string unsaved =
      write_file(file, verdict::dump(verdict::to_json(interpreter.system(), *trace)) + '\n');
  throw InternalError(fmt::format(
      "internal error: engine {} claims a trace for `{}` that the reference semantics does not confirm: {}; "
      "the trace {} {}{}",
      r.engine_name(), interpreter.system().property(r.property).name, c.why,
      unsaved.empty() ? "was saved as" : "could not be saved as", file,
      unsaved.empty() ? "" : " (" + unsaved + ")"));
}

// An exhaustive search has nothing to show for what it did not see.
ProofCheck word_of_search(const system::System& s, const PropertyResult& r) {
  if (!r.engine || !row(*r.engine).exhaustive || !verdict::decides(*r.engine, s.property(r.property).kind))
    return {Result::Rejected, "it rests on having seen all states, which this engine does not"};
  return {Result::Accepted, {}};
}

// A loop that makes a queue grow was replayed; that it goes on for ever is what its certificate says.
ProofCheck check_growth(const system::System& s, const verdict::Violated& v) {
  certify::Check c = certify::Check::no("there is none");
  if (v.certificate) c = certify::check_growing(s, *v.certificate);
  return {c.accepted ? Result::Accepted : Result::Rejected, c.why};
}

ProofCheck check_violated(const semantics::Interpreter& in, const PropertyResult& r,
                          const verdict::Violated& v, double seconds) {
  if (v.certificate && in.system().property(r.property).kind != system::PropertyKind::Reachable)
    return {Result::Rejected, "a proof says that the property holds, not that it is violated"};
  if (v.certificate)
    return certify::check_property(in.system(), r.property, in.queue_capacities(), *v.certificate, seconds);
  return v.trace ? ProofCheck{Result::Accepted, {}} : word_of_search(in.system(), r);
}

ProofCheck check_holds(const semantics::Interpreter& in, const PropertyResult& r, const verdict::Holds& h,
                       double seconds) {
  const CertificateKind kind = h.certificate.kind;
  if (kind == CertificateKind::Exhaustive || kind == CertificateKind::Covered ||
      kind == CertificateKind::Ranking)
    return word_of_search(in.system(), r);
  if (kind == CertificateKind::Witness)  // a trace means that the property holds for `reachable` only
    return h.witness && in.system().property(r.property).kind == system::PropertyKind::Reachable
               ? ProofCheck{Result::Accepted, {}}
               : ProofCheck{Result::Rejected, "there is no run that shows it"};
  if (in.system().property(r.property).kind == system::PropertyKind::Reachable)
    return {Result::Rejected, "a proof says that nothing is reachable, not that something is"};
  return certify::check_property(in.system(), r.property, in.queue_capacities(), h.certificate, seconds);
}

// An answer whose certificate does not convince the independent checker is none.
void drop(const system::System& s, bounds::BoundsReport& r, bounds::QueueReport& q, const std::string& why) {
  r.note = fmt::format("the evidence for queue {} was not accepted: {}", s.queue(q.queue).name, why);
  q.answer = bounds::Answer::Unknown;
  q.certificate = {};
  q.checked.reset();
  q.suggestion.clear();
}

}  // namespace

std::vector<certify::QueueClaim> claims_of(const bounds::QueueReport& q) {
  if (q.answer == bounds::Answer::Unknown) return {};
  if (q.answer == bounds::Answer::Unbounded) return {{q.queue, std::nullopt, q.certificate}};
  const certify::QueueClaim searched{q.queue, q.limit, {CertificateKind::Exhaustive, "{}"}};
  if (q.certificate.kind == CertificateKind::Exhaustive) return {searched};
  std::vector<certify::QueueClaim> claims{{q.queue, q.certified_limit, q.certificate}};
  if (q.limit < q.certified_limit) claims.push_back(searched);
  return claims;
}

void certify(const semantics::Interpreter& interpreter, PropertyResult& r, double seconds) {
  if (r.unknown()) return;
  confirm_trace(interpreter, r);
  const system::System& s = interpreter.system();
  const auto* violated = std::get_if<verdict::Violated>(&r.verdict);
  const bool grows =
      violated != nullptr && system::question(s.property(r.property).kind) == system::Question::Boundedness;
  const ProofCheck c = grows ? check_growth(s, *violated)
                       : violated != nullptr
                           ? check_violated(interpreter, r, *violated, seconds)
                           : check_holds(interpreter, r, std::get<verdict::Holds>(r.verdict), seconds);
  switch (c.result) {
    case Result::Accepted:
      return;
    case Result::Rejected:
      r.verdict = verdict::Unknown{
          fmt::format("{} found a {}, but the independent checker does not accept its certificate: {}",
                      r.engine_name(), grows ? "growing loop" : "proof", c.why)};
      return;
    case Result::Undecided:
      r.assumptions.push_back(
          {verdict::AssumptionCode::UncheckedCertificate,
           fmt::format("{} is right: its certificate could not be checked ({})", r.engine_name(), c.why)});
      return;
  }
}

void certify(const system::System& s, bounds::BoundsReport& r, double seconds) {
  std::vector<certify::QueueClaim> claims;
  std::vector<bounds::QueueReport*> about;
  for (bounds::QueueReport& q : r.queues)
    for (certify::QueueClaim& c : claims_of(q)) {
      claims.push_back(std::move(c));
      about.push_back(&q);
      q.checked = true;
    }
  const std::vector<certify::Check> checks =
      certify::check_queues(s, claims, {.proof = seconds, .search = seconds});
  for (std::size_t i = 0; i < claims.size(); ++i) {
    if (checks[i].accepted || about[i]->answer == bounds::Answer::Unknown) continue;
    if (checks[i].gave_up) {
      r.unchecked = checks[i].why;
      about[i]->checked = false;
    } else {
      drop(s, r, *about[i], checks[i].why);
    }
  }
}

}  // namespace parley::driver
