// Reading UML models as modelling tools save them into a Model: Eclipse UML2 and Papyrus, XMI 2.x of other
// tools, StarUML's JSON, UML 1.3/1.4 XMI and ArgoUML archives. Used by the driver. The Model comes without
// model::resolve having run. What the file contains and Parley does not understand is an error with its
// place, or, on request, an over-approximation that is listed in Model::assumptions; the ImportReport names
// every construct either way. docs/uml.md has the rules.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "diag/diagnostic.hpp"
#include "front/uml/report.hpp"
#include "front/uml/xml.hpp"
#include "model/model.hpp"

namespace parley::front::uml {

struct Options {
  bool havoc_unknown = false;      // replace text that is not understood by any value, either branch
  model::Model* system = nullptr;  // a text model with system, checks and constants; they are moved out of it
  bool names_are_triggers = false;   // a transition with a name and without a trigger waits for that name
  std::vector<std::string> classes;  // only machines of these (or of these names) are read; empty: all
  std::int32_t environment_integers = 3;  // integers in messages of the environment: 0 to this
  std::size_t max_objects = 256;
  XmlLimits limits;
};

// Errors are in the diagnostics; nullopt if there are any. The report is filled as far as reading got.
std::optional<model::Model> load(diag::SourceMap& sources, const std::string& path_name, std::string bytes,
                                 diag::Diagnostics& diagnostics, const Options& options,
                                 ImportReport& report);

// The same for a tree in the shape of UML 2 that another front end has built.
std::optional<model::Model> load_tree(std::unique_ptr<XmlTree> tree, diag::Diagnostics& diagnostics,
                                      const Options& options, ImportReport& report);

// True if the name or the first bytes say that this is UML's (and not the text language).
bool looks_like_uml(const std::string& path_name, const std::string& bytes);

}  // namespace parley::front::uml
