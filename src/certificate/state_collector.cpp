#include "certificate/state_collector.hpp"

#include <zlib.h>

#include <algorithm>
#include <numeric>

#include "certificate/state_code.hpp"
#include "support/check.hpp"

namespace parley::certificate {
namespace {

constexpr std::size_t kFullBlock = 64 << 10;  // plain bytes; the last state may go beyond

void append_32(std::uint32_t number, std::string& bytes) {
  for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(number >> shift & 0xff);
}

void append_block(std::uint32_t states, const std::string& plain, std::string& bytes) {
  PARLEY_CHECK_MSG(plain.size() <= kMostBytesInBlock, "a state is too large to be written down");
  uLongf length = compressBound(plain.size());
  std::string packed(length, '\0');
  const int status =
      compress2(reinterpret_cast<Bytef*>(packed.data()), &length,
                reinterpret_cast<const Bytef*>(plain.data()), plain.size(), Z_DEFAULT_COMPRESSION);
  PARLEY_CHECK(status == Z_OK);
  append_32(states, bytes);
  append_32(static_cast<std::uint32_t>(plain.size()), bytes);
  append_32(static_cast<std::uint32_t>(length), bytes);
  bytes.append(packed, 0, length);
}

}  // namespace

void StateCollector::add(const semantics::State& state) {
  encode(state, codes_);
  ends_.push_back(codes_.size());
}

std::string_view StateCollector::code(std::size_t i) const {
  const std::uint64_t begin = i == 0 ? 0 : ends_[i - 1];
  return std::string_view(codes_).substr(begin, ends_[i] - begin);
}

StateCollector::Blocks StateCollector::blocks() const {
  std::vector<std::size_t> order(ends_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return code(a) < code(b); });
  Blocks result;
  std::string plain;
  std::uint32_t states = 0;
  std::string_view before;
  const auto finish = [&] {
    append_block(states, plain, result.bytes);
    ++result.count;
    plain.clear();
    states = 0;
    before = {};
  };
  for (const std::size_t i : order) {
    const std::string_view now = code(i);
    const auto same = static_cast<std::size_t>(
        std::mismatch(before.begin(), before.end(), now.begin(), now.end()).first - before.begin());
    encode_number(same, plain);
    encode_number(now.size() - same, plain);
    plain += now.substr(same);
    before = now;
    if (++states == kMostStatesInBlock || plain.size() >= kFullBlock) finish();
  }
  if (states > 0) finish();
  return result;
}

}  // namespace parley::certificate
