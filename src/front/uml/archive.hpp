// Project archives: an ArgoUML `.zargo` is a zip with the model as `*.xmi` (or `*.uml`) among diagrams and
// settings. Gives that member's bytes. Unpacked size is limited; nothing is written to disk.
#pragma once

#include <optional>
#include <string>

#include "diag/diagnostic.hpp"

namespace parley::front::uml {

bool is_archive(const std::string& bytes);

struct ArchiveMember {
  std::string name;
  std::string bytes;
};

// The one model inside; nullopt with a diagnostic (at `place`) if there is none, or it is damaged or too
// large.
std::optional<ArchiveMember> unpack_model(const std::string& bytes, std::size_t limit, diag::Span place,
                                          diag::Diagnostics& diagnostics);

}  // namespace parley::front::uml
