#include "cli/project_file.hpp"

#include <fmt/format.h>

#include <filesystem>
#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include "diag/diagnostic.hpp"

namespace parley::cli {
namespace {

namespace fs = std::filesystem;

std::optional<fs::path> find_project_file() {
  std::error_code error;
  fs::path folder = fs::current_path(error);
  while (!error && !folder.empty()) {
    if (fs::exists(folder / "parley.toml", error)) return folder / "parley.toml";
    if (folder == folder.parent_path()) break;
    folder = folder.parent_path();
  }
  return std::nullopt;
}

[[noreturn]] void fail(const fs::path& file, const toml::source_region& at, const std::string& what) {
  throw UsageError{
      fmt::format("{}:{}:{}: {}", diag::sanitise(file.string()), at.begin.line, at.begin.column, what), {}};
}

std::string scalar(const fs::path& file, const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* number = node.as_integer()) return std::to_string(number->get());
  if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  fail(file, node.source(), "expected a text, a number or a truth value");
}

// The words an option's value stands for: one, several (array), or NAME=VALUE pairs (table).
std::vector<std::string> words(const fs::path& file, const toml::node& node) {
  std::vector<std::string> result;
  if (const auto* list = node.as_array()) {
    for (const auto& item : *list) result.push_back(scalar(file, item));
  } else if (const auto* table = node.as_table()) {
    for (const auto& [key, value] : *table)
      result.push_back(std::string(key.str()) + '=' + scalar(file, value));
  } else {
    result.push_back(scalar(file, node));
  }
  return result;
}

}  // namespace

void apply_project_file(const Command& command, Arguments& arguments) {
  const std::optional<fs::path> file = find_project_file();
  if (!file) return;
  const toml::parse_result parsed = toml::parse_file(file->string());
  if (!parsed) fail(*file, parsed.error().source(), std::string(parsed.error().description()));
  const toml::table* section = parsed.table()[command.name].as_table();
  if (section == nullptr) return;
  for (const auto& [key, value] : *section) {
    const std::string name(key.str());
    const OptionSpec* option = nullptr;
    std::vector<std::string> known;
    for (const OptionSpec& o : command.options) {
      known.push_back(o.name);
      if (o.name == name) option = &o;
    }
    if (option == nullptr) {
      const std::string near = diag::did_you_mean(name, known);
      fail(*file, value.source(),
           fmt::format("`{}` is no option of `parley {}`{}", diag::sanitise(name), command.name,
                       near.empty() ? "" : fmt::format("; did you mean `{}`?", near)));
    }
    if (arguments.has(name)) continue;
    std::vector<std::string> given = words(*file, value);
    if (option->value.empty()) {
      if (given.size() != 1 || (given[0] != "true" && given[0] != "false"))
        fail(*file, value.source(), fmt::format("`{}` is true or false", name));
      if (given[0] == "true") arguments.options[name] = {""};
      continue;
    }
    if (given.size() > 1 && !option->repeatable)
      fail(*file, value.source(), fmt::format("`{}` takes one value", name));
    for (const std::string& v : given)
      if (!option->values.empty() &&
          std::find(option->values.begin(), option->values.end(), v) == option->values.end())
        fail(*file, value.source(), fmt::format("`{}` is one of {}", name, fmt::join(option->values, ", ")));
    arguments.options[name] = std::move(given);
  }
}

}  // namespace parley::cli
