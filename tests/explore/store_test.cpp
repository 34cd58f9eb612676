#include "explore/store.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

namespace parley::explore {
namespace {

TEST(Store, FindsWhatWasInsertedAndNumbersInOrder) {
  StateStore store(3, 0);
  std::mt19937 rng(7);
  std::vector<std::vector<std::uint32_t>> seen;
  std::set<std::vector<std::uint32_t>> known;
  // A small alphabet makes repetitions and near-misses; 20,000 records grow the table several times.
  for (int i = 0; i < 60000; ++i) {
    const std::vector<std::uint32_t> r{static_cast<std::uint32_t>(rng() % 40),
                                       static_cast<std::uint32_t>(rng() % 40),
                                       static_cast<std::uint32_t>(rng() % 40)};
    const auto inserted = store.insert(r.data(), store.hash(r.data()), static_cast<std::uint32_t>(i));
    const bool fresh = known.insert(r).second;
    ASSERT_EQ(inserted.outcome, fresh ? StateStore::Outcome::New : StateStore::Outcome::Found);
    if (fresh) {
      ASSERT_EQ(inserted.id, seen.size());
      ASSERT_EQ(store.parent(inserted.id), static_cast<std::uint32_t>(i));
      seen.push_back(r);
    } else {
      ASSERT_EQ(seen[inserted.id], r);
    }
  }
  ASSERT_EQ(store.size(), known.size());
  for (std::uint32_t id = 0; id < store.size(); ++id)
    ASSERT_TRUE(std::equal(seen[id].begin(), seen[id].end(), store.record(id)));
  const std::uint32_t absent[3] = {41, 0, 0};
  EXPECT_EQ(store.find(absent, store.hash(absent)), StateStore::kNoState);
}

TEST(Store, StopsAtItsMemoryLimitAndKeepsWhatItHas) {
  constexpr std::uint64_t kLimit = 1 << 20;
  StateStore store(2, kLimit);
  std::uint32_t i = 0;
  for (;; ++i) {
    const std::uint32_t r[2] = {i, ~i};
    const auto inserted = store.insert(r, store.hash(r), 0);
    if (inserted.outcome == StateStore::Outcome::NoMemory) break;
    ASSERT_EQ(inserted.outcome, StateStore::Outcome::New);
    ASSERT_LE(store.bytes(), kLimit + 4096);
  }
  // A record takes 12 bytes and a table slot 64/12 at a load of 0.4 or more: at most 26 bytes each.
  EXPECT_GT(i, kLimit / 26);
  for (std::uint32_t k = 0; k < i; ++k) {
    const std::uint32_t r[2] = {k, ~k};
    ASSERT_EQ(store.find(r, store.hash(r)), k);
  }
}

TEST(Store, RecordsOfEqualHashAreToldApart) {
  // Whatever the hash: give all records the same one.
  StateStore store(1, 0);
  for (std::uint32_t i = 0; i < 100; ++i) EXPECT_EQ(store.insert(&i, 12345, 0).id, i);
  for (std::uint32_t i = 0; i < 100; ++i) EXPECT_EQ(store.insert(&i, 12345, 0).id, i);
}

}  // namespace
}  // namespace parley::explore
