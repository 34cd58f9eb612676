// How long a check may take. Made from the seconds that somebody is willing to wait, handed down, and asked
// by every loop whose length the certificate or the system decides. A check that runs out of patience says
// so: it has accepted nothing and rejected nothing. Without seconds it never does.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

namespace parley::certify {

struct OutOfTime {};  // thrown

class Patience {
 public:
  Patience() = default;
  explicit Patience(std::optional<double> seconds) {
    constexpr double kMonth = 30 * 86400;
    if (seconds)
      until_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                  std::chrono::duration<double>(std::clamp(*seconds, 0.0, kMonth)));
  }

  bool over() const { return until_ && Clock::now() >= *until_; }
  void ask() const {
    if (over()) throw OutOfTime{};
  }
  // Nothing: for ever.
  std::optional<double> left() const {
    if (!until_) return std::nullopt;
    return std::max(0.0, std::chrono::duration<double>(*until_ - Clock::now()).count());
  }
  // For a solver's own limit; at least 1, since 0 means none.
  unsigned milliseconds() const {
    constexpr double kDay = 86400;
    return static_cast<unsigned>(std::clamp(left().value_or(kDay), 0.001, kDay) * 1000);
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::optional<Clock::time_point> until_;
};

}  // namespace parley::certify
