#include "verify/forger.hpp"

#include <gtest/gtest.h>

namespace parley::verify::testing {
namespace {

using Json = nlohmann::json;

constexpr const char* kOpened = "opened JSON";

// Texts that are JSON themselves become parts of the tree, and back.
Json opened(const Json& j) {
  if (j.is_string()) {
    const Json inner = Json::parse(j.get<std::string>(), nullptr, false);
    if (inner.is_object() || inner.is_array()) return {{kOpened, opened(inner)}};
  }
  if (!j.is_structured()) return j;
  Json result = j;
  for (Json& child : result) child = opened(child);
  return result;
}
Json closed(const Json& j) {
  if (j.is_object() && j.size() == 1 && j.contains(kOpened)) return closed(j.at(kOpened)).dump();
  if (!j.is_structured()) return j;
  Json result = j;
  for (Json& child : result) child = closed(child);
  return result;
}

void collect(Json& j, const std::function<bool(const Json&)>& fits, std::vector<Json*>& found) {
  if (fits(j)) found.push_back(&j);
  if (j.is_structured())
    for (Json& child : j) collect(child, fits, found);
}

}  // namespace

Forgery Forger::forge(std::size_t which) {
  const MadeCertificate& c = honest_[which];
  const std::string before = c.file();
  for (;;) {
    Forgery f;
    switch (below(8)) {
      case 0:
        f = bit_flip(c);
        break;
      case 1:
      case 2:
        f = {"a number",
             changed_head(
                 c, [](const Json& j) { return j.is_number(); }, [&](Json& j) { change_number(j); })};
        break;
      case 3:
        f = {"a part", changed_part(c)};
        break;
      case 4:
      case 5:
        f = {"a claim", changed_claim(c)};
        break;
      case 6:
        f = {"other evidence", exchanged_evidence(c)};
        break;
      default:
        f = {"states", changed_states(c)};
        break;
    }
    if (!f.bytes.empty() && f.bytes != before) return f;
  }
}

Forgery Forger::bit_flip(const MadeCertificate& c) {
  std::string bytes = c.file();
  const std::size_t at = below(bytes.size());
  bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
  return {"bit flip at byte " + std::to_string(at), bytes};
}

void Forger::change_number(Json& number) {
  if (number.is_number_float()) {
    number = number.get<double>() + 1;
    return;
  }
  const auto value = number.get<std::int64_t>();
  const std::int64_t changes[] = {value + 1, value - 1, -value, value + (std::int64_t{1} << 32), value * 2};
  number = changes[below(std::size(changes))];
}

std::string Forger::changed_head(const MadeCertificate& c, const std::function<bool(const Json&)>& fits,
                                 const std::function<void(Json&)>& change) {
  MadeCertificate forged = c;
  Json tree = opened(c.head);
  // Evidence twice as often as the rest.
  std::vector<Json*> places;
  collect(tree, fits, places);
  collect(tree["properties"], fits, places);
  collect(tree["queues"], fits, places);
  if (places.empty()) return {};
  change(*places[below(places.size())]);
  forged.head = closed(tree);
  return forged.file();
}

// Something of a list or an object is missing, there twice, or exchanged.
std::string Forger::changed_part(const MadeCertificate& c) {
  const auto has_parts = [](const Json& j) { return j.is_structured() && !j.empty(); };
  return changed_head(c, has_parts, [&](Json& j) {
    if (j.is_object()) {
      auto at = j.begin();
      std::advance(at, static_cast<std::ptrdiff_t>(below(j.size())));
      j.erase(at);
      return;
    }
    const std::size_t a = below(j.size()), b = below(j.size());
    switch (below(3)) {
      case 0:
        j.erase(a);
        break;
      case 1:
        j.push_back(j[a]);
        break;
      default:
        std::swap(j[a], j[b]);
        break;
    }
  });
}

// The same evidence for something else: the opposite, another property of the model, a tighter limit.
std::string Forger::changed_claim(const MadeCertificate& c) {
  MadeCertificate forged = c;
  Json& properties = forged.head["properties"];
  Json& queues = forged.head["queues"];
  if (!queues.empty() && (properties.empty() || below(2) == 0)) {
    Json& claim = queues[below(queues.size())];
    if (below(3) == 0) {
      const std::size_t other = below(c.system.queues.size());
      claim["number"] = other + 1;
      claim["queue"] = c.system.queues[other].name;
    } else if (claim.contains("limit")) {
      const auto limit = claim["limit"].get<std::uint64_t>();
      if (limit > 0 && below(2) == 0)
        claim["limit"] = limit - 1;
      else
        claim.erase("limit");
    } else {
      claim["limit"] = below(10);
    }
    return forged.file();
  }
  if (properties.empty()) return {};
  Json& claim = properties[below(properties.size())];
  if (below(2) == 0) {
    claim["verdict"] = claim["verdict"] == "holds" ? "violated" : "holds";
  } else {
    const std::size_t other = below(c.system.properties.size());
    const system::Property& p = c.system.properties[other];
    claim["number"] = other + 1;
    claim["property"] = p.name;
    claim["kind"] = system::describe(p.kind);
    if (below(2) == 0) claim["verdict"] = claim["verdict"] == "holds" ? "violated" : "holds";
  }
  return forged.file();
}

// Evidence, runs or closed sets of another claim, of this model or another one; or another kind on the label.
std::string Forger::exchanged_evidence(const MadeCertificate& c) {
  const MadeCertificate& other = honest_[below(honest_.size())];
  MadeCertificate forged = c;
  if (below(4) == 0) {  // everything but what it is about
    forged.head = other.head;
    forged.head["subject"] = c.head["subject"];
    forged.states = other.states;
    return forged.file();
  }
  std::vector<Json*> claims, sources;
  for (const char* list : {"properties", "queues"}) {
    for (Json& claim : forged.head[list]) claims.push_back(&claim);
  }
  Json from = other.head;
  for (const char* list : {"properties", "queues"})
    for (Json& claim : from[list]) sources.push_back(&claim);
  if (claims.empty() || sources.empty()) return {};
  Json& claim = *claims[below(claims.size())];
  const Json& source = *sources[below(sources.size())];
  if (below(3) == 0) {
    const auto kinds = names_of<verdict::CertificateKind>();
    claim["evidence"]["kind"] = kinds[below(kinds.size())];
  } else {
    claim["evidence"] = source["evidence"];
    if (claim.contains("run")) claim.erase("run");
    if (source.contains("run")) claim["run"] = source["run"];
  }
  return forged.file();
}

std::string Forger::changed_states(const MadeCertificate& c) {
  if (!c.head.contains("closed_set")) return {};
  std::vector<semantics::State> states = c.states;
  const std::size_t at = below(states.size());
  switch (below(3)) {
    case 0:
      states.erase(states.begin() + static_cast<std::ptrdiff_t>(at));
      break;
    case 1: {
      semantics::State& state = states[at];
      if (state.cells.empty()) return {};
      state.cells[below(state.cells.size())] += below(2) == 0 ? 1 : -1;
      break;
    }
    default: {
      semantics::State more = states[at];
      if (more.cells.empty()) return {};
      more.cells[below(more.cells.size())] += below(2) == 0 ? 1 : -1;
      states.push_back(more);
      break;
    }
  }
  return c.file(states);
}

}  // namespace parley::verify::testing
