// Resolving nondeterminism by recorded choices. A run asks `pick(n)`. Made from a list, it replays that list
// and `all_used` says whether it fitted; made empty, it takes 0 everywhere, and `advance` moves to the next
// list in lexicographic order, so that repeating a run until it returns false enumerates every outcome.
#pragma once

#include <cstdint>
#include <vector>

namespace parley::semantics {

class Choices {
 public:
  Choices() = default;
  explicit Choices(std::vector<std::uint64_t> given) : taken_(std::move(given)), replaying_(true) {
    sizes_.resize(taken_.size(), 0);
  }

  // One of 0..count-1. A recorded choice that does not exist marks the run as not fitting.
  std::uint64_t pick(std::uint64_t count) {
    if (next_ == taken_.size()) {
      if (replaying_) fits_ = false;
      taken_.push_back(0);
      sizes_.push_back(0);
    }
    sizes_[next_] = count;
    if (taken_[next_] >= count) fits_ = false;
    return taken_[next_++];
  }
  // Prepares the next run; false when all were seen. Choices not asked for in the last run are dropped.
  bool advance() {
    taken_.resize(next_);
    sizes_.resize(next_);
    while (!taken_.empty() && taken_.back() + 1 >= sizes_.back()) {
      taken_.pop_back();
      sizes_.pop_back();
    }
    next_ = 0;
    fits_ = true;
    if (taken_.empty()) return false;
    ++taken_.back();
    return true;
  }
  // The choices asked for so far in this run.
  std::vector<std::uint64_t> used() const {
    return {taken_.begin(), taken_.begin() + static_cast<long>(next_)};
  }
  // How many alternatives each of them had.
  std::vector<std::uint64_t> sizes() const {
    return {sizes_.begin(), sizes_.begin() + static_cast<long>(next_)};
  }
  // Every recorded choice was asked for and existed.
  bool all_used() const { return fits_ && next_ == taken_.size(); }
  bool fits() const { return fits_; }

 private:
  std::vector<std::uint64_t> taken_;
  std::vector<std::uint64_t> sizes_;
  std::size_t next_ = 0;
  bool fits_ = true;
  bool replaying_ = false;
};

}  // namespace parley::semantics
