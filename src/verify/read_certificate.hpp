// A certificate file, read as if it were forged: strict about every field (verdict/strict_json.hpp), and
// about the model: properties and queues are named by number, text and kind, and all must be those of the
// System that was loaded here. What is claimed is believed by nobody until verify.hpp has looked at the
// evidence.
#pragma once

#include <optional>
#include <string>

#include "certificate/certificate_file.hpp"
#include "verdict/strict_json.hpp"
#include "verify/closed_set.hpp"

namespace parley::verify {

// The head of the file, before the model is known.
struct Head {
  nlohmann::json json;
  certificate::Subject subject;
  std::optional<ClosedSet::Announced> closed_set;
};

// Throws verdict::Malformed, as does the next.
Head read_head(const std::string& path);

certificate::Document read_document(const system::System& system, const Head& head);

}  // namespace parley::verify
