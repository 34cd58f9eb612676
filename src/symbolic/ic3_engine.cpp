// IC3 behind the engine seam: the properties in turn, with growing shares of time, so that a hard one does
// not starve the others; invariants of proved properties help the next ones.
#include <fmt/format.h>

#include <chrono>

#include "symbolic/certificate.hpp"
#include "symbolic/engines.hpp"
#include "symbolic/houdini.hpp"
#include "symbolic/ic3.hpp"
#include "symbolic/symbolic_engine.hpp"
#include "symbolic/temporal.hpp"

namespace parley::symbolic {
namespace {

class Ic3Engine final : public SymbolicEngine {
 public:
  explicit Ic3Engine(const Ic3Options& options) : options_(options) {}
  engine::EngineKind kind() const override { return engine::EngineKind::Ic3; }

 private:
  void search(Session& session, encode::Relation& relation,
              const std::vector<std::size_t>& all) const override {
    // Facts of one or two bits come first: they take constants and unused bits out of the search.
    std::vector<Cube> known =
        inductive_facts(relation, session.interpreter(), factory(options_.solver), session.interrupt());
    std::vector<bool> stopped(all.size(), false);  // at the bound
    for (double share = 1.0;; share *= 4) {
      bool tried = false;
      for (std::size_t p = 0; p < all.size(); ++p) {
        const std::vector<std::size_t> open = session.open();
        if (stopped[p] || std::find(open.begin(), open.end(), all[p]) == open.end()) continue;
        if (const auto why = session.limit()) return session.give_up(verdict::Unknown::because(*why));
        tried = true;
        try_one(session, relation, p, all[p], open.size() == 1 ? 1e9 : share, known, stopped);
      }
      if (!tried) break;
    }
    session.give_up({fmt::format("no answer within {} frames", options_.bound.value_or(0)),
                     verdict::StopCause::BoundReached});
  }

  void try_one(Session& session, encode::Relation& relation, std::size_t p, std::size_t position,
               double share, std::vector<Cube>& known, std::vector<bool>& stopped) const {
    const auto start = std::chrono::steady_clock::now();
    solver::sat::Interrupt interrupt = session.interrupt();
    interrupt.stop = [outer = interrupt.stop, start, share] {
      return outer() ||
             std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() > share;
    };
    Ic3 ic3(relation, p, factory(options_.solver), interrupt, known);
    const system::Property& property = relation.system().property(relation.properties()[p]);
    switch (ic3.run(options_.bound)) {
      case Ic3::Outcome::Refuted:
        session.violated(position, ic3.trace(), static_cast<std::uint32_t>(ic3.trace().steps.size()));
        break;
      case Ic3::Outcome::Proved: {
        std::vector<verdict::Assumption> assumptions;
        if (ic3.possible(relation.cut_possible())) assumptions.push_back(capacity_assumption());
        if (ic3.possible(relation.assumed_possible())) assumptions.push_back(overflow_assumption());
        session.reached_bound(ic3.frames(), property.name);
        session.holds(position, inductive_certificate(relation, property, ic3.invariant()),
                      std::move(assumptions));
        known = ic3.invariant();
        break;
      }
      case Ic3::Outcome::Stopped:
        session.reached_bound(ic3.frames(), property.name);
        stopped[p] = options_.bound && ic3.frames() >= *options_.bound;
        break;
    }
  }

  void search_temporal(Session& session) override { count_rounds(session, *this); }

  Ic3Options options_;
};

}  // namespace

std::unique_ptr<engine::Engine> make_ic3(const Ic3Options& options) {
  return std::make_unique<Ic3Engine>(options);
}

}  // namespace parley::symbolic
