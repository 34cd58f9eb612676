// The exhaustive search on models scaled up: states per second, bytes per state, peak memory. Each row is a
// whole state space. Rates count processor time of the search, which on a shared machine is what the code can
// be blamed for; the elapsed time stands beside it. `make bench-explore` runs it.
#include <fmt/format.h>
#include <sys/resource.h>
#include <time.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "diag/diagnostic.hpp"
#include "explore/compiled.hpp"
#include "explore/explore.hpp"
#include "front/text/parser.hpp"
#include "lower/lower.hpp"
#include "model/resolve.hpp"

namespace {

using namespace parley;

struct Row {
  std::string file;
  std::string constant;  // "N=6"
};

double processor_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

std::uint64_t peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

struct Measured {
  explore::Statistics statistics;
  double processor = 0;
};

Measured measure(const Row& row) {
  std::ifstream in(row.file);
  std::stringstream text;
  text << in.rdbuf();
  diag::SourceMap sources;
  diag::Diagnostics diagnostics;
  model::Model model = front::text::parse(sources, sources.add(row.file, text.str()), diagnostics);
  model::ResolveOptions options;
  const std::size_t eq = row.constant.find('=');
  if (eq != std::string::npos) options.constants[row.constant.substr(0, eq)] = row.constant.substr(eq + 1);
  model::resolve(model, diagnostics, options);
  auto lowered = diagnostics.has_errors() ? std::nullopt : lower::lower(model, diagnostics);
  if (!lowered) {
    fmt::print(stderr, "{}", diag::render(sources, diagnostics.sorted()));
    std::exit(3);
  }
  const system::System& s = lowered->system;
  std::vector<system::PropertyId> properties;
  for (std::size_t i = 0; i < s.properties.size(); ++i) properties.emplace_back(i);
  explore::Explorer explorer({explore::SearchOrder::BreadthFirst, true});
  const double before = processor_seconds();
  explorer.check(engine::Request{s, properties, semantics::capacities(s), {}, 0, nullptr, {}, {}});
  return {explorer.statistics(), processor_seconds() - before};
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<Row> rows;
  for (int i = 1; i + 1 < argc; i += 2) rows.push_back({argv[i], argv[i + 1]});
  fmt::print("{:<28}{:>6}{:>12}{:>13}{:>7}{:>9}{:>9}{:>12}{:>9}{:>9}\n", "model", "set", "states",
             "transitions", "depth", "cpu s", "wall s", "states/s", "B/state", "peak MB");
  fmt::print("states/s is per second of processor time; peak MB is of the process so far\n");
  double rate = 0, bytes = 0;
  for (const Row& row : rows) {
    const Measured m = measure(row);
    const explore::Statistics& st = m.statistics;
    const double per_second = static_cast<double>(st.states) / std::max(m.processor, 1e-9);
    const std::string name = row.file.substr(row.file.rfind('/') + 1);
    fmt::print("{:<28}{:>6}{:>12}{:>13}{:>7}{:>9.2f}{:>9.2f}{:>12.0f}{:>9.1f}{:>9}\n", name, row.constant,
               st.states, st.transitions, st.depth, m.processor, st.seconds, per_second, st.bytes_per_state,
               peak_bytes() >> 20);
    std::fflush(stdout);
    // The summary speaks of the largest philosophers in the list.
    if (name.starts_with("philosophers.") && st.states > 0) {
      rate = per_second;
      bytes = st.bytes_per_state;
    }
  }
  fmt::print("summary: philosophers_states_per_s={:.0f} bytes_per_state={:.1f}\n", rate, bytes);
}
