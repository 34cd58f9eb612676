#include "load/load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "front/diagram/diagram.hpp"
#include "front/promela/promela.hpp"
#include "front/text/parser.hpp"
#include "front/uml/uml.hpp"
#include "load/error_search.hpp"
#include "model/resolve.hpp"
#include "system/fairness.hpp"

namespace parley::load {
namespace {

// Larger inputs are certainly not hand-made models; the limit keeps memory in hand.
constexpr std::uintmax_t kMaxFileBytes = 256u << 20;

// The switches that mean something for Promela (docs/promela.md); the others are refused, as for text models.
front::promela::Options promela_options(const LoadOptions& options, diag::Diagnostics& diagnostics) {
  front::promela::Options result;
  for (const auto& [name, value] : options.constants) result.defines.push_back(name + "=" + value);
  result.include_folders = options.include_folders;
  if (options.compiler_preprocesses) result.preprocess_by = front::promela::PreprocessBy::Compiler;
  result.preprocess_seconds = options.seconds;
  const auto bad = [&](const std::string& name, const std::string& value, const char* values) {
    diagnostics.error("unknown-switch-value", {},
                      fmt::format("the switch '{}' has no value '{}'", name, value), values);
  };
  for (const auto& [name, value] : options.switches) {
    if (name == "instances") {
      std::uint32_t n = 0;
      const auto [end, problem] = std::from_chars(value.data(), value.data() + value.size(), n);
      if (problem != std::errc() || end != value.data() + value.size() || n < 1 || n > 4096)
        bad(name, value, "it is a number from 1 to 4096");
      else
        result.max_instances = n;
    } else if (name == "full-channel") {
      if (value != "block" && value != "lose") bad(name, value, "it is block or lose");
      result.lose_messages = value == "lose";
    } else if (name == "promises") {
      if (value != "check" && value != "trust") bad(name, value, "it is check or trust");
      result.check_promises = value == "check";
    } else if (name == "fairness") {
      if (value != "declared" && value != "none" && value != "weak" && value != "strong")
        bad(name, value, "it is declared, none, weak or strong");
    } else if (name == "runs") {
      if (value != "stutter" && value != "finite") bad(name, value, "it is stutter or finite");
    } else {
      diagnostics.error("unknown-switch", {}, fmt::format("Promela has no switch '{}'", name),
                        "there are instances, full-channel, promises, fairness and runs");
    }
  }
  return result;
}

// Which runs temporal properties of Promela models are asked of; for other models lowering says so.
void choose_runs(system::System& system, const std::map<std::string, std::string>& switches) {
  const auto chosen = [&](const char* name) {
    const auto it = switches.find(name);
    return it == switches.end() ? std::string() : it->second;
  };
  const std::string fairness = chosen("fairness");
  if (fairness == "weak" || fairness == "strong")
    system.fairness = system::fair_scheduling(
        system, fairness == "weak" ? system::Fairness::Strength::Weak : system::Fairness::Strength::Strong);
  if (chosen("runs") == "finite") system.run_end = system::RunEnd::Ends;
}

// Of the formats that are diagrams in text.
std::optional<front::diagram::Notation> notation_of(Format format) {
  switch (format) {
    case Format::PlantUml:
      return front::diagram::Notation::PlantUml;
    case Format::Mermaid:
      return front::diagram::Notation::Mermaid;
    case Format::Markdown:
      return front::diagram::Notation::Markdown;
    case Format::XState:
      return front::diagram::Notation::XState;
    case Format::Text:
    case Format::Uml:
    case Format::Promela:
      break;
  }
  return std::nullopt;
}

// A UML model or a diagram in text, with the system of a text model beside it if one is named.
void load_uml(Loaded& loaded, const std::string& path, std::string bytes, const LoadOptions& options) {
  front::uml::Options uml;
  uml.havoc_unknown = options.havoc_unknown;
  uml.names_are_triggers = options.names_are_triggers;
  uml.classes = options.classes;
  std::optional<model::Model> system;
  if (!options.system_path.empty()) {
    std::optional<std::string> text = read_file(options.system_path, loaded.diagnostics);
    if (!text) return;
    const diag::FileId file = loaded.sources.add(options.system_path, std::move(*text));
    system = front::text::parse(loaded.sources, file, loaded.diagnostics);
    uml.system = &*system;
  }
  const auto notation = notation_of(loaded.format);
  loaded.model = notation ? front::diagram::load(loaded.sources, path, std::move(bytes), *notation,
                                                 loaded.diagnostics, uml, loaded.import)
                          : front::uml::load(loaded.sources, path, std::move(bytes), loaded.diagnostics, uml,
                                             loaded.import);
  if (loaded.model) model::resolve(*loaded.model, loaded.diagnostics, {options.constants, options.switches});
}

}  // namespace

namespace {

// What the user says, then the ending, then the content. Null with an error.
std::optional<Format> find_format(const std::string& path, const std::string& bytes,
                                  const LoadOptions& options, diag::Diagnostics& diagnostics) {
  if (options.format) return options.format;
  if (const auto format = format_of(path)) return format;
  if (const std::string hint = export_hint(path); !hint.empty()) {
    diagnostics.error("unknown-format", {},
                      fmt::format("`{}` is a file that only its tool reads; export the model as XMI", path),
                      hint);
    return std::nullopt;
  }
  if (const auto format = format_of_content(bytes)) return format;
  diagnostics.error("unknown-format", {},
                    fmt::format("neither the ending nor the content of `{}` says a known format", path),
                    known_endings() + "; --format-in says it");
  return std::nullopt;
}

}  // namespace

std::optional<std::string> read_file(const std::string& path, diag::Diagnostics& diagnostics) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (error || !std::filesystem::exists(status)) {
    diagnostics.error("unreadable-file", {}, fmt::format("there is no file `{}`", path));
    return std::nullopt;
  }
  if (std::filesystem::is_directory(status)) {
    diagnostics.error("unreadable-file", {}, fmt::format("`{}` is a folder", path));
    return std::nullopt;
  }
  if (std::filesystem::is_regular_file(status) && std::filesystem::file_size(path, error) > kMaxFileBytes) {
    diagnostics.error("file-too-large", {},
                      fmt::format("`{}` is larger than {} MB", path, kMaxFileBytes >> 20));
    return std::nullopt;
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    diagnostics.error("unreadable-file", {}, fmt::format("`{}` cannot be read", path));
    return std::nullopt;
  }
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

Loaded load_model(const std::string& path, const LoadOptions& options) {
  Loaded loaded;
  std::optional<std::string> text = read_file(path, loaded.diagnostics);
  if (!text) return loaded;
  const std::optional<Format> format = find_format(path, *text, options, loaded.diagnostics);
  if (!format) return loaded;
  loaded.format = *format;
  if (*format == Format::Text) {
    const diag::FileId file = loaded.sources.add(path, std::move(*text));
    loaded.model = front::text::parse(loaded.sources, file, loaded.diagnostics);
    model::resolve(*loaded.model, loaded.diagnostics, {options.constants, options.switches});
  } else if (*format == Format::Promela) {
    const front::promela::Options promela = promela_options(options, loaded.diagnostics);
    if (loaded.diagnostics.has_errors()) return loaded;
    loaded.system = front::promela::load(loaded.sources, path, std::move(*text), loaded.diagnostics, promela);
    if (loaded.system) choose_runs(*loaded.system, options.switches);
  } else {
    load_uml(loaded, path, std::move(*text), options);
  }
  return loaded;
}

Loaded load(const std::string& path, const LoadOptions& options) {
  Loaded loaded = load_model(path, options);
  if (loaded.model && !loaded.diagnostics.has_errors())
    if (std::optional<lower::Lowered> lowered = lower::lower(*loaded.model, loaded.diagnostics)) {
      loaded.map = std::move(lowered->map);
      loaded.system = std::move(lowered->system);
    }
  if (!loaded.system) return loaded;
  if (loaded.system->name.empty()) loaded.system->name = std::filesystem::path(path).filename().string();
  add_error_search(*loaded.system);
  return loaded;
}

}  // namespace parley::load
