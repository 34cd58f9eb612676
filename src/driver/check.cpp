#include "driver/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <new>
#include <thread>

#include "driver/beyond_cut.hpp"
#include "driver/board.hpp"
#include "driver/certification.hpp"
#include "driver/error_assumptions.hpp"
#include "driver/live_report.hpp"
#include "driver/proven_bounds.hpp"
#include "load/error_search.hpp"
#include "semantics/interpreter.hpp"
#include "support/deep_thread.hpp"
#include "support/interrupt.hpp"

namespace parley::driver {

using verdict::PropertyResult;

namespace {

constexpr double kSecondsBeyondCuts = 2;

PropertyResult no_answer(system::PropertyId id, engine::EngineKind engine, verdict::Stop stop) {
  PropertyResult r;
  r.property = id;
  r.engine = engine;
  r.verdict = verdict::Unknown::because(std::move(stop));
  return r;
}

// How long errors that nobody asked about are looked for after runs have answered what was asked.
constexpr double kErrorsAlone = 1.0;

bool is_picked(const system::System& s, std::size_t i, const std::vector<std::string>& names) {
  return std::any_of(names.begin(), names.end(), [&](const std::string& n) {
    return n == s.properties[i].name || n == std::to_string(i + 1);
  });
}

// What the user picks, and errors whatever that is.
std::vector<Board::Row> wanted_properties(const system::System& s, const CheckOptions& options) {
  std::vector<Board::Row> rows;
  for (std::size_t i = 0; i < s.properties.size(); ++i) {
    const system::PropertyId id(i);
    const bool asked =
        options.properties.empty() ? !s.property(id).implicit : is_picked(s, i, options.properties);
    if (asked || (load::looks_for_errors(s, id) && !options.assume_no_errors)) rows.push_back({id, !asked});
  }
  return rows;
}

// Ends the engines some time after only errors are left to be looked for. A thread of its own: engines look
// at their tokens, not at the board.
class LastCall {
 public:
  LastCall(Board& board, std::function<void()> cancel)
      : board_(board),
        cancel_(std::move(cancel)),
        thread_([this](const std::stop_token& stop) { wait(stop); }) {}

  void answered() {
    { const std::lock_guard lock(mutex_); }  // whoever looks at the board has begun to wait
    changed_.notify_all();
  }

 private:
  void wait(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, stop, [&] { return board_.only_implicit_open(); });
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(kErrorsAlone);
    changed_.wait_until(lock, stop, end, [] { return false; });
    if (!stop.stop_requested()) cancel_();
  }

