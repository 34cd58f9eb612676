#include "verdict/strict_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace parley::verdict {
namespace {

using nlohmann::json;

// Results with stories are nested about ten deep.
constexpr int kDeepest = 64;

std::string shown(std::string_view place) {
  return place.empty() ? "the file" : fmt::format("`{}`", place);
}

bool listed(const std::vector<std::string_view>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

json parse_strictly(std::string_view text) {
  std::vector<std::set<std::string>> names;  // of the objects that are open
  const json::parser_callback_t watch = [&](int depth, json::parse_event_t event, json& parsed) {
    if (depth > kDeepest) throw Malformed{fmt::format("the file is nested more than {} deep", kDeepest)};
    if (event == json::parse_event_t::object_start) {
      names.emplace_back();
    } else if (event == json::parse_event_t::object_end) {
      names.pop_back();
    } else if (event == json::parse_event_t::key) {
      const auto name = parsed.get<std::string>();
      if (!names.back().insert(name).second)
        throw Malformed{fmt::format("the field `{}` is there twice", name)};
    }
    return true;
  };
  try {
    return json::parse(text, watch);
  } catch (const json::exception& e) {
    throw Malformed{fmt::format("this is no JSON: {}", e.what())};
  }
}

void JsonReader::reject(std::string_view why) const {
  throw Malformed{fmt::format("{} {}", shown(place_), why)};
}

void JsonReader::has_fields(const std::vector<std::string_view>& required,
                            const std::vector<std::string_view>& optional) const {
  if (!value_->is_object()) reject("must be an object");
  for (const std::string_view name : required)
    if (!has(name)) reject(fmt::format("lacks the field `{}`", name));
  for (const auto& [name, ignored] : value_->items())
    if (!listed(required, name) && !listed(optional, name))
      reject(fmt::format("has a field `{}`, which means nothing there", name));
}

bool JsonReader::has(std::string_view name) const {
  return value_->is_object() && value_->contains(std::string(name));
}

JsonReader JsonReader::field(std::string_view name) const {
  if (!has(name)) reject(fmt::format("lacks the field `{}`", name));
  return JsonReader(value_->at(std::string(name)),
                    place_.empty() ? std::string(name) : fmt::format("{}.{}", place_, name));
}

std::vector<JsonReader> JsonReader::items() const {
  if (!value_->is_array()) reject("must be a list");
  std::vector<JsonReader> all;
  for (const json& item : *value_) all.emplace_back(item, fmt::format("{}[{}]", place_, all.size()));
  return all;
}

std::vector<std::pair<std::string, JsonReader>> JsonReader::entries() const {
  if (!value_->is_object()) reject("must be an object");
  std::vector<std::pair<std::string, JsonReader>> all;
  for (const auto& [name, value] : value_->items())
    all.emplace_back(name, JsonReader(value, fmt::format("{}.{}", place_, name)));
  return all;
}

const std::string& JsonReader::text() const {
  if (!value_->is_string()) reject("must be a text");
  return value_->get_ref<const std::string&>();
}

bool JsonReader::flag() const {
  if (!value_->is_boolean()) reject("must be true or false");
  return value_->get<bool>();
}

std::uint64_t JsonReader::natural(std::uint64_t most) const {
  if (!value_->is_number_unsigned() || value_->get<std::uint64_t>() > most)
    reject(fmt::format("must be a whole number from 0 to {}", most));
  return value_->get<std::uint64_t>();
}

double JsonReader::amount() const {
  if (!value_->is_number() || !std::isfinite(value_->get<double>()) || value_->get<double>() < 0)
    reject("must be a number that is not negative");
  return value_->get<double>();
}

std::vector<std::uint64_t> JsonReader::naturals(std::uint64_t most) const {
  std::vector<std::uint64_t> all;
  for (const JsonReader& item : items()) all.push_back(item.natural(most));
  return all;
}

void JsonReader::is(std::string_view expected) const {
  if (text() != expected) reject(fmt::format("must be \"{}\"", expected));
}

void JsonReader::is(std::uint64_t expected) const {
  if (!value_->is_number_unsigned() || value_->get<std::uint64_t>() != expected)
    reject(fmt::format("must be {}", expected));
}

}  // namespace parley::verdict
