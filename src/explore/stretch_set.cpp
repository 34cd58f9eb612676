#include "explore/stretch_set.hpp"

#include <algorithm>

namespace parley::explore {

std::uint64_t StretchSet::hash(const std::uint32_t* words) const {
  std::uint64_t h = 0xcbf29ce484222325ull;
  for (std::uint32_t i = 0; i < words_; ++i) h = (h ^ words[i]) * 0x9e3779b97f4a7c15ull;
  return h ^ (h >> 32);
}

std::size_t StretchSet::insert(const std::uint32_t* words, std::uint32_t depth, bool& fresh) {
  if ((entries_.size() + 1) * 2 > table_.size()) grow();
  const std::size_t mask = table_.size() - 1;
  std::size_t at = hash(words) & mask;
  for (; table_[at] != 0; at = (at + 1) & mask) {
    const std::size_t entry = table_[at] - 1;
    if (std::equal(words, words + words_, records_.begin() + static_cast<std::ptrdiff_t>(entry * words_))) {
      fresh = false;
      return entry;
    }
  }
  fresh = true;
  records_.insert(records_.end(), words, words + words_);
  entries_.push_back({depth, true, false});
  table_[at] = static_cast<std::uint32_t>(entries_.size());
  return entries_.size() - 1;
}

void StretchSet::grow() {
  table_.assign(table_.size() * 2, 0);
  const std::size_t mask = table_.size() - 1;
  for (std::size_t entry = 0; entry < entries_.size(); ++entry) {
    std::size_t at = hash(records_.data() + entry * words_) & mask;
    while (table_[at] != 0) at = (at + 1) & mask;
    table_[at] = static_cast<std::uint32_t>(entry + 1);
  }
}

}  // namespace parley::explore
