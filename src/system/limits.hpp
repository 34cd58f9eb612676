// How deep and how large a System may be, so that every walk over it ends, and ends before the stack does.
// Statements and expressions are graphs: parts are shared, and a chain of forty choices with two ways each is
// small as a graph and has 2^40 ways. Most walks descend by recursion and visit a shared part once for each
// way to it. Both front ends ask here before anybody walks; whoever makes Systems by hand (tests, passes)
// need not. It does not judge the number of states.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "system/system.hpp"

namespace parley::system {

struct SizeLimits {
  // Every engine and export walks over a sum of this depth with a stack of 8 MB; the program's threads have
  // more.
  std::uint32_t expression_depth = 10000;
  std::uint32_t statement_depth = 10000;  // entering 2000 nested states takes several levels for each
  // Statements of one body, shared ones counted once for each way to them: as many as a lowered text may
  // have, so that a body without sharing is never refused here.
  std::uint64_t statements = 4'000'000;
};

struct Oversize {
  std::string code;     // of the diagnostic
  std::string message;  // a sentence with the limit
  std::string hint;
  Origin origin;  // of the action, if it is one's
};

// The first thing that is beyond a limit. Takes time linear in the graph.
std::optional<Oversize> find_oversize(const System& system, const SizeLimits& limits = {});

}  // namespace parley::system
