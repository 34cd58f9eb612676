// Loads models from text and runs the loop on them.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "cegar/engine.hpp"
#include "diag/diagnostic.hpp"
#include "front/text/parser.hpp"
#include "lower/lower.hpp"
#include "model/resolve.hpp"
#include "report/refinement_report.hpp"

namespace parley::cegar::test {

struct Loaded {
  diag::SourceMap sources;
  diag::Diagnostics diagnostics;
  model::Model model;
  std::optional<lower::Lowered> lowered;
  const System& system() const { return lowered->system; }
  PropertyId property(const std::string& name) const {
    for (std::size_t i = 0; i < system().properties.size(); ++i)
      if (system().properties[i].name == name) return PropertyId(i);
    ADD_FAILURE() << "no property " << name;
    return PropertyId(0);
  }
  std::optional<expr::CellId> cell(const std::string& name) const {
    for (std::size_t i = 0; i < system().cells.size(); ++i)
      if (system().cells[i].name == name) return expr::CellId(i);
    return std::nullopt;
  }
};

inline std::unique_ptr<Loaded> load(const std::string& text,
                                    const std::map<std::string, std::string>& switches = {}) {
  auto l = std::make_unique<Loaded>();
  const diag::FileId file = l->sources.add("model.ply", text);
  l->model = front::text::parse(l->sources, file, l->diagnostics);
  model::ResolveOptions options;
  options.switches = switches;
  model::resolve(l->model, l->diagnostics, options);
  if (!l->diagnostics.has_errors()) l->lowered = lower::lower(l->model, l->diagnostics);
  EXPECT_TRUE(l->lowered.has_value()) << diag::render(l->sources, l->diagnostics.sorted());
  return l;
}

inline std::string read(const std::string& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

inline engine::Request request(const System& s, double seconds = 30) {
  engine::Request r{s, {}, semantics::capacities(s), {}, 0, nullptr, {}, {}};
  for (std::size_t i = 0; i < s.properties.size(); ++i) r.properties.emplace_back(i);
  r.limits.seconds = seconds;
  return r;
}

}  // namespace parley::cegar::test
