// The boundedness test on many models: verdict, cycles, counterexamples, refinements and time per file, each
// in a process of its own so that one bad file costs one row. Every BOUNDED and UNBOUNDED is checked again by
// the independent checker, every limit by a search with one place more, every pump for 20 rounds. The last
// line is for machines. `make bench-bounds` runs it. With --resume=FILE finished rows are kept in FILE and
// not run again; with --for=SECONDS it stops in between, to be resumed.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "bounds/bounds.hpp"
#include "certify/bounds_check.hpp"
#include "diag/diagnostic.hpp"
#include "driver/engines.hpp"
#include "explore/explore.hpp"
#include "front/promela/promela.hpp"
#include "front/text/parser.hpp"
#include "lower/lower.hpp"
#include "model/resolve.hpp"
#include "passes/capacities.hpp"
#include "ring.hpp"

namespace {

using namespace parley;
namespace fs = std::filesystem;

struct Row {
  std::string name;
  fs::path file;
  std::string defines;  // for Promela: "-DN=3 -DM"
};

std::optional<system::System> load(const Row& row) {
  std::ifstream in(row.file);
  std::stringstream text;
  text << in.rdbuf();
  diag::SourceMap sources;
  diag::Diagnostics diagnostics;
  if (row.file.extension() == ".ply") {
    model::Model model = front::text::parse(sources, sources.add(row.file.string(), text.str()), diagnostics);
    model::resolve(model, diagnostics, {});
    if (diagnostics.has_errors()) return std::nullopt;
    auto lowered = lower::lower(model, diagnostics);
    if (!lowered) return std::nullopt;
    return std::move(lowered->system);
  }
  front::promela::Options options;
  std::istringstream words(row.defines);
  for (std::string w; words >> w;)
    if (w.starts_with("-D")) options.defines.push_back(w.substr(2));
  return front::promela::load(sources, row.file.string(), text.str(), diagnostics, options);
}

struct Result {
  bool buffered = false, definite = false, contradiction = false;
  double seconds = 0;
  std::string text;  // the row
};

// Search with room for one message more than proven: a queue that uses it contradicts the proof.
std::string against_search(const system::System& original, const bounds::BoundsReport& r) {
  system::System s = passes::without_capacities(original).system;
  std::vector<std::uint32_t> room(s.queues.size(), 0);
  system::Property p;
  p.kind = system::PropertyKind::Always;
  p.name = "no longer than proven";
  p.expression = s.exprs.boolean(true);
  for (const bounds::QueueReport& q : r.queues) {
    if (q.answer != bounds::Answer::Bounded || q.limit > 100) return {};
    room[q.queue.index()] = static_cast<std::uint32_t>(q.limit) + 1;
    p.expression =
        s.exprs.both(p.expression, s.exprs.binary(expr::Op::Le, s.exprs.queue_len(q.queue),
                                                  s.exprs.constant(static_cast<std::int32_t>(q.limit))));
  }
  s.properties = {p};
  engine::Request request{s, {system::PropertyId(0)}, room, {}, 0, nullptr, {}, {}};
  request.limits.seconds = 1;
  request.limits.memory_bytes = std::uint64_t{1} << 30;
  return explore::Explorer(explore::SearchOptions{}).check(request).front().violated()
             ? "CONTRADICTED by search"
             : "";
}

std::string summarise(const bounds::BoundsReport& r, const system::System& s, std::size_t& definite,
                      std::size_t& queues) {
  std::size_t bounded = 0, unbounded = 0, unknown = 0;
  std::int64_t largest = 0;
  for (const bounds::QueueReport& q : r.queues) {
    if (s.queue(q.queue).capacity == 0U) continue;
    ++queues;
    if (q.answer == bounds::Answer::Bounded) {
      ++bounded;
      largest = std::max(largest, q.limit);
    } else if (q.answer == bounds::Answer::Unbounded) {
      ++unbounded;
    } else {
      ++unknown;
    }
  }
  definite = bounded + unbounded;
  if (unknown == 0 && unbounded == 0) return fmt::format("BOUNDED {}", largest);
  if (unbounded > 0)
    return fmt::format("UNBOUNDED {}/{}{}", unbounded, queues,
                       unknown > 0 ? fmt::format(", {} unknown", unknown) : "");
  return fmt::format("UNKNOWN {}/{}", unknown, queues);
}

// Runs in the child: prints its row and then a line for the parent.
void measure(const Row& row, double seconds, FILE* to_parent) {
  const auto system = load(row);
  if (!system) {
    fmt::print(to_parent, "0 0 0 0 {:44} not read\n", row.name);
    return;
  }
  const bool buffered = std::any_of(system->queues.begin(), system->queues.end(),
                                    [](const system::Queue& q) { return q.capacity != 0U; });
  if (!buffered) return;
  bounds::Options options;
  options.seconds = seconds;
  options.search_beside = true;  // as `parley bounds` does
  const auto explorer = driver::make_engine(engine::EngineKind::BreadthFirst),
             prover = driver::make_engine(engine::EngineKind::Ic3);
  const auto start = std::chrono::steady_clock::now();
  const bounds::BoundsReport r = bounds::analyse(*system, options, nullptr, {explorer.get(), prover.get()});
  const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::size_t definite = 0, queues = 0;
  const std::string verdict = summarise(r, *system, definite, queues);
  std::string wrong;
  for (const bounds::QueueReport& q : r.queues) {
    if (q.answer == bounds::Answer::Bounded && q.longest_seen > q.limit) wrong = "CONTRADICTED by search";
    if (q.answer == bounds::Answer::Bounded && q.certificate.kind != verdict::CertificateKind::Exhaustive) {
      // The certificate proves its own limit; an exact search may have found a smaller one.
      const auto check = certify::check_bounded(*system, q.queue, q.certified_limit, q.certificate);
      if (!check.accepted) wrong = "certificate: " + check.why;
    }
    if (q.answer == bounds::Answer::Unbounded) {
      const auto check = certify::check_unbounded(*system, q.queue, q.certificate);
      if (!check.accepted) wrong = "pump: " + check.why;
      const std::string replay = bounds::Searcher(*system, 0).replay(*q.pump, 20);
      if (!replay.empty()) wrong = "pump: " + replay;
    }
  }
  if (wrong.empty()) wrong = against_search(*system, r);
  // For a file "unbounded" is an answer: some queue can grow for ever. What the others do is a bonus.
  const bool file_definite = definite == queues || r.any(bounds::Answer::Unbounded);
  fmt::print(to_parent, "1 {} {} {} {:44} {:24} {:>7}{} {:>4} {:>4} {:>8} {:8.2f} {}\n",
             file_definite ? 1 : 0, wrong.empty() ? 0 : 1, took, row.name, verdict, r.cycles,
             r.cycles_complete ? " " : "+", r.counterexamples, r.refinements, r.states, took,
             wrong.empty() ? r.note : wrong);
}

// What measure() printed.
std::optional<Result> parse(const std::string& line) {
  int buffered = 0, definite = 0, wrong = 0, at = 0;
  double took = 0;
  if (std::sscanf(line.c_str(), "%d %d %d %lf %n", &buffered, &definite, &wrong, &took, &at) != 4)
    return std::nullopt;
  return Result{buffered == 1, definite == 1, wrong == 1, took, line.substr(static_cast<std::size_t>(at))};
}

// The line of measure(), made in a process of its own; empty: nothing to say about this file.
std::string run(const Row& row, double seconds) {
  int pipe_ends[2];
  if (pipe(pipe_ends) != 0) return {};
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    close(pipe_ends[0]);
    rlimit cpu{static_cast<rlim_t>(seconds * 4 + 20), static_cast<rlim_t>(seconds * 4 + 25)};
    setrlimit(RLIMIT_CPU, &cpu);
    rlimit memory{rlim_t{4} << 30, rlim_t{4} << 30};
    setrlimit(RLIMIT_AS, &memory);
    FILE* out = fdopen(pipe_ends[1], "w");
    try {
      measure(row, seconds, out);
    } catch (const std::exception& e) {
      fmt::print(out, "1 0 0 {} {:44} FAILED {}\n", seconds, row.name, e.what());
    }
    std::fflush(out);
    _exit(0);
  }
  close(pipe_ends[1]);
  FILE* in = fdopen(pipe_ends[0], "r");
  std::string line;
  for (int c = std::fgetc(in); c != EOF && c != '\n'; c = std::fgetc(in)) line += static_cast<char>(c);
  std::fclose(in);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status))
    line = fmt::format("1 0 0 {} {:44} KILLED by signal {}", seconds, row.name, WTERMSIG(status));
  return line;
}

