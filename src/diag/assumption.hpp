// What an answer rests on. Front ends say what they left out, guessed or over-approximated, engines what they
// did not follow, the driver what it was told to believe; every verdict that one of them can influence lists
// it. The names are stable for machines. Diagnostics are about the input; assumptions are about answers.
#pragma once

#include <string>

#include "support/named_enum.hpp"

namespace parley::diag {

enum class AssumptionCode : std::uint8_t {
  QueueCapacity,
  NoIntegerOverflow,
  BlockedStart,
  UncheckedCertificate,
  NoErrors,           // the user said that errors are not to be looked for
  ErrorsNotExcluded,  // errors end runs, and looking for them came to no answer
  LazyTime,           // time passes only when nobody can move
  Fairness,           // a temporal property was asked of fair runs only
  RunsThatEnd,        // how a temporal property reads a run that ends
  Approximated,       // by the front end: more runs than the model may mean
  Guessed,            // by the front end: what the model does not say
  Ignored,            // by the front end: what the model says and the answer does not know
};

constexpr std::string_view name_of(AssumptionCode code) {
  switch (code) {
    case AssumptionCode::QueueCapacity:
      return "queue-capacity";
    case AssumptionCode::NoIntegerOverflow:
      return "no-integer-overflow";
    case AssumptionCode::BlockedStart:
      return "blocked-start";
    case AssumptionCode::UncheckedCertificate:
      return "unchecked-certificate";
    case AssumptionCode::NoErrors:
      return "no-errors";
    case AssumptionCode::ErrorsNotExcluded:
      return "errors-not-excluded";
    case AssumptionCode::LazyTime:
      return "lazy-time";
    case AssumptionCode::Fairness:
      return "fairness";
    case AssumptionCode::RunsThatEnd:
      return "runs-that-end";
    case AssumptionCode::Approximated:
      return "approximated";
    case AssumptionCode::Guessed:
      return "guessed";
    case AssumptionCode::Ignored:
      return "ignored";
  }
  return {};
}
static_assert(names_differ<AssumptionCode>());

// `text` is a sentence for people that goes on after "assuming that".
struct Assumption {
  AssumptionCode code = AssumptionCode::Approximated;
  std::string text;
  friend bool operator==(const Assumption&, const Assumption&) = default;
};

}  // namespace parley::diag
