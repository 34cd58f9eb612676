// The refinement loop on models with wide data, beside the published heuristic alone, explicit search,
// bounded model checking and IC3. One row per model, all its properties together: rounds and final cells of
// the loop, the largest abstract system, its time; the rounds of the published heuristic, the improved
// refiners and the interpolants; what the others decide within their limit. `make bench-cegar` runs it.
//
// Three comparisons of refiners on the same models: `published`, `improved` and `smt` start from the thesis'
// Sign partition on every integer, so that only the refiners differ; the first columns are what `--engine
// cegar` does, which starts from the constants of the model. A property that is not decided in time counts
// with the rounds it had, and is marked.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "cegar/engine.hpp"
#include "diag/diagnostic.hpp"
#include "explore/explore.hpp"
#include "front/text/parser.hpp"
#include "lower/lower.hpp"
#include "model/resolve.hpp"
#ifdef PARLEY_WITH_SYMBOLIC
#include "symbolic/engines.hpp"
#endif

namespace {

using namespace parley;

double seconds_from(const char* name, double otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtod(text, nullptr) : otherwise;
}

struct Totals {
  std::size_t rounds = 0, refinements = 0, cells = 0, decided = 0;
  std::uint64_t states = 0;
  double seconds = 0;
};

struct Checked {
  std::size_t decided = 0;
  double seconds = 0;
  bool complete = true;
};

class Bench {
 public:
  explicit Bench(std::string file) : file_(std::move(file)) {
    std::ifstream in(file_);
    std::stringstream text;
    text << in.rdbuf();
    text_ = text.str();
    model_ = front::text::parse(sources_, sources_.add(file_, text_), diagnostics_);
    model::resolve(model_, diagnostics_);
    if (!diagnostics_.has_errors()) lowered_ = lower::lower(model_, diagnostics_);
  }
  bool fine() const { return lowered_.has_value(); }
  std::string report() const { return diag::render(sources_, diagnostics_.sorted()); }
  const system::System& system() const { return lowered_->system; }

  engine::Request request(double seconds) const {
    engine::Request r{system(), {}, semantics::capacities(system()), {}, 0, nullptr, {}, {}};
    for (std::size_t i = 0; i < system().properties.size(); ++i) r.properties.emplace_back(i);
    r.limits.seconds = seconds;
    return r;
  }

  Totals loop(const cegar::LoopOptions& options, double seconds) const {
    Totals t;
    for (system::PropertyId p : request(seconds).properties) {
      const cegar::LoopResult r = cegar::refine_and_check(request(seconds), p, options);
      t.rounds += r.rounds.size();
      t.refinements += r.refinements();
      t.cells = std::max(t.cells, r.precision.cells());
      for (const cegar::RoundReport& round : r.rounds) t.states = std::max(t.states, round.states);
      t.seconds += r.result.coverage.seconds;
      t.decided += as_expected(p, r.result) ? 1 : 0;
    }
    return t;
  }

  template <class E>
  Checked check(E& engine, double seconds) const {
    engine::Request r = request(seconds);
    r.limits.memory_bytes = std::uint64_t{4} << 30;
    const engine::Deadline clock(r);
    Checked c;
    for (const verdict::PropertyResult& result : engine.check(r)) {
      c.decided += result.unknown() ? 0 : 1;
      c.complete = c.complete && !result.unknown();
    }
    c.seconds = clock.seconds();
    return c;
  }

 private:
  // Decided, and as the model's header says.
  bool as_expected(system::PropertyId p, const verdict::PropertyResult& r) const {
    if (r.unknown()) return false;
    const std::string line = "// expect: " + system().property(p).name + " = " + verdict::word(r.verdict);
    if (text_.find(line) == std::string::npos) fmt::print("WRONG: {} in {}\n", line.substr(11), file_);
    return text_.find(line) != std::string::npos;
  }

