#include "driver/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <mutex>
#include <new>

#include "driver/certification.hpp"
#include "driver/live_report.hpp"
#include "driver/proven_bounds.hpp"
#include "semantics/interpreter.hpp"
#include "support/deep_thread.hpp"
#include "support/interrupt.hpp"

namespace parley::driver {

using verdict::PropertyResult;

namespace {

constexpr double kLeastForAProof = 0.05;  // seconds to check a certificate that comes with the time limit

std::vector<PropertyResult> unanswered(const std::vector<system::PropertyId>& wanted) {
  std::vector<PropertyResult> results;
  for (system::PropertyId id : wanted) {
    PropertyResult r;
    r.property = id;
    results.push_back(r);
  }
  return results;
}

PropertyResult no_answer(system::PropertyId id, engine::EngineKind engine, verdict::Stop stop) {
  PropertyResult r;
  r.property = id;
  r.engine = engine;
  r.verdict = verdict::Unknown::because(std::move(stop));
  return r;
}

// The answers so far, shared by the engines' threads.
class Board {
 public:
  using Complete = std::function<void(PropertyResult&)>;  // makes an answer what is to be reported

  Board(const semantics::Interpreter& interpreter, const std::vector<system::PropertyId>& wanted,
        Complete complete, std::function<double()> seconds_left, LiveReport& live)
      : interpreter_(interpreter),
        complete_(std::move(complete)),
        seconds_left_(std::move(seconds_left)),
        live_(live),
        results_(unanswered(wanted)) {}

  // Takes over a conclusive answer, or an Unknown that says more than what is there.
  void post(PropertyResult r) {
    if (decided(r.property)) return;
    certify(interpreter_, r, std::min(kCertificateSeconds, seconds_left_()));
    const std::lock_guard lock(mutex_);
    for (PropertyResult& have : results_) {
      if (have.property != r.property || !have.unknown()) continue;
      if (!r.unknown()) {
        have = r;
      } else if (!have.engine || have.engine == r.engine) {
        have = r;
      } else {
        auto& reason = std::get<verdict::Unknown>(have.verdict).reason;
        const auto& more = std::get<verdict::Unknown>(r.verdict);
        if (!have.story) have.story = r.story;
        if (more.stopped != verdict::StopCause::Cancelled)
          reason += fmt::format("; {}: {}", r.engine_name(), more.reason);
      }
    }
    live_.answers(completed());
  }
  bool all_decided() {
    const std::lock_guard lock(mutex_);
    return std::none_of(results_.begin(), results_.end(),
                        [](const PropertyResult& r) { return r.unknown(); });
  }
  std::vector<PropertyResult> answers() {
    const std::lock_guard lock(mutex_);
    return completed();
  }

 private:
  std::vector<PropertyResult> completed() const {
    std::vector<PropertyResult> answers = results_;
    for (PropertyResult& r : answers) complete_(r);
    return answers;
  }
  bool decided(system::PropertyId id) {
    const std::lock_guard lock(mutex_);
    return std::any_of(results_.begin(), results_.end(),
                       [&](const PropertyResult& r) { return r.property == id && !r.unknown(); });
  }

  const semantics::Interpreter& interpreter_;
  const Complete complete_;
  const std::function<double()> seconds_left_;
  LiveReport& live_;
  std::mutex mutex_;
  std::vector<PropertyResult> results_;
};

std::vector<system::PropertyId> wanted_properties(const system::System& s,
                                                  const std::vector<std::string>& names) {
  std::vector<system::PropertyId> ids;
  for (std::size_t i = 0; i < s.properties.size(); ++i) {
    const bool wanted = names.empty() || std::any_of(names.begin(), names.end(), [&](const std::string& n) {
                          return n == s.properties[i].name || n == std::to_string(i + 1);
                        });
    if (wanted) ids.emplace_back(i);
  }
  return ids;
}

// Exhaustive search knows whether a queue was full, so it gains nothing from proofs about declared queues.
bool gains_from_bounds(const system::System& s, const std::vector<std::unique_ptr<engine::Engine>>& engines) {
  const bool open = std::any_of(s.queues.begin(), s.queues.end(), [](const system::Queue& q) {
    return !q.capacity && q.overflow == system::OverflowPolicy::Cut;
  });
  return open || std::any_of(engines.begin(), engines.end(),
                             [](const auto& e) { return verdict::rests_on_capacities(e->kind()); });
}

CapacityOptions capacity_options(const system::System& s, const std::vector<system::PropertyId>& wanted,
                                 const CheckOptions& options) {
  const auto asks = [&](system::PropertyKind kind) {
    return std::any_of(wanted.begin(), wanted.end(),
                       [&](system::PropertyId id) { return s.property(id).kind == kind; });
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

}  // namespace

CheckReport check(const system::System& system, std::vector<std::unique_ptr<engine::Engine>> engines,
                  const CheckOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  CheckReport report;
  const std::vector<system::PropertyId> wanted = wanted_properties(system, options.properties);
  LiveReport unheard;
  LiveReport& live = options.live != nullptr ? *options.live : unheard;
  live.capacities(semantics::capacities(system, options.capacity));
  live.answers(unanswered(wanted));
  live.doing("while bounding the queues");
  CapacityOptions capacities = capacity_options(system, wanted, options);
  if (!gains_from_bounds(system, engines)) capacities.seconds = 0;
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
  const auto complete = [&](PropertyResult& r) {
    use_lemmas(system, run_with, r);
    if (r.violated()) return;
    for (const std::string& text : system.assumptions)
      r.assumptions.push_back({verdict::AssumptionCode::Model, text});
  };
  const auto seconds_left = [&] {
    const double spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return options.limits.seconds ? std::max(kLeastForAProof, *options.limits.seconds - spent)
                                  : kCertificateSeconds;
  };
  Board board(interpreter, wanted, complete, seconds_left, live);
  std::vector<std::unique_ptr<engine::CancelToken>> tokens;
  for (std::size_t i = 0; i < engines.size(); ++i) tokens.push_back(std::make_unique<engine::CancelToken>());
  const auto cancel_all = [&] {
    for (auto& t : tokens) t->cancel();
  };
  std::mutex failure_mutex;
  std::exception_ptr failure;
  const auto run = [&](std::size_t i) {
    try {
      engine::Request request{system, wanted, report.queue_capacities, limits, options.seed, tokens[i].get(),
                              {},     {}};
      request.progress = [&](const engine::Progress& p) {
        live.progress(p);
        if (options.progress) options.progress(p);
      };
      request.decided = [&](const PropertyResult& r) {
        board.post(r);
        if (board.all_decided()) cancel_all();
      };
      for (const PropertyResult& r : engines[i]->check(request)) board.post(r);
      if (board.all_decided()) cancel_all();
    } catch (const std::bad_alloc&) {  // the others go on with what there is
      for (const system::PropertyId id : wanted)
        board.post(no_answer(id, engines[i]->kind(),
                             {verdict::StopCause::OutOfMemory, "out of memory (the system gave no more)"}));
    } catch (const Interrupted&) {  // in the middle of a step, where there is nothing to tell
      for (const system::PropertyId id : wanted)
        board.post(no_answer(id, engines[i]->kind(), {verdict::StopCause::Cancelled, interrupt_text()}));
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
  if (failure) std::rethrow_exception(failure);
  report.results = board.answers();
  live.doing("while the report is written");
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

int exit_status(const CheckReport& report) {
  int status = 0;
  for (const PropertyResult& r : report.results) {
    if (r.violated()) return 1;
    if (r.unknown()) status = 2;
  }
  return status;
}

}  // namespace parley::driver
