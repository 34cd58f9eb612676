// Relevant locations: at each point of an analysis trace, the variables, message parameters and locals that
// contribute to the spurious counterexample (ojala2008, section 5.2, figures 5.5 to 5.12). A point is named
// by the sequence number of the step that follows it, as in the thesis.
#pragma once

#include <set>

#include "cegar/analysis_trace.hpp"

namespace parley::cegar {

using Locations = std::set<Location>;

// EVAL_CORR (figure 5.5): the concrete value is one of those the abstract value stands for.
bool eval_corr(const Tree& concrete, const Tree& abstract);

// The thesis' improvements of its section 7.1 that concern this analysis.
struct RelevanceOptions {
  bool weak_message_correspondence = false;  // only the two messages received must be the same one
  bool analyse_propagation = false;          // RELEVANT instead of REF where an assigned value differs
};

class Relevance {
 public:
  Relevance(const System& system, const AnalysisTrace& trace, RelevanceOptions options)
      : s_(system), t_(trace), options_(options) {}

  // INITIAL_RELEVANT_LOCATIONS (figure 5.10), then PROPAGATE_RELEVANT_LOCATIONS (figure 5.11). False: the
  // trace ends at a queue, but no send explains it.
  bool compute();

  // Relevant before the step with this number; number size + 1 is the end.
  const Locations& before(std::size_t number) const { return before_[number - 1]; }
  std::size_t initial_number() const { return initial_number_; }
  const Locations& initial() const { return initial_; }
  std::size_t restarts() const { return restarts_; }

  // RELEVANT, COLLECT_LOCATIONS, SAFE_RESOLVE, REF (figures 5.6, 5.7, 5.8, 5.12), for trees of one event.
  Locations relevant(std::uint32_t event, const Tree& c, const Tree& a) const;
  Locations collect_locations(std::uint32_t event, const Tree& c, const Tree& a) const;
  Locations safe_resolve(std::uint32_t event, const Tree& c, const Tree& a) const;
  Locations ref(std::uint32_t event, const Tree& c, const Tree& a) const;
  // CHECK_TARGET_CORRESPONDENCE (figure 5.9): the first send, up to the step numbered `last`, that reaches
  // the queue in one run only.
  std::optional<std::size_t> check_target_correspondence(system::QueueId queue, std::size_t last) const;

 private:
  void propagate();
  void start(std::size_t number, Locations locations);
  void restart_at_send(std::size_t number);
  bool assign(std::size_t number, const AnalysisStep& step);
  bool receive(std::size_t number, const AnalysisStep& step);
  Locations sources(const AnalysisStep& step, std::size_t root, bool corresponds) const;

  const System& s_;
  const AnalysisTrace& t_;
  RelevanceOptions options_;
  std::vector<Locations> before_;
  std::size_t initial_number_ = 0;
  Locations initial_;
  std::size_t restarts_ = 0;
};

// Roots of a step: of Send the target, then the arguments; of Assign row and column if any, then the value.
std::size_t value_root(const AnalysisStep& step);

}  // namespace parley::cegar