  std::string file_, text_;
  diag::SourceMap sources_;
  diag::Diagnostics diagnostics_;
  model::Model model_;
  std::optional<lower::Lowered> lowered_;
};

}  // namespace

int main(int argc, char** argv) {
  const double limit = seconds_from("BENCH_SECONDS", 10);
  const double explicit_limit = seconds_from("BENCH_EXPLICIT_SECONDS", 60);
  std::size_t models = 0, decided = 0, gave_up = 0, published_rounds = 0, improved_rounds = 0, worse = 0;
  std::size_t loop_rounds = 0, smt_rounds = 0;
  double slowest = 0;
  fmt::print("{:<18} {:>5} | {:>6} {:>5} {:>6} {:>6} | {:>9} {:>8} {:>4} | {:>10} {:>9} {:>9}\n", "model",
             "props", "rounds", "cells", "states", "time", "published", "improved", "smt", "explicit", "bmc",
             "ic3");
  for (int i = 1; i < argc; ++i) {
    const Bench b(argv[i]);
    if (!b.fine()) {
      fmt::print(stderr, "{}", b.report());
      return 3;
    }
    const std::size_t properties = b.system().properties.size();
    const Totals loop = b.loop({}, limit);
    const Totals published = b.loop(cegar::LoopOptions::published(), limit);
    cegar::LoopOptions from_sign;
    from_sign.start.start = domain::Start::Sign;
    from_sign.start.exact_up_to = 1;
    const Totals refiners = b.loop(from_sign, limit);
    from_sign.interpolants = true;
    const Totals interpolants = b.loop(from_sign, limit);
    explore::Explorer explorer;
    const Checked search = b.check(explorer, explicit_limit);
    std::string bmc = "-", ic3 = "-";
#ifdef PARLEY_WITH_SYMBOLIC
    auto engine = symbolic::make_bmc({});
    const Checked bounded = b.check(*engine, limit);
    bmc = fmt::format("{}/{} {:.1f}s", bounded.decided, properties, bounded.seconds);
    auto prover = symbolic::make_ic3({});
    const Checked proved = b.check(*prover, limit);
    ic3 = fmt::format("{}/{} {:.1f}s", proved.decided, properties, proved.seconds);
#endif
    const auto rounds = [properties](const Totals& t) {
      return t.decided == properties ? fmt::format("{}", t.rounds)
                                     : fmt::format("{} ({}?)", t.rounds, properties - t.decided);
    };
    fmt::print("{:<18} {:>5} | {:>6} {:>5} {:>6} {:>5.2f}s | {:>9} {:>8} {:>4} | {:>10} {:>9} {:>9}\n",
               std::filesystem::path(argv[i]).stem().string(), properties, rounds(loop), loop.cells,
               loop.states, loop.seconds, rounds(published), rounds(refiners), rounds(interpolants),
               search.complete ? fmt::format("{:.1f}s", search.seconds)
                               : fmt::format("{}/{} {:.1f}s", search.decided, properties, search.seconds),
               bmc, ic3);
    std::fflush(stdout);
    ++models;
    decided += loop.decided == properties ? 1 : 0;
    gave_up += search.complete ? 0 : 1;
    published_rounds += published.rounds;
    improved_rounds += refiners.rounds;
    worse += refiners.rounds > published.rounds ? 1 : 0;
    loop_rounds += loop.rounds;
    smt_rounds += interpolants.rounds;
    slowest = std::max(slowest, loop.seconds);
  }
  fmt::print("models where the improved refiners need more rounds than the published one: {}\n", worse);
  fmt::print(
      "rounds of the loop as --engine cegar runs it: {}, of the interpolants from Sign: {}; slowest model: "
      "{:.2f} s\n",
      loop_rounds, smt_rounds, slowest);
  fmt::print("summary: decided={}/{} explicit_gave_up={} rounds_published={} rounds_improved={}\n", decided,
             models, gave_up, published_rounds, improved_rounds);
  return decided == models ? 0 : 1;
}
