#include "symbolic/session.hpp"

#include <fmt/format.h>

#include "support/check.hpp"
#include "support/process_memory.hpp"
#include "verdict/reason.hpp"

namespace parley::symbolic {

using system::PropertyKind;
using verdict::Trace;

Session::Session(const engine::Request& request, engine::EngineKind engine)
    : request_(request),
      engine_(engine),
      deadline_(request),
      interpreter_(request.system, request.queue_capacities),
      decided_(request.properties.size(), false) {
  for (std::size_t i = 0; i < request.properties.size(); ++i) {
    verdict::PropertyResult r;
    r.property = request.properties[i];
    r.engine = engine_;
    if (!verdict::decides(engine_, request.system.property(r.property).kind)) {
      r.verdict = verdict::Unknown{"this engine decides safety and temporal properties only"};
      decided_[i] = true;
    }
    results_.push_back(std::move(r));
  }
}

engine::Request Session::inner_request(const system::System& system, system::PropertyId property) const {
  engine::Request inner{
      system, {property}, request_.queue_capacities, request_.limits, request_.seed, request_.cancel, {}, {}};
  if (inner.limits.seconds) inner.limits.seconds = std::max(0.0, *inner.limits.seconds - deadline_.seconds());
  return inner;
}

std::vector<std::size_t> Session::open() const {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < decided_.size(); ++i)
    if (!decided_[i]) out.push_back(i);
  return out;
}

std::optional<engine::Stop> Session::limit() const {
  if (auto why = deadline_.reached()) return why;
  if (request_.limits.memory_bytes && resident_bytes() > *request_.limits.memory_bytes)
    return verdict::out_of_memory(*request_.limits.memory_bytes);
  return std::nullopt;
}

solver::sat::Interrupt Session::interrupt() const {
  solver::sat::Interrupt i;
  i.stop = [this, calls = 0u]() mutable {
    if (deadline_.reached()) return true;
    return (++calls & 1023u) == 0 && limit().has_value();  // a system call
  };
  if (request_.limits.seconds) i.seconds = *request_.limits.seconds;
  return i;
}

void Session::decide(std::size_t i, verdict::Verdict v) {
  results_[i].verdict = std::move(v);
  results_[i].coverage.seconds = deadline_.seconds();
  results_[i].coverage.bound = bound_;
  decided_[i] = true;
  if (request_.decided) request_.decided(results_[i]);
}

void Session::violated(std::size_t i, const Trace& trace, std::uint32_t found_in_steps) {
  const system::System& s = request_.system;
  const system::Property& p = s.property(results_[i].property);
  const verdict::Confirmation c = verdict::confirm(interpreter_, results_[i].property, trace);
  PARLEY_CHECK_MSG(c.confirmed, fmt::format("{}: a counterexample to `{}` does not replay: {}",
                                            verdict::shown_name(engine_), p.name, c.why));
  bound_ = found_in_steps;
  if (p.kind == PropertyKind::Reachable)
    return decide(i, verdict::Holds{{verdict::CertificateKind::Witness, ""}, trace});
  verdict::Violated v;
  v.trace = trace;
  v.found_in_steps = found_in_steps;
  verdict::Reason reason = verdict::reason_for(interpreter_, results_[i].property, trace);
  v.reason = std::move(reason.text);
  v.origin = std::move(reason.origin);
  decide(i, std::move(v));
}

void Session::holds(std::size_t i, verdict::Certificate certificate,
                    std::vector<verdict::Assumption> assumptions) {
  results_[i].assumptions = std::move(assumptions);
  const system::Property& p = request_.system.property(results_[i].property);
  if (p.kind == PropertyKind::Reachable) {
    verdict::Violated v;
    v.reason = fmt::format("no run reaches a state with `{}`", p.name);
    v.origin = p.origin;
    v.certificate = std::move(certificate);
    return decide(i, std::move(v));
  }
  decide(i, verdict::Holds{std::move(certificate), std::nullopt});
}

void Session::give_up(const verdict::Unknown& reason) {
  for (const std::size_t i : open()) decide(i, reason);
}

void Session::reached_bound(std::uint64_t bound, const std::string& note) {
  bound_ = bound;
  for (const std::size_t i : open()) results_[i].coverage.bound = bound;
  if (!request_.progress || deadline_.seconds() - last_progress_ < 0.3) return;
  last_progress_ = deadline_.seconds();
  engine::Progress p;
  p.engine = engine_;
  p.bound = bound;
  p.seconds = last_progress_;
  p.note = note;
  request_.progress(p);
}

std::vector<verdict::PropertyResult> Session::take() {
  for (std::size_t i = 0; i < results_.size(); ++i) {
    if (!results_[i].coverage.bound && bound_) results_[i].coverage.bound = bound_;
    if (results_[i].coverage.seconds == 0) results_[i].coverage.seconds = deadline_.seconds();
  }
  return std::move(results_);
}

std::vector<verdict::Assumption> possible_assumptions(const system::System& s) {
  std::vector<verdict::Assumption> out;
  for (const system::Queue& q : s.queues)
    if (q.overflow == system::OverflowPolicy::Cut && out.empty()) out.push_back(capacity_assumption());
  if (s.integers == system::IntegerMode::AssumeNoOverflow) out.push_back(overflow_assumption());
  return out;
}

verdict::Assumption capacity_assumption() {
  return {
      verdict::AssumptionCode::QueueCapacity,
      "only runs count in which no queue needs more than its capacity (there may be others, which were not "
      "followed)"};
}

verdict::Assumption overflow_assumption() {
  return {verdict::AssumptionCode::NoIntegerOverflow,
          "integer overflow is assumed not to happen, and some may be possible"};
}

}  // namespace parley::symbolic
