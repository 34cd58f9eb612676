// What engines answer: traces, verdicts, assumptions and coverage as plain data. One trace type for every
// engine; a trace means nothing until it was replayed (verdict/replay.hpp). JSON forms are in
// verdict/json.hpp.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "diag/assumption.hpp"
#include "semantics/trace.hpp"
#include "verdict/engine_kind.hpp"
#include "verdict/evidence.hpp"
#include "verdict/stop.hpp"

namespace parley::verdict {

using diag::Assumption;
using diag::AssumptionCode;
using semantics::Step;
using semantics::Trace;
using system::ElementId;
using system::PropertyId;

// How far an engine got. Unset fields do not apply to the engine.
struct Coverage {
  std::optional<std::uint64_t> states, transitions, depth, bound, memory_bytes;
  std::optional<double> bytes_per_state;
  double seconds = 0;
  bool complete = false;                        // the whole state space was seen
  std::vector<ElementId> unreached;             // states and transitions never reached so far
  std::vector<std::uint32_t> max_queue_length;  // per queue, as far as seen; may be empty
};

// The evidence behind a Holds. The payload is the certificate's own JSON text; certify/registry.hpp knows who
// checks a kind.
struct Certificate {
  CertificateKind kind = CertificateKind::None;
  std::string payload;
};

struct Holds {
  Certificate certificate;
  std::optional<Trace> witness;  // `reachable e` holds by a run that ends where e is true
};

struct Violated {
  std::optional<Trace> trace;  // absent only for "unreachable" properties, where absence is the finding
  std::string reason;          // one sentence that names the place
  system::Origin origin;
  std::vector<ElementId> unreached;             // the elements found unreachable
  std::optional<std::uint32_t> found_in_steps;  // symbolic engines: number of (multi-action) steps
  // What a trace does not show: that its loop goes on for ever, or that no run reaches what `reachable` asks
  // for.
  std::optional<Certificate> certificate;
};

struct Unknown {
  std::string reason;
  std::optional<StopCause> stopped = std::nullopt;  // absent: not stopped, this engine cannot tell

  static Unknown because(Stop stop) { return {std::move(stop.text), stop.cause}; }
};

using Verdict = std::variant<Holds, Violated, Unknown>;

// How the answer was found, for methods whose way is worth telling: a value of the engine's own type. Reports
// know the types and lay them out (report/story.hpp); nothing is concluded from it.
struct Story {
  virtual ~Story() = default;
  virtual StoryKind kind() const = 0;
};

struct PropertyResult {
  PropertyId property;
  // Nobody asked for it in this run: it was looked for because errors end runs. Unknown, it is an assumption
  // of the others.
  bool implicit = false;
  Verdict verdict = Unknown{"not checked"};
  std::optional<EngineKind> engine;     // who answered; absent: nobody has
  std::vector<Assumption> assumptions;  // of this verdict
  std::vector<std::string> lemmas;      // facts it rests on that were proved and checked, as sentences
  std::vector<std::string> notes;       // what else was found out about it: vacuous, only unfair runs, ...
  Coverage coverage;
  std::shared_ptr<const Story> story;  // null: nothing to tell

  bool holds() const { return std::holds_alternative<Holds>(verdict); }
  bool violated() const { return std::holds_alternative<Violated>(verdict); }
  bool unknown() const { return std::holds_alternative<Unknown>(verdict); }
  std::string_view engine_name() const { return engine ? shown_name(*engine) : std::string_view(); }
};

const char* word(const Verdict& verdict);  // "holds", "violated", "unknown"

}  // namespace parley::verdict
