#include "verify/step_watch.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace parley::verify {

using semantics::EventKind;
using semantics::Outcome;
using system::PropertyKind;

StepWatch::StepWatch(const semantics::Interpreter& interpreter,
                     const std::vector<certificate::PropertyClaim>& claims)
    : in_(interpreter),
      claims_(claims),
      objections_(claims.size()),
      noted_(interpreter.system().elements.size(), false),
      collects_completions_(claimed(PropertyKind::NoEndlessCompletion)) {}

bool StepWatch::claimed(PropertyKind kind) const {
  return std::any_of(claims_.begin(), claims_.end(),
                     [&](const auto& c) { return in_.system().property(c.property).kind == kind; });
}

void StepWatch::object(std::size_t claim, std::string why) {
  if (objections_[claim].empty()) objections_[claim] = std::move(why);
}

void StepWatch::object(PropertyKind kind, const char* why) {
  for (std::size_t i = 0; i < claims_.size(); ++i)
    if (in_.system().property(claims_[i].property).kind == kind) object(i, why);
}

void StepWatch::state(const semantics::State& state, bool moves) {
  if (!moves && claimed(PropertyKind::NoDeadlock) && !in_.all_at_rest(state))
    object(PropertyKind::NoDeadlock, "a state of the set is a deadlock");
  for (std::size_t i = 0; i < claims_.size(); ++i) {
    const system::Property& p = in_.system().property(claims_[i].property);
    const bool always = p.kind == PropertyKind::Always;
    if (!always && p.kind != PropertyKind::Never && p.kind != PropertyKind::Reachable) continue;
    const domain::Truth t = in_.truth(state, p.expression);
    if (always ? t.may_be_false : t.may_be_true)
      object(i, fmt::format("{} is {} in a state of the set", system::show(in_.system(), p.expression),
                            always ? "false" : "true"));
  }
}

void StepWatch::step(const system::Action* action, const semantics::StepResult& r) {
  switch (r.outcome) {
    case Outcome::Disabled:
      return;
    case Outcome::Blocked:
      blocked_start_ = blocked_start_ || action == nullptr;
      return;
    case Outcome::Cut:
      // A start that is cut has no run that could show an overflow.
      cut_.insert(r.failure.queue.value);
      if (action != nullptr) object(PropertyKind::NoOverflow, "a message does not fit into its queue");
      return;
    case Outcome::AssumedAway:
      assumed_no_overflow_ = true;
      return;
    case Outcome::Done:
      break;
    case Outcome::AssertionFailed:
      object(PropertyKind::NoAssertionFailure, "an assertion fails");
      break;
    case Outcome::RuntimeError:
      object(PropertyKind::NoRuntimeError, "a run-time error happens");
      break;
    case Outcome::QueueOverflow:
      object(PropertyKind::NoOverflow, "a queue overflows");
      break;
  }
  if (semantics::loses(action, r)) object(PropertyKind::NoLostMessages, "a step loses a message");
  for (const semantics::Event& e : r.events) {
    if (e.kind == EventKind::Lost) object(PropertyKind::NoOverflow, "a message does not fit into its queue");
    if (e.kind == EventKind::Noted) noted_[e.element.index()] = true;
  }
}

void StepWatch::completion(const CompletionStep& step) {
  if (collects_completions_) completions_.push_back(step);
}

void StepWatch::endless_stretch() {
  object(PropertyKind::NoEndlessCompletion, "an exclusive stretch can go on for ever");
}

void StepWatch::merge(StepWatch&& other) {
  for (std::size_t i = 0; i < objections_.size(); ++i)
    if (!other.objections_[i].empty()) object(i, std::move(other.objections_[i]));
  for (std::size_t i = 0; i < noted_.size(); ++i) noted_[i] = noted_[i] || other.noted_[i];
  cut_.merge(other.cut_);
  assumed_no_overflow_ = assumed_no_overflow_ || other.assumed_no_overflow_;
  blocked_start_ = blocked_start_ || other.blocked_start_;
  completions_.insert(completions_.end(), other.completions_.begin(), other.completions_.end());
}

void StepWatch::conclude() {
  const system::System& s = in_.system();
  if (has_cycle(std::move(completions_)))
    object(PropertyKind::NoEndlessCompletion, "completion steps of one object make a cycle");
  completions_.clear();
  for (std::size_t i = 0; i < claims_.size(); ++i) {
    if (claims_[i].holds) continue;  // what is not there is claimed only by these
    const PropertyKind kind = s.property(claims_[i].property).kind;
    if (!assumptions().empty()) object(i, "what no run does is claimed, and not all runs were followed");
    if (kind == PropertyKind::Reachable) continue;
    bool some_unreached = false;
    for (std::size_t e = 0; e < s.elements.size(); ++e) {
      const bool transition = s.elements[e].kind == system::ElementKind::Transition;
      some_unreached = some_unreached || (!s.elements[e].ignorable && !noted_[e] &&
                                          transition == (kind == PropertyKind::NoUnreachableTransitions));
    }
    if (!some_unreached) object(i, "every element is reached from some state of the set");
  }
}

std::string StepWatch::objection(std::size_t claim) const {
  return objections_[claim];
}

std::vector<std::string> StepWatch::assumptions() const {
  std::vector<std::string> all;
  for (const std::uint32_t q : cut_) {
    const system::Queue& queue = in_.system().queues[q];
    all.push_back(queue.limit.empty() ? fmt::format("the queue of {} needs no more than {} messages",
                                                    queue.name, in_.queue_capacities()[q])
                                      : queue.limit);
  }
  if (assumed_no_overflow_) all.emplace_back("no integer overflows");
  if (blocked_start_) all.emplace_back("no start is blocked by a full queue");
  return all;
}

}  // namespace parley::verify
