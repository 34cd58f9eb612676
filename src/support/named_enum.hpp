// Enumerations with names outside the program: JSON fields, values of options, what reports say. An
// enumeration gets a function `std::string_view name_of(E)` beside it, an exhaustive switch that returns
// nothing for values that are no enumerators. So the compiler names a missing row, and everything here (the
// list of all enumerators, reading a name back) follows from that one function. Used by verdict/, encode/,
// symbolic/, cegar/ and the command line. Not for enumerations that nobody outside the program ever sees.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace parley {

template <class E>
concept NamedEnum = std::is_enum_v<E> && std::is_same_v<std::underlying_type_t<E>, std::uint8_t> &&
    requires(E e) {
  { name_of(e) } -> std::same_as<std::string_view>;
};

namespace named_enum {

inline constexpr std::size_t kValues = 256;  // of the underlying type

template <NamedEnum E>
consteval std::size_t count() {
  std::size_t n = 0;
  for (std::size_t i = 0; i < kValues; ++i) n += name_of(static_cast<E>(i)).empty() ? 0 : 1;
  return n;
}

template <NamedEnum E>
consteval auto list() {
  std::array<E, count<E>()> all{};
  std::size_t n = 0;
  for (std::size_t i = 0; i < kValues; ++i)
    if (!name_of(static_cast<E>(i)).empty()) all[n++] = static_cast<E>(i);
  return all;
}

}  // namespace named_enum

// All enumerators, in order.
template <NamedEnum E>
inline constexpr auto all_of = named_enum::list<E>();

// Whether no two enumerators share a name: asserted where the names are given.
template <NamedEnum E>
consteval bool names_differ() {
  for (const E a : all_of<E>)
    for (const E b : all_of<E>)
      if (a != b && name_of(a) == name_of(b)) return false;
  return true;
}

template <NamedEnum E>
constexpr std::optional<E> named(std::string_view name) {
  for (const E e : all_of<E>)
    if (name_of(e) == name) return e;
  return std::nullopt;
}

// For help texts and messages.
template <NamedEnum E>
std::vector<std::string> names_of() {
  std::vector<std::string> names;
  for (const E e : all_of<E>) names.emplace_back(name_of(e));
  return names;
}

}  // namespace parley