  Board& board_;
  std::function<void()> cancel_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::jthread thread_;  // last: it uses the others
};

// Exhaustive search knows whether a queue was full, so it gains nothing from proofs about declared queues.
bool gains_from_bounds(const system::System& s, const std::vector<std::unique_ptr<engine::Engine>>& engines) {
  const bool open = std::any_of(s.queues.begin(), s.queues.end(), [](const system::Queue& q) {
    return !q.capacity && q.overflow == system::OverflowPolicy::Cut;
  });
  return open || std::any_of(engines.begin(), engines.end(),
                             [](const auto& e) { return verdict::rests_on_capacities(e->kind()); });
}

CapacityOptions capacity_options(const system::System& s, const std::vector<Board::Row>& wanted,
                                 const CheckOptions& options) {
  const auto asks = [&](system::PropertyKind kind) {
    return std::any_of(wanted.begin(), wanted.end(),
                       [&](const Board::Row& row) { return s.property(row.property).kind == kind; });
  };
  CapacityOptions c;
  c.given = options.capacity;
  c.keep_default = asks(system::PropertyKind::NoOverflow);
  if (options.limits.seconds) c.seconds = std::min(c.seconds, *options.limits.seconds / 5);
  if (wanted.empty()) c.seconds = 0;
  return c;
}

// A proof that was found with proven capacities rests on them; where they show that no run was cut short,
// nothing about capacities is assumed.
void use_lemmas(const system::System& s, const RunCapacities& run, PropertyResult& r) {
  if (!r.holds() || s.property(r.property).kind == system::PropertyKind::NoUnboundedQueues) return;
  r.lemmas = run.lemmas;
  if (run.never_cut)
    std::erase_if(r.assumptions, [](const verdict::Assumption& a) {
      return a.code == verdict::AssumptionCode::QueueCapacity;
    });
}

bool any_decides(const std::vector<std::unique_ptr<engine::Engine>>& engines, const system::System& s,
                 const std::vector<Board::Row>& wanted) {
  return std::any_of(engines.begin(), engines.end(), [&](const auto& e) {
    return std::any_of(wanted.begin(), wanted.end(), [&](const Board::Row& row) {
      return verdict::decides(e->kind(), s.property(row.property).kind);
    });
  });
}

// A run that is shown stands even if some others were not looked at; not if the model may mean another one.
bool changes_runs(verdict::AssumptionCode code) {
  return code == verdict::AssumptionCode::Approximated || code == verdict::AssumptionCode::Guessed ||
         code == verdict::AssumptionCode::Ignored;
}

// Engines know only that they were to stop.
void say_why_cancelled(std::vector<PropertyResult>& results) {
  for (PropertyResult& r : results)
    if (auto* u = std::get_if<verdict::Unknown>(&r.verdict);
        u != nullptr && r.implicit && u->stopped == verdict::StopCause::Cancelled)
      u->reason = "nobody asked for it, and the search ended soon after runs had answered the rest";
}

// Of the whole check; a little more than was given, so that an answer in the last moment is still looked at.
double left_of(const engine::Limits& limits, std::chrono::steady_clock::time_point start) {
  const double spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return *limits.seconds + std::min(0.25, *limits.seconds * 0.05) - spent;
}

// The failure that would violate the property if a step that was cut could go on.
std::optional<semantics::Outcome> hidden_violation(system::PropertyKind kind) {
  if (kind == system::PropertyKind::NoRuntimeError) return semantics::Outcome::RuntimeError;
  if (kind == system::PropertyKind::NoAssertionFailure) return semantics::Outcome::AssertionFailed;
  return std::nullopt;
}

// That there are no errors is not said where a full queue hides one (beyond_cut.hpp).
void look_beyond_cuts(const semantics::Interpreter& in, std::vector<PropertyResult>& results,
                      double seconds) {
  const auto outcome_of = [&](const PropertyResult& r) {
    const bool cut = std::any_of(r.assumptions.begin(), r.assumptions.end(), [](const auto& a) {
      return a.code == verdict::AssumptionCode::QueueCapacity;
    });
    return r.holds() && cut ? hidden_violation(in.system().property(r.property).kind) : std::nullopt;
  };
  std::vector<semantics::Outcome> wanted;
  for (const PropertyResult& r : results)
    if (const auto outcome = outcome_of(r)) wanted.push_back(*outcome);
  const auto start = std::chrono::steady_clock::now();
  const auto failures = failures_beyond_cuts(in, wanted, [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() > seconds;
  });
  for (PropertyResult& r : results)
    for (const HiddenFailure& f : failures)
      if (outcome_of(r) == f.outcome) r.verdict = verdict::Unknown{f.sentence};
}

}  // namespace

