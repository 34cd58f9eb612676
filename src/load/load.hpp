// From a file to a System: picks the front end by the file's ending, parses, resolves, lowers; collects every
// diagnostic. Used by all commands, and by the program that checks certificates: knows no engine.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "diag/diagnostic.hpp"
#include "front/uml/report.hpp"
#include "lower/lower.hpp"
#include "model/model.hpp"
#include "system/system.hpp"

namespace parley::load {

enum class Format { Text, Uml, Promela };

struct LoadOptions {
  std::map<std::string, std::string> constants;  // --set
  std::map<std::string, std::string> switches;   // --semantics
  bool havoc_unknown = false;                    // UML: over-approximate text that is not understood
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

// Endings of file names, the usual one first. Promela has no agreed one; these are what people use. (.prp
// files beside Promela models hold a formula, no model.)
const std::vector<std::string>& endings(Format format);
// "text models end in .ply, ...", for hints and help.
std::string known_endings();
// Null if the ending is not known.
std::optional<Format> format_of(const std::string& path);

Loaded load(const std::string& path, const LoadOptions& options);

// Only the Model, resolved or not: for fmt and info.
Loaded load_model(const std::string& path, const LoadOptions& options);

// A file's bytes, or a diagnostic `unreadable-file`.
std::optional<std::string> read_file(const std::string& path, diag::Diagnostics& diagnostics);

}  // namespace parley::load
