// What engines say about a text model, without anybody checking their certificates: `engine_answers MODEL
// SECONDS ENGINE=BOUND...` writes a JSON object with an entry per engine, its verdicts by the names of the
// properties. Runs are replayed. tests/independent/random_comparison.py runs it, since nine tenths of what
// the program needs for a small model are the checks of certificates; it asks the program itself about some.
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>

#include "driver/engines.hpp"
#include "load/load.hpp"
#include "support/named_enum.hpp"
#include "verdict/replay.hpp"

namespace parley {
namespace {

constexpr std::uint64_t kMostStates = 20'000;  // as random_comparison.py tells the program

const verdict::Trace* run_of(const verdict::PropertyResult& r) {
  if (const auto* v = std::get_if<verdict::Violated>(&r.verdict)) return v->trace ? &*v->trace : nullptr;
  if (const auto* h = std::get_if<verdict::Holds>(&r.verdict)) return h->witness ? &*h->witness : nullptr;
  return nullptr;
}

nlohmann::json answers(const system::System& s, engine::EngineKind kind, std::uint32_t bound,
                       double seconds) {
  driver::EngineOptions options;
  if (bound > 0) options.bound = bound;
  engine::Request request{s, {}, semantics::capacities(s), {}, 0, nullptr, {}, {}};
  for (std::size_t p = 0; p < s.properties.size(); ++p)
    if (verdict::decides(kind, s.properties[p].kind)) request.properties.emplace_back(p);
  request.limits.seconds = seconds;
  request.limits.states = kMostStates;
  const semantics::Interpreter interpreter(s);
  auto said = nlohmann::json::object();
  for (const verdict::PropertyResult& r : driver::make_engine(kind, options)->check(request)) {
    const verdict::Trace* run = run_of(r);
    const bool shown = run == nullptr || verdict::confirm(interpreter, r.property, *run).confirmed;
    said[s.property(r.property).name] = shown ? verdict::word(r.verdict) : "a run that does not replay";
  }
  return said;
}

}  // namespace
}  // namespace parley

int main(int count, char** words) {
  using namespace parley;
  if (count < 4) {
    std::fprintf(stderr, "usage: engine_answers MODEL SECONDS ENGINE=BOUND...\n");
    return 3;
  }
  const load::Loaded loaded = load::load(words[1], {});
  if (!loaded.ok()) {
    std::cerr << diag::render(loaded.sources, loaded.diagnostics.sorted());
    return 3;
  }
  auto all = nlohmann::json::object();
  for (int i = 3; i < count; ++i) {
    const std::string word = words[i], name = word.substr(0, word.find('='));
    const auto kind = named<engine::EngineKind>(name);
    if (!kind || word.size() == name.size()) return 3;
    const auto bound = static_cast<std::uint32_t>(std::strtoul(word.c_str() + name.size() + 1, nullptr, 10));
    all[name] = answers(*loaded.system, *kind, bound, std::strtod(words[2], nullptr));
  }
  std::cout << all << '\n';
  return 0;
}
