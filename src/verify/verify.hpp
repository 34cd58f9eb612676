// Checks every claim of a certificate against a model that was loaded here. Traces are replayed, proofs go to
// the checkers of certify/, closed sets are walked over with the reference semantics; nothing of the engines
// that made the claims is used or linked. The program parley-verify is this and a command line.
#pragma once

#include "verify/closed_set_check.hpp"
#include "verify/read_certificate.hpp"

namespace parley::verify {

struct Options {
  std::optional<double> seconds;  // for everything
  std::uint64_t memory = 1U << 30;
  unsigned threads = 1;
  std::optional<double> share;  // of a closed set's states; absent: all
  std::uint64_t seed = 1;
};

struct ClaimReport {
  std::string claim;  // "no deadlock holds", "queue b holds at most 3 messages"
  Outcome outcome;
  std::vector<std::string> assumptions;
};

struct Report {
  std::vector<ClaimReport> claims;
  std::vector<std::string>
      unclaimed;  // properties of the model that no claim is about, if any claim is about some

  // Of all: the worst there is.
  Result result() const;
};

// `path`: where the closed set lies, if there is one. Throws verdict::Malformed.
Report verify(const system::System& system, const certificate::Document& document, const Head& head,
              const std::string& path, const Options& options);

}  // namespace parley::verify
