// Temporal properties of random Systems, with and without fairness: what the symbolic engines say against the
// exhaustive search of products. For the fast tier and the slow one, and for certificates.
#pragma once

#include <gtest/gtest.h>

#include "explore/random_system.hpp"
#include "explore/random_temporal.hpp"
#include "explore/temporal.hpp"
#include "symbolic/engines.hpp"
#include "verdict/replay.hpp"

namespace parley::testing {

struct TemporalTask {
  system::System system;
  system::PropertyId property;
  std::string label;
};

// Every third with fairness (one or two), every second formula with Next.
inline TemporalTask temporal_task(std::uint64_t seed) {
  TemporalTask task{RandomSystem(seed).make(), {}, {}};
  RandomTemporal random(task.system, seed * 104729 + 5, seed % 2 == 0);
  task.property = random.add_property(static_cast<std::uint32_t>(1 + seed % 5));
  if (seed % 3 == 0) random.add_fairness(static_cast<std::uint32_t>(1 + seed % 2));
  task.label = "seed " + std::to_string(seed) + ": " + task.system.property(task.property).name;
  return task;
}

inline verdict::PropertyResult answer(engine::Engine& engine, const TemporalTask& task, double seconds) {
  engine::Request request{
      task.system, {task.property}, semantics::capacities(task.system), {}, 0, nullptr, {}, {}};
  request.limits.seconds = seconds;
  return engine.check(request).front();
}

struct TemporalTally {
  int violated = 0, held = 0, open = 0, refused = 0;
};

// The reason why the pass did not make a System, not a limit.
inline bool refused(const verdict::PropertyResult& r) {
  const auto* u = std::get_if<verdict::Unknown>(&r.verdict);
  return u != nullptr && !u->stopped;
}

inline void agree(engine::Engine& engine, const TemporalTask& task, const verdict::PropertyResult& expected,
                  double seconds, TemporalTally& tally) {
  const verdict::PropertyResult r = answer(engine, task, seconds);
  const std::string where = std::string(shown_name(engine.kind())) + ", " + task.label;
  if (r.unknown()) {
    ++(refused(r) ? tally.refused : tally.open);
    return;
  }
  ASSERT_EQ(r.violated(), expected.violated()) << where;
  ++(r.violated() ? tally.violated : tally.held);
  if (const auto* v = std::get_if<verdict::Violated>(&r.verdict)) {
    const semantics::Interpreter in(task.system);
    const verdict::Confirmation c = verdict::confirm(in, task.property, *v->trace);
    ASSERT_TRUE(c.confirmed) << where << ": " << c.why;
    ASSERT_FALSE(v->reason.empty()) << where;
  } else {
    ASSERT_EQ(std::get<verdict::Holds>(r.verdict).certificate.kind, verdict::CertificateKind::KLiveness)
        << where;
  }
}

}  // namespace parley::testing
