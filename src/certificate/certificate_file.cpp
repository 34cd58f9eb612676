#include "certificate/certificate_file.hpp"

#include <filesystem>

#include "support/check.hpp"
#include "support/sha256.hpp"
#include "verdict/json.hpp"

namespace parley::certificate {
namespace {

using json = nlohmann::ordered_json;
using verdict::CertificateKind;

json subject_json(const Subject& subject) {
  json files = json::array();
  for (const FileDigest& f : subject.files) files.push_back({{"name", f.name}, {"sha256", f.sha256}});
  return {{"files", std::move(files)},
          {"constants", subject.constants},
          {"switches", subject.switches},
          {"havoc_unknown", subject.havoc_unknown}};
}

json evidence_json(const verdict::Certificate& c) {
  return {{"kind", name_of(c.kind)}, {"payload", c.payload}};
}

json claim_json(const system::System& s, const PropertyClaim& c) {
  const system::Property& p = s.property(c.property);
  json j = {{"number", c.property.index() + 1},
            {"property", p.name},
            {"kind", system::describe(p.kind)},
            {"verdict", c.holds ? "holds" : "violated"},
            {"evidence", evidence_json(c.certificate)}};
  if (c.run) j["run"] = verdict::to_json(s, *c.run);
  return j;
}

json claim_json(const system::System& s, const QueueClaim& c) {
  json j = {{"number", c.queue.index() + 1}, {"queue", s.queue(c.queue).name}};
  if (c.limit) j["limit"] = *c.limit;
  j["evidence"] = evidence_json(c.certificate);
  return j;
}

}  // namespace

Subject subject_of(const diag::SourceMap& sources, const load::LoadOptions& options) {
  Subject subject;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const diag::FileId file(i);
    subject.files.push_back(
        {std::filesystem::path(sources.name(file)).filename().string(), sha256(sources.text(file))});
  }
  subject.constants = options.constants;
  subject.switches = options.switches;
  subject.havoc_unknown = options.havoc_unknown;
  return subject;
}

std::optional<PropertyClaim> claim_of(const verdict::PropertyResult& r) {
  if (const auto* h = std::get_if<verdict::Holds>(&r.verdict)) {
    PropertyClaim claim{r.property, true, h->certificate, h->witness};
    if (claim.certificate.kind == CertificateKind::Exhaustive) claim.certificate.payload.clear();
    return claim;
  }
  if (const auto* v = std::get_if<verdict::Violated>(&r.verdict)) {
    // What no run does is known from having seen all states.
    const CertificateKind implied = v->trace ? CertificateKind::Witness : CertificateKind::Exhaustive;
    return PropertyClaim{r.property, false, v->certificate.value_or(verdict::Certificate{implied, ""}),
                         v->trace};
  }
  return std::nullopt;
}

std::string to_file(const system::System& s, const Document& document, const StateCollector* closed_set) {
  json j = {{"format", kFormatName},
            {"version", kFormatVersion},
            {"model", s.name},
            {"subject", subject_json(document.subject)},
            {"capacities", document.capacities}};
  j["properties"] = json::array();
  for (const PropertyClaim& c : document.properties) {
    PARLEY_CHECK(c.certificate.kind != CertificateKind::Exhaustive || closed_set != nullptr);
    j["properties"].push_back(claim_json(s, c));
  }
  j["queues"] = json::array();
  for (const QueueClaim& c : document.queues) j["queues"].push_back(claim_json(s, c));
  if (closed_set == nullptr) return verdict::dump(j, -1) + '\n';
  const StateCollector::Blocks blocks = closed_set->blocks();
  j["closed_set"] = {{"states", closed_set->states()}, {"blocks", blocks.count}};
  return verdict::dump(j, -1) + '\n' + blocks.bytes;
}

}  // namespace parley::certificate
