// Checks one Promela model with the exhaustive engine and prints one line for tools/test_promela.py: whether
// it was read, how many states there are, which kinds of error exist, and whether every trace found replays.
// Not part of the product: the driver is.
#include <fmt/format.h>

#include <cstring>
#include <fstream>
#include <iostream>
#include <sstream>

#include "explore/explore.hpp"
#include "front/promela/promela.hpp"
#include "front/promela/trail.hpp"
#include "semantics/interpreter.hpp"
#include "verdict/replay.hpp"

namespace {

using namespace parley;

struct Answer {
  bool parsed = false, complete = false, replays = true, process_limit = false;
  bool deadlock = false, assertion = false, index = false, other = false;
  std::uint64_t states = 0;
  double seconds = 0;
  std::string reason, trail;
};

Answer check(const std::string& path, const front::promela::Options& options, const engine::Limits& limits,
             const std::string& trail) {
  Answer a;
  diag::SourceMap sources;
  diag::Diagnostics diagnostics;
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  const auto system = front::promela::load(sources, path, text.str(), diagnostics, options);
  if (!system) {
    for (const diag::Diagnostic& d : diagnostics.sorted())
      if (d.severity == diag::Severity::Error && a.reason.empty())
        a.reason = sources.place(d.span) + " " + d.message;
    return a;
  }
  a.parsed = true;
  explore::SearchOptions search;
  search.whole = true;
  explore::Explorer engine(search);
  engine::Request request{*system, {}, semantics::capacities(*system), limits, 0, nullptr, {}, {}};
  for (std::size_t i = 0; i < system->properties.size(); ++i)
    if (system->properties[i].kind != system::PropertyKind::Temporal)
      request.properties.push_back(system::PropertyId(i));
  const auto results = engine.check(request);
  const semantics::Interpreter in(*system);
  for (const verdict::PropertyResult& r : results) {
    a.complete = r.coverage.complete;
    // No channel of Promela is ever cut: more processes were needed than there are slots.
    for (const verdict::Assumption& x : r.assumptions)
      a.process_limit = a.process_limit || x.code == verdict::AssumptionCode::QueueCapacity;
    a.states = r.coverage.states.value_or(0);
    a.seconds = r.coverage.seconds;
    if (r.unknown() && a.reason.empty()) a.reason = std::get<verdict::Unknown>(r.verdict).reason;
    if (!r.violated()) continue;
    const auto& v = std::get<verdict::Violated>(r.verdict);
    const system::PropertyKind kind = system->property(r.property).kind;
    if (kind == system::PropertyKind::NoDeadlock) a.deadlock = true;
    if (kind == system::PropertyKind::NoAssertionFailure) a.assertion = true;
    if (kind == system::PropertyKind::NoRuntimeError && v.trace) {
      const verdict::Replay replayed = verdict::replay(in, *v.trace);
      const semantics::Failure failure =
          replayed.results.empty() ? semantics::Failure{} : replayed.results.back().failure;
      (failure.error == system::RuntimeError::IndexOutOfRange ? a.index : a.other) = true;
      a.reason = failure.message;
    }
    const bool ok = v.trace && verdict::confirm(in, r.property, *v.trace).confirmed;
    a.replays = a.replays && ok;
    const bool in_spin =
        kind == system::PropertyKind::NoDeadlock || kind == system::PropertyKind::NoAssertionFailure;
    if (ok && in_spin && !trail.empty() && a.trail.empty()) {
      std::ofstream(trail) << front::promela::spin_trail(in, *v.trace);
      a.trail = kind == system::PropertyKind::NoDeadlock ? "deadlock" : "assertion";
    }
  }
  return a;
}

}  // namespace

int main(int argc, char** argv) {
  front::promela::Options options;
  engine::Limits limits;
  std::string path, trail;
  for (int i = 1; i < argc; ++i) {
    const std::string arg = argv[i];
    if (arg.rfind("-D", 0) == 0)
      options.defines.push_back(arg.substr(2));
    else if (arg.rfind("-I", 0) == 0)
      options.include_folders.push_back(arg.substr(2));
    else if (arg.rfind("--trail=", 0) == 0)
      trail = arg.substr(8);
    else if (arg == "-A")
      options.ignore_assertions = true;
    else if (arg == "--trust")
      options.check_promises = false;
    else if (arg == "-m")
      options.lose_messages = true;
    else if (arg.rfind("--seconds=", 0) == 0)
      limits.seconds = std::stod(arg.substr(10));
    else if (arg.rfind("--states=", 0) == 0)
      limits.states = std::stoull(arg.substr(9));
    else if (arg.rfind("--megabytes=", 0) == 0)
      limits.memory_bytes = std::stoull(arg.substr(12)) << 20;
    else
      path = arg;
  }
  Answer a = check(path, options, limits, trail);
  while (a.process_limit && options.max_instances < 256) {
    options.max_instances *= 2;
    a = check(path, options, limits, trail);
  }
  std::cout << fmt::format(
      "parsed={} complete={} states={} deadlock={} assertion={} index={} error={} replays={} instances={} "
      "seconds={:.2f} trail={} reason={}\n",
      int{a.parsed}, int{a.complete}, a.states, int{a.deadlock}, int{a.assertion}, int{a.index}, int{a.other},
      int{a.replays}, options.max_instances, a.seconds, a.trail.empty() ? "none" : a.trail, a.reason);
}
