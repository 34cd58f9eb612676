#include "explore/interpreted.hpp"

namespace parley::explore {

static_assert(Divisible<InterpretedModel<semantics::Interpreter>>);

void pack(const Layout& layout, const semantics::State& state, std::uint32_t* words) {
  PARLEY_CHECK(state.visible());
  std::fill(words, words + layout.words(), 0u);
  auto put = [&](std::uint32_t slot, std::int32_t value) {
    const CodeRange r =
        slot < layout.shape().cells.size() ? layout.shape().cells[slot] : CodeRange{value, value, false};
    PARLEY_CHECK_MSG(r.contains(value), "a code outside the range of its slot");
    layout.pack_slot(slot, value, words);
  };
  for (std::uint32_t i = 0; i < state.cells.size(); ++i) put(i, state.cells[i]);
  for (std::size_t q = 0; q < state.queues.size(); ++q) {
    const Layout::QueuePlace& place = layout.queue(q);
    const QueueShape& shape = layout.shape().queues[q];
    PARLEY_CHECK(state.queues[q].size() <= place.capacity);
    put(place.length, static_cast<std::int32_t>(state.queues[q].size()));
    for (std::uint32_t i = 0; i < place.capacity; ++i) {
      const std::uint32_t at = place.first + i * place.stride;
      const semantics::Message* m = i < state.queues[q].size() ? &state.queues[q][i] : nullptr;
      put(at, m == nullptr ? 0 : static_cast<std::int32_t>(layout.code(q, m->signal)));
      for (std::uint32_t j = 0; j + 1 < place.stride; ++j) {
        const bool there = m != nullptr && j < m->args.size();
        const std::int32_t code = there ? m->args[j] : layout.filler(at + 1 + j);
        PARLEY_CHECK(shape.params[j].contains(code));
        put(at + 1 + j, code);
      }
    }
  }
}

semantics::State unpack(const Layout& layout, const std::uint32_t* words) {
  std::vector<std::int32_t> values(layout.slots());
  layout.unpack(words, values.data());
  semantics::State state;
  state.cells.assign(values.begin(),
                     values.begin() + static_cast<std::ptrdiff_t>(layout.shape().cells.size()));
  for (std::size_t q = 0; q < layout.shape().queues.size(); ++q) {
    const Layout::QueuePlace& place = layout.queue(q);
    const QueueShape& shape = layout.shape().queues[q];
    auto& messages = state.queues.emplace_back();
    for (std::int32_t i = 0; i < values[place.length]; ++i) {
      const std::uint32_t at = place.first + static_cast<std::uint32_t>(i) * place.stride;
      semantics::Message m;
      m.signal = shape.signals[static_cast<std::size_t>(values[at])];
      for (std::uint32_t j = 0; j < shape.arity[static_cast<std::size_t>(values[at])]; ++j)
        m.args.push_back(values[at + 1 + j]);
      messages.push_back(std::move(m));
    }
  }
  return state;
}

}  // namespace parley::explore
