#include "explore/layout.hpp"

#include <gtest/gtest.h>

#include <random>

namespace parley::explore {
namespace {

using system::SignalId;

Shape sample() {
  Shape s;
  s.cells = {{0, 1},    {-3, 4},       {expr::kIntMin, expr::kIntMax},    {7, 7},
             {0, 1000}, {8, 14, true}, {expr::kIntMax - 1, expr::kIntMax}};
  QueueShape q;
  q.capacity = 3;
  q.signals = {SignalId(4), SignalId(2), SignalId(9)};
  q.arity = {0, 2, 1};
  q.params = {{5, 6}, {-1, 0}};
  s.queues = {q, QueueShape{}};
  return s;
}

TEST(Layout, TakesTheBitsOfTheRanges) {
  const Layout l(sample());
  // Cells 1 + 3 + 32 + 0 + 10 + 3 (seven references and null) + 1; queue: length 0..3 2, three messages of 2
  // + 1 + 1; the empty queue nothing.
  EXPECT_EQ(l.bits(), 50u + 2u + 3u * 4u);
  EXPECT_EQ(l.words(), 2u);
  EXPECT_EQ(l.slots(), 7u + 1u + 9u + 1u);
  EXPECT_EQ(l.code(0, SignalId(2)), 1u);
  EXPECT_EQ(l.code(0, SignalId(3)), Id<void>::kNone);
}

TEST(Layout, UnpacksWhatItPacked) {
  const Layout l(sample());
  std::mt19937 rng(3);
  std::vector<CodeRange> ranges = l.shape().cells;
  ranges.push_back({0, 3});
  for (int i = 0; i < 3; ++i) {
    ranges.push_back({0, 2});
    ranges.insert(ranges.end(), l.shape().queues[0].params.begin(), l.shape().queues[0].params.end());
  }
  ranges.push_back({0, 0});
  ASSERT_EQ(ranges.size(), l.slots());
  std::vector<std::int32_t> before(l.slots());
  std::vector<std::uint32_t> current(l.words());
  std::vector<std::int32_t> moving(l.slots());
  for (std::uint32_t i = 0; i < l.slots(); ++i) moving[i] = l.filler(i);
  l.pack(moving.data(), current.data());
  for (int round = 0; round < 2000; ++round) {
    for (std::uint32_t i = 0; i < l.slots(); ++i) {
      const auto span =
          static_cast<std::uint64_t>(static_cast<std::int64_t>(ranges[i].hi) - ranges[i].lo) + 1;
      before[i] = static_cast<std::int32_t>(ranges[i].lo + static_cast<std::int64_t>(rng() % span));
      if (ranges[i].null && rng() % 3 == 0) before[i] = 0;
    }
    std::vector<std::uint32_t> words(l.words());
    l.pack(before.data(), words.data());
    std::vector<std::int32_t> after(l.slots());
    l.unpack(words.data(), after.data());
    ASSERT_EQ(before, after);
    l.move_to(words.data(), current.data(), moving.data());
    ASSERT_EQ(before, moving);
    // One slot changed and packed alone gives the same words as packing everything.
    const auto slot = static_cast<std::uint32_t>(rng() % l.slots());
    after[slot] = ranges[slot].lo;
    std::vector<std::uint32_t> whole(l.words());
    l.pack(after.data(), whole.data());
    l.pack_slot(slot, ranges[slot].lo, words.data());
    ASSERT_EQ(words, whole);
  }
}

TEST(Layout, ReferencesIncludeNullWhereverTheyStart) {
  const system::Type ref{expr::TypeKind::Ref, 3, 5, Id<void>::kNone};
  EXPECT_EQ(range_of(ref), (CodeRange{3, 5, true}));
  const system::Type beside{expr::TypeKind::Ref, 1, 5, Id<void>::kNone};
  EXPECT_EQ(range_of(beside), (CodeRange{0, 5, false}));
}

}  // namespace
}  // namespace parley::explore
