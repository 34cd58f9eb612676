// What the tests of this folder share: a file or a text in, model, diagnostics and report out.
#pragma once

#include <fstream>
#include <optional>
#include <sstream>
#include <string>

#include "front/uml/uml.hpp"

namespace parley::front::uml {

struct Imported {
  diag::SourceMap sources;
  diag::Diagnostics diagnostics;
  ImportReport report;
  std::optional<model::Model> model;

  bool has(const std::string& code) const {
    for (const auto& d : diagnostics.all()) {
      if (d.code == code) return true;
    }
    return false;
  }
  std::string rendered() const { return diag::render(sources, diagnostics.sorted()); }
};

inline Imported import_text(std::string text, Options options = {}, const std::string& name = "model.uml") {
  Imported result;
  result.model = load(result.sources, name, std::move(text), result.diagnostics, options, result.report);
  return result;
}

inline std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

inline Imported import_example(const std::string& name, Options options = {}) {
  return import_text(read_file(PARLEY_SOURCE_DIR "/examples/uml/" + name), options, name);
}

}  // namespace parley::front::uml
