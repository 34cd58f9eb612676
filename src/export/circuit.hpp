// A System as one sequential circuit: the interleaving relation with every constraint folded in (a step that
// does not fit changes nothing), one bad signal per property. All bit-level exports are prints of it, so they
// mean the same. docs/export.md describes the formats and the names of signals.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "encode/relation.hpp"

namespace parley::exporting {

struct Latch {
  std::string name;     // of the state bit (encode/layout.hpp), or "started"
  encode::Lit now = 0;  // an input of the graph
  encode::Lit next = 0;
  bool initial = false;
};

struct Input {
  std::string name;  // "fire12": action 12 runs; "choice3"
  encode::Lit now = 0;
};

struct Bad {
  std::string name;  // the property
  encode::Lit when = 0;
};

class Circuit {
 public:
  // Throws encode::Unsupported.
  Circuit(const system::System& system, const std::vector<std::uint32_t>& capacities,
          const std::vector<system::PropertyId>& properties);

  const encode::Aig& aig() const { return relation_->aig(); }
  const encode::Relation& relation() const { return *relation_; }
  const std::vector<Input>& inputs() const { return inputs_; }
  const std::vector<Latch>& latches() const { return latches_; }
  const std::vector<Bad>& bads() const { return bads_; }
  // The gates that matter, children first.
  std::vector<std::uint32_t> gates() const;
  // The start needs a step of its own because the initial body chooses or may fail.
  bool has_start_step() const { return has_start_step_; }

 private:
  std::unique_ptr<encode::Relation> relation_;
  std::vector<Input> inputs_;
  std::vector<Latch> latches_;
  std::vector<Bad> bads_;
  bool has_start_step_ = false;
};

std::string to_aiger(const Circuit& circuit);  // binary AIGER, one output per property
std::string to_btor2(const Circuit& circuit);
std::string to_smv(const Circuit& circuit);
std::string to_promela(const Circuit& circuit);  // asserts that nothing is bad
// The question whether the property (by position) is violated within `bound` steps: sat means yes.
std::string to_smtlib(const Circuit& circuit, std::size_t property, std::uint32_t bound);

}  // namespace parley::exporting
