#include "explore/example_systems.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "diag/diagnostic.hpp"
#include "front/text/parser.hpp"
#include "lower/lower.hpp"
#include "model/resolve.hpp"

namespace parley::testing {

std::vector<ExampleSystem> example_systems() {
  std::vector<ExampleSystem> out;
  for (const char* folder : {"examples", "tests/models"}) {
    const std::filesystem::path place = std::filesystem::path(PARLEY_SOURCE_DIR) / folder;
    if (!std::filesystem::exists(place)) continue;
    for (const auto& entry : std::filesystem::directory_iterator(place)) {
      if (entry.path().extension() != ".ply") continue;
      std::stringstream text;
      text << std::ifstream(entry.path()).rdbuf();
      diag::SourceMap sources;
      diag::Diagnostics diagnostics;
      const diag::FileId file = sources.add(entry.path().filename().string(), text.str());
      model::Model model = front::text::parse(sources, file, diagnostics);
      model::resolve(model, diagnostics);
      if (diagnostics.has_errors()) continue;  // wrong models are the business of other tests
      auto lowered = lower::lower(model, diagnostics);
      if (lowered) out.push_back({entry.path().filename().string(), std::move(lowered->system)});
    }
  }
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.file < b.file; });
  return out;
}

}  // namespace parley::testing
