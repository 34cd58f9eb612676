// The symbolic engines, as the driver makes them: bounded model checking over the four transition relations,
// k-induction and IC3. Options are one small struct per engine; what a relation and an order are is told in
// encode/relation.hpp.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "encode/relation.hpp"
#include "engine/engine.hpp"
#include "solver/sat/solver.hpp"

namespace parley::symbolic {

enum class SolverKind : std::uint8_t { Cadical, Z3, Cvc5 };
constexpr std::string_view name_of(SolverKind kind) {
  switch (kind) {
    case SolverKind::Cadical:
      return "cadical";
    case SolverKind::Z3:
      return "z3";
    case SolverKind::Cvc5:
      return "cvc5";
  }
  return {};
}
solver::sat::Factory factory(SolverKind kind);
// The order a relation takes when none is named; chosen by reasoning (docs/symbolic.md), `make bench-steps`
// compares.
encode::ActionOrder default_action_order(encode::Steps steps);

struct BmcOptions {
  encode::Steps steps = encode::Steps::Dynamic;
  std::optional<encode::ActionOrder> order;
  std::optional<std::uint32_t> bound;  // absent: until the limits of the request
  SolverKind solver = SolverKind::Cadical;
};
// Finds violations, never proves (unless no run is longer than the bound).
std::unique_ptr<engine::Engine> make_bmc(const BmcOptions& options);

struct InductionOptions {
  std::optional<std::uint32_t> bound;
  SolverKind solver = SolverKind::Cadical;
  bool simple_path = true;
  bool invariants = true;  // strengthen with facts of two bits that are inductive
};
std::unique_ptr<engine::Engine> make_kind(const InductionOptions& options);

struct Ic3Options {
  std::optional<std::uint32_t> bound;  // frames
  SolverKind solver = SolverKind::Cadical;
};
std::unique_ptr<engine::Engine> make_ic3(const Ic3Options& options);

}  // namespace parley::symbolic
