// What an action may do, as sets of worlds: the checker's own abstract execution, functional and recursive,
// sharing no code with bounds/ (which resolves choices by recording and replaying them). A world is what is
// known at a point of a body: ranges of the listed cells, how far each has moved from its old value, the
// messages sent so far, how long one queue is. Whatever a concrete step does from a state inside a world's
// start is in one of the resulting worlds. Operators come from range_arithmetic.hpp, which is not the
// arithmetic of the engines.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "certify/patience.hpp"
#include "domain/interval.hpp"
#include "system/system.hpp"

namespace parley::certify {

using domain::Interval;

struct Amount {
  Interval range;
  std::optional<std::size_t> relative_to;  // a listed cell: value = its old value + shift
  Interval shift;
  friend auto operator<=>(const Amount&, const Amount&) = default;
};

struct SentMessage {
  system::QueueId queue;
  system::SignalId signal;
  std::vector<std::int64_t> values;  // of the parameters told apart
  std::int64_t times = 1;
  friend auto operator<=>(const SentMessage&, const SentMessage&) = default;
};

struct World {
  std::vector<Interval> old;  // of the listed cells
  std::vector<Amount> now;
  std::vector<Amount> locals, params;
  std::vector<SentMessage> sent;
  Interval length{0, 0};  // of the measured queue
  friend auto operator<=>(const World&, const World&) = default;
};

// What the executor is told: which cells are listed, which of them must end with one value, what is known of
// the others, which parameters are told apart.
struct Setting {
  const system::System& system;
  std::vector<system::CellId> cells;
  std::vector<bool> single;
  std::vector<Interval> elsewhere;            // by cell
  std::vector<std::vector<bool>> told_apart;  // by signal, by parameter
  bool messages = true;
  std::vector<std::optional<std::size_t>> place;  // by cell: index into cells; filled by prepare()
  // What messages can carry, by queue and signal; null: anything of the type. A pair that is not listed is
  // never in the queue. Sending something else throws CarriesMore.
  const std::map<std::pair<std::size_t, std::size_t>, std::vector<Interval>>* carried = nullptr;
  // The queue whose length is followed, and how long it is before the step.
  std::optional<system::QueueId> measured = std::nullopt;
  Interval length{0, 0};
  const Patience* patience = nullptr;  // asked before every action; null: for ever
  void prepare();
};

struct CarriesMore {};

Interval interval_of(const system::Type& type);

// All outcomes of an action (or, with an invalid id, of the initial body) from the given ranges. Messages
// taken are the trigger's; their values told apart are the first parameters of World::params that are single.
// Nothing if there would be too many worlds.
struct Outcome {
  World world;
  std::optional<SentMessage> taken;
};
std::optional<std::vector<Outcome>> outcomes(const Setting& setting, system::ActionId action,
                                             const std::vector<Interval>& start);

// Where a step may have got to when it fails: the worlds right after each send behind which the body may
// still fail (certify/totality.hpp). What such a step has sent counts, although it leads nowhere. A message
// is not compared with what messages carry: nobody will receive it.
std::optional<std::vector<Outcome>> interruptions(const Setting& setting, system::ActionId action,
                                                  const std::vector<Interval>& start);

}  // namespace parley::certify
