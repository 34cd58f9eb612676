// Weights on the kinds of content of a Flow: messages, counted data, ledgers of joint actions; with a
// potential per control state. The additions that certificates of weights and of phases are made of.
#pragma once

#include <functional>

#include "certify/bounds_check.hpp"
#include "certify/flow.hpp"

namespace parley::certify {

// Content: the distance of a listed cell from a limit that it never passes.
struct Datum {
  std::size_t at = 0;  // among the part's cells
  bool rising = false;
  std::int64_t limit = 0;
  mpq_class weight;
  std::int64_t content(const Interval& r, bool most) const {
    return rising ? (most ? r.hi : r.lo) - limit : limit - (most ? r.lo : r.hi);
  }
};

struct Weighing {
  std::map<MessageKind, mpq_class> messages;
  std::vector<std::vector<Datum>> data;                              // by part
  std::map<std::pair<std::size_t, std::size_t>, mpq_class> ledgers;  // by action and guest part
  std::vector<std::vector<mpq_class>> potentials;                    // by part and node

  mpq_class of(const SentMessage& m) const;
  mpq_class data_at(std::size_t part, const std::vector<Interval>& ranges, bool most) const;
};

// The fields `messages`, `data` and `ledgers`; without potentials. Throws Rejected.
Weighing read_weights(const Flow& flow, const nlohmann::json& j);

// How much potentials rise more than contents along an edge: not negative if the edge gains nothing.
mpq_class loss(const Flow& flow, const Weighing& weighing, const FlowEdge& edge);

// If no edge gains: the most that all contents ever weigh, from the beginning of a run, as a sum.
struct WeightForEver {
  mpq_class first;                // of what is there before the first step
  std::vector<mpq_class> deeper;  // by part: what its steps add at most, less the data certainly there
  mpq_class sum() const;
};
// Throws Rejected if an initial control state has a negative potential.
WeightForEver weight_for_ever(const Flow& flow, const Weighing& weighing);

// The most messages that a queue holds when a step fails like this, if each of them weighs at least 1. The
// contents before the step are as everywhere; then it takes, and sends.
mpq_class length_at(const Weighing& weighing, const WeightForEver& weight, const FlowStop& stop);

mpz_class floor_of(const mpq_class& r);

// Rejections and malformed certificates as an answer.
Check guarded(const std::function<void()>& check);

}  // namespace parley::certify
