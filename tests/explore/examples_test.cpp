// The search against the oracle on every text model of the repository that is small enough, found by looking.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "diag/diagnostic.hpp"
#include "explore/compare.hpp"
#include "front/text/parser.hpp"
#include "lower/lower.hpp"
#include "model/resolve.hpp"

namespace parley::testing {
namespace {

TEST(Examples, SearchAgreesWithTheReferenceSemantics) {
  std::size_t compared = 0;
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
      const auto lowered = lower::lower(model, diagnostics);
      if (!lowered) continue;
      const Comparison c = compare(lowered->system, semantics::capacities(lowered->system), 1500);
      compared += c.decided ? 1 : 0;
      for (const std::string& d : c.differences) ADD_FAILURE() << entry.path() << ": " << d;
    }
  }
  EXPECT_GE(compared, 4u);
}

}  // namespace
}  // namespace parley::testing
