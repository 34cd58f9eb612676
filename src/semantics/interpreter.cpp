#include <algorithm>

#include "semantics/interpreter_run.hpp"

namespace parley::semantics {

template class BasicInterpreter<domain::Concrete>;

std::vector<std::uint32_t> capacities(const system::System& system,
                                      std::optional<std::uint32_t> default_capacity) {
  std::vector<std::uint32_t> result;
  for (const system::Queue& q : system.queues)
    result.push_back(q.capacity.value_or(default_capacity.value_or(system.default_capacity)));
  return result;
}

const char* describe(Outcome outcome) {
  switch (outcome) {
    case Outcome::Disabled:
      return "disabled";
    case Outcome::Blocked:
      return "blocked";
    case Outcome::Cut:
      return "cut";
    case Outcome::AssumedAway:
      return "assumed away";
    case Outcome::Done:
      return "done";
    case Outcome::AssertionFailed:
      return "assertion failed";
    case Outcome::RuntimeError:
      return "run-time error";
    case Outcome::QueueOverflow:
      return "queue overflow";
  }
  return "?";
}

bool loses(const system::Action* action, const StepResult& result) {
  const bool untriggered =
      action != nullptr && action->kind == system::ActionKind::Discard && !action->trigger;
  if (untriggered && result.outcome == Outcome::Done) return true;
  return happens(result.outcome) &&
         std::any_of(result.events.begin(), result.events.end(), [](const Event& e) {
           return e.kind == EventKind::Lost || e.kind == EventKind::Discarded;
         });
}

std::string show(const system::System& system, const Message& message) {
  const system::Signal& signal = system.signal(message.signal);
  std::string text = signal.name;
  if (signal.params.empty()) return text;
  text += '(';
  for (std::size_t i = 0; i < signal.params.size() && i < message.args.size(); ++i) {
    if (i > 0) text += ", ";
    text += system::show_value(system, signal.params[i], message.args[i]);
  }
  return text + ')';
}

}  // namespace parley::semantics
