// What `holds` says about who has checked it.
#include "verdict/checked.hpp"

#include <gtest/gtest.h>

namespace parley::verdict {
namespace {

PropertyResult holding(CertificateKind kind, std::string payload = "{}") {
  PropertyResult r;
  r.verdict = Holds{{kind, std::move(payload)}, {}};
  return r;
}

TEST(CheckedBy, FollowsTheEvidence) {
  EXPECT_EQ(checked_by(holding(CertificateKind::Exhaustive)), CheckedBy::Nobody);
  EXPECT_EQ(checked_by(holding(CertificateKind::Covered)), CheckedBy::Nobody);
  EXPECT_EQ(checked_by(holding(CertificateKind::None)), CheckedBy::Nobody);
  EXPECT_EQ(checked_by(holding(CertificateKind::Witness)), CheckedBy::Run);
  EXPECT_EQ(checked_by(holding(CertificateKind::InductiveInvariant)), CheckedBy::Certificate);
  EXPECT_EQ(checked_by(holding(CertificateKind::AbstractClosure)), CheckedBy::Certificate);
  EXPECT_EQ(checked_by(holding(CertificateKind::Bounds, R"([{"queue":0,"kind":"weights"}])")),
            CheckedBy::Certificate);
  EXPECT_EQ(checked_by(holding(CertificateKind::Bounds, R"([{"kind":"weights"},{"kind":"exhaustive"}])")),
            CheckedBy::SecondSearch);
}

TEST(CheckedBy, ACertificateThatWasNotDecidedIsNotChecked) {
  PropertyResult r = holding(CertificateKind::InductiveInvariant);
  r.assumptions.push_back({AssumptionCode::UncheckedCertificate, "ic3 is right"});
  EXPECT_EQ(checked_by(r), CheckedBy::Nobody);
}

TEST(CheckedBy, ViolationsAndUnknowns) {
  PropertyResult r;
  EXPECT_EQ(checked_by(r), std::nullopt);
  r.verdict = Violated{};
  EXPECT_EQ(checked_by(r), CheckedBy::Nobody);
  r.verdict = Violated{Trace{}, "", {}, {}, {}, {}};
  EXPECT_EQ(checked_by(r), CheckedBy::Run);
}

}  // namespace
}  // namespace parley::verdict
