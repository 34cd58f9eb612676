// parley bounds: can a queue grow for ever?
#include <fmt/format.h>

#include <algorithm>

#include "bounds/abstract_run.hpp"
#include "bounds/bounds.hpp"
#include "bounds/engine.hpp"
#include "bounds/published/run.hpp"
#include "cli/certificate_output.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/supervisor.hpp"
#include "driver/certification.hpp"
#include "driver/engines.hpp"
#include "report/bounds_report.hpp"
#include "support/check.hpp"
#include "verdict/json.hpp"

namespace parley::cli {
namespace {

constexpr double kShareOfTest = 0.8;  // of --time; the rest is for checking its answers

// The published test, in words or in JSON.
std::optional<bounds::published::Run> as_published(const system::System& s, double seconds, bool counted,
                                                   std::string& problem) {
  bounds::published::Options options;
  options.counted = counted;
  const auto start = std::chrono::steady_clock::now();
  options.stop = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() > seconds;
  };
  try {
    return bounds::published::run(s, options);
  } catch (const bounds::TooWide& e) {
    problem = e.what();
    return std::nullopt;
  }
}

// The report as the answer to "no unbounded queues", the only property on the page.
void write_bounds_html(load::Loaded& loaded, const bounds::BoundsReport& report, const Arguments& a) {
  system::System& s = *loaded.system;
  system::Property asked;
  asked.kind = system::PropertyKind::NoUnboundedQueues;
  asked.name = system::describe(asked.kind);
  s.properties = {asked};
  const semantics::Interpreter interpreter(s);
  const std::vector<verdict::PropertyResult> results = {bounds::result_of(s, system::PropertyId(0), report)};
  write_html(
      a.get("html"), loaded,
      {s, loaded.sources, interpreter, results, a.positional[0], reproduce("bounds", a), report.seconds});
}

// What is said when the test is cut: an answer that was not checked is none.
bounds::BoundsReport cut_report(const system::System& s, const verdict::Stop& stop, double seconds) {
  bounds::BoundsReport report;
  for (std::size_t q = 0; q < s.queues.size(); ++q) {
    bounds::QueueReport queue;
    queue.queue = system::QueueId(q);
    queue.declared = s.queues[q].capacity;
    report.queues.push_back(std::move(queue));
  }
  report.note = stop.text;
  report.seconds = seconds;
  return report;
}

int tell(const system::System& s, const bounds::BoundsReport& report, const nlohmann::ordered_json& published,
         const std::string& published_text, const Arguments& a, Terminal& t) {
  if (a.get("format") == "json") {
    nlohmann::ordered_json all = report::to_json(s, report);
    if (!published.is_null()) all["published"] = published;
    t.out << verdict::dump(all) << '\n';
  } else {
    t.out << report::text(s, report, {a.has("explain")}) << published_text;
  }
  if (report.any(bounds::Answer::Unbounded)) return kViolated;
  return report.all(bounds::Answer::Bounded) ? kAllHold : kUnknown;
}

int run_bounds(const Arguments& a, Terminal& t) {
  auto loaded = load_or_report(a.positional[0], a, t);
  if (!loaded) return kBadInput;
  const system::System& s = *loaded->system;
  bounds::Options options;
  const std::optional<double> given = limits_of(a).seconds;
  options.seconds = given ? *given * kShareOfTest : 10.0;
  options.search_beside = true;
  const auto start = std::chrono::steady_clock::now();
  const auto spent = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const LastWords last_words(t.supervisor, [&](const verdict::Stop& stop, Terminal& terminal) {
    return tell(s, cut_report(s, stop, spent()), {}, {}, a, terminal);
  });
  const auto explorer = driver::make_engine(engine::EngineKind::BreadthFirst),
             prover = driver::make_engine(engine::EngineKind::Ic3);
  bounds::BoundsReport report = bounds::analyse(s, options, nullptr, {explorer.get(), prover.get()});
  const double at_least = given ? std::min(0.3, *given * 0.1) : 1.0;
  driver::certify(s, report, std::max(at_least, (given ? *given : options.seconds) - spent()));
  std::optional<bounds::published::Run> published;
  std::string problem;
  if (a.has("published") || a.has("counted"))
    published = as_published(s, options.seconds, a.has("counted"), problem);
  nlohmann::ordered_json published_json;
  std::string published_text;
  if (published) {
    published_json = report::to_json(*published);
    published_text = report::text(*published);
  } else if (!problem.empty()) {
    published_json = {{"answer", "stopped"}, {"limit", problem}};
    published_text = fmt::format("as published: stopped, {}\n", problem);
  }
  const int status = tell(s, report, published_json, published_text, a, t);
  // Last, since the answer is there even if a file cannot be written.
  if (a.has("certificate")) write_certificate(a, *loaded, report);
  if (a.has("html")) write_bounds_html(*loaded, report, a);
  return status;
}

}  // namespace

Command bounds_command() {
  Command c;
  c.name = "bounds";
  c.summary = "tell for each queue how long it can get, or that it can grow for ever";
  c.arguments = "MODEL";
  c.description =
      "Takes the declared capacities away and asks whether a queue can grow without bound. A bounded queue "
      "comes with a "
      "limit and a certificate, an unbounded one with a run and a loop that repeats, an unknown one with the "
      "cycles "
      "that might be to blame. Exit status 0: all bounded, 1: some queue is unbounded, 2: something is "
      "unknown.";
  c.options = load_options() + limit_options() +
              std::vector<OptionSpec>{
                  {"explain", "", "Tells refinements, loops and cycles as a story."},
                  {"html", "FILE", "Writes a report with the cycles on the machines, growth and weights."},
                  {"certificate", "FILE", "Writes the evidence for all answers, for `parley verify`."},
                  {"published", "",
                   "Also runs the test as published in 2005: counts, and a line per counterexample."},
                  {"counted", "",
                   "The same, and beyond the publication counts how often supplementary cycles must run."},
                  format_option({"text", "json"})};
  c.run = run_bounds;
  return c;
}

}  // namespace parley::cli
