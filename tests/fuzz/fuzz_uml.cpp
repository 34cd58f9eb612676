// libFuzzer target for the UML front end: any bytes give diagnostics or a model, never a crash; with and
// without over-approximation. A model that resolves must print to a text that parses. Seeds: examples/uml.
//   cmake --preset sanitize && cmake --build build-sanitize --target fuzz_uml
//   build-sanitize/tests/fuzz_uml -max_len=20000 -dict=tests/fuzz/uml.dict corpus-folder examples/uml
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "front/text/parser.hpp"
#include "front/text/printer.hpp"
#include "front/uml/uml.hpp"
#include "model/resolve.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace parley;
  for (const bool havoc : {false, true}) {
    diag::SourceMap sources;
    diag::Diagnostics diagnostics;
    front::uml::ImportReport report;
    front::uml::Options options;
    options.havoc_unknown = havoc;
    options.max_objects = 16;
    auto model = front::uml::load(sources, "fuzz.uml", std::string(reinterpret_cast<const char*>(data), size),
                                  diagnostics, options, report);
    (void)diag::render(sources, diagnostics.sorted());
    (void)report.text(sources);
    (void)report.json(sources);
    if (!model) continue;
    model::resolve(*model, diagnostics);
    const std::string text = front::text::print(*model);
    if (!model->resolved) continue;
    diag::SourceMap again;
    diag::Diagnostics problems;
    auto reread = front::text::parse(again, again.add("again.ply", text), problems);
    model::resolve(reread, problems);
    if (problems.has_errors()) {
      std::fprintf(stderr, "%s\n%s", text.c_str(), diag::render(again, problems.sorted()).c_str());
      std::abort();
    }
  }
  return 0;
}