CheckReport check(const system::System& system, std::vector<std::unique_ptr<engine::Engine>> engines,
                  const CheckOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  CheckReport report;
  const std::vector<Board::Row> wanted = wanted_properties(system, options);
  LiveReport unheard;
  LiveReport& live = options.live != nullptr ? *options.live : unheard;
  live.capacities(semantics::capacities(system, options.capacity));
  live.answers(unanswered(wanted));
  live.doing("while bounding the queues");
  CapacityOptions capacities = capacity_options(system, wanted, options);
  if (!gains_from_bounds(system, engines) || !any_decides(engines, system, wanted)) capacities.seconds = 0;
  const RunCapacities run_with = run_capacities(system, capacities);
  engine::Limits limits = options.limits;
  if (limits.seconds) {
    const double spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    limits.seconds = std::max(*limits.seconds / 2, *limits.seconds - spent);
  }
  report.queue_capacities = run_with.capacities;
  live.capacities(run_with.capacities);
  live.doing("while the engines run");
  const semantics::Interpreter interpreter(system, report.queue_capacities);
  std::vector<engine::EngineKind> kinds;
  for (const auto& e : engines) kinds.push_back(e->kind());
  std::vector<verdict::Assumption> of_all = system.assumptions;
  if (options.assume_no_errors)
    if (auto a = assumption_without_search(system, wanted)) of_all.push_back(std::move(*a));
  std::atomic<bool> errors_given_up = false;
  const auto rest_on_lemmas = [&](std::vector<PropertyResult>& results) {
    for (PropertyResult& r : results) use_lemmas(system, run_with, r);
    if (errors_given_up) say_why_cancelled(results);
  };
  const auto rest_on_assumptions = [&](std::vector<PropertyResult>& results) {
    assume_errors_excluded(system, results);
    for (PropertyResult& r : results)
      for (const verdict::Assumption& a : of_all)
        if (!r.violated() || changes_runs(a.code)) r.assumptions.push_back(a);
  };
  const auto complete = [&](std::vector<PropertyResult>& results) {
    rest_on_lemmas(results);
    rest_on_assumptions(results);
  };
  const auto certificate_seconds = [&] {
    if (!options.limits.seconds) return kCertificateSeconds;
    return std::clamp(left_of(options.limits, start), 0.0, kCertificateSeconds);
  };
  Board board(interpreter, wanted, kinds, {complete, certificate_seconds, live});
  std::vector<std::unique_ptr<engine::CancelToken>> tokens;
  for (std::size_t i = 0; i < engines.size(); ++i) tokens.push_back(std::make_unique<engine::CancelToken>());
  const auto cancel_all = [&] {
    for (auto& t : tokens) t->cancel();
  };
  std::optional<LastCall> last_call(std::in_place, board, [&] {
    errors_given_up = true;
    cancel_all();
  });
  std::mutex failure_mutex;
  std::exception_ptr failure;
  const auto run = [&](std::size_t i) {
    try {
      engine::Request request{system,
                              board.questions_for(kinds[i]),
                              report.queue_capacities,
                              limits,
                              options.seed,
                              tokens[i].get(),
                              {},
                              {}};
      if (request.properties.empty()) return;
      request.progress = [&](const engine::Progress& p) {
        live.progress(p);
        if (options.progress) options.progress(p);
      };
      const auto post = [&](const PropertyResult& r) {
        board.post(r);
        last_call->answered();
        if (board.all_decided()) cancel_all();
      };
      request.decided = post;
      for (const PropertyResult& r : engines[i]->check(request)) post(r);
    } catch (const std::bad_alloc&) {  // the others go on with what there is
      for (const system::PropertyId id : board.questions_for(kinds[i]))
        board.post(no_answer(id, kinds[i],
                             {verdict::StopCause::OutOfMemory, "out of memory (the system gave no more)"}));
    } catch (const Interrupted&) {  // in the middle of a step, where there is nothing to tell
      for (const system::PropertyId id : board.questions_for(kinds[i]))
        board.post(no_answer(id, kinds[i], {verdict::StopCause::Cancelled, interrupt_text()}));
    } catch (...) {
      const std::lock_guard lock(failure_mutex);
      if (!failure) failure = std::current_exception();
      cancel_all();
    }
  };
  if (engines.size() == 1) {
    run(0);
  } else {
    std::deque<DeepThread> threads;
    for (std::size_t i = 0; i < engines.size(); ++i) threads.emplace_back([&run, i] { run(i); });
  }
  last_call.reset();
  if (failure) std::rethrow_exception(failure);
  report.results = board.take();
  live.doing("while the report is written");
  rest_on_lemmas(report.results);
  look_beyond_cuts(interpreter, report.results,
                   options.limits.seconds ? std::min(kSecondsBeyondCuts, left_of(options.limits, start))
                                          : kSecondsBeyondCuts);
  rest_on_assumptions(report.results);
  live.answers(report.results);
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

// That looking for errors came to no answer matters where a proof rests on there being none; what runs have
// shown stands anyway.
int exit_status(const CheckReport& report) {
  const auto& results = report.results;
  if (std::any_of(results.begin(), results.end(), [](const PropertyResult& r) { return r.violated(); }))
    return 1;
  const bool errors_open = std::any_of(results.begin(), results.end(),
                                       [](const PropertyResult& r) { return r.implicit && r.unknown(); });
  const auto rests_on_them = [](const PropertyResult& r) {
    return std::any_of(r.assumptions.begin(), r.assumptions.end(), [](const verdict::Assumption& a) {
      return a.code == verdict::AssumptionCode::ErrorsNotExcluded;
    });
  };
  return std::any_of(results.begin(), results.end(),
                     [&](const PropertyResult& r) {
                       return r.unknown() ? !r.implicit : errors_open && rests_on_them(r);
                     })
             ? 2
             : 0;
}

}  // namespace parley::driver
