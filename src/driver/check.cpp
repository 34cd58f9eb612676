#include "driver/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "driver/board.hpp"
#include "driver/error_search.hpp"
#include "driver/proven_bounds.hpp"
#include "semantics/interpreter.hpp"

namespace parley::driver {

using verdict::PropertyResult;

namespace {

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
    if (asked || (looks_for_errors(s, id) && !options.assume_no_errors)) rows.push_back({id, !asked});
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

}  // namespace

CheckReport check(const system::System& system, std::vector<std::unique_ptr<engine::Engine>> engines,
                  const CheckOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  CheckReport report;
  const std::vector<Board::Row> wanted = wanted_properties(system, options);
  CapacityOptions capacities = capacity_options(system, wanted, options);
  if (!gains_from_bounds(system, engines) || !any_decides(engines, system, wanted)) capacities.seconds = 0;
  const RunCapacities run_with = run_capacities(system, capacities);
  engine::Limits limits = options.limits;
  if (limits.seconds) {
    const double spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    limits.seconds = std::max(*limits.seconds / 2, *limits.seconds - spent);
  }
  report.queue_capacities = run_with.capacities;
  const semantics::Interpreter interpreter(system, report.queue_capacities);
  std::vector<engine::EngineKind> kinds;
  for (const auto& e : engines) kinds.push_back(e->kind());
  Board board(interpreter, wanted, kinds);
  std::vector<std::unique_ptr<engine::CancelToken>> tokens;
  for (std::size_t i = 0; i < engines.size(); ++i) tokens.push_back(std::make_unique<engine::CancelToken>());
  const auto cancel_all = [&] {
    for (auto& t : tokens) t->cancel();
  };
  std::optional<LastCall> last_call(std::in_place, board, cancel_all);
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
                              options.progress,
                              {}};
      if (request.properties.empty()) return;
      const auto post = [&](const PropertyResult& r) {
        board.post(r);
        last_call->answered();
        if (board.all_decided()) cancel_all();
      };
      request.decided = post;
      for (const PropertyResult& r : engines[i]->check(request)) post(r);
    } catch (...) {
      const std::lock_guard lock(failure_mutex);
      if (!failure) failure = std::current_exception();
      cancel_all();
    }
  };
  if (engines.size() == 1) {
    run(0);
  } else {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < engines.size(); ++i) threads.emplace_back(run, i);
  }
  last_call.reset();
  if (failure) std::rethrow_exception(failure);
  report.results = board.take();
  for (PropertyResult& r : report.results) use_lemmas(system, run_with, r);
  say_why_cancelled(report.results);
  assume_errors_excluded(system, report.results);
  std::vector<verdict::Assumption> of_all = system.assumptions;
  if (options.assume_no_errors)
    if (auto a = assumption_without_search(system, wanted)) of_all.push_back(std::move(*a));
  for (PropertyResult& r : report.results)
    for (const verdict::Assumption& a : of_all)
      if (!r.violated() || changes_runs(a.code)) r.assumptions.push_back(a);
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

int exit_status(const CheckReport& report) {
  int status = 0;
  for (const PropertyResult& r : report.results) {
    if (r.violated()) return 1;
    if (r.unknown() && !r.implicit) status = 2;
  }
  return status;
}

}  // namespace parley::driver
