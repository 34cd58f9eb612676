// The states met inside the exclusive stretches that start in one state: a small set, emptied for every state
// that is expanded. It keeps stretches from being walked twice and finds those that never end. Not a general
// set.
#pragma once

#include <cstdint>
#include <vector>

namespace parley::explore {

class StretchSet {
 public:
  explicit StretchSet(std::uint32_t words) : words_(words), table_(64, 0) {}

  struct Entry {
    std::uint32_t depth = 0;  // steps of the path that was being walked when it was met
    bool open = true;         // still on that path
    bool stuck = false;       // its holder can not move: the stretch ends here
  };
  void clear() {
    if (entries_.empty()) return;
    entries_.clear();
    records_.clear();
    table_.assign(table_.size() > 4096 ? 64 : table_.size(), 0);
  }
  // The entry of a state, `fresh` if it was not there. Index, because the table may grow.
  std::size_t insert(const std::uint32_t* words, std::uint32_t depth, bool& fresh);
  Entry& operator[](std::size_t index) { return entries_[index]; }

 private:
  std::uint64_t hash(const std::uint32_t* words) const;
  void grow();

  std::uint32_t words_;
  std::vector<std::uint32_t> table_;  // entry number plus one; 0: free
  std::vector<std::uint32_t> records_;
  std::vector<Entry> entries_;
};

}  // namespace parley::explore
