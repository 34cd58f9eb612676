// Analysis traces: a spurious counterexample executed side by side in the concrete and the abstract system,
// statement by statement, up to the point where the two cannot go on together (TRANSFORM and its helpers,
// ojala2008, section 5.1, figures 5.1 to 5.4).
//
// Differences from the thesis, all forced by a richer language. Bodies branch: a condition that is decided
// differently ends the trace like a guard would (Assume). Guards contain the priority rules, so an implicit
// consumption needs no case of its own (figure 5.3): its guard says that nothing else is enabled. Parameters
// are read from the message, not copied into variables: a frame's parameter is the location that RECV
// assigns. Assignments to control locations and bookkeeping are the thesis' GOTO and get no number.
#pragma once

#include <set>

#include "cegar/feasibility.hpp"
#include "cegar/watch.hpp"

namespace parley::cegar {

// Something whose value may matter at a point of the trace.
struct Location {
  enum class Kind : std::uint8_t { Cell, Message, FrameParam, Local, Queue };
  Kind kind = Kind::Cell;
  std::uint32_t a = 0;  // cell; number of the step that sent the message; event; event; queue
  std::uint32_t b = 0;  // Message, FrameParam: parameter; Local: its index
  friend bool operator==(const Location&, const Location&) = default;
  friend auto operator<=>(const Location&, const Location&) = default;
};

enum class StepKind : std::uint8_t { Recv, Assume, Assert, Assign, SetLocal, Send };
const char* describe(StepKind kind);

struct AnalysisStep {
  StepKind kind = StepKind::Assign;
  std::uint32_t event = 0;               // 0: the initial body; i: the i-th step of the counterexample
  system::StmtId stmt;                   // invalid for guards and properties
  std::vector<Tree> concrete, abstract;  // what was evaluated, in the same order
  bool bottom = false;                   // here the two part
  expr::CellId target_concrete, target_abstract;  // Assign
  bool corresponds = true;  // Assign, SetLocal: the values assigned; not checked at bottom
  std::uint32_t local = 0;  // SetLocal
  std::int64_t value = 0;   // SetLocal: concretely
  system::QueueId queue_concrete, queue_abstract;            // Recv, Send (invalid: no message was put)
  system::SignalId signal;                                   // Recv, Send
  std::uint32_t message_concrete = 0, message_abstract = 0;  // Recv: numbers of the steps that sent them
  std::vector<bool> args_correspond;                         // Send
};

struct AnalysisTrace {
  // steps[i] has the thesis' sequence number i + 1. The last one has `bottom`.
  std::vector<AnalysisStep> steps;
  std::map<std::uint32_t, system::SignalId> message_signal;  // of every message, by the step that sent it
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> local_steps;
  // An event of the trace to a sentence: for the report.
  std::string why;  // what ended it, in one sentence
};

// Nothing if the runs never part (which means that the property's violation is not visible to the analysis).
std::optional<AnalysisTrace> transform(const semantics::Interpreter& concrete, const AbstractSystem& abstract,
                                       PropertyId property, const AbstractTrace& trace,
                                       const Feasibility& feasibility);

std::string show(const System& system, const AnalysisTrace& trace, const Location& location);

}  // namespace parley::cegar
