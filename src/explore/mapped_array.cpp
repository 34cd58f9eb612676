#include "explore/mapped_array.hpp"

#include <sys/mman.h>

#include <utility>

namespace parley::explore {
namespace {

constexpr std::size_t kHuge = std::size_t{2} << 20;

std::size_t bytes_for(std::size_t words) {
  const std::size_t bytes = words * sizeof(std::uint32_t);
  const std::size_t unit = bytes >= 2 * kHuge ? kHuge : 4096;
  return (bytes + unit - 1) / unit * unit;
}

void advise(void* data, std::size_t bytes) {
  // Only a hint: a refusal changes speed, not meaning.
  if (bytes >= 2 * kHuge) madvise(data, bytes, MADV_HUGEPAGE);
}

}  // namespace

MappedArray::MappedArray(MappedArray&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), capacity_(std::exchange(other.capacity_, 0)) {}

MappedArray& MappedArray::operator=(MappedArray&& other) noexcept {
  if (this != &other) {
    release();
    data_ = std::exchange(other.data_, nullptr);
    capacity_ = std::exchange(other.capacity_, 0);
  }
  return *this;
}

bool MappedArray::grow(std::size_t words) {
  if (words <= capacity_) return true;
  if (data_ == nullptr) return reset(words);
  const std::size_t bytes = bytes_for(words);
  void* moved = mremap(data_, capacity_ * sizeof(std::uint32_t), bytes, MREMAP_MAYMOVE);
  if (moved == MAP_FAILED) return false;
  data_ = static_cast<std::uint32_t*>(moved);
  capacity_ = bytes / sizeof(std::uint32_t);
  advise(moved, bytes);
  return true;
}

bool MappedArray::reset(std::size_t words) {
  release();
  const std::size_t bytes = bytes_for(words == 0 ? 1 : words);
  void* fresh =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (fresh == MAP_FAILED) return false;
  data_ = static_cast<std::uint32_t*>(fresh);
  capacity_ = bytes / sizeof(std::uint32_t);
  advise(fresh, bytes);
  return true;
}

void MappedArray::release() {
  if (data_ != nullptr) munmap(data_, capacity_ * sizeof(std::uint32_t));
  data_ = nullptr;
  capacity_ = 0;
}

}  // namespace parley::explore
