// How a global state becomes bits: every cell by the width of its type, every queue as a shift register of
// slots (occupied, signal code, parameters), one bit per owner that may hold an exclusive stretch. The layout
// names each bit; certificates and exports use these names (docs/symbolic.md). Cells that no action writes
// are constants and have no bits.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "encode/word.hpp"
#include "semantics/state.hpp"

namespace parley::encode {

struct Slot {
  Lit occupied = kFalse;
  Word signal;  // position in Queue::signals
  std::vector<Word> params;
};

struct SymbolicQueue {
  std::vector<Slot> slots;  // as many as the capacity; empty ones are all zero
};

struct SymbolicState {
  std::vector<Word> cells;
  std::vector<SymbolicQueue> queues;
  // Per owner: the last action declared it holder. It holds only while it can move, which the encoder of the
  // relation adds; the interpreter clears the holder instead.
  std::vector<Lit> holder;
};

enum class BitPart : std::uint8_t { Cell, Occupied, Signal, Param, Holder };

struct StateBit {
  BitPart part = BitPart::Cell;
  std::uint32_t index = 0;  // cell, queue or owner
  std::uint32_t slot = 0;
  std::uint32_t param = 0;
  std::uint32_t bit = 0;
  std::string name() const;  // "c3.0", "q1.0.valid", "q1.0.signal.2", "q1.0.param0.4", "holder2"
  static std::optional<StateBit> parse(const std::string& name);
  friend bool operator==(const StateBit&, const StateBit&) = default;
};

// A cell's or parameter's bits: `width` of them, then a zero sign when no value is negative.
struct Shape {
  std::size_t width = 0;
  bool is_signed = false;
  static Shape of(std::int64_t lo, std::int64_t hi);
  static Shape of(const expr::Type& type);
  Word word(const Lit* bits) const;
};

class Layout {
 public:
  Layout(const system::System& system, std::vector<std::uint32_t> capacities);

  const system::System& system() const { return s_; }
  const std::vector<std::uint32_t>& capacities() const { return capacities_; }
  const std::vector<StateBit>& bits() const { return bits_; }
  // Cells whose value is the same in every reachable state; set before bits are handed out.
  bool is_fixed(system::CellId cell) const { return fixed_[cell.index()].has_value(); }
  // What the state bits leave out because it never changes: bits of fixed cells with their values, and the
  // holder bits of owners that no action declares holder. Whoever reads an invariant over the state bits
  // without this knowledge (a certificate's checker) must be told.
  std::vector<std::pair<StateBit, bool>> constant_bits() const;

  SymbolicState state(const std::vector<Lit>& bits) const;
  std::vector<Lit> bits_of(const SymbolicState& state) const;
  // Everything zero / as declared: the state before the initial body.
  SymbolicState declared() const;
  SymbolicQueue empty_queue(system::QueueId queue) const;

  std::vector<bool> encode(const semantics::State& state) const;
  semantics::State decode(const std::vector<bool>& bits) const;

  // The code of a signal within a queue; it must be one of the queue's.
  std::uint32_t code(system::QueueId queue, system::SignalId signal) const;
  bool carries(system::QueueId queue, system::SignalId signal) const;
  std::size_t param_count(system::QueueId queue) const { return params_[queue.index()].size(); }

  // True in every reachable state, inductive by construction: values within their types, occupied slots
  // first, empty slots zero, at most one holder.
  Lit well_formed(Aig& aig, const SymbolicState& state) const;

 private:
  const system::System& s_;
  std::vector<std::uint32_t> capacities_;
  std::vector<std::optional<std::int32_t>> fixed_;
  std::vector<Shape> cells_;
  std::vector<std::vector<Shape>> params_;  // per queue and position
  std::vector<Shape> signals_;              // per queue
  std::vector<bool> holds_;                 // per owner
  std::vector<StateBit> bits_;
};

}  // namespace parley::encode
