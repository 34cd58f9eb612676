#include "export/circuit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace parley::exporting {

using encode::Aig;
using encode::Lit;
using encode::neg;

Circuit::Circuit(const system::System& system, const std::vector<std::uint32_t>& capacities,
                 const std::vector<system::PropertyId>& properties)
    : relation_(
          std::make_unique<encode::Relation>(system, capacities, properties, encode::RelationOptions{})) {
  encode::Relation& r = *relation_;
  Aig& g = r.aig();
  const encode::Stage& stage = r.stages()[0];
  std::map<std::uint32_t, std::string> names;
  for (std::size_t i = 0; i < stage.fire.size(); ++i)
    names[encode::node_of(stage.fire[i])] = fmt::format("fire{}", stage.actions[i].value);
  for (const Lit b : r.state_bits()) names[encode::node_of(b)] = "";
  std::size_t choices = 0;
  const std::size_t size = g.size();
  for (std::uint32_t n = 1; n < size; ++n) {
    if (!g.is_input(n)) continue;
    const auto at = names.find(n);
    if (at == names.end())
      inputs_.push_back({fmt::format("choice{}", choices++), n * 2});
    else if (!at->second.empty())
      inputs_.push_back({at->second, n * 2});
  }
  const Lit fits = g.all(stage.constraints);
  has_start_step_ =
      !std::all_of(r.initial_bits().begin(), r.initial_bits().end(), encode::is_constant) ||
      r.initial_ok() != encode::kTrue ||
      std::any_of(r.initial_bad().begin(), r.initial_bad().end(), [](Lit l) { return l != encode::kFalse; });
  const Lit started = has_start_step_ ? g.input() : encode::kTrue;
  for (std::size_t b = 0; b < r.state_bits().size(); ++b) {
    const Lit now = r.state_bits()[b];
    const Lit step = g.mux(fits, stage.next[b], now);
    Latch latch{r.layout().bits()[b].name(), now, step, r.initial_bits()[b] == encode::kTrue};
    if (has_start_step_) {
      latch.next = g.mux(started, step, r.initial_bits()[b]);
      latch.initial = false;
    }
    latches_.push_back(std::move(latch));
  }
  if (has_start_step_) latches_.push_back({"started", started, g.disj(started, r.initial_ok()), false});
  for (std::size_t p = 0; p < properties.size(); ++p) {
    const Lit running = g.conj(started, g.disj(r.state_bad()[p], stage.bad[p]));
    const Lit at_start = g.conj(neg(started), r.initial_bad()[p]);
    bads_.push_back({system.property(properties[p]).name, g.disj(running, at_start)});
  }
}

std::vector<std::uint32_t> Circuit::gates() const {
  const Aig& g = aig();
  std::vector<bool> live(g.size(), false);
  for (const Latch& l : latches_) live[encode::node_of(l.next)] = true;
  for (const Bad& b : bads_) live[encode::node_of(b.when)] = true;
  std::vector<std::uint32_t> out;
  for (std::uint32_t n = static_cast<std::uint32_t>(g.size()); n-- > 1;) {
    if (!live[n] || !g.is_gate(n)) continue;
    out.push_back(n);
    live[encode::node_of(g.left(n))] = true;
    live[encode::node_of(g.right(n))] = true;
  }
  std::reverse(out.begin(), out.end());
  return out;
}

}  // namespace parley::exporting
