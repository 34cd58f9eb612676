#include "verify/closed_set.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>

#include "certificate/state_code.hpp"
#include "certificate/state_collector.hpp"
#include "verdict/strict_json.hpp"

namespace parley::verify {
namespace {

using certificate::kBlockHeaderBytes;
using certificate::kMostBytesInBlock;
using certificate::kMostStatesInBlock;
using verdict::Malformed;

// Less than this makes every look-up a decompression.
constexpr std::uint64_t kLeastMemory = 4 << 20;

std::string read_at(int file, std::uint64_t at, std::size_t length) {
  std::string bytes(length, '\0');
  for (std::size_t have = 0; have < length;) {
    const ssize_t n = pread(file, bytes.data() + have, length - have, static_cast<off_t>(at + have));
    if (n <= 0) throw Malformed{"the closed set is cut off"};
    have += static_cast<std::size_t>(n);
  }
  return bytes;
}

std::uint32_t number_32(std::string_view bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t i = 4; i-- > 0;) number = number << 8 | static_cast<unsigned char>(bytes[at + i]);
  return number;
}

}  // namespace

Block::Block(std::string_view plain, std::uint32_t states) {
  const auto malformed = [](const char* what) {
    return Malformed{fmt::format("a block of the closed set {}", what)};
  };
  std::string_view before;
  codes_.reserve(plain.size() * 2);
  for (std::uint32_t i = 0; i < states; ++i) {
    const std::optional<std::uint32_t> same = certificate::take_number(plain);
    const std::optional<std::uint32_t> more = same ? certificate::take_number(plain) : std::nullopt;
    if (!more || *same > before.size() || *more > plain.size()) throw malformed("cannot be read");
    if (codes_.size() + *same + *more > 64ULL * kMostBytesInBlock) throw malformed("is too large");
    std::string code(before.substr(0, *same));
    code += plain.substr(0, *more);
    plain.remove_prefix(*more);
    if (i > 0 && code <= before) throw malformed("is not in order");
    codes_ += code;
    ends_.push_back(static_cast<std::uint32_t>(codes_.size()));
    before = state(i);
  }
  if (!plain.empty()) throw malformed("is longer than its states");
  codes_.shrink_to_fit();
}

std::optional<std::size_t> Block::find(std::string_view code) const {
  std::size_t low = 0, high = states();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (state(middle) < code)
      low = middle + 1;
    else
      high = middle;
  }
  return low < states() && state(low) == code ? std::optional(low) : std::nullopt;
}

ClosedSet::ClosedSet(const std::string& path, const Announced& announced, std::uint64_t memory)
    : file_(open(path.c_str(), O_RDONLY | O_CLOEXEC)), memory_(std::max(memory, kLeastMemory)) {
  if (file_ < 0) throw Malformed{"the file cannot be read"};
  try {
    std::uint64_t at = announced.begins_at;
    const auto end = static_cast<std::uint64_t>(lseek(file_, 0, SEEK_END));
    std::string last;
    while (at < end) {
      const std::string head = read_at(file_, at, kBlockHeaderBytes);
      Entry e{
          at + kBlockHeaderBytes, number_32(head, 0), number_32(head, 4), number_32(head, 8), states_, {}};
      if (e.states == 0 || e.states > kMostStatesInBlock || e.plain_bytes > kMostBytesInBlock ||
          e.packed_bytes > kMostBytesInBlock)
        throw Malformed{"a block of the closed set says that it is empty or larger than blocks are"};
      const Block block = read(e);
      e.first_state = block.state(0);
      if (!entries_.empty() && e.first_state <= last)
        throw Malformed{"the blocks of the closed set are not in order"};
      last = block.state(block.states() - 1);
      at = e.begins_at + e.packed_bytes;
      states_ += e.states;
      entries_.push_back(std::move(e));
    }
    if (states_ != announced.states || entries_.size() != announced.blocks)
      throw Malformed{fmt::format("the closed set has {} states in {} blocks, and the file says {} in {}",
                                  states_, entries_.size(), announced.states, announced.blocks)};
  } catch (...) {
    close(file_);
    throw;
  }
  kept_.resize(entries_.size());
}

ClosedSet::~ClosedSet() {
  close(file_);
}

Block ClosedSet::read(const Entry& e) const {
  const std::string packed = read_at(file_, e.begins_at, e.packed_bytes);
  std::string plain(e.plain_bytes, '\0');
  uLongf length = plain.size();
  uLong used = packed.size();
  const int status = uncompress2(reinterpret_cast<Bytef*>(plain.data()), &length,
                                 reinterpret_cast<const Bytef*>(packed.data()), &used);
  if (status != Z_OK || length != plain.size() || used != packed.size())
    throw Malformed{"a block of the closed set cannot be unpacked"};
  return Block(plain, e.states);
}

std::shared_ptr<const Block> ClosedSet::block(std::size_t i) {
  {
    const std::lock_guard lock(mutex_);
    if (kept_[i]) return kept_[i];
  }
  auto fresh = std::make_shared<const Block>(read(entries_[i]));
  const std::lock_guard lock(mutex_);
  if (kept_[i]) return kept_[i];
  kept_[i] = fresh;
  kept_in_order_.push_back(i);
  kept_bytes_ += fresh->bytes();
  while (kept_bytes_ > memory_ && oldest_ + 1 < kept_in_order_.size()) {
    std::shared_ptr<const Block>& dropped = kept_[kept_in_order_[oldest_++]];
    kept_bytes_ -= dropped->bytes();
    dropped.reset();
  }
  if (oldest_ > 4096 && oldest_ * 2 > kept_in_order_.size()) {
    kept_in_order_.erase(kept_in_order_.begin(),
                         kept_in_order_.begin() + static_cast<std::ptrdiff_t>(oldest_));
    oldest_ = 0;
  }
  return fresh;
}

std::optional<std::uint64_t> ClosedSet::find(std::string_view code) {
  const auto after = std::upper_bound(entries_.begin(), entries_.end(), code,
                                      [](std::string_view c, const Entry& e) { return c < e.first_state; });
  if (after == entries_.begin()) return std::nullopt;
  const auto i = static_cast<std::size_t>(after - entries_.begin()) - 1;
  const std::optional<std::size_t> at = block(i)->find(code);
  return at ? std::optional(entries_[i].first_number + *at) : std::nullopt;
}

}  // namespace parley::verify
