#include "cli/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "diag/diagnostic.hpp"

namespace parley::cli {

std::string Arguments::get(const std::string& option, const std::string& otherwise) const {
  const auto found = options.find(option);
  return found == options.end() || found->second.empty() ? otherwise : found->second.back();
}

std::vector<std::string> Arguments::all(const std::string& option) const {
  const auto found = options.find(option);
  return found == options.end() ? std::vector<std::string>{} : found->second;
}

const Command* find_command(const std::string& name) {
  for (const Command& c : commands())
    if (c.name == name) return &c;
  return nullptr;
}

namespace {

const OptionSpec* find_option(const Command& command, const std::string& name) {
  for (const OptionSpec& o : command.options)
    if (o.name == name) return &o;
  return nullptr;
}

const OptionSpec& known_option(const Command& command, const std::string& name) {
  if (const OptionSpec* o = find_option(command, name)) return *o;
  std::vector<std::string> names;
  for (const OptionSpec& o : command.options) names.push_back(o.name);
  const std::string near = diag::did_you_mean(name, names);
  throw UsageError{fmt::format("`parley {}` has no option --{}", command.name, diag::sanitise(name)),
                   near.empty() ? fmt::format("`parley {} --help` lists them", command.name)
                                : fmt::format("did you mean --{}?", near)};
}

void check_value(const OptionSpec& o, const std::string& value) {
  if (o.values.empty() || std::find(o.values.begin(), o.values.end(), value) != o.values.end()) return;
  throw UsageError{fmt::format("--{} cannot be `{}`", o.name, diag::sanitise(value)),
                   fmt::format("it is one of {}", fmt::join(o.values, ", "))};
}

}  // namespace

Arguments parse(const Command& command, const std::vector<std::string>& words) {
  Arguments result;
  bool only_positional = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (only_positional || word.size() < 2 || word[0] != '-') {
      result.positional.push_back(word);
      continue;
    }
    if (word == "--") {
      only_positional = true;
      continue;
    }
    std::string name, value;
    bool has_value = false;
    if (word[1] == '-') {
      const std::size_t equals = word.find('=');
      name = word.substr(2, equals == std::string::npos ? std::string::npos : equals - 2);
      has_value = equals != std::string::npos;
      if (has_value) value = word.substr(equals + 1);
    } else {
      for (const OptionSpec& o : command.options)
        if (o.letter == word[1]) name = o.name;
      if (name.empty()) name = word.substr(1);
      if (word.size() > 2) {
        value = word.substr(2);
        has_value = true;
      }
    }
    const OptionSpec& o = known_option(command, name);
    if (o.value.empty()) {
      if (has_value) throw UsageError{fmt::format("--{} takes no value", o.name), {}};
      result.options[o.name].push_back("");
      continue;
    }
    if (!has_value) {
      if (i + 1 >= words.size())
        throw UsageError{fmt::format("--{} needs a value", o.name),
                         fmt::format("write --{} {}", o.name, o.value)};
      value = words[++i];
    }
    check_value(o, value);
    auto& list = result.options[o.name];
    if (!o.repeatable && !list.empty()) throw UsageError{fmt::format("--{} is given twice", o.name), {}};
    list.push_back(value);
  }
  if (result.positional.size() < command.min_arguments)
    throw UsageError{fmt::format("`parley {}` needs {}", command.name, command.arguments),
                     fmt::format("`parley {} --help` shows how it is used", command.name)};
  if (result.positional.size() > command.max_arguments)
    throw UsageError{fmt::format("`parley {}` takes {} and no more; `{}` is too much", command.name,
                                 command.arguments.empty() ? "no argument" : command.arguments,
                                 diag::sanitise(result.positional[command.max_arguments])),
                     {}};
  return result;
}

namespace {

std::pair<double, std::string> number_and_unit(const std::string& option, const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0 || !std::isfinite(number))
    throw UsageError{fmt::format("--{} needs a number, not `{}`", option, diag::sanitise(text)), {}};
  return {number, std::string(end, text.data() + text.size())};
}

double scaled(const std::string& option, const std::string& text,
              const std::vector<std::pair<std::string, double>>& units) {
  const auto [number, unit] = number_and_unit(option, text);
  for (const auto& [name, factor] : units)
    if (unit == name) return number * factor;
  std::vector<std::string> names;
  for (const auto& [name, factor] : units)
    if (!name.empty()) names.push_back(name);
  throw UsageError{fmt::format("--{}: unit `{}` is not known", option, diag::sanitise(unit)),
                   fmt::format("units are {}", fmt::join(names, ", "))};
}

}  // namespace

double seconds_value(const std::string& option, const std::string& text) {
  return scaled(option, text, {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"m", 60}, {"min", 60}, {"h", 3600}});
}

std::uint64_t bytes_value(const std::string& option, const std::string& text) {
  const double v = scaled(option, text,
                          {{"", 1},
                           {"k", 1e3},
                           {"K", 1e3},
                           {"kB", 1e3},
                           {"M", 1e6},
                           {"MB", 1e6},
                           {"G", 1e9},
                           {"GB", 1e9},
                           {"KiB", 1024},
                           {"MiB", 1048576},
                           {"GiB", 1073741824}});
  return static_cast<std::uint64_t>(std::min(v, 1e18));
}

std::optional<std::uint64_t> memory_value(const Arguments& a) {
  if (!a.has("memory") || a.get("memory") == "none") return std::nullopt;
  return bytes_value("memory", a.get("memory"));
}

std::uint64_t count_value(const std::string& option, const std::string& text) {
  const double v = scaled(option, text, {{"", 1}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}});
  return static_cast<std::uint64_t>(std::min(v, 1e18));
}

void unknown_choice(const std::string& option, const std::string& text) {
  throw UsageError{fmt::format("--{} cannot be `{}`", option, diag::sanitise(text)), {}};
}

}  // namespace parley::cli
