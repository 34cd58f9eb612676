#include "driver/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <mutex>
#include <thread>

#include "certify/bounds_check.hpp"
#include "certify/closure.hpp"
#include "certify/invariant.hpp"
#include "driver/proven_bounds.hpp"
#include "semantics/interpreter.hpp"
#include "support/check.hpp"
#include "verdict/json.hpp"
#include "verdict/replay.hpp"

namespace parley::driver {

using verdict::PropertyResult;

namespace {

const verdict::Trace* trace_of(const PropertyResult& r) {
  if (const auto* v = std::get_if<verdict::Violated>(&r.verdict)) return v->trace ? &*v->trace : nullptr;
  if (const auto* h = std::get_if<verdict::Holds>(&r.verdict)) return h->witness ? &*h->witness : nullptr;
  return nullptr;
}

// "Nothing is reported unchecked": a trace that does not replay is a failure of the tool that saves its
// evidence.
void confirm_trace(const semantics::Interpreter& interpreter, const PropertyResult& r) {
  const verdict::Trace* trace = trace_of(r);
  if (trace == nullptr) return;
  const verdict::Confirmation c = verdict::confirm(interpreter, r.property, *trace);
  if (c.confirmed) return;
  const std::string file = "parley-unconfirmed-trace.json";
  std::ofstream(file) << verdict::dump(verdict::to_json(interpreter.system(), *trace)) << '\n';
  throw InternalError(fmt::format(
      "internal error: engine {} claims a trace for `{}` that the reference semantics does not confirm: {}; "
      "the trace was saved as {}",
      r.engine, interpreter.system().property(r.property).name, c.why, file));
}

// A proof's certificate is checked by another solver on another encoding. Rejected: no answer, and the reason
// says so; not decided in time: the answer stands, and says that its certificate was not checked.
constexpr double kCertificateSeconds = 20;

// A loop that makes a queue grow was replayed; that it goes on for ever is what its certificate says.
void check_growth(const system::System& s, PropertyResult& r) {
  const auto* v = std::get_if<verdict::Violated>(&r.verdict);
  if (v == nullptr || s.property(r.property).kind != system::PropertyKind::NoUnboundedQueues) return;
  certify::Check c = certify::Check::no("there is none");
  if (v->certificate) c = certify::check_growing(s, *v->certificate);
  if (!c.accepted)
    r.verdict = verdict::Unknown{fmt::format(
        "{} found a growing loop, but the independent checker does not accept its certificate: {}", r.engine,
        c.why)};
}

const verdict::Certificate* certificate_of(const PropertyResult& r) {
  if (const auto* h = std::get_if<verdict::Holds>(&r.verdict)) return &h->certificate;
  const auto* v = std::get_if<verdict::Violated>(&r.verdict);
  return v != nullptr && v->certificate ? &*v->certificate : nullptr;
}

// Nothing: a certificate that no checker reads (the engine's own word, or one that was checked already).
std::optional<certify::ProofCheck> check_of(const semantics::Interpreter& interpreter,
                                            system::PropertyId property,
                                            const verdict::Certificate& certificate) {
  const system::System& s = interpreter.system();
  if (certificate.kind == "bounds") return certify::check_all_bounded(s, certificate, kCertificateSeconds);
  const bool closure = certificate.kind == certify::kClosureKind;
  if (!closure && !certify::checks_kind(certificate.kind)) return std::nullopt;
  return (closure ? certify::check_closure : certify::check_certificate)(
      s, property, interpreter.queue_capacities(), certificate, kCertificateSeconds);
}

void check_proof(const semantics::Interpreter& interpreter, PropertyResult& r) {
  check_growth(interpreter.system(), r);
  const verdict::Certificate* certificate = certificate_of(r);
  if (certificate == nullptr) return;
  const std::optional<certify::ProofCheck> checked = check_of(interpreter, r.property, *certificate);
  if (!checked) return;
  const certify::ProofCheck& c = *checked;
  if (c.result == certify::ProofCheck::Result::Rejected) {
    r.verdict = verdict::Unknown{
        fmt::format("{} found a proof, but the independent checker does not accept its certificate: {}",
                    r.engine, c.why)};
    return;
  }
  if (c.result == certify::ProofCheck::Result::Undecided)
    r.assumptions.push_back(
        {"unchecked-certificate",
         fmt::format("{} is right: its certificate could not be checked ({})", r.engine, c.why)});
}

// The answers so far, shared by the engines' threads.
class Board {
 public:
  Board(const semantics::Interpreter& interpreter, const std::vector<system::PropertyId>& wanted)
      : interpreter_(interpreter) {
    for (system::PropertyId id : wanted) {
      PropertyResult r;
      r.property = id;
      results_.push_back(r);
    }
  }

  // Takes over a conclusive answer, or an Unknown that says more than what is there.
  void post(PropertyResult r) {
    if (decided(r.property)) return;
    if (!r.unknown()) confirm_trace(interpreter_, r);
    check_proof(interpreter_, r);
    const std::lock_guard lock(mutex_);
    for (PropertyResult& have : results_) {
      if (have.property != r.property || !have.unknown()) continue;
      if (!r.unknown()) {
        have = r;
      } else if (have.engine.empty() || have.engine == r.engine) {
        have = r;
      } else {
        auto& reason = std::get<verdict::Unknown>(have.verdict).reason;
        const auto& more = std::get<verdict::Unknown>(r.verdict).reason;
        if (!have.story) have.story = r.story;
        if (more != "cancelled") reason += fmt::format("; {}: {}", r.engine, more);
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
  static const std::vector<std::string> exhaustive = {"explicit", "dfs", "explore", "bounds"};
  const bool open = std::any_of(s.queues.begin(), s.queues.end(), [](const system::Queue& q) {
    return !q.capacity && q.overflow == system::OverflowPolicy::Cut;
  });
  return open || std::any_of(engines.begin(), engines.end(), [&](const auto& e) {
           return std::find(exhaustive.begin(), exhaustive.end(), e->name()) == exhaustive.end();
         });
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
    std::erase_if(r.assumptions, [](const verdict::Assumption& a) { return a.code == "queue-capacity"; });
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
  Board board(interpreter, wanted);
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
  for (PropertyResult& r : report.results)
    for (const std::string& text : system.assumptions)
      if (!r.violated()) r.assumptions.push_back({"model", text});
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
