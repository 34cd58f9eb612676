// libFuzzer target of the Promela front end: whatever the text, it is read or refused with diagnostics, and what
// was read passes the System's own checks and can take its first steps. Seeds: tests/front/promela/models.
//   cmake --preset sanitize && cmake --build build-sanitize --target fuzz_promela
//   build-sanitize/tests/fuzz_promela -max_len=4096 -dict=tests/fuzz/promela.dict corpus-folder tests/front/promela/models
#include <cstddef>
#include <cstdint>
#include <string>

#include "front/promela/promela.hpp"
#include "semantics/interpreter.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace parley;
  if (size > 8192) return 0;
  diag::SourceMap sources;
  diag::Diagnostics diagnostics;
  front::promela::Options options;
  options.max_instances = 2;
  const auto system = front::promela::load(sources, "fuzz.pml", std::string(reinterpret_cast<const char*>(data), size),
                                           diagnostics, options);
  (void)diag::render(sources, diagnostics.sorted());
  if (!system || system->actions.size() > 2000 || system->cells.size() > 20000) return 0;
  const semantics::Interpreter interpreter(*system);
  for (const auto& start : interpreter.initial_states()) {
    semantics::State state = start.result.state;
    for (int i = 0; i < 8; ++i) {
      const auto next = interpreter.successors(state);
      if (next.empty() || next[0].result.outcome != semantics::Outcome::Done) break;
      state = next[0].result.state;
    }
  }
  return 0;
}
