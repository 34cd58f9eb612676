#include "report/html.hpp"

#include <fmt/format.h>

#include <map>
#include <set>

#include "diag/diagnostic.hpp"
#include "model/resolve.hpp"
#include "report/assets.hpp"
#include "report/draw.hpp"
#include "report/quoting.hpp"
#include "report/story_page.hpp"
#include "verdict/json.hpp"

namespace parley::report {
namespace {

using json = nlohmann::ordered_json;

// Larger sources are cut: the excerpt around a step is all that is ever shown.
constexpr std::size_t kMaxSourceBytes = 400'000;

class Page {
 public:
  Page(const ResultSet& set, const HtmlOptions& options) : set_(set), s_(set.system), o_(options) {}

  json data() {
    json j;
    owners(j);
    elements();
    cells(j);
    results(j);
    j["drawings"] = std::move(drawings_);
    j["elements"] = std::move(elements_);
    j["sources"] = json::array();
    for (std::size_t i = 0; i < set_.sources.size(); ++i) {
      const std::string& text = set_.sources.text(diag::FileId(i));
      if (text.size() <= kMaxSourceBytes)
        j["sources"].push_back({{"name", set_.sources.name(diag::FileId(i))}, {"text", text}});
    }
    if (s_.owners.size() <= 60)
      if (auto picture = svg(structure_dot(s_))) j["structure"] = *picture;
    return j;
  }

 private:
  DrawOptions draw_options(model::ClassId id) const {
    return {fmt::format("c{}-", id.value), o_.model->of(id).machine->transitions.size() < 60};
  }

  // The drawing of a class's machine, made once; null if Graphviz is not there.
  json machine_drawing(model::ClassId id) {
    const auto found = by_class_.find(id.value);
    if (found != by_class_.end()) return found->second;
    json index = nullptr;
    const model::Class& c = o_.model->of(id);
    if (c.machine)
      if (auto picture = svg(machine_dot(*o_.model, *c.machine, draw_options(id)))) {
        index = drawings_.size();
        drawings_.push_back({{"title", c.name}, {"svg", *picture}});
      }
    by_class_[id.value] = index;
    return index;
  }

  void owners(json& j) {
    j["owners"] = json::array();
    std::map<std::string, json> by_type;  // systems without a Model: one drawing per proctype
    for (std::size_t i = 0; i < s_.owners.size(); ++i) {
      const system::Owner& o = s_.owners[i];
      json owner = {
          {"name", o.name}, {"type", o.type_name}, {"drawing", nullptr}, {"locations", json::array()}};
      if (o_.model != nullptr && o_.map != nullptr) {
        const std::uint32_t object =
            i < o_.map->owner_objects.size() ? o_.map->owner_objects[i] : Id<void>::kNone;
        if (object != Id<void>::kNone) {
          const model::ClassId c = model::machine_class(*o_.model, o_.model->objects[object].of_class);
          if (c.valid()) {
            owner["drawing"] = machine_drawing(c);
            for (system::CellId cell : o.locations) {
              json values = json::object();
              const auto& vertices = o_.map->locations[cell.index()];
              for (std::size_t v = 0; v < vertices.size(); ++v)
                if (vertices[v].valid())
                  values[std::to_string(v)] = fmt::format("c{}-v{}", c.value, vertices[v].value);
              owner["locations"].push_back({{"cell", cell.value}, {"values", std::move(values)}});
            }
          }
        }
      } else if (!o.locations.empty() && drawings_.size() < 40) {
        const std::string prefix = fmt::format("o{}-", i);
        if (auto picture = svg(owner_dot(s_, system::OwnerId(i), {prefix, true}))) {
          owner["drawing"] = drawings_.size();
          owner["action_ids"] = prefix + "a";  // the drawing's edges are actions
          drawn_actions_[static_cast<std::uint32_t>(i)] = {drawings_.size(), prefix + "a"};
          drawings_.push_back({{"title", o.name}, {"svg", *picture}});
          json values = json::object();
          const expr::Type& type = s_.cell(o.locations.front()).type;
          for (std::int32_t v = type.lo; v <= type.hi; ++v)
            values[std::to_string(v)] = fmt::format("{}l{}", prefix, v);
          owner["locations"].push_back({{"cell", o.locations.front().value}, {"values", std::move(values)}});
        }
      }
      j["owners"].push_back(std::move(owner));
    }
  }

  void cells(json& j) {
    static const char* roles[] = {"data", "location", "bookkeeping"};
    j["cells"] = json::array();
    for (const system::Cell& c : s_.cells)
      j["cells"].push_back({{"name", c.name},
                            {"role", roles[static_cast<int>(c.role)]},
                            {"owner", c.owner.valid() ? s_.owner(c.owner).name : ""}});
    j["queues"] = json::array();
    for (std::size_t i = 0; i < s_.queues.size(); ++i)
      j["queues"].push_back({{"name", s_.queues[i].name},
                             {"capacity", i < o_.queue_capacities.size() ? o_.queue_capacities[i] : 0}});
  }

