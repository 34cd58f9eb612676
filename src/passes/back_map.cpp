#include "passes/back_map.hpp"

#include <algorithm>
#include <set>

namespace parley::passes {

using namespace system;

namespace {

// The id itself where the original has it, else none.
template <class IdType>
std::vector<IdType> same(std::size_t transformed, std::size_t original) {
  std::vector<IdType> ids(transformed);
  for (std::size_t i = 0; i < std::min(transformed, original); ++i) ids[i] = IdType(i);
  return ids;
}

template <class IdType>
std::vector<IdType> through(const std::vector<IdType>& first, const std::vector<IdType>& second) {
  std::vector<IdType> ids;
  for (const IdType id : second) ids.push_back(id.valid() ? first[id.index()] : IdType{});
  return ids;
}

// In order, each once.
template <class IdType>
void add(std::vector<IdType>& list, IdType id) {
  if (std::find(list.begin(), list.end(), id) == list.end()) list.push_back(id);
}

template <class IdType>
bool in_range(IdType id, std::size_t size) {
  return !id.valid() || id.index() < size;
}

template <class IdType>
bool in_range(const std::vector<IdType>& ids, std::size_t size) {
  return std::all_of(ids.begin(), ids.end(), [&](IdType id) { return in_range(id, size); });
}

bool agree(const BackMap& map, const semantics::Message& original, const semantics::Message& transformed) {
  const SignalBack& back = map.signals[transformed.signal.index()];
  if (back.signal != original.signal) return false;
  for (std::size_t i = 0; i < back.params.size(); ++i)
    if (back.params[i] != SignalBack::kNew && original.args[back.params[i]] != transformed.args[i])
      return false;
  return true;
}

}  // namespace

bool BackMap::valid_for(const System& original, const System& transformed) const {
  if (cells.size() != transformed.cells.size() || signals.size() != transformed.signals.size() ||
      queues.size() != transformed.queues.size() || owners.size() != transformed.owners.size() ||
      actions.size() != transformed.actions.size() || elements.size() != transformed.elements.size() ||
      properties.size() != transformed.properties.size())
    return false;
  for (std::size_t g = 0; g < signals.size(); ++g) {
    if (signals[g].params.size() != transformed.signals[g].params.size()) return false;
    if (!signals[g].signal.valid()) continue;
    if (!in_range(signals[g].signal, original.signals.size())) return false;
    const std::size_t params = original.signal(signals[g].signal).params.size();
    for (const std::uint32_t p : signals[g].params)
      if (p != SignalBack::kNew && p >= params) return false;
  }
  return std::all_of(cells.begin(), cells.end(),
                     [&](const auto& list) { return in_range(list, original.cells.size()); }) &&
         std::all_of(
             actions.begin(), actions.end(),
             [&](const auto& list) { return !list.empty() && in_range(list, original.actions.size()); }) &&
         in_range(queues, original.queues.size()) && in_range(owners, original.owners.size()) &&
         in_range(elements, original.elements.size()) && in_range(properties, original.properties.size()) &&
         in_range(silent, original.actions.size());
}

BackMap same_ids(const System& original, const System& transformed) {
  BackMap map;
  for (std::size_t c = 0; c < transformed.cells.size(); ++c)
    map.cells.push_back(c < original.cells.size() ? std::vector{CellId(c)} : std::vector<CellId>{});
  for (std::size_t g = 0; g < transformed.signals.size(); ++g) {
    const bool old = g < original.signals.size();
    SignalBack back{old ? SignalId(g) : SignalId{}, {}};
    for (std::uint32_t p = 0; p < transformed.signals[g].params.size(); ++p)
      back.params.push_back(old && p < original.signals[g].params.size() ? p : SignalBack::kNew);
    map.signals.push_back(std::move(back));
  }
  for (std::size_t a = 0; a < transformed.actions.size(); ++a)
    map.actions.push_back({a < original.actions.size() ? ActionId(a) : ActionId{}});
  map.queues = same<QueueId>(transformed.queues.size(), original.queues.size());
  map.owners = same<OwnerId>(transformed.owners.size(), original.owners.size());
  map.elements = same<ElementId>(transformed.elements.size(), original.elements.size());
  map.properties = same<PropertyId>(transformed.properties.size(), original.properties.size());
  return map;
}

BackMap chained(const BackMap& first, const BackMap& second) {
  BackMap map;
  for (const std::vector<CellId>& cells : second.cells) {
    map.cells.emplace_back();
    for (const CellId c : cells)
      for (const CellId original : first.cells[c.index()]) add(map.cells.back(), original);
  }
  for (const SignalBack& later : second.signals) {
    SignalBack back;
    back.params.assign(later.params.size(), SignalBack::kNew);
    if (later.signal.valid()) {
      const SignalBack& earlier = first.signals[later.signal.index()];
      back.signal = earlier.signal;
      for (std::size_t i = 0; i < later.params.size(); ++i)
        if (later.params[i] != SignalBack::kNew) back.params[i] = earlier.params[later.params[i]];
    }
    map.signals.push_back(std::move(back));
  }
  const auto originals = [&](const std::vector<ActionId>& actions) {
    std::vector<ActionId> list;
    for (const ActionId a : actions)
      for (const ActionId original : a.valid() ? first.actions[a.index()] : std::vector{ActionId{}})
        add(list, original);
    return list;
  };
  for (const std::vector<ActionId>& actions : second.actions) map.actions.push_back(originals(actions));
  map.queues = through(first.queues, second.queues);
  map.owners = through(first.owners, second.owners);
  map.elements = through(first.elements, second.elements);
  map.properties = through(first.properties, second.properties);
  map.silent = first.silent;
  for (const ActionId a : originals(second.silent))
    if (a.valid()) add(map.silent, a);
  map.keeps_choices = first.keeps_choices && second.keeps_choices;
  map.adds_choices = first.adds_choices || second.adds_choices;
  return map;
}

bool agree(const BackMap& map, const semantics::State& original, const semantics::State& transformed) {
  for (std::size_t c = 0; c < map.cells.size(); ++c)
    for (const CellId o : map.cells[c])
      if (original.cells[o.index()] != transformed.cells[c]) return false;
  for (std::size_t q = 0; q < map.queues.size(); ++q) {
    if (!map.queues[q].valid()) continue;
    const auto& mine = original.queues[map.queues[q].index()];
    const auto& theirs = transformed.queues[q];
    if (!std::equal(mine.begin(), mine.end(), theirs.begin(), theirs.end(),
                    [&](const auto& x, const auto& y) { return agree(map, x, y); }))
      return false;
  }
  if (!transformed.holder.valid()) return !original.holder.valid();
  const OwnerId holder = map.owners[transformed.holder.index()];
  return !holder.valid() || holder == original.holder;
}

std::vector<ElementId> unreached_back(const BackMap& map, const std::vector<ElementId>& unreached) {
  const std::set<ElementId> missed(unreached.begin(), unreached.end());
  std::set<ElementId> reached, found;
  for (std::size_t e = 0; e < map.elements.size(); ++e)
    if (map.elements[e].valid()) (missed.contains(ElementId(e)) ? found : reached).insert(map.elements[e]);
  std::vector<ElementId> list;
  std::set_difference(found.begin(), found.end(), reached.begin(), reached.end(), std::back_inserter(list));
  return list;
}

std::vector<std::uint32_t> lengths_back(const BackMap& map, const System& original,
                                        const std::vector<std::uint32_t>& lengths) {
  if (lengths.size() != map.queues.size()) return {};
  std::vector<std::uint32_t> list(original.queues.size(), 0);
  std::vector<bool> known(original.queues.size(), false);
  for (std::size_t q = 0; q < lengths.size(); ++q) {
    if (!map.queues[q].valid()) continue;
    list[map.queues[q].index()] = lengths[q];
    known[map.queues[q].index()] = true;
  }
  return std::all_of(known.begin(), known.end(), [](bool k) { return k; }) ? list
                                                                           : std::vector<std::uint32_t>{};
}

}  // namespace parley::passes
