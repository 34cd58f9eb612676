// Which tags of a bucket of the visited set have a value: one comparison of sixteen bytes where the processor
// has SSE2 (every x86-64), a loop elsewhere. Used by store.cpp only; both are here so that one machine can
// test them against each other.
#pragma once

#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace parley::explore {

inline constexpr std::uint32_t kTags = 16;

// Bit i of the answer: tags[i] == tag.
inline std::uint32_t matching_tags_portable(const std::uint8_t* tags, std::uint8_t tag) {
  std::uint32_t found = 0;
  for (std::uint32_t i = 0; i < kTags; ++i) found |= static_cast<std::uint32_t>(tags[i] == tag) << i;
  return found;
}

// The same; `tags` is aligned to sixteen bytes.
inline std::uint32_t matching_tags(const std::uint8_t* tags, std::uint8_t tag) {
#if defined(__SSE2__)
  const __m128i all = _mm_load_si128(reinterpret_cast<const __m128i*>(tags));
  const __m128i same = _mm_cmpeq_epi8(all, _mm_set1_epi8(static_cast<char>(tag)));
  return static_cast<std::uint32_t>(_mm_movemask_epi8(same));
#else
  return matching_tags_portable(tags, tag);
#endif
}

}  // namespace parley::explore
