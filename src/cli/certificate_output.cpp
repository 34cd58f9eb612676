#include "cli/certificate_output.hpp"

#include "certificate/certificate_file.hpp"
#include "cli/output.hpp"
#include "driver/certification.hpp"

namespace parley::cli {
namespace {

certificate::Document document_of(const Arguments& a, const load::Loaded& loaded) {
  certificate::Document document;
  document.subject = certificate::subject_of(loaded.sources, load_options_of(a));
  return document;
}

}  // namespace

void write_certificate(const Arguments& a, const load::Loaded& loaded, const driver::CheckReport& report,
                       const certificate::StateCollector& states) {
  certificate::Document document = document_of(a, loaded);
  document.capacities = report.queue_capacities;
  bool rests_on_states = false;
  for (const verdict::PropertyResult& r : report.results) {
    const std::optional<certificate::PropertyClaim> claim = certificate::claim_of(r);
    if (!claim) continue;
    const bool exhaustive = claim->certificate.kind == verdict::CertificateKind::Exhaustive;
    if (exhaustive && states.states() == 0) continue;  // no search ended: nothing to show
    rests_on_states = rests_on_states || exhaustive;
    document.properties.push_back(*claim);
  }
  write_file(a.get("certificate"),
             certificate::to_file(*loaded.system, document, rests_on_states ? &states : nullptr));
}

void write_certificate(const Arguments& a, const load::Loaded& loaded, const bounds::BoundsReport& report) {
  certificate::Document document = document_of(a, loaded);
  document.capacities = semantics::capacities(*loaded.system);
  for (const bounds::QueueReport& q : report.queues)
    for (const certify::QueueClaim& c : driver::claims_of(q)) {
      std::optional<std::uint64_t> limit;
      if (c.limit) limit = static_cast<std::uint64_t>(*c.limit);
      document.queues.push_back({c.queue, limit, c.certificate});
    }
  write_file(a.get("certificate"), certificate::to_file(*loaded.system, document, nullptr));
}

}  // namespace parley::cli
