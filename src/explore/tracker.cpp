#include "explore/tracker.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "support/check.hpp"
#include "verdict/reason.hpp"

namespace parley::explore {

using system::ElementKind;
using system::PropertyKind;
using verdict::AssumptionCode;
using verdict::CertificateKind;
using verdict::Holds;
using verdict::Unknown;
using verdict::Violated;

namespace {

std::optional<Event> event_of(PropertyKind kind) {
  switch (kind) {
    case PropertyKind::NoLostMessages:
      return Event::Lost;
    case PropertyKind::NoOverflow:
      return Event::Overflowed;
    case PropertyKind::NoAssertionFailure:
      return Event::AssertionFailed;
    case PropertyKind::NoRuntimeError:
      return Event::RuntimeError;
    case PropertyKind::NoEndlessCompletion:
      return Event::EndlessStretch;
    case PropertyKind::NoDeadlock:
    case PropertyKind::NoUnreachableStates:
    case PropertyKind::NoUnreachableTransitions:
    case PropertyKind::NoUnboundedQueues:
    case PropertyKind::Always:
    case PropertyKind::Never:
    case PropertyKind::Reachable:
    case PropertyKind::Temporal:
      return std::nullopt;
  }
  internal_error("kind of property", __FILE__, __LINE__);
}

bool looks_at_states(PropertyKind kind) {
  return kind == PropertyKind::Always || kind == PropertyKind::Never || kind == PropertyKind::Reachable;
}

bool is_coverage(PropertyKind kind) {
  return kind == PropertyKind::NoUnreachableStates || kind == PropertyKind::NoUnreachableTransitions;
}

// Statements of processes are their places: they go with the states.
bool belongs_to(ElementKind element, PropertyKind kind) {
  return (element == ElementKind::Transition) == (kind == PropertyKind::NoUnreachableTransitions);
}

}  // namespace

Tracker::Tracker(const engine::Request& request, engine::EngineKind engine,
                 const semantics::Interpreter* interpreter)
    : request_(request), interpreter_(interpreter) {
  for (system::PropertyId id : request.properties) {
    Question q;
    q.result.property = id;
    q.result.engine = engine;
    if (!verdict::decides(engine, request.system.property(id).kind)) {
      q.open = false;
      q.result.verdict = Unknown{"no engine"};
    }
    questions_.push_back(std::move(q));
  }
  refresh();
}

void Tracker::refresh() {
  open_ = 0;
  wanted_events_ = 0;
  watched_.clear();
  deadlock_open_ = cycles_open_ = false;
  for (const Question& q : questions_) {
    if (!q.open) continue;
    ++open_;
    const PropertyKind kind = request_.system.property(q.result.property).kind;
    if (const auto event = event_of(kind)) wanted_events_ |= 1u << static_cast<unsigned>(*event);
    if (looks_at_states(kind)) watched_.push_back(q.result.property);
    deadlock_open_ = deadlock_open_ || kind == PropertyKind::NoDeadlock;
    cycles_open_ = cycles_open_ || kind == PropertyKind::NoEndlessCompletion;
  }
}

void Tracker::decide(Question& q, verdict::Verdict verdict) {
  q.result.verdict = std::move(verdict);
  q.open = false;
  refresh();
  if (request_.decided) request_.decided(q.result);
}

Violated Tracker::violated(system::PropertyId property, const verdict::Trace& trace) const {
  Violated v;
  v.trace = trace;
  v.origin = request_.system.property(property).origin;
  if (interpreter_ != nullptr) {
    verdict::Reason reason = verdict::reason_for(*interpreter_, property, trace);
    v.reason = std::move(reason.text);
    v.origin = std::move(reason.origin);
  }
  return v;
}

void Tracker::decide_all(PropertyKind kind, const verdict::Trace& trace) {
  for (Question& q : questions_) {
    if (!q.open || request_.system.property(q.result.property).kind != kind) continue;
    decide(q, violated(q.result.property, trace));
  }
}

void Tracker::happened(Event event, const verdict::Trace& trace) {
  for (PropertyKind kind :
       {PropertyKind::NoLostMessages, PropertyKind::NoOverflow, PropertyKind::NoAssertionFailure,
        PropertyKind::NoRuntimeError, PropertyKind::NoEndlessCompletion})
    if (event_of(kind) == event) decide_all(kind, trace);
}

void Tracker::deadlock(const verdict::Trace& trace) {
  decide_all(PropertyKind::NoDeadlock, trace);
}
void Tracker::completion_cycle(const verdict::Trace& trace) {
  decide_all(PropertyKind::NoEndlessCompletion, trace);
}

void Tracker::shown(system::PropertyId property, const verdict::Trace& trace) {
  for (Question& q : questions_) {
    if (!q.open || q.result.property != property) continue;
    if (request_.system.property(property).kind == PropertyKind::Reachable) {
      decide(q, Holds{{CertificateKind::Witness, ""}, trace});
      continue;
    }
    decide(q, violated(property, trace));
  }
}

std::vector<system::ElementId> Tracker::unreached(PropertyKind kind, const std::vector<bool>& reached) const {
  std::vector<system::ElementId> out;
  const auto& elements = request_.system.elements;
  for (std::size_t i = 0; i < elements.size(); ++i)
    if (!elements[i].ignorable && !reached[i] && belongs_to(elements[i].kind, kind)) out.emplace_back(i);
  return out;
}

void Tracker::covered(const std::vector<bool>& reached) {
  for (Question& q : questions_) {
    const PropertyKind kind = request_.system.property(q.result.property).kind;
    if (q.open && is_coverage(kind) && unreached(kind, reached).empty())
      decide(q, Holds{{CertificateKind::Covered, ""}, {}});
  }
}

void Tracker::conclude(Question& q, const Statistics& statistics,
                       const std::optional<engine::Stop>& stopped) {
  const system::Property& p = request_.system.property(q.result.property);
  const std::vector<verdict::Assumption> assumed = assumptions(request_, omissions_);
  if (stopped) {
    q.result.verdict = Unknown::because(*stopped);
    q.result.assumptions = assumed;
    return;
  }
  const bool needs_absence = p.kind == PropertyKind::Reachable || is_coverage(p.kind);
  if (!needs_absence) {
    Holds h;
    h.certificate.kind = CertificateKind::Exhaustive;
    h.certificate.payload =
        fmt::format("{{\"states\": {}, \"transitions\": {}}}", statistics.states, statistics.transitions);
    q.result.verdict = std::move(h);
    q.result.assumptions = assumed;
    return;
  }
  // What was not seen may still exist in the runs that were not followed.
  if (!assumed.empty()) {
    q.result.verdict = Unknown{fmt::format("not reached, but {}", assumed.front().text)};
    q.result.assumptions = assumed;
    return;
  }
  Violated v;
  v.origin = p.origin;
  if (p.kind == PropertyKind::Reachable) {
    v.reason = fmt::format("no reachable state satisfies it ({} states seen)", statistics.states);
  } else {
    v.unreached = unreached(p.kind, statistics.reached);
    v.reason = verdict::reason_for_unreached(request_.system, v.unreached);
    if (!v.unreached.empty()) v.origin = request_.system.element(v.unreached.front()).origin;
  }
  q.result.verdict = std::move(v);
}

std::vector<verdict::PropertyResult> Tracker::results(const Statistics& statistics,
                                                      const std::optional<engine::Stop>& stopped) {
  verdict::Coverage coverage;
  coverage.states = statistics.states;
  coverage.transitions = statistics.transitions;
  coverage.depth = statistics.depth;
  coverage.memory_bytes = statistics.memory_bytes;
  coverage.bytes_per_state = statistics.bytes_per_state;
  coverage.seconds = statistics.seconds;
  coverage.complete = statistics.complete;
  coverage.max_queue_length = statistics.longest;
  for (std::size_t i = 0; i < request_.system.elements.size(); ++i)
    if (!request_.system.elements[i].ignorable && !statistics.reached[i]) coverage.unreached.emplace_back(i);
  if (statistics.complete) covered(statistics.reached);
  std::vector<verdict::PropertyResult> out;
  for (Question& q : questions_) {
    if (q.open) conclude(q, statistics, stopped);
    q.result.coverage = coverage;
    out.push_back(q.result);
  }
  return out;
}

}  // namespace parley::explore
