// One page per round of a refinement loop: the abstract system's size, its counterexample, why that was
// spurious, what was relevant, what was split.
#include <fmt/format.h>

#include <charconv>
#include <map>

#include "report/story_page.hpp"

namespace parley::report {
namespace {

using json = nlohmann::ordered_json;

// More than anybody reads; the JSON result has everything.
constexpr std::size_t kMaxRounds = 300, kMaxRefinements = 20, kMaxNames = 100;

// "(8, x)" and "(7, x)" become one line: x at 7-8. The number is the place in the counterexample's analysis.
json grouped(const json& relevant) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<std::size_t>> numbers;
  for (const json& item : relevant) {
    const std::string text = item.get<std::string>();
    std::size_t number = 0;
    const std::size_t comma = text.find(", ");
    std::string name = text;
    if (text.size() > 3 && text.front() == '(' && text.back() == ')' && comma != std::string::npos &&
        std::from_chars(text.data() + 1, text.data() + comma, number).ptr == text.data() + comma)
      name = text.substr(comma + 2, text.size() - comma - 3);
    if (!numbers.contains(name)) order.push_back(name);
    numbers[name].push_back(number);
  }
  json list = json::array();
  for (const std::string& name : order) {
    if (list.size() == kMaxNames) break;
    std::vector<std::size_t>& at = numbers[name];
    std::sort(at.begin(), at.end());
    std::string ranges;
    for (std::size_t i = 0; i < at.size();) {
      std::size_t j = i;
      while (j + 1 < at.size() && at[j + 1] <= at[j] + 1) ++j;
      ranges += fmt::format("{}{}", ranges.empty() ? "" : ", ",
                            at[i] == at[j] ? fmt::format("{}", at[i]) : fmt::format("{}-{}", at[i], at[j]));
      i = j + 1;
    }
    list.push_back({{"name", name}, {"at", ranges}});
  }
  return list;
}

std::string outcome(const json& round, bool last, const std::string& verdict) {
  if (!round.contains("counterexample_length"))
    return last && verdict == "unknown" ? "The loop stopped in this round without an answer."
                                        : "No run of the abstract system breaks the property. It has every "
                                          "run of the model and more, so "
                                          "the property holds.";
  const auto length = round.at("counterexample_length").get<std::size_t>();
  if (round.at("feasible").get<bool>())
    return fmt::format(
        "The abstract system has a run of {} events that ends badly, and the model can follow it: it is "
        "real.",
        length);
  return fmt::format(
      "The abstract system has a run of {} events that ends badly, but the model does not do the same: the "
      "run "
      "is spurious.",
      length);
}

json one_refinement(const json& f) {
  json x = {{"length", f.at("length")},
            {"executed", f.at("executed")},
            {"why", f.at("why")},
            {"initial_number", f.at("initial_number")},
            {"initial", f.at("initial_relevant")},
            {"relevant", grouped(f.at("relevant"))},
            {"refiner", f.at("refiner")},
            {"step", f.at("step")},
            {"expression", f.at("expression")},
            {"split", f.at("split")}};
  return x;
}

std::string cells_text(const json& variable) {
  std::string text;
  const json& starts = variable.at("cells_start_at");
  const auto bound = [](std::int64_t v) {
    if (v == expr::kIntMin) return std::string("min");
    return v == expr::kIntMax ? std::string("max") : std::to_string(v);
  };
  for (std::size_t i = 0; i < starts.size() && i < kMaxNames; ++i) {
    const auto lo = starts[i].get<std::int64_t>();
    const auto hi = i + 1 < starts.size() ? starts[i + 1].get<std::int64_t>() - 1
                                          : variable.at("last").get<std::int64_t>();
    text += fmt::format("{}{}", i == 0 ? "" : "  ",
                        lo == hi ? bound(lo) : fmt::format("{}..{}", bound(lo), bound(hi)));
  }
  return starts.size() > kMaxNames ? text + fmt::format("  and {} more", starts.size() - kMaxNames) : text;
}

}  // namespace

json refinement_page(const json& story) {
  json page = {{"rounds", json::array()}, {"precision", json::array()}};
  const json& rounds = story.at("rounds");
  const std::string verdict = story.at("verdict").get<std::string>();
  for (std::size_t i = 0; i < rounds.size() && i < kMaxRounds; ++i) {
    const json& r = rounds[i];
    json one = {{"round", r.at("round")},
                {"variables", r.at("variables")},
                {"cells", r.at("cells")},
                {"states", r.at("abstract_states")},
                {"transitions", r.at("transitions")},
                {"outcome", outcome(r, i + 1 == rounds.size(), verdict)}};
    if (r.contains("counterexample_length")) {
      one["length"] = r.at("counterexample_length");
      one["feasible"] = r.at("feasible");
    }
    one["refinements"] = json::array();
    const json& refinements = r.at("refinements");
    for (std::size_t k = 0; k < refinements.size() && k < kMaxRefinements; ++k)
      one["refinements"].push_back(one_refinement(refinements[k]));
    if (refinements.size() > kMaxRefinements) one["more"] = refinements.size() - kMaxRefinements;
    page["rounds"].push_back(std::move(one));
  }
  if (rounds.size() > kMaxRounds) page["more"] = rounds.size() - kMaxRounds;
  for (const json& v : story.at("precision"))
    page["precision"].push_back(
        {{"variable", v.at("variable")}, {"cells", v.at("cells_start_at").size()}, {"text", cells_text(v)}});
  return page;
}

}  // namespace parley::report
