#include "verify/read_certificate.hpp"

#include <fmt/format.h>

#include <fstream>
#include <limits>

#include "verdict/trace_file.hpp"

namespace parley::verify {
namespace {

using certificate::PropertyClaim;
using certificate::QueueClaim;
using verdict::CertificateKind;
using verdict::JsonReader;
using verdict::Malformed;

constexpr std::size_t kLongestHead = 256U << 20;
constexpr std::uint64_t kAny = std::numeric_limits<std::int64_t>::max();
constexpr std::uint64_t kLongestQueue = 1U << 24;

std::map<std::string, std::string> texts(const JsonReader& object) {
  std::map<std::string, std::string> all;
  for (const auto& [name, value] : object.entries()) all[name] = value.text();
  return all;
}

certificate::Subject read_subject(const JsonReader& j) {
  j.has_fields({"files", "constants", "switches", "havoc_unknown"});
  certificate::Subject subject;
  for (const JsonReader& file : j.field("files").items()) {
    file.has_fields({"name", "sha256"});
    subject.files.push_back({file.field("name").text(), file.field("sha256").text()});
  }
  subject.constants = texts(j.field("constants"));
  subject.switches = texts(j.field("switches"));
  subject.havoc_unknown = j.field("havoc_unknown").flag();
  return subject;
}

verdict::Certificate read_evidence(const JsonReader& j) {
  j.has_fields({"kind", "payload"});
  const std::optional<CertificateKind> kind = named<CertificateKind>(j.field("kind").text());
  if (!kind) j.field("kind").reject("is no kind of certificate");
  return {*kind, j.field("payload").text()};
}

std::size_t number_of(const JsonReader& j, std::size_t count) {
  const std::uint64_t number = j.natural(count);
  if (number == 0) j.reject("counts from 1");
  return static_cast<std::size_t>(number) - 1;
}

PropertyClaim read_property_claim(const system::System& s, const JsonReader& j) {
  j.has_fields({"number", "property", "kind", "verdict", "evidence"}, {"run"});
  PropertyClaim claim;
  claim.property = system::PropertyId(number_of(j.field("number"), s.properties.size()));
  const system::Property& property = s.property(claim.property);
  j.field("property").is(property.name);
  j.field("kind").is(system::describe(property.kind));
  claim.holds = j.field("verdict").text() == "holds";
  if (!claim.holds) j.field("verdict").is("violated");
  claim.certificate = read_evidence(j.field("evidence"));
  if (j.has("run")) claim.run = verdict::read_trace(s, j.field("run"));
  return claim;
}

QueueClaim read_queue_claim(const system::System& s, const JsonReader& j) {
  j.has_fields({"number", "queue", "evidence"}, {"limit"});
  QueueClaim claim;
  claim.queue = system::QueueId(number_of(j.field("number"), s.queues.size()));
  j.field("queue").is(s.queue(claim.queue).name);
  if (j.has("limit")) claim.limit = j.field("limit").natural(kAny);
  claim.certificate = read_evidence(j.field("evidence"));
  return claim;
}

}  // namespace

Head read_head(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Malformed{"the file cannot be read"};
  std::string line;
  for (char c = 0; in.get(c) && c != '\n';) {
    line += c;
    if (line.size() > kLongestHead) throw Malformed{"its first line is too long"};
  }
  Head head;
  head.json = verdict::parse_strictly(line);
  const JsonReader j(head.json);
  j.has_fields({"format", "version", "model", "subject", "capacities", "properties", "queues"},
               {"closed_set"});
  j.field("format").is(certificate::kFormatName);
  j.field("version").is(certificate::kFormatVersion);
  j.field("model").text();
  head.subject = read_subject(j.field("subject"));
  if (j.has("closed_set")) {
    const JsonReader set = j.field("closed_set");
    set.has_fields({"states", "blocks"});
    head.closed_set = ClosedSet::Announced{set.field("states").natural(kAny),
                                           set.field("blocks").natural(kAny), line.size() + 1};
  } else if (in.peek() != std::ifstream::traits_type::eof()) {
    throw Malformed{"something follows the first line, and it announces nothing"};
  }
  return head;
}

certificate::Document read_document(const system::System& s, const Head& head) {
  const JsonReader j(head.json);
  certificate::Document document;
  document.subject = head.subject;
  const std::vector<std::uint64_t> capacities = j.field("capacities").naturals(kLongestQueue);
  if (capacities.size() != s.queues.size())
    j.field("capacities").reject("must have one entry for each queue");
  for (std::size_t q = 0; q < capacities.size(); ++q) {
    if (s.queues[q].capacity && *s.queues[q].capacity != capacities[q])
      j.field("capacities").reject(fmt::format("must have the declared capacity of {}", s.queues[q].name));
    document.capacities.push_back(static_cast<std::uint32_t>(capacities[q]));
  }
  for (const JsonReader& claim : j.field("properties").items())
    document.properties.push_back(read_property_claim(s, claim));
  for (const JsonReader& claim : j.field("queues").items())
    document.queues.push_back(read_queue_claim(s, claim));
  return document;
}

}  // namespace parley::verify
