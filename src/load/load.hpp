// From a file to a System: picks the front end (formats.hpp), parses, resolves, lowers; collects every
// diagnostic. Used by all commands, and by the program that checks certificates: knows no engine.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "diag/diagnostic.hpp"
#include "front/uml/report.hpp"
#include "load/formats.hpp"
#include "lower/lower.hpp"
#include "model/model.hpp"
#include "system/system.hpp"

namespace parley::load {

struct LoadOptions {
  std::map<std::string, std::string> constants;  // --set
  std::map<std::string, std::string> switches;   // --semantics
  std::optional<Format> format;                  // --format-in; unset: by ending and content
  bool havoc_unknown = false;                    // UML: over-approximate text that is not understood
  bool names_are_triggers = false;               // UML: names of transitions without triggers are events
  std::vector<std::string> classes;              // UML: only the machines of these classes
  std::string system_path;                       // UML: a text model that gives wiring, checks and constants
  std::vector<std::string> include_folders;      // Promela: -I
  bool compiler_preprocesses = false;            // Promela: --cpp
  std::optional<double> seconds;                 // Promela: of preprocessing
};

struct Loaded {
  diag::SourceMap sources;
  diag::Diagnostics diagnostics;
  Format format = Format::Text;
  std::optional<model::Model> model;     // text and UML
  front::uml::ImportReport import;       // UML: what was read, approximated, rejected
  std::optional<lower::BackMap> map;     // of the lowering, text and UML
  std::optional<system::System> system;  // absent: the diagnostics say why

  bool ok() const { return system.has_value() && !diagnostics.has_errors(); }
};

Loaded load(const std::string& path, const LoadOptions& options);

// Only the Model, resolved or not: for fmt and info.
Loaded load_model(const std::string& path, const LoadOptions& options);

// A file's bytes, or a diagnostic `unreadable-file`.
std::optional<std::string> read_file(const std::string& path, diag::Diagnostics& diagnostics);

}  // namespace parley::load
