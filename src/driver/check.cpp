#include "driver/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <thread>

#include "driver/beyond_cut.hpp"
#include "driver/certification.hpp"
#include "driver/proven_bounds.hpp"
#include "semantics/interpreter.hpp"

namespace parley::driver {

using verdict::PropertyResult;

namespace {

constexpr double kSecondsBeyondCuts = 2;

// The answers so far, shared by the engines' threads.
class Board {
 public:
  // `left`: seconds for the check of a certificate.
  Board(const semantics::Interpreter& interpreter, const std::vector<system::PropertyId>& wanted,
        std::function<double()> left)
      : interpreter_(interpreter), left_(std::move(left)) {
    for (system::PropertyId id : wanted) {
      PropertyResult r;
      r.property = id;
      results_.push_back(r);
    }
  }

  // Takes over a conclusive answer, or an Unknown that says more than what is there.
  void post(PropertyResult r) {
    if (decided(r.property)) return;
    certify(interpreter_, r, left_());
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
  }
  bool all_decided() {
    const std::lock_guard lock(mutex_);
    return std::none_of(results_.begin(), results_.end(),
                        [](const PropertyResult& r) { return r.unknown(); });
  }
  std::vector<PropertyResult> take() { return std::move(results_); }

 private:
  bool decided(system::PropertyId id) {
    const std::lock_guard lock(mutex_);
    return std::any_of(results_.begin(), results_.end(),
                       [&](const PropertyResult& r) { return r.property == id && !r.unknown(); });
  }

  const semantics::Interpreter& interpreter_;
  const std::function<double()> left_;
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
  const std::vector<system::PropertyId> wanted = wanted_properties(system, options.properties);
  CapacityOptions capacities = capacity_options(system, wanted, options);
  if (!gains_from_bounds(system, engines)) capacities.seconds = 0;
  const RunCapacities run_with = run_capacities(system, capacities);
  engine::Limits limits = options.limits;
  if (limits.seconds) {
    const double spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    limits.seconds = std::max(*limits.seconds / 2, *limits.seconds - spent);
  }
  report.queue_capacities = run_with.capacities;
  const semantics::Interpreter interpreter(system, report.queue_capacities);
  Board board(interpreter, wanted, [&] {
    if (!options.limits.seconds) return kCertificateSeconds;
    return std::clamp(left_of(options.limits, start), 0.0, kCertificateSeconds);
  });
  std::vector<std::unique_ptr<engine::CancelToken>> tokens;
  for (std::size_t i = 0; i < engines.size(); ++i) tokens.push_back(std::make_unique<engine::CancelToken>());
  const auto cancel_all = [&] {
    for (auto& t : tokens) t->cancel();
  };
  std::mutex failure_mutex;
  std::exception_ptr failure;
  const auto run = [&](std::size_t i) {
    try {
      engine::Request request{system,       wanted,          report.queue_capacities, limits,
                              options.seed, tokens[i].get(), options.progress,        {}};
      request.decided = [&](const PropertyResult& r) {
        board.post(r);
        if (board.all_decided()) cancel_all();
      };
      for (const PropertyResult& r : engines[i]->check(request)) board.post(r);
      if (board.all_decided()) cancel_all();
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
  if (failure) std::rethrow_exception(failure);
  report.results = board.take();
  for (PropertyResult& r : report.results) use_lemmas(system, run_with, r);
  look_beyond_cuts(interpreter, report.results,
                   options.limits.seconds ? std::min(kSecondsBeyondCuts, left_of(options.limits, start))
                                          : kSecondsBeyondCuts);
  for (PropertyResult& r : report.results)
    for (const std::string& text : system.assumptions)
      if (!r.violated()) r.assumptions.push_back({verdict::AssumptionCode::Model, text});
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
