// What a property asks, as far as it matters for who can answer: the kinds of property in classes. Engines
// (verdict/engine_kind.hpp), the encoding and the certificate checkers all sort by this one function, so a
// new kind of property is named by the compiler here and reaches whoever decides its class.
#pragma once

#include <initializer_list>

#include "system/system.hpp"

namespace parley::system {

enum class Question : std::uint8_t {
  Safety,       // one state or step is bad (for `reachable`: wanted)
  Completion,   // somebody completes for ever
  Coverage,     // something is never reached
  Boundedness,  // a queue grows for ever, capacities taken away
  Temporal,     // any other infinite run
};

constexpr Question question(PropertyKind kind) {
  switch (kind) {
    case PropertyKind::NoDeadlock:
    case PropertyKind::NoLostMessages:
    case PropertyKind::NoAssertionFailure:
    case PropertyKind::NoRuntimeError:
    case PropertyKind::NoOverflow:
    case PropertyKind::Always:
    case PropertyKind::Never:
    case PropertyKind::Reachable:
      return Question::Safety;
    case PropertyKind::NoEndlessCompletion:
      return Question::Completion;
    case PropertyKind::NoUnreachableStates:
    case PropertyKind::NoUnreachableTransitions:
      return Question::Coverage;
    case PropertyKind::NoUnboundedQueues:
      return Question::Boundedness;
    case PropertyKind::Temporal:
      return Question::Temporal;
  }
  return Question::Temporal;
}

// A set of them.
class Questions {
 public:
  constexpr Questions() = default;
  constexpr Questions(std::initializer_list<Question> list) {
    for (const Question q : list) bits_ |= 1U << static_cast<unsigned>(q);
  }
  constexpr bool contains(Question q) const { return (bits_ >> static_cast<unsigned>(q) & 1U) != 0; }

 private:
  unsigned bits_ = 0;
};

}  // namespace parley::system
