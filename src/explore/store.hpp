// The visited set: packed states in an append-only arena, in the order they were found, and a hash table of
// their numbers. A state's number is its place in that order: in a breadth-first search a frontier is a range
// of numbers, in others it is not. Each record carries the number of the state it was first reached from
// (kNoState if there is none, or its user does not ask). Lossless: states are compared, not only their
// hashes. Whoever looks up many states hides the latency of memory by asking for the bucket when a successor
// is made, then for the record, and only then comparing (explore/search.hpp does). It does not know what the
// words mean.
//
// Table: buckets of one cache line with twelve 8-bit tags and twelve 32-bit numbers; a full bucket spills
// into the next. Growing throws the table away and fills a new one from the arena, so the peak is one table,
// not two.
#pragma once

#include <cstdint>

#include "explore/mapped_array.hpp"

namespace parley::explore {

__extension__ typedef unsigned __int128 Wide;  // for 64 by 64 bit products

class StateStore {
 public:
  static constexpr std::uint32_t kNoState = ~0u;
  // A record has `words` words; the store stays within `memory_limit` bytes (0: no limit).
  StateStore(std::uint32_t words, std::uint64_t memory_limit);

  enum class Outcome : std::uint8_t { Found, New, NoMemory, TooMany };
  struct Inserted {
    std::uint32_t id = kNoState;
    Outcome outcome = Outcome::NoMemory;
  };

  std::uint64_t hash(const std::uint32_t* words) const;
  void prefetch_bucket(std::uint64_t hash) const;
  // Fetches the record that a look-up will have to compare, if a tag matches.
  void prefetch_record(std::uint64_t hash) const;
  Inserted insert(const std::uint32_t* words, std::uint64_t hash, std::uint32_t parent);
  // The number of a stored state, or kNoState.
  std::uint32_t find(const std::uint32_t* words, std::uint64_t hash) const;

  const std::uint32_t* record(std::uint32_t id) const {
    return arena_.data() + std::size_t{id} * stride_ + 1;
  }
  std::uint32_t parent(std::uint32_t id) const { return arena_.data()[std::size_t{id} * stride_]; }
  std::uint32_t size() const { return size_; }
  std::uint64_t bytes() const;  // really used by records and table
  std::uint32_t words() const { return stride_ - 1; }

 private:
  static constexpr std::uint32_t kSlots = 12;
  struct alignas(64) Bucket {
    std::uint8_t tags[16];  // 0: free; the last four stay 0
    std::uint32_t ids[kSlots];
  };
  static_assert(sizeof(Bucket) == 64);

  Bucket* buckets() { return reinterpret_cast<Bucket*>(table_.data()); }
  const Bucket* buckets() const { return reinterpret_cast<const Bucket*>(table_.data()); }
  // Any number of buckets: the high half of hash times count (Lemire), so the table can grow by less than
  // two.
  std::uint64_t home(std::uint64_t hash) const {
    return static_cast<std::uint64_t>((static_cast<Wide>(hash) * count_) >> 64);
  }
  static std::uint8_t tag(std::uint64_t hash) {
    return static_cast<std::uint8_t>((hash & 0xff) | ((hash & 0xff) == 0 ? 1 : 0));
  }
  static std::uint32_t matches(const Bucket& bucket, std::uint8_t tag);
  static std::uint32_t occupied(const Bucket& bucket);
  bool same(std::uint32_t id, const std::uint32_t* words) const;
  void place(std::uint64_t hash, std::uint32_t id);
  bool make_table(std::uint64_t count);
  bool make_room();
  bool fits(std::uint64_t bytes) const { return limit_ == 0 || bytes <= limit_; }

  MappedArray arena_;  // per state: parent, then the words
  MappedArray table_;
  std::uint32_t stride_;
  std::uint32_t size_ = 0;
  std::uint32_t room_ = 0;   // states the table takes before it grows
  std::uint64_t count_ = 0;  // buckets, without the spill room behind the last
  std::uint64_t limit_;
};

}  // namespace parley::explore
