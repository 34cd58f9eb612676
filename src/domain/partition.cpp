#include "domain/partition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "support/check.hpp"

namespace parley::domain {

Partition Partition::sign(Interval range) {
  Partition p(range);
  p.split_at(0);
  return p;
}

Partition Partition::k_plus(std::int64_t k, Interval range) {
  Partition p(range);
  for (std::int64_t v = 0; v <= k; ++v) p.cut_below(v);
  return p;
}

Partition Partition::at(const std::vector<std::int64_t>& starts, Interval range) {
  Partition p(range);
  for (std::int64_t v : starts) p.cut_below(v);
  return p;
}

std::optional<Partition> Partition::parse(std::string_view text, Interval range) {
  const auto number = [](std::string_view word) -> std::optional<std::int64_t> {
    std::int64_t v = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), v);
    if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
    return v;
  };
  const auto trimmed = [](std::string_view word) {
    while (!word.empty() && word.front() == ' ') word.remove_prefix(1);
    while (!word.empty() && word.back() == ' ') word.remove_suffix(1);
    return word;
  };
  text = trimmed(text);
  if (text == "sign") return sign(range);
  if (text == "one") return Partition(range);
  if (text.ends_with('+')) {
    const auto k = number(trimmed(text.substr(0, text.size() - 1)));
    if (!k || *k < 0 || *k > 100000) return std::nullopt;
    return k_plus(*k, range);
  }
  Partition p(range);
  while (true) {
    const std::size_t comma = text.find(',');
    const auto v = number(trimmed(text.substr(0, comma)));
    if (!v || !range.contains(*v)) return std::nullopt;
    p.cut_below(*v);
    if (comma == std::string_view::npos) return p;
    text.remove_prefix(comma + 1);
  }
}

std::size_t Partition::index_of(std::int64_t v) const {
  PARLEY_CHECK(range_.contains(v));
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), v);
  return static_cast<std::size_t>(after - starts_.begin()) - 1;
}

bool Partition::cut_below(std::int64_t v) {
  if (!range_.contains(v)) return false;
  const auto at = std::lower_bound(starts_.begin(), starts_.end(), v);
  if (at != starts_.end() && *at == v) return false;
  starts_.insert(at, v);
  return true;
}

bool Partition::split_at(std::int64_t v) {
  if (!range_.contains(v)) return false;
  const bool below = cut_below(v);
  return cut_below(v + 1) || below;
}

bool Partition::refine_with(const Partition& other) {
  bool changed = false;
  for (std::int64_t v : other.starts_) changed = cut_below(v) || changed;
  if (other.range_.hi < range_.hi) changed = cut_below(other.range_.hi + 1) || changed;
  return changed;
}

std::string show(const Interval& cell) {
  const auto bound = [](std::int64_t v) -> std::string {
    if (v == Word{}.min()) return "min";
    if (v == Word{}.max()) return "max";
    return fmt::format("{}", v);
  };
  return fmt::format("[{},{}]", bound(cell.lo), bound(cell.hi));
}

std::string Partition::show() const {
  std::string text;
  for (std::size_t i = 0; i < size(); ++i) text += (i > 0 ? " " : "") + domain::show(cell(i));
  return text;
}

}  // namespace parley::domain
