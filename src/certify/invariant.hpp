// Checks the certificates of the symbolic proof engines with another solver and another encoding
// (certify/z3_system.hpp): inductive invariants, k-induction, and runs that end within a bound. Trusts
// nothing in the certificate: names, capacities and clauses are read and tested.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "system/system.hpp"
#include "verdict/verdict.hpp"

namespace parley::certify {

struct ProofCheck {
  enum class Result : std::uint8_t { Accepted, Rejected, Undecided };
  Result result = Result::Rejected;
  std::string why;  // empty if accepted
};

// Checks one certificate after another; the formulas of the system's steps are written once.
class CertificateChecker {
 public:
  CertificateChecker(const system::System& system, std::vector<std::uint32_t> capacities);
  ~CertificateChecker();
  ProofCheck check(system::PropertyId property, const verdict::Certificate& certificate,
                   std::optional<double> seconds = std::nullopt);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> inside_;
};

// A single one.
ProofCheck check_certificate(const system::System& system, system::PropertyId property,
                             const std::vector<std::uint32_t>& capacities,
                             const verdict::Certificate& certificate,
                             std::optional<double> seconds = std::nullopt);

}  // namespace parley::certify
