// Strong ids: small indices into the tables of a Model or a System. Two kinds of id do not mix.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>

namespace parley {

template <class Tag>
struct Id {
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t value = kNone;

  constexpr Id() = default;
  constexpr explicit Id(std::size_t v) : value(static_cast<std::uint32_t>(v)) {}
  constexpr bool valid() const { return value != kNone; }
  constexpr explicit operator bool() const { return valid(); }
  constexpr std::size_t index() const { return value; }
  friend constexpr bool operator==(Id, Id) = default;
  friend constexpr auto operator<=>(Id, Id) = default;
};

}  // namespace parley

template <class Tag>
struct std::hash<parley::Id<Tag>> {
  std::size_t operator()(parley::Id<Tag> id) const noexcept { return std::hash<std::uint32_t>{}(id.value); }
};
