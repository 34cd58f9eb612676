// The states that an exhaustive search has seen, gathered to be written down: sorted, cut into blocks in
// which each state is told by what differs from the one before, each block compressed on its own, so that a
// reader needs one block at a time. The search hands its states to `add`; certificate_file.hpp writes them.
// Keeps all of them in memory (as bytes, usually a tenth of what the search needed).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "semantics/state.hpp"

namespace parley::certificate {

// A block begins with three numbers of 32 bits, low byte first: its states, its bytes before compression and
// after.
inline constexpr std::size_t kBlockHeaderBytes = 12;
inline constexpr std::uint32_t kMostStatesInBlock = 1024;
inline constexpr std::uint32_t kMostBytesInBlock = 1U << 20;  // plain or packed; readers refuse more

class StateCollector {
 public:
  // Each state at most once.
  void add(const semantics::State& state);
  std::uint64_t states() const { return ends_.size(); }

  struct Blocks {
    std::uint64_t count = 0;
    std::string bytes;
  };
  Blocks blocks() const;

 private:
  std::string_view code(std::size_t i) const;

  std::string codes_;  // of all states, one after another
  std::vector<std::uint64_t> ends_;
};

}  // namespace parley::certificate
