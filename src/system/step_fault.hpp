// Which property is about what single steps do wrong. One function for the engines that look at steps (the
// search's events, the encoding, the abstraction); the certificate checker has its own (certify/z3_system).
// A new kind of property is named here by the compiler. What each fault is, is said where steps are: a step
// that is cut, for instance, overflows for some and not for others.
#pragma once

#include <optional>

#include "system/system.hpp"

namespace parley::system {

enum class StepFault : std::uint8_t { AssertionFails, RuntimeError, Overflows, LosesMessage };

constexpr std::optional<StepFault> step_fault(PropertyKind kind) {
  switch (kind) {
    case PropertyKind::NoAssertionFailure:
      return StepFault::AssertionFails;
    case PropertyKind::NoRuntimeError:
      return StepFault::RuntimeError;
    case PropertyKind::NoOverflow:
      return StepFault::Overflows;
    case PropertyKind::NoLostMessages:
      return StepFault::LosesMessage;
    case PropertyKind::NoDeadlock:
    case PropertyKind::NoUnreachableStates:
    case PropertyKind::NoUnreachableTransitions:
    case PropertyKind::NoEndlessCompletion:
    case PropertyKind::NoUnboundedQueues:
    case PropertyKind::Always:
    case PropertyKind::Never:
    case PropertyKind::Reachable:
    case PropertyKind::Temporal:
      break;
  }
  return std::nullopt;
}

}  // namespace parley::system
