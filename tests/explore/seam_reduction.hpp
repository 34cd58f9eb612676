// The smallest reduction that needs everything the seam has for reductions: an owner whose actions touch
// nothing that anybody else or a property touches goes first and alone; if that leads to a state that is no
// longer open, the others move too (the cycle proviso: else they could be put off for ever). Only for tests:
// it looks at footprints of whole owners and gives up where anybody looks at idleness.
#pragma once

#include <algorithm>

#include "explore/seam.hpp"
#include "system/footprint.hpp"

namespace parley::testing {

// Owners that share nothing with the others.
inline std::vector<bool> private_owners(const system::System& s) {
  struct Touched {
    std::vector<bool> cells, queues;
  };
  std::vector<Touched> by_owner(s.owners.size() + 1);  // and of the properties
  for (Touched& t : by_owner) t = {std::vector<bool>(s.cells.size()), std::vector<bool>(s.queues.size())};
  bool idle = false;
  auto touch = [&](Touched& t, const system::Footprint& f) {
    for (const auto* list : {&f.reads, &f.writes})
      for (system::CellId c : *list) t.cells[c.index()] = true;
    for (const auto* list : {&f.takes, &f.puts, &f.tests})
      for (system::QueueId q : *list) t.queues[q.index()] = true;
    idle = idle || f.reads_idle;
  };
  std::vector<bool> alone(s.owners.size(), true);
  for (std::size_t a = 0; a < s.actions.size(); ++a) {
    const system::Action& action = s.actions[a];
    touch(by_owner[action.owner.index()], system::footprint(s, system::ActionId(a)));
    if (action.hold.valid() || action.partner.valid()) alone[action.owner.index()] = false;
  }
  for (const system::Property& p : s.properties)
    if (p.expression.valid()) {
      system::Footprint f;
      system::collect_reads(s, p.expression, f);
      touch(by_owner.back(), f);
    }
  for (std::size_t o = 0; o < s.owners.size(); ++o)
    for (std::size_t other = 0; other < by_owner.size(); ++other) {
      if (other == o) continue;
      for (std::size_t c = 0; c < s.cells.size(); ++c)
        if (by_owner[o].cells[c] && by_owner[other].cells[c]) alone[o] = false;
      for (std::size_t q = 0; q < s.queues.size(); ++q)
        if (by_owner[o].queues[q] && by_owner[other].queues[q]) alone[o] = false;
    }
  if (idle) std::fill(alone.begin(), alone.end(), false);
  return alone;
}

enum class Proviso : std::uint8_t { Kept, Forgotten };

template <explore::Divisible M>
class Reduction {
 public:
  static constexpr bool asks_for_arrivals = true;

  Reduction(M& model, const system::System& s, Proviso proviso) : model_(model), proviso_(proviso) {
    const std::vector<bool> alone = private_owners(s);
    for (std::uint32_t o = 0; o < model.owners(); ++o) {
      if (!alone[o]) continue;
      explore::ActionSet others;
      for (const system::Action& a : s.actions) others.push_back(a.owner.value != o);
      private_.push_back({o, std::move(others)});
    }
  }

  std::uint32_t words() const { return model_.words(); }
  template <explore::Listener L>
  void initial(L& listener) {
    model_.initial(listener);
  }
  template <explore::Listener L>
  bool successors(const std::uint32_t* given, L& listener) {
    const std::vector<std::uint32_t> source(given, given + words());
    for (const Private& p : private_) {
      Watch<L> watch{listener};
      if (!model_.successors_of(source.data(), p.owner, watch)) continue;
      if (watch.any && (watch.open || proviso_ == Proviso::Forgotten)) return true;
      model_.successors_by(source.data(), p.others, listener);
      return true;
    }
    return model_.successors(source.data(), listener);
  }
  domain::Truth inspect(const std::uint32_t* given, system::PropertyId p) { return model_.inspect(given, p); }
  bool at_rest(const std::uint32_t* given) { return model_.at_rest(given); }
  explore::Path path() const { return model_.path(); }
  std::vector<bool> reached() const { return model_.reached(); }
  std::vector<std::uint32_t> longest() const { return model_.longest(); }
  bool may_complete_forever(std::uint32_t owner) const { return model_.may_complete_forever(owner); }

 private:
  struct Private {
    std::uint32_t owner;
    explore::ActionSet others;  // everybody else's
  };
  // Passes everything on and remembers whether all successors are still to be expanded.
  template <explore::Listener L>
  struct Watch {
    L& listener;
    bool any = false, open = true;
    std::uint32_t* room() { return listener.room(); }
    explore::Arrival arrive(std::uint32_t completing) {
      const explore::Arrival a = listener.arrive(completing);
      any = true;
      open = open && (a == explore::Arrival::New || a == explore::Arrival::Waiting);
      return a;
    }
    void happen(explore::Event event) { listener.happen(event); }
    void omit(semantics::Outcome outcome, std::uint32_t queue) { listener.omit(outcome, queue); }
    bool enough() { return listener.enough(); }
  };

  M& model_;
  Proviso proviso_;
  std::vector<Private> private_;
};

}  // namespace parley::testing
