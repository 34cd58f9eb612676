// libFuzzer target for the text front end: any bytes must give diagnostics or a model, never a crash. A model
// that resolves must survive printing (same text again, still without errors) and, if it is small, lowering.
#include <cstdio>
#include <cstdlib>

#include "diag/diagnostic.hpp"
#include "front/text/parser.hpp"
#include "front/text/printer.hpp"
#include "lower/lower.hpp"
#include "model/resolve.hpp"

namespace {

using namespace parley;

struct Loaded {
  diag::SourceMap sources;
  diag::Diagnostics diagnostics;
  model::Model model;
};

void load(Loaded& l, std::string text) {
  const diag::FileId file = l.sources.add("fuzz", std::move(text));
  l.model = front::text::parse(l.sources, file, l.diagnostics);
  model::resolve(l.model, l.diagnostics);
}

[[noreturn]] void fail(const char* what, const std::string& text) {
  std::fprintf(stderr, "%s:\n%s\n", what, text.c_str());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 20000) return 0;
  Loaded first;
  load(first, std::string(reinterpret_cast<const char*>(data), size));
  diag::render(first.sources, first.diagnostics.sorted());
  const std::string once = front::text::print(first.model, &first.sources);
  if (first.diagnostics.has_errors()) return 0;
  if (!first.model.resolved) fail("no errors, but not resolved", once);

  Loaded second;
  load(second, once);
  if (second.diagnostics.has_errors()) {
    fail("what was printed is wrong", once + diag::render(second.sources, second.diagnostics.sorted()));
  }
  const std::string twice = front::text::print(second.model, &second.sources);
  if (once != twice) fail("formatting twice differs", once + "\n----\n" + twice);

  std::size_t vertices = 0;
  for (const model::Class& c : first.model.classes) vertices += c.machine ? c.machine->vertices.size() : 0;
  if (first.model.objects.size() > 8 || vertices > 100) return 0;
  lower::LowerOptions options;
  options.max_options = 64;
  options.max_statements = 20000;
  lower::lower(first.model, first.diagnostics, options);
  return 0;
}
