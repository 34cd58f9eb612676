#include "explore/layout.hpp"

#include <algorithm>
#include <bit>

#include "explore/ranges.hpp"
#include "support/check.hpp"

namespace parley::explore {
namespace {

std::uint8_t width_of(CodeRange r) {
  const auto span = static_cast<std::uint32_t>(r.hi) - static_cast<std::uint32_t>(r.lo);
  return static_cast<std::uint8_t>(std::bit_width(r.null ? span + 1 : span));
}

std::int32_t filler_of(CodeRange r) {
  return r.null ? 0 : std::clamp(std::int32_t{0}, r.lo, r.hi);
}

// Null beside or inside the range is part of it.
CodeRange tidy(CodeRange r) {
  if (!r.null || r.lo > 1) return r;
  return {std::min(r.lo, 0), std::max(r.hi, 0), false};
}

CodeRange hull(CodeRange x, CodeRange y) {
  // A single 0 beside a range of references is their null.
  const bool x_is_null = x.lo == 0 && x.hi == 0, y_is_null = y.lo == 0 && y.hi == 0;
  if (x_is_null) return tidy({y.lo, y.hi, true});
  if (y_is_null) return tidy({x.lo, x.hi, true});
  return tidy({std::min(x.lo, y.lo), std::max(x.hi, y.hi), x.null || y.null});
}

}  // namespace

CodeRange range_of(const system::Type& type) {
  const bool null = type.kind == expr::TypeKind::Ref || type.kind == expr::TypeKind::Chan;
  return tidy({type.lo, type.hi, null});
}

Shape concrete_shape(const system::System& system, const std::vector<std::uint32_t>& capacities) {
  PARLEY_CHECK(capacities.size() == system.queues.size());
  Shape shape;
  const Ranges ranges = infer_ranges(system, capacities);
  shape.cells = ranges.cells;
  for (std::size_t q = 0; q < system.queues.size(); ++q) {
    QueueShape queue;
    queue.capacity = capacities[q];
    queue.signals = system.queues[q].signals;
    for (auto signal : queue.signals) {
      const auto& params = system.signal(signal).params;
      queue.arity.push_back(static_cast<std::uint32_t>(params.size()));
      for (std::size_t i = 0; i < params.size(); ++i) {
        const CodeRange r = ranges.params[signal.index()][i];
        if (i < queue.params.size())
          queue.params[i] = hull(queue.params[i], r);
        else
          queue.params.push_back(r);
      }
    }
    shape.queues.push_back(std::move(queue));
  }
  return shape;
}

Layout::Layout(Shape shape) : shape_(std::move(shape)) {
  auto add = [&](CodeRange r) {
    Field f;
    f.null = r.null;
    f.lo = r.null ? r.lo - 1 : r.lo;
    f.width = width_of(r);
    f.mask = f.width == 32 ? ~0u : (1u << f.width) - 1;
    fields_.push_back(f);
    fillers_.push_back(filler_of(r));
  };
  for (const CodeRange& r : shape_.cells) add(r);
  for (const QueueShape& q : shape_.queues) {
    QueuePlace place;
    place.length = slots();
    place.stride = 1 + static_cast<std::uint32_t>(q.params.size());
    place.capacity = q.signals.empty() ? 0 : q.capacity;
    add({0, static_cast<std::int32_t>(place.capacity), false});
    place.first = slots();
    for (std::uint32_t i = 0; i < place.capacity; ++i) {
      add({0, static_cast<std::int32_t>(q.signals.size()) - 1, false});
      for (const CodeRange& r : q.params) add(r);
    }
    queues_.push_back(place);
  }
  place_fields();
}

// First fit by decreasing width: a field never straddles two words, so that it is read and written with one
// shift. Only the last few words are tried, which keeps huge layouts linear.
void Layout::place_fields() {
  std::vector<std::uint32_t> order(slots());
  for (std::uint32_t i = 0; i < slots(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t x, std::uint32_t y) { return fields_[x].width > fields_[y].width; });
  std::vector<std::uint8_t> used;
  std::size_t first_open = 0;
  for (std::uint32_t slot : order) {
    Field& f = fields_[slot];
    if (f.width == 0) continue;
    bits_ += f.width;
    while (first_open < used.size() && used[first_open] == 32) ++first_open;
    std::size_t w = std::max(first_open, used.size() > 64 ? used.size() - 64 : 0);
    while (w < used.size() && used[w] + f.width > 32) ++w;
    if (w == used.size()) used.push_back(0);
    f.word = static_cast<std::uint32_t>(w);
    f.shift = used[w];
    used[w] = static_cast<std::uint8_t>(used[w] + f.width);
  }
  words_ = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(used.size()));
  word_begin_.assign(words_ + 1, 0);
  for (std::uint32_t slot = 0; slot < slots(); ++slot)
    if (fields_[slot].width != 0) ++word_begin_[fields_[slot].word + 1];
  for (std::uint32_t w = 0; w < words_; ++w) word_begin_[w + 1] += word_begin_[w];
  word_slots_.resize(word_begin_[words_]);
  std::vector<std::uint32_t> next(word_begin_.begin(), word_begin_.end() - 1);
  for (std::uint32_t slot = 0; slot < slots(); ++slot)
    if (fields_[slot].width != 0) word_slots_[next[fields_[slot].word]++] = slot;
}

std::uint32_t Layout::code(std::size_t queue, system::SignalId signal) const {
  const auto& signals = shape_.queues[queue].signals;
  const auto found = std::find(signals.begin(), signals.end(), signal);
  return found == signals.end() ? Id<void>::kNone : static_cast<std::uint32_t>(found - signals.begin());
}

void Layout::pack(const std::int32_t* values, std::uint32_t* words) const {
  std::fill(words, words + words_, 0u);
  for (std::uint32_t slot = 0; slot < slots(); ++slot) pack_slot(slot, values[slot], words);
}

void Layout::unpack(const std::uint32_t* words, std::int32_t* values) const {
  std::copy(fillers_.begin(), fillers_.end(), values);
  for (std::uint32_t w = 0; w < words_; ++w) unpack_word(w, words[w], values);
}

}  // namespace parley::explore
