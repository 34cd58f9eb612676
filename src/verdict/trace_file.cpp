#include "verdict/trace_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "verdict/json.hpp"

namespace parley::verdict {
namespace {

constexpr std::uint64_t kAnyChoice = ~std::uint64_t{0};
constexpr std::uint64_t kLongestQueue = 1U << 24;  // what runs without capacities get (verdict/replay.cpp)

constexpr std::string_view kTraceName = "parley-trace", kResultName = "parley-result";

std::vector<std::uint32_t> capacities_of(const system::System& s, const std::vector<JsonReader>& numbers,
                                         const JsonReader& list) {
  if (numbers.size() != s.queues.size())
    list.reject(fmt::format("must have one entry for each of the model's {} queues", s.queues.size()));
  std::vector<std::uint32_t> capacities;
  for (std::size_t q = 0; q < numbers.size(); ++q) {
    capacities.push_back(static_cast<std::uint32_t>(numbers[q].natural(kLongestQueue)));
    if (s.queues[q].capacity && *s.queues[q].capacity != capacities[q])
      numbers[q].reject(
          fmt::format("must be {}, the declared capacity of {}", *s.queues[q].capacity, s.queues[q].name));
  }
  return capacities;
}

PropertyId property_of(const system::System& s, const JsonReader& name) {
  for (std::size_t i = 0; i < s.properties.size(); ++i)
    if (s.properties[i].name == name.text()) return PropertyId(i);
  name.reject("names no property of the model");
}

ClaimedTrace from_trace_file(const system::System& s, const JsonReader& file) {
  ClaimedTrace claimed{read_trace(s, file), std::nullopt, std::nullopt};
  if (file.has("shows")) claimed.shows = property_of(s, file.field("shows"));
  if (file.has("capacities"))
    claimed.capacities = capacities_of(s, file.field("capacities").items(), file.field("capacities"));
  return claimed;
}

void check_place(const JsonReader& place) {
  place.has_fields({}, {"file", "line", "column", "begin", "end", "element"});
}

void check_coverage(const JsonReader& coverage) {
  coverage.has_fields(
      {"seconds", "complete", "unreached"},
      {"states", "transitions", "depth", "bound", "memory_bytes", "bytes_per_state", "max_queue_length"});
  coverage.field("seconds").amount();
  coverage.field("complete").flag();
  for (const JsonReader& name : coverage.field("unreached").items()) name.text();
}

// The fields of a result that say what is claimed; its story, truth and narration are told again, not read.
void check_result(const JsonReader& r) {
  r.has_fields({"property", "kind", "verdict", "engine", "place", "assumptions", "coverage"},
               {"implicit", "lemmas", "notes", "certificate", "checked", "reason", "reason_place",
                "unreached", "found_in_steps", "story", "truth", "trace", "narration"});
  r.field("property").text();
  r.field("kind").text();
  const std::string& verdict = r.field("verdict").text();
  if (verdict != "holds" && verdict != "violated" && verdict != "unknown")
    r.field("verdict").reject("must be \"holds\", \"violated\" or \"unknown\"");
  r.field("engine").text();
  check_place(r.field("place"));
  for (const JsonReader& a : r.field("assumptions").items()) {
    a.has_fields({"code", "text"});
    if (!named<AssumptionCode>(a.field("code").text())) a.field("code").reject("is no code of an assumption");
    a.field("text").text();
  }
  check_coverage(r.field("coverage"));
}

// What a result with a trace says: that the property is violated, or for `reachable` that it holds.
PropertyId claim_of(const system::System& s, const JsonReader& r) {
  const PropertyId id = property_of(s, r.field("property"));
  const system::PropertyKind kind = s.property(id).kind;
  r.field("kind").is(system::describe(kind));
  const bool reached = kind == system::PropertyKind::Reachable;
  if (r.field("verdict").text() != (reached ? "holds" : "violated"))
    r.field("verdict").reject(fmt::format("cannot be \"{}\": a run {} it", r.field("verdict").text(),
                                          reached ? "shows" : "violates"));
  return id;
}

ClaimedTrace from_result_file(const system::System& s, const JsonReader& file, const std::string& property) {
  file.has_fields({"format", "version", "model", "command", "seconds", "cells", "queues", "results"});
  file.field("version").is(std::uint64_t{kResultFormat});
  file.field("model").text();
  file.field("command").text();
  file.field("seconds").amount();
  for (const JsonReader& cell : file.field("cells").items()) cell.text();
  std::vector<JsonReader> capacities;
  for (const JsonReader& queue : file.field("queues").items()) {
    queue.has_fields({"name", "capacity"});
    if (capacities.size() < s.queues.size()) queue.field("name").is(s.queues[capacities.size()].name);
    capacities.push_back(queue.field("capacity"));
  }
  std::optional<JsonReader> found;
  for (const JsonReader& r : file.field("results").items()) {
    check_result(r);
    if (!found && r.has("trace") && (property.empty() || r.field("property").text() == property)) found = r;
  }
  if (!found)
    file.field("results").reject(property.empty() ? "has no trace"
                                                  : fmt::format("has no trace for `{}`", property));
  return {read_trace(s, found->field("trace")), claim_of(s, *found),
          capacities_of(s, capacities, file.field("queues"))};
}

}  // namespace

Trace read_trace(const system::System& s, const JsonReader& file) {
  file.has_fields({"format", "version", "model", "steps"},
                  {"initial_choices", "loop_start", "shows", "capacities"});
  file.field("format").is(kTraceName);
  file.field("version").is(std::uint64_t{kTraceFormat});
  file.field("model").text();
  Trace trace;
  if (file.has("initial_choices")) trace.initial_choices = file.field("initial_choices").naturals(kAnyChoice);
  for (const JsonReader& step : file.field("steps").items()) {
    step.has_fields({"action", "owner", "name"}, {"choices"});
    if (s.actions.empty()) step.reject("names an action, and the model has none");
    const system::ActionId id(step.field("action").natural(s.actions.size() - 1));
    const system::Action& action = s.action(id);
    const std::string& owner = s.owner(action.owner).name;
    if (step.field("name").text() != action.name || step.field("owner").text() != owner)
      step.reject(fmt::format("says that action {} is `{}` of {}; it is `{}` of {}", id.value,
                              step.field("name").text(), step.field("owner").text(), action.name, owner));
    trace.steps.push_back({id, step.has("choices") ? step.field("choices").naturals(kAnyChoice)
                                                   : std::vector<std::uint64_t>{}});
  }
  if (file.has("loop_start")) {
    trace.loop_start =
        file.field("loop_start").natural(trace.steps.size());  // at the end: the run ends there
  }
  return trace;
}

ClaimedTrace read_claimed_trace(const system::System& s, const nlohmann::json& json,
                                const std::string& property) {
  const JsonReader file(json);
  const std::string& format = file.field("format").text();
  if (format == kResultName) return from_result_file(s, file, property);
  if (format != kTraceName) file.field("format").reject("is neither that of a trace nor that of a result");
  ClaimedTrace claimed = from_trace_file(s, file);
  if (!property.empty()) {
    claimed.shows = property_named(s, property);
    if (!claimed.shows) throw Malformed{fmt::format("the model has no property `{}`", property)};
  }
  return claimed;
}

nlohmann::ordered_json to_json(const system::System& s, const ClaimedTrace& claimed) {
  nlohmann::ordered_json j = to_json(s, claimed.trace);
  if (claimed.shows) j["shows"] = s.property(*claimed.shows).name;
  if (claimed.capacities) j["capacities"] = *claimed.capacities;
  return j;
}

std::optional<PropertyId> property_named(const system::System& s, const std::string& name) {
  for (std::size_t i = 0; i < s.properties.size(); ++i)
    if (name == s.properties[i].name || name == std::to_string(i + 1)) return PropertyId(i);
  return std::nullopt;
}

}  // namespace parley::verdict
