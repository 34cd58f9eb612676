// Models that are spread over files: what a reference (`href="Base.uml#_id"`) leads to is read from the file
// of that name in the folder of the model, and becomes part of the tree. Used by uml.cpp. Libraries of tools
// (`pathmap://…`, `platform:/…`, `http://…`) are not followed, nor are paths that leave the folder.
#pragma once

#include <string>
#include <vector>

#include "front/uml/xml.hpp"

namespace parley::front::uml {

// Adds the files, and those that they refer to, under the root of the tree; an id that occurs twice keeps its
// first meaning. The names of files that are referred to and are not there are returned.
std::vector<std::string> add_files_beside(XmlTree& tree, const std::string& path_name,
                                          diag::SourceMap& sources, diag::Diagnostics& diagnostics,
                                          const XmlLimits& limits);

}  // namespace parley::front::uml
