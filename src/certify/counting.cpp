#include "certify/counting.hpp"

#include <nlohmann/json.hpp>

#include "certify/patience.hpp"
#include "passes/monitored.hpp"

namespace parley::certify {
namespace {

using verdict::CertificateKind;

constexpr std::uint32_t kMostRounds = 1'000'000;

ProofCheck rejected(std::string why) {
  return {ProofCheck::Result::Rejected, std::move(why)};
}

}  // namespace

ProofCheck check_counting(const system::System& system, system::PropertyId property,
                          const std::vector<std::uint32_t>& capacities,
                          const verdict::Certificate& certificate, std::optional<double> seconds) {
  const Patience patience(seconds);
  passes::MonitorOptions options;
  verdict::Certificate inner;
  try {
    const auto j = nlohmann::json::parse(certificate.payload);
    if (j.at("property").get<std::string>() != system.property(property).name)
      return rejected("it is about another property");
    const auto k = j.at("k").get<std::int64_t>();
    if (k < 1 || k > kMostRounds) return rejected("the number of rounds is out of range");
    options.count_to = static_cast<std::uint32_t>(k);
    const auto kind = named<CertificateKind>(j.at("kind").get<std::string>());
    if (!kind) return rejected("no such kind of certificate");
    inner = {*kind, j.at("payload").dump()};
  } catch (const nlohmann::json::exception& e) {
    return rejected(std::string("it cannot be read: ") + e.what());
  }
  options.interrupted = [&] { return patience.over(); };
  const passes::Monitoring made = passes::monitored(system, property, options);
  if (patience.over()) return {ProofCheck::Result::Undecided, "out of time"};
  if (!made.monitored) return rejected(made.why_not);
  return check_certificate(made.monitored->system(), made.monitored->question, capacities, inner,
                           patience.left());
}

}  // namespace parley::certify