// Files that Spin accepts, by its table of results.
std::vector<Row> corpus(const fs::path& folder) {
  std::vector<Row> rows;
  std::ifstream in(folder / "spin-results.tsv");
  std::string line;
  std::vector<std::string> header;
  while (std::getline(in, line)) {
    std::vector<std::string> fields;
    std::stringstream cells(line);
    for (std::string f; std::getline(cells, f, '\t');) fields.push_back(f);
    if (header.empty()) {
      header = fields;
      continue;
    }
    const auto column = [&](const char* name) -> std::string {
      const auto at = std::find(header.begin(), header.end(), name);
      const auto i = static_cast<std::size_t>(at - header.begin());
      return at == header.end() || i >= fields.size() ? "" : fields[i];
    };
    if (!column("spin").starts_with("accepted") || fields.empty()) continue;
    const fs::path file = folder / fields[0];
    if (fs::exists(file)) rows.push_back({fields[0], file, column("defines")});
  }
  return rows;
}

}  // namespace

int main(int argc, char** argv) {
  double seconds = 10, most = 1e9;
  std::string filter, resume;
  std::vector<Row> rows;
  for (int i = 1; i < argc; ++i) {
    const std::string arg = argv[i];
    if (arg.starts_with("--seconds="))
      seconds = std::stod(arg.substr(10));
    else if (arg.starts_with("--for="))
      most = std::stod(arg.substr(6));
    else if (arg.starts_with("--only="))
      filter = arg.substr(7);
    else if (arg.starts_with("--resume="))
      resume = arg.substr(9);
    else if (arg.starts_with("--corpus=")) {
      for (Row& r : corpus(arg.substr(9))) rows.push_back(std::move(r));
    } else {
      rows.push_back({fs::path(arg).filename().string(), arg, ""});
    }
  }
  // Lines of an earlier run, by the name of the row.
  std::map<std::string, std::string> finished;
  if (!resume.empty()) {
    std::ifstream in(resume);
    for (std::string name, line; std::getline(in, name, '\t') && std::getline(in, line);)
      finished[name] = line;
  }
  fmt::print("{:44} {:24} {:>7}  {:>4} {:>4} {:>8} {:>8}\n", "file", "verdict", "cycles", "cex", "ref",
             "states", "s");
  const auto start = std::chrono::steady_clock::now();
  std::size_t buffered = 0, definite = 0, contradictions = 0, promela = 0, promela_definite = 0, quick = 0;
  std::vector<double> times;
  for (const Row& row : rows) {
    if (!filter.empty() && row.name.find(filter) == std::string::npos) continue;
    if (!finished.contains(row.name)) {
      if (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() > most) {
        fmt::print("stopped; the same command goes on\n");
        return 2;
      }
      finished[row.name] = run(row, seconds);
      if (!resume.empty())
        std::ofstream(resume, std::ios::app) << row.name << '\t' << finished[row.name] << '\n';
    }
    const std::optional<Result> r = parse(finished[row.name]);
    if (!r) continue;
    fmt::print("{}\n", r->text);
    std::fflush(stdout);
    if (!r->buffered) continue;
    const bool ours = row.file.extension() == ".ply";
    ++buffered;
    promela += ours ? 0 : 1;
    definite += r->definite ? 1 : 0;
    promela_definite += r->definite && !ours ? 1 : 0;
    quick += r->seconds < 1 ? 1 : 0;
    contradictions += r->contradiction ? 1 : 0;
    times.push_back(r->seconds);
  }
  std::sort(times.begin(), times.end());
  double ring200 = 0;
  if (filter.empty()) ring200 = bench::ring_table(seconds);
  fmt::print("\nPromela files: {} of {} definite; all: {} of {} in less than 1 s\n", promela_definite,
             promela, quick, buffered);
  fmt::print("summary: definite={}/{} contradictions={} median_s={:.3f} ring200_s={:.2f}\n", definite,
             buffered, contradictions, times.empty() ? 0 : times[times.size() / 2], ring200);
  return contradictions == 0 ? 0 : 1;
}
