// Runs one engine on one text model and prints what it answers: the microscope behind bench-steps.
//   probe model.ply explore|kind|ic3|interleaving|static|dynamic|chained [bound] [seconds] [solver] [order]
#include <fmt/format.h>

#include "explore/explore.hpp"
#include "load.hpp"
#include "semantics/interpreter.hpp"
#include "symbolic/engines.hpp"

using namespace parley;

int main(int argc, char** argv) {
  if (argc < 3) return 3;
  const system::System s = bench::load(argv[1]);
  const std::string what = argv[2];
  engine::Request request{s, {}, semantics::capacities(s), {}, 0, nullptr, {}, {}};
  for (std::size_t p = 0; p < s.properties.size(); ++p) request.properties.emplace_back(p);
  request.limits.seconds = argc > 4 ? std::atof(argv[4]) : 60;
  request.decided = [&](const verdict::PropertyResult& r) {
    std::string detail;
    if (const auto* v = std::get_if<verdict::Violated>(&r.verdict))
      detail = fmt::format("{} (length {}, steps {})", v->reason, v->trace ? v->trace->steps.size() : 0,
                           v->found_in_steps.value_or(0));
    if (const auto* u = std::get_if<verdict::Unknown>(&r.verdict)) detail = u->reason;
    if (const auto* h = std::get_if<verdict::Holds>(&r.verdict))
      detail = fmt::format("{}, {} bytes, {} assumptions", name_of(h->certificate.kind),
                           h->certificate.payload.size(), r.assumptions.size());
    fmt::print("{:45} {:9} {:8.3f} s bound {} {}\n", s.property(r.property).name, verdict::word(r.verdict),
               r.coverage.seconds, r.coverage.bound.value_or(0), detail);
    std::fflush(stdout);
  };
  std::optional<std::uint32_t> bound;
  if (argc > 3 && std::atoi(argv[3]) > 0) bound = static_cast<std::uint32_t>(std::atoi(argv[3]));
  const auto solver = named<symbolic::SolverKind>(argc > 5 ? argv[5] : "cadical").value();
  std::unique_ptr<engine::Engine> engine;
  if (what == "explore") {
    engine = std::make_unique<explore::Explorer>();
  } else if (what == "ic3") {
    engine = symbolic::make_ic3({bound, solver});
  } else if (what == "kind") {
    engine = symbolic::make_kind({bound, solver, true, true});
  } else {
    symbolic::BmcOptions options;
    options.steps = named<encode::Steps>(what).value();
    options.bound = bound;
    options.solver = solver;
    if (argc > 6) options.order = named<encode::ActionOrder>(argv[6]);
    engine = symbolic::make_bmc(options);
  }
  fmt::print("{} owners, {} cells, {} actions, {} properties\n", s.owners.size(), s.cells.size(),
             s.actions.size(), s.properties.size());
  const auto results = engine->check(request);
  if (what == "explore")
    fmt::print("states {}\n", results.empty() ? 0 : results[0].coverage.states.value_or(0));
}
