// make bench-steps: the table of dubrovin2007 (Table 1) for our reconstructions. Per model and property: the
// bound and the time to the first counterexample for each relation and solver, the share of step constraints
// in the clauses, clauses per step beside a direct Z3 bit-vector unrolling, and explicit search. Last line:
// the summary that the project tracks. Proofs have a table of their own (proofs.cpp).
#include <fmt/format.h>

#include <chrono>
#include <functional>

#include "certify/z3_system.hpp"
#include "explore/explore.hpp"
#include "load.hpp"
#include "semantics/interpreter.hpp"
#include "solver/sat/cadical.hpp"
#include "symbolic/engines.hpp"
#include "symbolic/unrolling.hpp"

using namespace parley;

namespace {

double limit_seconds = 60;

double since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Row {
  std::string model, property;
};

system::PropertyId find_property(const system::System& s, const std::string& name) {
  for (std::size_t p = 0; p < s.properties.size(); ++p)
    if (s.properties[p].name == name) return system::PropertyId(p);
  fmt::print(stderr, "no property {}\n", name);
  std::exit(3);
}

struct Found {
  bool violated = false;
  std::uint64_t bound = 0;
  double seconds = 0;
  std::size_t length = 0;
};

Found run(engine::Engine& engine, const system::System& s, system::PropertyId p) {
  engine::Request request{s, {p}, semantics::capacities(s), {}, 0, nullptr, {}, {}};
  request.limits.seconds = limit_seconds;
  const auto start = std::chrono::steady_clock::now();
  const auto results = engine.check(request);
  Found f;
  f.seconds = since(start);
  f.bound = results[0].coverage.bound.value_or(0);
  if (const auto* v = std::get_if<verdict::Violated>(&results[0].verdict)) {
    f.violated = true;
    f.length = v->trace ? v->trace->steps.size() : 0;
    if (v->found_in_steps) f.bound = *v->found_in_steps;
  }
  return f;
}

// Clauses of one more step, and the share that step constraints have in it.
struct Size {
  std::uint64_t clauses = 0;
  double share = 0;
};
Size size_of_step(const system::System& s, system::PropertyId p, encode::Steps steps) {
  encode::Relation relation(s, semantics::capacities(s), {p}, {steps, symbolic::default_action_order(steps)});
  const auto solver = solver::sat::make_cadical();
  encode::ClauseSink sink(*solver);
  symbolic::Unrolling unrolling(relation, sink, symbolic::Unrolling::Start::AnyWellFormed);
  unrolling.add_step();
  const std::uint64_t first = sink.clauses(), constraints = unrolling.step_constraint_clauses();
  unrolling.add_step();
  const std::uint64_t one = sink.clauses() - first;
  return {one, 100.0 * static_cast<double>(unrolling.step_constraint_clauses() - constraints) /
                   static_cast<double>(one)};
}

// The yardstick: one interleaving step as Z3 bit-vector terms, bit-blasted by Z3, counted in clauses.
std::uint64_t z3_clauses_per_step(const system::System& s, system::PropertyId p) {
  z3::context z;
  certify::Z3System direct(z, s, semantics::capacities(s));
  std::vector<certify::Z3System::State> states;
  for (int i = 0; i < 3; ++i) states.push_back(direct.fresh("s" + std::to_string(i)));
  const auto clauses = [&](int steps) {
    z3::goal goal(z);
    goal.add(direct.well_formed(states[0]));
    for (int i = 0; i < steps; ++i)
      goal.add(direct.moves_to(states[static_cast<std::size_t>(i)], states[static_cast<std::size_t>(i) + 1]));
    const auto& last = states[static_cast<std::size_t>(steps)];
    goal.add(direct.bad_state(last, s.property(p)) || direct.bad_step(last, s.property(p)));
    const z3::tactic cnf =
        z3::tactic(z, "simplify") & z3::tactic(z, "bit-blast") & z3::tactic(z, "tseitin-cnf");
    std::uint64_t count = 0;
    const z3::apply_result r = cnf(goal);
    for (unsigned i = 0; i < r.size(); ++i) count += r[static_cast<int>(i)].size();
    return count;
  };
  return clauses(2) - clauses(1);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : "examples";
  if (argc > 2) limit_seconds = std::atof(argv[2]);
  const std::vector<Row> rows = {{"travel", "no deadlock"},      {"mtravel", "no deadlock"},
                                 {"scp", "no deadlock"},         {"scp", "no lost messages"},
                                 {"giop", "no run-time errors"}, {"heartbeat", "no assertion failures"}};
  const std::vector<encode::Steps> all_steps = {encode::Steps::Interleaving, encode::Steps::Static,
                                                encode::Steps::Dynamic, encode::Steps::Chained};
  double slowest_dynamic = 0, interleaving_mtravel = 0, dynamic_mtravel = 1;
  std::string interleaving_note;
  fmt::print("{:28} {:13} {:>5} {:>9} {:>9} {:>9} {:>12} {:>7}\n", "model, property", "relation", "k",
             "cadical", "z3", "cvc5", "clauses/step", "steps%");
  for (const Row& row : rows) {
    const system::System s = bench::load(folder + "/" + row.model + ".ply");
    const system::PropertyId p = find_property(s, row.property);
    for (const encode::Steps steps : all_steps) {
      std::vector<std::string> times;
      std::string bound;
      for (const auto solver :
           {symbolic::SolverKind::Cadical, symbolic::SolverKind::Z3, symbolic::SolverKind::Cvc5}) {
        symbolic::BmcOptions options;
        options.steps = steps;
        options.solver = solver;
        // The second and third opinion only where an answer is near.
        if (solver != symbolic::SolverKind::Cadical && steps == encode::Steps::Interleaving &&
            row.model == "mtravel") {
          times.emplace_back("-");
          continue;
        }
        const double saved = limit_seconds;
        if (solver == symbolic::SolverKind::Cvc5) limit_seconds = std::min(limit_seconds, 5.0);
        const Found f = run(*symbolic::make_bmc(options), s, p);
        limit_seconds = saved;
        times.push_back(f.violated ? fmt::format("{:.3f}", f.seconds)
                                   : fmt::format(">{:.0f} (k={})", f.seconds, f.bound));
        if (f.violated) bound = std::to_string(f.bound);
        if (solver == symbolic::SolverKind::Cadical) {
          if (steps == encode::Steps::Dynamic) slowest_dynamic = std::max(slowest_dynamic, f.seconds);
          if (row.model == "mtravel" && steps == encode::Steps::Interleaving) {
            interleaving_mtravel = f.seconds;
            if (!f.violated) interleaving_note = ">";
          }
          if (row.model == "mtravel" && steps == encode::Steps::Dynamic) dynamic_mtravel = f.seconds;
        }
      }
      const Size size = size_of_step(s, p, steps);
      fmt::print("{:28} {:13} {:>5} {:>9} {:>9} {:>9} {:>12} {:>7.1f}\n", row.model + ", " + row.property,
                 encode::name_of(steps), bound, times[0], times[1], times[2], size.clauses, size.share);
      std::fflush(stdout);
    }
    explore::Explorer explorer;
    const Found f = run(explorer, s, p);
    fmt::print("{:28} {:13} {:>5} {:>9.3f} {:>9} {:>9} {:>12}\n", "", "explicit", f.length, f.seconds, "", "",
               fmt::format("z3: {}", z3_clauses_per_step(s, p)));
  }

  fmt::print("\norders of dynamic and chained steps (bound, seconds)\n");
  for (const Row& row : rows) {
    const system::System s = bench::load(folder + "/" + row.model + ".ply");
    const system::PropertyId p = find_property(s, row.property);
    std::string line = fmt::format("{:36}", row.model + ", " + row.property);
    for (const encode::Steps steps : {encode::Steps::Static, encode::Steps::Dynamic, encode::Steps::Chained})
      for (const encode::ActionOrder order :
           {encode::ActionOrder::Declared, encode::ActionOrder::ReadersFirst,
            encode::ActionOrder::WritersFirst}) {
        symbolic::BmcOptions options;
        options.steps = steps;
        options.order = order;
        const double saved = limit_seconds;
        limit_seconds = std::min(limit_seconds, 20.0);
        const Found f = run(*symbolic::make_bmc(options), s, p);
        limit_seconds = saved;
        line += fmt::format(" {}/{} {} {:.2f}", encode::name_of(steps)[0], encode::name_of(order)[0],
                            f.violated ? std::to_string(f.bound) : "?", f.seconds);
      }
    fmt::print("{}\n", line);
    std::fflush(stdout);
  }

  fmt::print("summary: mtravel_speedup={}{:.1f} slowest_dynamic_s={:.3f}\n", interleaving_note,
             interleaving_mtravel / dynamic_mtravel, slowest_dynamic);
}
