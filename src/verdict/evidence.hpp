// What kinds of evidence there are: certificates and stories, each as an enumeration with one row per kind.
// Engines make values of these types, certify/ has a checker per kind of certificate (certify/registry.hpp),
// reports take their words from here; JSON names are written and read at the edge and compared nowhere. Knows
// nothing of how a certificate is made or checked. To add a kind: an enumerator and its row here, and then
// whatever the compiler names.
#pragma once

#include "support/named_enum.hpp"

namespace parley::verdict {

// How the answer was found, for methods whose way is worth telling.
enum class StoryKind : std::uint8_t { Refinement, Bounds };

struct StoryRow {
  std::string_view name;     // in JSON
  std::string_view section;  // of the HTML report
  std::string_view letter;   // of its places in addresses: #p2r3 is round 3 of property 2
};

constexpr StoryRow row(StoryKind kind) {
  switch (kind) {
    case StoryKind::Refinement:
      return {"refinement", "rounds", "r"};
    case StoryKind::Bounds:
      return {"bounds", "bounds", "q"};
  }
  return {};
}
constexpr std::string_view name_of(StoryKind kind) {
  return row(kind).name;
}
static_assert(names_differ<StoryKind>());

enum class CertificateKind : std::uint8_t {
  None,  // no evidence at all
  // For a property.
  Exhaustive,  // all states were seen; also for the limit of a queue
  Witness,     // the run that comes with the verdict
  Covered,     // every element was reached in a search
  InductiveInvariant,
  KInduction,
  NoLongerRuns,
  AbstractClosure,
  Ranking,    // no bad cycle: ranks over all states of the product with the property's automaton
  KLiveness,  // the property's automaton accepts at most k times: an inductive invariant that counts
  Bounds,     // a limit with its own certificate for every queue
  // For one queue: its limit, or that it grows for ever.
  Weights,
  Phases,
  LengthTests,
  Ordered,
  Activation,
  Pump,
};

struct CertificateRow {
  std::string_view name;   // in JSON
  std::string_view words;  // for people: "proved by …"
};

constexpr CertificateRow row(CertificateKind kind) {
  switch (kind) {
    case CertificateKind::None:
      return {"none", "-"};
    case CertificateKind::Exhaustive:
      return {"exhaustive", "all states seen"};
    case CertificateKind::Witness:
      return {"witness", "a run that shows it"};
    case CertificateKind::Covered:
      return {"covered", "everything was reached"};
    case CertificateKind::InductiveInvariant:
      return {"inductive-invariant", "an inductive invariant"};
    case CertificateKind::KInduction:
      return {"k-induction", "induction over several steps"};
    case CertificateKind::NoLongerRuns:
      return {"no-longer-runs", "no run is longer"};
    case CertificateKind::AbstractClosure:
      return {"abstract-closure", "closed abstract states"};
    case CertificateKind::Ranking:
      return {"ranking", "all runs seen, none goes round for ever"};
    case CertificateKind::KLiveness:
      return {"k-liveness", "an invariant that counts"};
    case CertificateKind::Bounds:
      return {"bounds", "a limit for every queue"};
    case CertificateKind::Weights:
      return {"weights", "weights"};
    case CertificateKind::Phases:
      return {"phases", "phases"};
    case CertificateKind::LengthTests:
      return {"length-tests", "length tests"};
    case CertificateKind::Ordered:
      return {"ordered", "order of messages"};
    case CertificateKind::Activation:
      return {"activation", "cycles never entered"};
    case CertificateKind::Pump:
      return {"pump", "a loop that repeats"};
  }
  return {};
}
constexpr std::string_view name_of(CertificateKind kind) {
  return row(kind).name;
}
constexpr std::string_view words_of(CertificateKind kind) {
  return row(kind).words;
}
static_assert(names_differ<CertificateKind>());

}  // namespace parley::verdict
