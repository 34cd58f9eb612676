// Interval partitions: a range of integers cut into cells, each cell one abstract value (ojala2008, section
// 5.3). A value type; refining only ever adds cuts, so a finer partition keeps every old border.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "domain/interval.hpp"

namespace parley::domain {

class Partition {
 public:
  // One cell.
  explicit Partition(Interval range = Word{}.all()) : range_(range), starts_{range.lo} {}
  // NEG, ZERO, POS (ojala2008, section 3.1.1), as far as the range has them.
  static Partition sign(Interval range = Word{}.all());
  // 0 .. k-1 one by one, k and above together, negative ones together (calame2007, the timer abstraction).
  static Partition k_plus(std::int64_t k, Interval range = Word{}.all());
  // Cells that begin at the given values.
  static Partition at(const std::vector<std::int64_t>& starts, Interval range = Word{}.all());
  // "sign", "3+", "one", or the first values of cells: "-5, -4, 2, 3". Nothing if it is none of these.
  static std::optional<Partition> parse(std::string_view text, Interval range = Word{}.all());

  const Interval& range() const { return range_; }
  std::size_t size() const { return starts_.size(); }
  Interval cell(std::size_t i) const {
    return {starts_[i], i + 1 < starts_.size() ? starts_[i + 1] - 1 : range_.hi};
  }
  // The cell of a value inside the range.
  std::size_t index_of(std::int64_t v) const;
  const std::vector<std::int64_t>& starts() const { return starts_; }

  // Each returns whether anything changed; values outside the range change nothing.
  bool cut_below(std::int64_t v);  // v becomes the first value of a cell
  bool split_at(std::int64_t v);   // v becomes a cell of its own
  bool refine_with(const Partition& other);

  std::string show() const;  // "[min,-1] [0,0] [1,max]"
  friend bool operator==(const Partition&, const Partition&) = default;

 private:
  // Invariant: strictly increasing, starts_[0] == range_.lo, all within range_.
  Interval range_;
  std::vector<std::int64_t> starts_;
};

std::string show(const Interval& cell);  // "[min,-1]"; min and max are those of 32 bits

}  // namespace parley::domain
