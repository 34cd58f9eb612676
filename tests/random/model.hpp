// Random models of the text language: hierarchy, regions, deferral, choice, junction, fork and join, history,
// sends, references, arrays, operations, timers, threads, environment, run-time errors, failing assertions
// and guards, discards, temporal checks and fairness, every semantics switch (`time` is always written out,
// and every check has a name). For differential tests of any engine: `random::text(random::model(seed,
// profile))` is a .ply file that resolves without errors, small enough for exhaustive search most of the
// time. The same seed and profile give the same text on every machine.
#pragma once

#include <cstdint>
#include <string>

#include "random/piece.hpp"

namespace parley::random {

// What may occur, in percent where it is a number; zero switches a feature off.
struct Profile {
  std::uint32_t classes = 2;  // at most
  std::uint32_t states = 3;   // per region, at most
  std::uint32_t depth = 2;    // of nested states, at most
  std::uint32_t composite = 30;
  std::uint32_t orthogonal = 25;     // of composite states
  std::uint32_t history = 25;        // of composite states
  std::uint32_t fork_join = 30;      // of orthogonal states
  std::uint32_t choice = 30;         // of regions
  std::uint32_t defer = 20;          // of states
  std::uint32_t entry_exit = 25;     // of states
  std::uint32_t timers = 25;         // of classes
  std::uint32_t arrays = 25;         // of classes
  std::uint32_t parameters = 60;     // of signals
  std::uint32_t threads = 15;        // of models
  std::uint32_t switches = 50;       // of models: some semantics switch is not the default
  std::uint32_t wide_integers = 10;  // of attributes: full 32 bits
  std::uint32_t errors = 15;         // of effects: a division, an unchecked range, reference or receiver
  std::uint32_t assertions = 15;     // of effects: an assertion, which mostly fails somewhere
  std::uint32_t failing_guards = 5;  // of guards: a division, index or reference that may fail
  std::uint32_t discards = 80;       // of models: messages may find no reaction, else each state takes any
  std::uint32_t changes = 5;         // of transitions: triggered by a condition that becomes true
  std::uint32_t environment = 70;    // of models
  // For engines that abstract or encode integers: so many of the integer expressions, assignments and
  // comparisons use every operator and constants up to `constants`; attributes and parameters of type int
  // have the type `integers` then.
  std::uint32_t arithmetic = 0;
  std::uint32_t constants = 12;
  std::string integers = "int(-9..20)";
  // For engines that decide temporal properties: so many temporal checks (named t0, t1, …), of formulas with
  // so many operators at most; and of models, some assumptions of fairness.
  std::uint32_t temporal = 0;
  std::uint32_t operators = 4;
  std::uint32_t fairness = 0;
};

Piece model(std::uint64_t seed, const Profile& profile = {});

}  // namespace parley::random
