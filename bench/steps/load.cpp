#include "load.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "front/text/parser.hpp"
#include "lower/lower.hpp"
#include "model/resolve.hpp"

namespace parley::bench {

system::System load(const std::string& path, const std::map<std::string, std::string>& constants) {
  std::ifstream in(path);
  if (!in) {
    std::fprintf(stderr, "cannot read %s\n", path.c_str());
    std::exit(3);
  }
  std::stringstream text;
  text << in.rdbuf();
  diag::SourceMap sources;
  diag::Diagnostics diagnostics;
  const diag::FileId file = sources.add(path, text.str());
  model::Model model = front::text::parse(sources, file, diagnostics);
  model::resolve(model, diagnostics, {constants, {}});
  std::optional<lower::Lowered> lowered;
  if (!diagnostics.has_errors()) lowered = lower::lower(model, diagnostics);
  if (!lowered) {
    std::fprintf(stderr, "%s", diag::render(sources, diagnostics.sorted()).c_str());
    std::exit(3);
  }
  return std::move(lowered->system);
}

}  // namespace parley::bench