  // Which elements exist, where they are drawn, and whether a complete search never reached them.
  void elements() {
    std::set<std::uint32_t> dead;
    for (const verdict::PropertyResult& r : set_.results) {
      if (const auto* v = std::get_if<verdict::Violated>(&r.verdict))
        for (verdict::ElementId e : v->unreached) dead.insert(e.value);
      if (r.coverage.complete)
        for (verdict::ElementId e : r.coverage.unreached) dead.insert(e.value);
    }
    elements_ = json::array();
    for (std::size_t i = 0; i < s_.elements.size(); ++i) {
      const system::Element& e = s_.elements[i];
      json j = {{"name", e.name},
                {"id", nullptr},
                {"drawing", nullptr},
                {"unreached", dead.count(static_cast<std::uint32_t>(i)) > 0}};
      if (e.origin.span.valid()) j["line"] = set_.sources.position(e.origin.span).line;
      if (o_.model != nullptr && o_.map != nullptr && i < o_.map->elements.size()) {
        const auto& from = o_.map->elements[i];
        if (from.machine_class.valid()) {
          j["drawing"] = machine_drawing(from.machine_class);
          if (from.transition.valid()) {
            j["id"] = fmt::format("c{}-t{}", from.machine_class.value, from.transition.value);
            // Internal transitions have no edge: they are marked at their state.
            const model::Transition& t =
                o_.model->of(from.machine_class).machine->transition(from.transition);
            if (t.kind == model::TransitionKind::Internal && t.source.valid()) {
              j["home"] = fmt::format("c{}-v{}", from.machine_class.value, t.source.value);
              j["label"] = diag::sanitise(drawn_label(t, draw_options(from.machine_class)));
            }
          }
          if (from.vertex.valid())
            j["id"] = fmt::format("c{}-v{}", from.machine_class.value, from.vertex.value);
        }
      }
      elements_.push_back(std::move(j));
    }
    // Statements of processes: drawn as the actions that execute them.
    for (std::size_t a = 0; a < s_.actions.size(); ++a)
      for (system::ElementId e : s_.actions[a].elements)
        if (const auto drawn = drawn_actions_.find(s_.actions[a].owner.value); drawn != drawn_actions_.end())
          if (json& j = elements_[e.index()]; j["unreached"])
            j["edges"].push_back(
                {{"drawing", drawn->second.first}, {"id", fmt::format("{}{}", drawn->second.second, a)}});
  }

  void results(json& j) {
    j["results"] = json::array();
    for (const verdict::PropertyResult& r : set_.results) {
      json one = verdict::to_json(s_, set_.sources, set_.interpreter, r, nullptr);
      one.erase("trace");
      one["coverage"].erase("unreached");
      if (one.contains("narration")) add_codes(r, one["narration"]);
      if (json page = story_page(s_, r); !page.is_null()) one["story"] = std::move(page);
      j["results"].push_back(std::move(one));
    }
  }

  // The page highlights by value, not by text: each state gets the raw codes beside the printed values.
  void add_codes(const verdict::PropertyResult& r, json& narration) {
    const verdict::Trace* trace = nullptr;
    if (const auto* v = std::get_if<verdict::Violated>(&r.verdict)) trace = v->trace ? &*v->trace : nullptr;
    if (const auto* h = std::get_if<verdict::Holds>(&r.verdict)) trace = h->witness ? &*h->witness : nullptr;
    if (trace == nullptr) return;
    const verdict::Narration told = verdict::narrate(set_.interpreter, r.property, *trace);
    for (std::size_t i = 0; i < told.states.size() && i < narration["states"].size(); ++i)
      narration["states"][i]["codes"] = told.states[i].cells;
  }

  const ResultSet& set_;
  const system::System& s_;
  const HtmlOptions& o_;
  json drawings_ = json::array();
  json elements_;
  std::map<std::uint32_t, std::pair<std::size_t, std::string>> drawn_actions_;  // owner: drawing, id prefix
  std::map<std::uint32_t, json> by_class_;
};

std::string replaced(std::string_view text, const std::map<std::string, std::string>& values) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '@') {
      const std::size_t end = text.find('@', at + 1);
      const auto found = end == std::string_view::npos
                             ? values.end()
                             : values.find(std::string(text.substr(at + 1, end - at - 1)));
      if (found != values.end()) {
        out += found->second;
        at = end + 1;
        continue;
      }
    }
    out += text[at++];
  }
  return out;
}

}  // namespace

std::string to_html(const ResultSet& set, const HtmlOptions& options) {
  const std::string data = verdict::dump(Page(set, options).data(), -1);
  return replaced(report_html, {{"TITLE", html_text(clipped(set.system.name, 200))},
                                {"COMMAND", html_text(set.command)},
                                {"STYLE", std::string(report_css)},
                                {"SCRIPT", std::string(sequence_js) + std::string(truth_js) +
                                               std::string(stories_js) + std::string(report_js)},
                                {"DATA", script_json(data)}});
}

}  // namespace parley::report
