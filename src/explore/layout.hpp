// How a state is laid out: a working form (a flat array of 32-bit values that the bytecode reads and writes)
// and a packed form (a fixed number of 32-bit words that the store keeps). Cells and queues are described by
// code ranges, so that an abstract domain whose codes are not values of the cell's type can be packed too.
// It knows nothing of actions, and it does not check that a value lies in its range: whoever writes does.
#pragma once

#include <cstdint>
#include <vector>

#include "system/system.hpp"

namespace parley::explore {

// The codes a slot may hold, ends included. `null` adds 0 to a range that starts above 1: references whose
// class is numbered from 8 to 14 take three bits, not four.
struct CodeRange {
  std::int32_t lo = 0;
  std::int32_t hi = 0;
  bool null = false;
  bool contains(std::int32_t v) const { return (v >= lo && v <= hi) || (null && v == 0); }
  friend bool operator==(const CodeRange&, const CodeRange&) = default;
};

// What a queue may hold in this run: how many messages, of which signals, with which parameter codes.
struct QueueShape {
  std::uint32_t capacity = 0;
  std::vector<system::SignalId> signals;  // a message's code is its signal's index here
  std::vector<std::uint32_t> arity;       // number of parameters, by signal code
  std::vector<CodeRange> params;          // by position, wide enough for every signal
};

struct Shape {
  std::vector<CodeRange> cells;
  std::vector<QueueShape> queues;
};

// The range of a type's values; references always include null.
CodeRange range_of(const system::Type& type);
// The shape of concrete states: the values that types and assignments allow (ranges.hpp). `capacities` has
// one entry per queue.
Shape concrete_shape(const system::System& system, const std::vector<std::uint32_t>& capacities);

// Invariant: slots behind a queue's tail, and parameters a message does not have, hold the filler of their
// range; equal states therefore have equal words.
class Layout {
 public:
  explicit Layout(Shape shape);

  struct Field {
    std::uint32_t word = 0;
    std::uint8_t shift = 0;
    std::uint8_t width = 0;  // 0: the slot has one possible value and takes no room
    bool null = false;       // packed 0 stands for value 0, packed k for lo + k - 1
    std::int32_t lo = 0;     // value of packed 0; with `null`, of packed 1, less one
    std::uint32_t mask = 0;  // of the code, before shifting
  };
  struct QueuePlace {
    std::uint32_t length = 0;  // slot of the length
    std::uint32_t first = 0;   // slot of the first message: its signal code, then its parameters
    std::uint32_t stride = 1;  // slots per message
    std::uint32_t capacity = 0;
  };

  const Shape& shape() const { return shape_; }
  std::uint32_t slots() const { return static_cast<std::uint32_t>(fields_.size()); }
  std::uint32_t words() const { return words_; }
  std::uint32_t bits() const { return bits_; }  // really used
  const Field& field(std::uint32_t slot) const { return fields_[slot]; }
  const QueuePlace& queue(std::size_t q) const { return queues_[q]; }
  std::int32_t filler(std::uint32_t slot) const { return fillers_[slot]; }
  // The code of a signal in a queue; kNone when it can not be there.
  std::uint32_t code(std::size_t queue, system::SignalId signal) const;

  // All slots to words and back. Words must be `words()` long, values `slots()`.
  void pack(const std::int32_t* values, std::uint32_t* words) const;
  void unpack(const std::uint32_t* words, std::int32_t* values) const;
  // One slot, after `values[slot]` changed.
  void pack_slot(std::uint32_t slot, std::int32_t value, std::uint32_t* words) const {
    const Field& f = fields_[slot];
    if (f.width == 0) return;
    std::uint32_t code = static_cast<std::uint32_t>(value) - static_cast<std::uint32_t>(f.lo);
    if (f.null && value == 0) code = 0;
    words[f.word] = (words[f.word] & ~(f.mask << f.shift)) | (code << f.shift);
  }
  // Brings `values`, which hold the state of `current`, to the state of `words`; `current` follows.
  // Neighbouring states share most words, so this touches little.
  void move_to(const std::uint32_t* words, std::uint32_t* current, std::int32_t* values) const {
    for (std::uint32_t w = 0; w < words_; ++w)
      if (words[w] != current[w]) {
        current[w] = words[w];
        unpack_word(w, words[w], values);
      }
  }

 private:
  void unpack_word(std::uint32_t word, std::uint32_t bits, std::int32_t* values) const {
    for (std::uint32_t i = word_begin_[word]; i < word_begin_[word + 1]; ++i) {
      const Field& f = fields_[word_slots_[i]];
      const std::uint32_t code = (bits >> f.shift) & f.mask;
      const bool zero = f.null && code == 0;
      values[word_slots_[i]] = zero ? 0 : static_cast<std::int32_t>(code + static_cast<std::uint32_t>(f.lo));
    }
  }
  void place_fields();

  Shape shape_;
  std::vector<Field> fields_;          // by slot
  std::vector<std::int32_t> fillers_;  // by slot
  std::vector<QueuePlace> queues_;
  std::vector<std::uint32_t> word_begin_;  // slots of each word, in word_slots_
  std::vector<std::uint32_t> word_slots_;
  std::uint32_t words_ = 1;
  std::uint32_t bits_ = 0;
};

}  // namespace parley::explore
