#include "certificate/state_code.hpp"

#include <algorithm>

namespace parley::certificate {
namespace {

void encode_value(std::int32_t value, std::string& bytes) {
  const auto bits = static_cast<std::uint32_t>(value);
  encode_number(value < 0 ? ~bits * 2U + 1U : bits * 2U, bytes);
}

std::optional<std::int32_t> take_value(std::string_view& bytes) {
  const std::optional<std::uint32_t> folded = take_number(bytes);
  if (!folded) return std::nullopt;
  const std::uint32_t half = *folded / 2;
  return static_cast<std::int32_t>(*folded % 2 == 0 ? half : ~half);
}

// A value of the type, or nothing.
std::optional<std::int32_t> take_value(std::string_view& bytes, const system::Type& type) {
  const std::optional<std::int32_t> value = take_value(bytes);
  return value && type.contains(*value) ? value : std::nullopt;
}

std::optional<semantics::Message> take_message(const system::System& s, const system::Queue& queue,
                                               std::string_view& bytes) {
  const std::optional<std::uint32_t> signal = take_number(bytes);
  if (!signal) return std::nullopt;
  const auto known = std::find(queue.signals.begin(), queue.signals.end(), system::SignalId(*signal));
  if (known == queue.signals.end()) return std::nullopt;
  semantics::Message message{*known, {}};
  for (const system::Type& type : s.signal(*known).params) {
    const std::optional<std::int32_t> value = take_value(bytes, type);
    if (!value) return std::nullopt;
    message.args.push_back(*value);
  }
  return message;
}

}  // namespace

void encode_number(std::uint64_t number, std::string& bytes) {
  for (; number >= 0x80; number >>= 7) bytes += static_cast<char>((number & 0x7f) | 0x80);
  bytes += static_cast<char>(number);
}

std::optional<std::uint32_t> take_number(std::string_view& bytes) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < bytes.size() && i < 5; ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    number |= static_cast<std::uint64_t>(byte & 0x7f) << (7 * i);
    if ((byte & 0x80) != 0) continue;
    if ((byte == 0 && i > 0) || number > ~std::uint32_t{0}) return std::nullopt;
    bytes.remove_prefix(i + 1);
    return static_cast<std::uint32_t>(number);
  }
  return std::nullopt;
}

void encode(const semantics::State& state, std::string& bytes) {
  for (const std::int32_t value : state.cells) encode_value(value, bytes);
  for (const auto& queue : state.queues) {
    encode_number(queue.size(), bytes);
    for (const semantics::Message& m : queue) {
      encode_number(m.signal.index(), bytes);
      for (const std::int32_t value : m.args) encode_value(value, bytes);
    }
  }
}

std::optional<semantics::State> decode(const system::System& s, const std::vector<std::uint32_t>& capacities,
                                       std::string_view bytes) {
  semantics::State state;
  for (const system::Cell& cell : s.cells) {
    const std::optional<std::int32_t> value = take_value(bytes, cell.type);
    if (!value) return std::nullopt;
    state.cells.push_back(*value);
  }
  for (std::size_t q = 0; q < s.queues.size(); ++q) {
    const std::optional<std::uint32_t> length = take_number(bytes);
    if (!length || *length > capacities[q]) return std::nullopt;
    auto& messages = state.queues.emplace_back();
    for (std::uint32_t i = 0; i < *length; ++i) {
      std::optional<semantics::Message> message = take_message(s, s.queues[q], bytes);
      if (!message) return std::nullopt;
      messages.push_back(std::move(*message));
    }
  }
  if (!bytes.empty()) return std::nullopt;
  return state;
}

}  // namespace parley::certificate
