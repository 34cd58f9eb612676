#include "bounds/certificate.hpp"

#include <nlohmann/json.hpp>

namespace parley::bounds {

using nlohmann::json;
using verdict::CertificateKind;

namespace {

json steps_json(const std::vector<semantics::Step>& steps) {
  json list = json::array();
  for (const semantics::Step& s : steps)
    list.push_back({{"action", s.action.index()}, {"choices", s.choices}});
  return list;
}

// What the components are: everything but weights and potentials.
json abstraction(const SystemFacts& facts, const Extraction& x) {
  json j;
  if (facts.start)
    j["start"] = {{"choices", facts.start->choices}, {"steps", steps_json(facts.start->steps)}};
  json dead = json::array();
  for (std::size_t a = 0; a < facts.dead.size(); ++a)
    if (facts.dead[a]) dead.push_back(a);
  j["dead"] = dead;
  if (facts.params) {
    json params = json::array();
    for (const auto& [key, ranges] : facts.params->known) {
      json list = json::array();
      for (const Interval& r : ranges) list.push_back(json::array({r.lo, r.hi}));
      params.push_back({{"queue", key.first.index()}, {"signal", key.second.index()}, {"ranges", list}});
    }
    j["params"] = params;
  }
  json splits = json::array();
  for (std::size_t s = 0; s < x.precision.splits.by_signal.size(); ++s)
    for (std::size_t p = 0; p < x.precision.splits.by_signal[s].size(); ++p)
      if (x.precision.splits.by_signal[s][p]) splits.push_back(json::array({s, p}));
  j["splits"] = splits;
  json components = json::array();
  for (std::size_t m = 0; m < x.components.size(); ++m) {
    const ComponentGraph& part = *x.components[m];
    json c;
    json owners = json::array(), tracked = json::array(), ranged = json::array(), nodes = json::array();
    for (system::OwnerId o : x.precision.components[m].owners) owners.push_back(o.index());
    for (std::size_t i = 0; i < part.view.cells.size(); ++i)
      (part.view.exact[i] ? tracked : ranged).push_back(part.view.cells[i].index());
    for (std::size_t n = 0; n < part.nodes.size(); ++n) {
      json values = json::array(), ranges = json::array();
      for (std::size_t i = 0; i < part.nodes[n].size(); ++i) {
        if (i < part.exact)
          values.push_back(part.nodes[n][i].lo);
        else
          ranges.push_back(json::array({part.nodes[n][i].lo, part.nodes[n][i].hi}));
      }
      nodes.push_back({{"values", values}, {"ranges", ranges}});
    }
    c["owners"] = owners;
    c["tracked"] = tracked;
    c["ranged"] = ranged;
    c["nodes"] = nodes;
    components.push_back(c);
  }
  j["components"] = components;
  return j;
}

void add_weights(const Extraction& x, const std::vector<Rational>& weights, json& j) {
  json messages = json::array(), data = json::array(), ledgers = json::array();
  for (std::size_t k = 0; k < weights.size(); ++k) {
    const Kind& kind = x.graph.kinds[k];
    if (sgn(weights[k]) == 0) continue;
    const std::string weight = weights[k].get_str();
    switch (kind.sort) {
      case KindSort::Message:
        messages.push_back({{"queue", kind.queue.index()},
                            {"signal", kind.signal.index()},
                            {"values", kind.values},
                            {"weight", weight}});
        break;
      case KindSort::Data:
        data.push_back({{"component", kind.component},
                        {"cell", kind.cell.index()},
                        {"rising", kind.rising},
                        {"limit", kind.limit},
                        {"weight", weight}});
        break;
      case KindSort::Ledger:
        ledgers.push_back(
            {{"action", kind.action.index()}, {"component", kind.component}, {"weight", weight}});
        break;
    }
  }
  j["messages"] = messages;
  j["data"] = data;
  j["ledgers"] = ledgers;
}

void add_potentials(const std::vector<std::vector<Rational>>& potentials, std::size_t components, json& j) {
  json all = json::array();
  for (std::size_t m = 0; m < components; ++m) {
    json list = json::array();
    for (const Rational& p : potentials[m]) list.push_back(p.get_str());
    all.push_back(std::move(list));
  }
  j["potentials"] = std::move(all);
}

json tree(const Extraction& x, const Phase& phase) {
  json j;
  add_weights(x, phase.weights, j);
  add_potentials(phase.potentials, x.components.size(), j);
  if (phase.children.empty()) return j;
  j["component"] = phase.component;
  j["pieces"] = phase.pieces;
  json phases = json::array();
  for (const Phase& child : phase.children) phases.push_back(tree(x, child));
  j["phases"] = std::move(phases);
  return j;
}

}  // namespace

std::string weights_payload(const SystemFacts& facts, const Extraction& x, const WeightBound& bound) {
  json j = abstraction(facts, x);
  for (std::size_t m = 0; m < x.components.size(); ++m)
    for (std::size_t n = 0; n < x.components[m]->nodes.size(); ++n)
      j["components"][m]["nodes"][n]["potential"] = bound.potentials[m][n].get_str();
  add_weights(x, bound.weights, j);
  return j.dump();
}

std::string phases_payload(const SystemFacts& facts, const Extraction& x, const PhaseProof& proof) {
  json j = abstraction(facts, x);
  json kinds = json::array();
  for (std::size_t k = 0; k < proof.bounded.size(); ++k)
    if (proof.bounded[k]) {
      const Kind& kind = x.graph.kinds[k];
      kinds.push_back(
          {{"queue", kind.queue.index()}, {"signal", kind.signal.index()}, {"values", kind.values}});
    }
  j["kinds"] = kinds;
  if (proof.always) {
    json always;
    add_weights(x, proof.always->weights, always);
    add_potentials(proof.always->potentials, x.components.size(), always);
    j["always"] = always;
  }
  j["tree"] = tree(x, proof.root);
  return j.dump();
}

verdict::Certificate ordered_certificate(const std::vector<system::QueueId>& queues,
                                         const verdict::Certificate& inner) {
  json j;
  j["queues"] = json::array();
  for (system::QueueId q : queues) j["queues"].push_back(q.index());
  j["kind"] = name_of(inner.kind);
  j["payload"] = json::parse(inner.payload);
  return {CertificateKind::Ordered, j.dump()};
}

verdict::Certificate exhaustive_certificate(const SearchResult& search) {
  json j;
  j["states"] = search.states;
  j["longest"] = search.longest;
  return {CertificateKind::Exhaustive, j.dump()};
}

verdict::Certificate pump_certificate(const Pump& pump, const Relevance& relevance) {
  json j;
  j["initial_choices"] = pump.prefix.initial_choices;
  j["prefix"] = steps_json(pump.prefix.steps);
  j["loop"] = steps_json(pump.loop);
  json growth = json::array();
  for (const Growth& g : pump.growth)
    growth.push_back({{"queue", g.queue.index()}, {"per_round", g.per_round}});
  j["growth"] = growth;
  json cells = json::array(), params = json::array();
  for (std::size_t c = 0; c < relevance.cells.size(); ++c)
    if (!relevance.cells[c]) cells.push_back(c);
  for (std::size_t g = 0; g < relevance.params.size(); ++g)
    for (std::size_t p = 0; p < relevance.params[g].size(); ++p)
      if (!relevance.params[g][p]) params.push_back(json::array({g, p}));
  j["ignored_cells"] = cells;
  j["ignored_params"] = params;
  return {CertificateKind::Pump, j.dump()};
}

}  // namespace parley::bounds
