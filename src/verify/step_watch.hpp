// What speaks against the claims about a closed set, gathered while its states and steps are looked at: one
// per thread, merged at the end. Knows what each property means for a state and for a step, as
// verdict/replay.cpp does for the end of a run; which states there are is closed_set_check.cpp's business.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "certificate/certificate_file.hpp"
#include "semantics/interpreter.hpp"
#include "verify/completion_graph.hpp"

namespace parley::verify {

class StepWatch {
 public:
  StepWatch(const semantics::Interpreter& interpreter, const std::vector<certificate::PropertyClaim>& claims);

  // A visible state of the set; `moves`: somebody can.
  void state(const semantics::State& state, bool moves);
  // A step, or with no action a way to start.
  void step(const system::Action* action, const semantics::StepResult& result);
  void completion(const CompletionStep& step);
  void endless_stretch();

  void merge(StepWatch&& other);

  // Against the claim of this number, or empty.
  std::string objection(std::size_t claim) const;
  std::vector<std::string> assumptions() const;
  std::uint64_t bytes() const { return completions_.capacity() * sizeof(CompletionStep); }
  // To be called when everything was seen: what only all steps together show.
  void conclude();

 private:
  void object(system::PropertyKind kind, const char* why);
  void object(std::size_t claim, std::string why);
  bool claimed(system::PropertyKind kind) const;

  const semantics::Interpreter& in_;
  const std::vector<certificate::PropertyClaim>& claims_;
  std::vector<std::string> objections_;  // by claim, the first
  std::vector<bool> noted_;              // by element
  std::set<std::uint32_t> cut_;          // queues
  bool assumed_no_overflow_ = false, blocked_start_ = false;
  bool collects_completions_;
  std::vector<CompletionStep> completions_;
};

}  // namespace parley::verify
