#include "report/annotations.hpp"

#include <fmt/format.h>

#include "verdict/json.hpp"
#include "verdict/narrate.hpp"

namespace parley::report {
namespace {

using json = nlohmann::ordered_json;

void add_step(const ResultSet& set, const verdict::NarratedStep& step, std::size_t number,
              const std::string& property, json& steps, json& elements) {
  const system::System& s = set.system;
  const std::string owner = step.owner.valid() ? s.owner(step.owner).name : std::string();
  json item = {{"step", number}, {"object", owner}, {"does", step.title}};
  item["elements"] = json::array();
  const auto mention = [&](const std::string& id, const std::string& name) {
    if (id.empty()) return;
    for (const auto& known : item["elements"]) {
      if (known == id) return;
    }
    item["elements"].push_back(id);
    elements[id].push_back({{"property", property},
                            {"step", number},
                            {"comment", fmt::format("step {} of the counterexample to \"{}\": {} ({})",
                                                    number, property, name, owner)}});
  };
  for (const auto e : s.action(step.action).elements) mention(s.element(e).origin.element, s.element(e).name);
  for (const auto e : step.noted) mention(s.element(e).origin.element, s.element(e).name);
  json changes = json::array();
  for (const auto& c : step.changes)
    changes.push_back({{"name", c.name}, {"before", c.before}, {"after", c.after}});
  item["changes"] = std::move(changes);
  steps.push_back(std::move(item));
}

}  // namespace

std::string to_annotations(const ResultSet& set) {
  json j = {{"format", "parley-annotations"}, {"version", 1}, {"model", set.model_path}};
  j["results"] = json::array();
  json elements = json::object();
  for (const auto& r : set.results) {
    const std::string& name = set.system.property(r.property).name;
    json result = {{"property", name}};
    if (const auto* v = std::get_if<verdict::Violated>(&r.verdict)) {
      result["verdict"] = "violated";
      result["reason"] = v->reason;
      if (!v->origin.element.empty()) {
        result["element"] = v->origin.element;
        elements[v->origin.element].push_back({{"property", name}, {"comment", v->reason}});
      }
      result["steps"] = json::array();
      if (v->trace) {
        const auto narration = verdict::narrate(set.interpreter, r.property, *v->trace);
        for (std::size_t i = 0; i < narration.steps.size(); ++i) {
          add_step(set, narration.steps[i], i + 1, name, result["steps"], elements);
        }
      }
    } else {
      result["verdict"] = std::holds_alternative<verdict::Holds>(r.verdict) ? "holds" : "unknown";
    }
    j["results"].push_back(std::move(result));
  }
  j["elements"] = std::move(elements);
  return verdict::dump(j) + "\n";
}

}  // namespace parley::report
