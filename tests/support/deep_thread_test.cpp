// Threads with a deep stack, the flag that stops the process, and what memory there is.
#include "support/deep_thread.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "support/interrupt.hpp"
#include "support/process_memory.hpp"

namespace parley {
namespace {

// Each call takes more than a kilobyte of stack; the default stack of 8 MB ends after some thousands.
std::size_t dive(std::size_t depth) {
  volatile char frame[1024];
  frame[0] = 1;
  return depth == 0 ? 0 : dive(depth - 1) + static_cast<std::size_t>(frame[0]);
}

TEST(DeepThread, IsDeep) {
  std::size_t reached = 0;
  DeepThread thread([&] { reached = dive(100'000); });
  thread.join();
  EXPECT_EQ(reached, 100'000u);
}

TEST(Interrupt, TheFirstCounts) {
  EXPECT_FALSE(interrupted());
  EXPECT_NO_THROW(throw_if_interrupted());
  interrupt(InterruptCause::OutOfTime, "first");
  interrupt(InterruptCause::Signal, "second");
  EXPECT_EQ(interrupt_cause(), InterruptCause::OutOfTime);
  EXPECT_EQ(interrupt_text(), "first");
  EXPECT_THROW(throw_if_interrupted(), Interrupted);
  withdraw_interrupt();
  EXPECT_FALSE(interrupted());
  EXPECT_EQ(interrupt_text(), "");
}

TEST(ProcessMemory, GrowsWithWhatIsTouched) {
  constexpr std::size_t kBytes = std::size_t{64} << 20;
  const std::uint64_t before = resident_bytes();
  const auto block = std::make_unique<char[]>(kBytes);
  std::memset(block.get(), 1, kBytes);
  EXPECT_GE(resident_bytes(), before + kBytes / 10 * 9);
  EXPECT_GT(machine_bytes(), resident_bytes());
}

}  // namespace
}  // namespace parley
