// Whether runs of a System can end in a run-time error or a failed assertion at all, judged by its text: what
// decides if anybody has to look for them (load/error_search.hpp). Operators are judged by may_fail.hpp;
// beyond it, cells that nothing assigns are known to keep their first value, so that a reference that is
// wired once and never changed cannot be null, and counting by one below a limit stays within it. Says `yes`
// too often, never too rarely.
#pragma once

#include "system/system.hpp"

namespace parley::system {

struct Failures {
  bool errors = false;      // a guard, a condition of deferral or a statement can be a run-time error
  bool assertions = false;  // there is an assertion that is not plainly true
  bool overflows = false;   // a send can fail because a queue of policy Error is full
};

Failures possible_failures(const System& system);

}  // namespace parley::system
