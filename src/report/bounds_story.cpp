// The report as told to reports: what pictures and words need, without the bulk of the certificates.
#include <fmt/format.h>

#include "report/bounds_report.hpp"

namespace parley::report {

using json = nlohmann::ordered_json;
using namespace bounds;
using verdict::CertificateKind;

namespace {

std::string message_name(const system::System& s, const json& m) {
  const system::Signal& signal = s.signals[m.at("signal").get<std::size_t>()];
  std::string values;
  for (const json& v : m.at("values")) values += (values.empty() ? "" : ", ") + v.dump();
  return fmt::format("{}{} in {}", signal.name, values.empty() ? "" : "(" + values + ")",
                     s.queues[m.at("queue").get<std::size_t>()].name);
}

std::string room_name(const system::System& s, const json& d) {
  const std::string& cell = s.cells[d.at("cell").get<std::size_t>()].name;
  const auto limit = d.at("limit").get<std::int64_t>();
  return d.at("rising").get<bool>() ? fmt::format("{} above {}", cell, limit)
                                    : fmt::format("{} below {}", cell, limit);
}

// The certificate's weights by name, in the order of the certificate.
json weights(const system::System& s, const json& payload) {
  json list = json::array();
  for (const json& m : payload.at("messages"))
    list.push_back({{"what", message_name(s, m)}, {"sort", "message"}, {"weight", m.at("weight")}});
  for (const json& d : payload.at("data"))
    list.push_back({{"what", room_name(s, d)}, {"sort", "counter"}, {"weight", d.at("weight")}});
  for (const json& l : payload.at("ledgers")) {
    const system::Action& a = s.actions[l.at("action").get<std::size_t>()];
    list.push_back({{"what", fmt::format("{}: {}", s.owner(a.owner).name, a.name)},
                    {"sort", "joint action"},
                    {"weight", l.at("weight")}});
  }
  return list;
}

// Lists every control state; nobody reads that.
bool bulky(const verdict::Certificate& c) {
  return c.kind != CertificateKind::None && c.kind != CertificateKind::Pump &&
         c.kind != CertificateKind::Exhaustive;
}

}  // namespace

json story_json(const system::System& s, const BoundsReport& r) {
  BoundsReport light = r;  // weights come with a potential per control state, often shared by many queues
  for (QueueReport& q : light.queues)
    if (bulky(q.certificate)) q.certificate.payload = "{}";
  json j = to_json(s, light);
  const std::string* last = nullptr;
  json named;
  for (std::size_t i = 0; i < r.queues.size(); ++i) {
    const verdict::Certificate& certificate = r.queues[i].certificate;
    json& q = j["queues"][i];
    if (certificate.kind == CertificateKind::Weights) {
      if (last == nullptr || *last != certificate.payload)
        named = weights(s, json::parse(certificate.payload));
      last = &certificate.payload;
      q["weights"] = named;
      q["certificate"].erase("payload");
    } else if (bulky(certificate)) {
      q["certificate"].erase("payload");
    } else if (certificate.kind == CertificateKind::Pump) {
      q["certificate"]["payload"].erase("ignored_cells");
      q["certificate"]["payload"].erase("ignored_params");
    }
  }
  return j;
}

}  // namespace parley::report
