// A closed set of states in a certificate file, as it lies on the disk: blocks are read when somebody asks
// for them, and no more of them are kept than fit into the memory given. Opening reads every block once, so
// that states are known to be in order and the first of each block can be looked up. Everything is
// distrusted: counts, lengths, order, what comes out of decompression. What the states mean is
// closed_set_check.hpp's business. May be used by several threads.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::verify {

// A block, unpacked.
class Block {
 public:
  // Throws verdict::Malformed.
  Block(std::string_view plain, std::uint32_t states);

  std::size_t states() const { return ends_.size(); }
  std::string_view state(std::size_t i) const {
    const std::uint32_t begin = i == 0 ? 0 : ends_[i - 1];
    return std::string_view(codes_).substr(begin, ends_[i] - begin);
  }
  // Its place among the block's states, if it is there.
  std::optional<std::size_t> find(std::string_view code) const;
  std::size_t bytes() const { return codes_.capacity() + ends_.capacity() * sizeof(std::uint32_t); }

 private:
  std::string codes_;
  std::vector<std::uint32_t> ends_;
};

class ClosedSet {
 public:
  struct Announced {
    std::uint64_t states = 0, blocks = 0;  // as the head of the file says
    std::uint64_t begins_at = 0;           // byte of the file
  };
  // Throws verdict::Malformed. About `memory` bytes of unpacked blocks are kept.
  ClosedSet(const std::string& path, const Announced& announced, std::uint64_t memory);
  ~ClosedSet();
  ClosedSet(const ClosedSet&) = delete;
  ClosedSet& operator=(const ClosedSet&) = delete;

  std::uint64_t states() const { return states_; }
  std::size_t blocks() const { return entries_.size(); }
  // The number of a block's first state.
  std::uint64_t first_number(std::size_t block) const { return entries_[block].first_number; }
  std::shared_ptr<const Block> block(std::size_t i);
  // The number of a state, if it is in the set.
  std::optional<std::uint64_t> find(std::string_view code);

 private:
  struct Entry {
    std::uint64_t begins_at = 0;
    std::uint32_t states = 0, plain_bytes = 0, packed_bytes = 0;
    std::uint64_t first_number = 0;
    std::string first_state;
  };
  Block read(const Entry& entry) const;

  int file_ = -1;
  std::uint64_t states_ = 0;
  std::uint64_t memory_;
  std::vector<Entry> entries_;

  std::mutex mutex_;  // of the kept blocks
  std::vector<std::shared_ptr<const Block>> kept_;
  std::vector<std::size_t> kept_in_order_;  // of arrival; the oldest is dropped first
  std::size_t oldest_ = 0;
  std::uint64_t kept_bytes_ = 0;
};

}  // namespace parley::verify
