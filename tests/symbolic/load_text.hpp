// Text models for the tests of the symbolic engines.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "front/text/parser.hpp"
#include "lower/lower.hpp"
#include "model/resolve.hpp"

namespace parley::testing {

inline system::System from_text(const std::string& text) {
  diag::SourceMap sources;
  diag::Diagnostics diagnostics;
  const diag::FileId file = sources.add("model.ply", text);
  model::Model model = front::text::parse(sources, file, diagnostics);
  model::resolve(model, diagnostics);
  std::optional<lower::Lowered> lowered;
  if (!diagnostics.has_errors()) lowered = lower::lower(model, diagnostics);
  EXPECT_TRUE(lowered.has_value()) << diag::render(sources, diagnostics.sorted());
  return lowered ? std::move(lowered->system) : system::System{};
}

inline system::System example(const std::string& name) {
  std::ifstream in(std::string(PARLEY_SOURCE_DIR) + "/examples/" + name + ".ply");
  std::stringstream text;
  text << in.rdbuf();
  return from_text(text.str());
}

}  // namespace parley::testing
