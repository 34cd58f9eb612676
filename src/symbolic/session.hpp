// What the symbolic engines share: limits as an interrupt for solvers, and results in the engine seam's form.
#pragma once

#include <string>
#include <vector>

#include "encode/relation.hpp"
#include "engine/engine.hpp"
#include "semantics/interpreter.hpp"
#include "solver/sat/solver.hpp"

namespace parley::symbolic {

// One run of an engine: the deadline, the memory limit, results and who still waits for one.
class Session {
 public:
  Session(const engine::Request& request, engine::EngineKind engine);

  const engine::Request& request() const { return request_; }
  const semantics::Interpreter& interpreter() const { return interpreter_; }
  const system::Property& property(std::size_t i) const {
    return request_.system.property(request_.properties[i]);
  }
  // The same request about one property of another System, with what is left of the time; answers stay
  // inside.
  engine::Request inner_request(const system::System& system, system::PropertyId property) const;
  // Properties the encoding supports and that have no verdict yet, by position in the request.
  std::vector<std::size_t> open() const;
  bool done() const { return open().empty(); }
  solver::sat::Interrupt interrupt() const;
  // Empty: go on.
  std::optional<engine::Stop> limit() const;

  void violated(std::size_t i, const verdict::Trace& trace, std::uint32_t found_in_steps);
  void holds(std::size_t i, verdict::Certificate certificate, std::vector<verdict::Assumption> assumptions);
  // Every open property becomes Unknown for this reason.
  void give_up(const verdict::Unknown& reason);
  // The same when a solver has no answer: a limit was reached, or the solver gave up by itself.
  void stop() { give_up(verdict::Unknown::because(limit().value_or(verdict::solver_gave_up()))); }
  void reached_bound(std::uint64_t bound, const std::string& note);
  std::vector<verdict::PropertyResult> take();

 private:
  void decide(std::size_t i, verdict::Verdict verdict);
  const engine::Request& request_;
  engine::EngineKind engine_;
  engine::Deadline deadline_;
  semantics::Interpreter interpreter_;
  std::vector<verdict::PropertyResult> results_;
  std::vector<bool> decided_;
  std::optional<std::uint64_t> bound_;
  double last_progress_ = 0;
};

// What a proof over the bounded queues and integers rests on.
verdict::Assumption capacity_assumption();
verdict::Assumption overflow_assumption();
// What it may rest on, judged by the System alone.
std::vector<verdict::Assumption> possible_assumptions(const system::System& system);

}  // namespace parley::symbolic
