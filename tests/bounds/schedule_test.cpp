// The schedule of the boundedness test (bounds/schedule.hpp): nobody is forgotten, and no share is out of
// range.
#include "bounds/schedule.hpp"

#include <gtest/gtest.h>

#include <map>

namespace parley::bounds {
namespace {

TEST(Schedule, EveryArgumentHasOneTurn) {
  std::map<Argument, int> turns;
  for (const Turn& t : schedule()) ++turns[t.argument];
  for (int a = 0; a <= static_cast<int>(Argument::Stories); ++a)
    EXPECT_EQ(turns[static_cast<Argument>(a)], 1) << "argument " << a;
  EXPECT_EQ(schedule().size(), turns.size());
}

// What is begun later may take longer; nothing takes more time than there is.
TEST(Schedule, SharesAreShares) {
  for (const Turn& t : schedule())
    for (const double share : {t.begins_before, t.until, t.finish, t.own}) {
      EXPECT_GE(share, 0);
      EXPECT_LE(share, 1);
    }
}

// Limits are asked for after everything that may improve them; stories are told when all answers are known.
TEST(Schedule, Order) {
  const auto place = [](Argument a) {
    for (std::size_t i = 0; i < schedule().size(); ++i)
      if (schedule()[i].argument == a) return i;
    return schedule().size();
  };
  EXPECT_EQ(place(Argument::Weights), 0U);
  EXPECT_LT(place(Argument::Refining), place(Argument::WeightLimits));
  EXPECT_LT(place(Argument::WeightLimits), place(Argument::LengthLimits));
  EXPECT_LT(place(Argument::SearchBeside), place(Argument::EndOfSearchBeside));
  EXPECT_EQ(place(Argument::Stories) + 1, schedule().size());
}

TEST(RaceClock, CancelledIsPastEverything) {
  engine::CancelToken cancel;
  const RaceClock clock(1e9, &cancel);
  EXPECT_FALSE(clock.past(0.5));
  const auto stop = clock.until(1);
  EXPECT_FALSE(stop());
  cancel.cancel();
  EXPECT_TRUE(clock.past(0.5));
  EXPECT_TRUE(stop());
}

}  // namespace
}  // namespace parley::bounds
