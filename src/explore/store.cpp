#include "explore/store.hpp"

#include <bit>
#include <cstring>

#include "explore/tag_match.hpp"
#include "support/check.hpp"

namespace parley::explore {
namespace {

// Spill room behind the last bucket, so that probing never wraps.
constexpr std::uint64_t kTail = 64;
constexpr std::uint64_t kFirstCount = 64;
constexpr double kUsualLoad = 0.8;
constexpr double kTightLoad = 0.92;  // when the limit leaves no room for a larger table

std::uint32_t room_for(std::uint64_t buckets, double load) {
  const double room = static_cast<double>(buckets * 12) * load;
  return room >= 4294967294.0 ? 4294967294u : static_cast<std::uint32_t>(room);
}

std::uint64_t fold(std::uint64_t x, std::uint64_t y) {
  const auto product = static_cast<Wide>(x) * y;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

}  // namespace

StateStore::StateStore(std::uint32_t words, std::uint64_t memory_limit)
    : stride_(words + 1), limit_(memory_limit) {
  PARLEY_CHECK(words > 0);
}

std::uint64_t StateStore::hash(const std::uint32_t* words) const {
  // Multiply and fold, 64 bits at a time; the two constants are odd and have balanced bits.
  std::uint64_t h = 0x9e3779b97f4a7c15ull ^ stride_;
  std::uint32_t i = 0;
  const std::uint32_t n = stride_ - 1;
  for (; i + 1 < n; i += 2) {
    std::uint64_t x;
    std::memcpy(&x, words + i, sizeof x);
    h = fold(h ^ x, 0xa0761d6478bd642full);
  }
  if (i < n) h = fold(h ^ words[i], 0xe7037ed1a0b428dbull);
  return fold(h, 0x8ebc6af09c88c6e3ull);
}

std::uint32_t StateStore::matches(const Bucket& bucket, std::uint8_t tag) {
  return matching_tags(bucket.tags, tag) & ((1u << kSlots) - 1);
}

std::uint32_t StateStore::occupied(const Bucket& bucket) {
  return static_cast<std::uint32_t>(std::popcount(~matches(bucket, 0) & ((1u << kSlots) - 1)));
}

void StateStore::prefetch_bucket(std::uint64_t hash) const {
  if (table_.data() != nullptr) __builtin_prefetch(buckets() + home(hash));
}

void StateStore::prefetch_record(std::uint64_t hash) const {
  if (table_.data() == nullptr) return;
  const Bucket& bucket = buckets()[home(hash)];
  const std::uint32_t found = matches(bucket, tag(hash));
  if (found != 0) {
    const std::uint32_t* at = record(bucket.ids[std::countr_zero(found)]);
    __builtin_prefetch(at);
    __builtin_prefetch(at + stride_ - 2);
  }
}

bool StateStore::same(std::uint32_t id, const std::uint32_t* words) const {
  return std::memcmp(record(id), words, (stride_ - 1) * sizeof(std::uint32_t)) == 0;
}

std::uint32_t StateStore::find(const std::uint32_t* words, std::uint64_t hash) const {
  if (table_.data() == nullptr) return kNoState;
  const std::uint8_t wanted = tag(hash);
  for (const Bucket* bucket = buckets() + home(hash);; ++bucket) {
    for (std::uint32_t found = matches(*bucket, wanted); found != 0; found &= found - 1) {
      const std::uint32_t id = bucket->ids[std::countr_zero(found)];
      if (same(id, words)) return id;
    }
    if (matches(*bucket, 0) != 0) return kNoState;
  }
}

void StateStore::place(std::uint64_t hash, std::uint32_t id) {
  Bucket* bucket = buckets() + home(hash);
  while (matches(*bucket, 0) == 0) ++bucket;
  // Slots fill from the front, so the first free one is the number of occupied ones.
  const std::uint32_t slot = occupied(*bucket);
  bucket->tags[slot] = tag(hash);
  bucket->ids[slot] = id;
  PARLEY_CHECK(bucket < buckets() + count_ + kTail - 1);
}

bool StateStore::make_table(std::uint64_t count) {
  const std::uint64_t table_bytes = (count + kTail) * sizeof(Bucket);
  if (!fits(std::uint64_t{size_} * stride_ * sizeof(std::uint32_t) + table_bytes)) return false;
  if (!table_.reset((count + kTail) * (sizeof(Bucket) / sizeof(std::uint32_t)))) return false;
  count_ = count;
  room_ = room_for(count, kUsualLoad);
  constexpr std::uint32_t kAhead = 16;
  std::uint64_t hashes[kAhead];
  for (std::uint32_t at = 0; at < size_; at += kAhead) {
    const std::uint32_t n = size_ - at < kAhead ? size_ - at : kAhead;
    for (std::uint32_t i = 0; i < n; ++i) {
      hashes[i] = hash(record(at + i));
      __builtin_prefetch(buckets() + home(hashes[i]), 1);
    }
    for (std::uint32_t i = 0; i < n; ++i) place(hashes[i], at + i);
  }
  return true;
}

bool StateStore::make_room() {
  if (size_ < room_) return true;
  if (make_table(table_.data() == nullptr ? kFirstCount : count_ + count_ / 3 + 1)) return true;
  if (table_.data() == nullptr) return false;
  room_ = room_for(count_, kTightLoad);
  return size_ < room_;
}

StateStore::Inserted StateStore::insert(const std::uint32_t* words, std::uint64_t h, std::uint32_t parent) {
  const std::uint32_t found = find(words, h);
  if (found != kNoState) return {found, Outcome::Found};
  if (size_ == kNoState) return {kNoState, Outcome::TooMany};
  if (!make_room()) return {kNoState, Outcome::NoMemory};
  const std::size_t used = std::size_t{size_} * stride_;
  if (!fits(bytes() + stride_ * sizeof(std::uint32_t))) return {kNoState, Outcome::NoMemory};
  if (used + stride_ > arena_.capacity() && !arena_.grow((used + stride_) * 2))
    return {kNoState, Outcome::NoMemory};
  std::uint32_t* to = arena_.data() + used;
  to[0] = parent;
  std::memcpy(to + 1, words, (stride_ - 1) * sizeof(std::uint32_t));
  place(h, size_);
  return {size_++, Outcome::New};
}

std::uint64_t StateStore::bytes() const {
  return (std::uint64_t{size_} * stride_ + table_.capacity()) * sizeof(std::uint32_t);
}

}  // namespace parley::explore
