// A growable array of 32-bit words straight from the operating system: growing remaps pages instead of
// copying them, pages that were never written cost nothing, large arrays ask for huge pages. Used by the
// state store; not a general container: no constructors, no destructors, contents start as zero.
#pragma once

#include <cstddef>
#include <cstdint>

namespace parley::explore {

class MappedArray {
 public:
  MappedArray() = default;
  MappedArray(MappedArray&& other) noexcept;
  MappedArray& operator=(MappedArray&& other) noexcept;
  MappedArray(const MappedArray&) = delete;
  MappedArray& operator=(const MappedArray&) = delete;
  ~MappedArray() { release(); }

  // Makes room for `words`; false when the system has no more memory (the old contents stay).
  [[nodiscard]] bool grow(std::size_t words);
  // Throws the contents away and starts again with `words` zero words.
  [[nodiscard]] bool reset(std::size_t words);
  void release();

  std::uint32_t* data() { return data_; }
  const std::uint32_t* data() const { return data_; }
  std::size_t capacity() const { return capacity_; }

 private:
  std::uint32_t* data_ = nullptr;
  std::size_t capacity_ = 0;  // in words
};

}  // namespace parley::explore
