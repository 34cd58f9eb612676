// What the text front end's tests share: loading a text and rendering its diagnostics.
#pragma once

#include <fstream>
#include <sstream>
#include <string>

#include "diag/diagnostic.hpp"
#include "front/text/parser.hpp"
#include "model/resolve.hpp"

namespace parley::front::text {

struct Loaded {
  diag::SourceMap sources;
  diag::Diagnostics diagnostics;
  model::Model model;
  std::string rendered;
};

inline std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream buffer;
  buffer << in.rdbuf();
  return buffer.str();
}

inline Loaded load_text(std::string text, const std::string& name = "test.ply",
                        const model::ResolveOptions& options = {}) {
  Loaded l;
  const diag::FileId file = l.sources.add(name, std::move(text));
  l.model = parse(l.sources, file, l.diagnostics);
  model::resolve(l.model, l.diagnostics, options);
  l.rendered = diag::render(l.sources, l.diagnostics.sorted());
  return l;
}

inline Loaded load_file(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return load_text(read_file(path), slash == std::string::npos ? path : path.substr(slash + 1));
}

}  // namespace parley::front::text
