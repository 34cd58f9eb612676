#include "certify/weighing.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace parley::certify {

using nlohmann::json;

mpq_class Weighing::of(const SentMessage& m) const {
  const auto at = messages.find(kind_of(m));
  return at == messages.end() ? mpq_class(0) : at->second;
}

mpq_class Weighing::data_at(std::size_t part, const std::vector<Interval>& ranges, bool most) const {
  mpq_class sum = 0;
  for (const Datum& d : data[part]) sum += d.weight * static_cast<long>(d.content(ranges[d.at], most));
  return sum;
}

Weighing read_weights(const Flow& flow, const json& j) {
  const system::System& s = flow.s;
  Weighing w;
  w.data.resize(flow.parts.size());
  for (const json& x : j.at("messages")) {
    MessageKind kind{number_below(x.at("queue"), s.queues.size(), "no such queue"),
                     number_below(x.at("signal"), s.signals.size(), "no such signal"),
                     x.at("values").get<std::vector<std::int64_t>>()};
    mpq_class weight = rational(x.at("weight"));
    need(sgn(weight) >= 0, "a negative weight");
    need(w.messages.emplace(std::move(kind), std::move(weight)).second, "a kind of message is weighed twice");
  }
  for (const json& x : j.at("data")) {
    const std::size_t m = number_below(x.at("component"), flow.parts.size(), "no such component");
    const FlowPart& p = flow.parts[m];
    const auto at = p.setting.place[number_below(x.at("cell"), s.cells.size(), "no such cell")];
    need(at.has_value() && *at >= p.singles, "a weighed cell has no range");
    Datum d{*at, x.at("rising").get<bool>(), value32(x.at("limit")), rational(x.at("weight"))};
    need(sgn(d.weight) >= 0, "a negative weight");
    for (const auto& node : p.nodes) need(d.content(node[d.at], false) >= 0, "a cell can pass its limit");
    w.data[m].push_back(std::move(d));
  }
  for (const json& x : j.at("ledgers")) {
    const std::size_t a = number_below(x.at("action"), s.actions.size(), "no such action");
    const std::size_t m = number_below(x.at("component"), flow.parts.size(), "no such component");
    need(w.ledgers.emplace(std::pair(a, m), rational(x.at("weight"))).second, "a ledger is weighed twice");
  }
  return w;
}

mpq_class loss(const Flow& flow, const Weighing& w, const FlowEdge& e) {
  mpq_class gain = 0;
  const auto ledger = [&](std::size_t m) {
    const auto at = w.ledgers.find({e.action, m});
    return at == w.ledgers.end() ? mpq_class(0) : at->second;
  };
  if (flow.home[e.action] != e.part)
    gain -= ledger(e.part);
  else
    for (std::size_t guest = 0; guest < flow.parts.size(); ++guest)
      if (guest != e.part && flow.parts[guest].takes_part[e.action]) gain += ledger(guest);
  for (const SentMessage& m : e.sent) gain += w.of(m) * static_cast<long>(m.times);
  if (e.taken) gain -= w.of(*e.taken) * static_cast<long>(e.taken->times);
  for (const Datum& d : w.data[e.part]) {
    const auto at =
        std::find_if(e.change.begin(), e.change.end(), [&](const auto& c) { return c.first == d.at; });
    if (at != e.change.end()) gain += d.weight * static_cast<long>(d.rising ? at->second.hi : -at->second.lo);
  }
  return w.potentials[e.part][e.to] - w.potentials[e.part][e.from] - gain;
}

mpq_class WeightForEver::sum() const {
  mpq_class all = first;
  for (const mpq_class& d : deeper) all += d;
  return all;
}

mpq_class length_at(const Weighing& w, const WeightForEver& weight, const FlowStop& stop) {
  const mpq_class here = w.potentials[stop.part][stop.from] - w.data_at(stop.part, stop.ranges, false);
  const mpq_class taken = stop.taken ? w.of(*stop.taken) : mpq_class(0);
  return weight.sum() - weight.deeper[stop.part] + here - taken + mpq_class(static_cast<long>(stop.sent));
}

WeightForEver weight_for_ever(const Flow& flow, const Weighing& w) {
  WeightForEver weight;
  for (const auto& first : flow.first_messages) {
    mpq_class sum = 0;
    for (const SentMessage& m : first) sum += w.of(m) * static_cast<long>(m.times);
    if (sum > weight.first) weight.first = sum;
  }
  for (std::size_t m = 0; m < flow.parts.size(); ++m) {
    const FlowPart& p = flow.parts[m];
    for (std::size_t n : p.initial)
      need(sgn(w.potentials[m][n]) >= 0, "an initial control state has a negative potential");
    if (!p.initial.empty()) weight.first += w.data_at(m, p.first, true);
    mpq_class deepest = 0;
    for (std::size_t n = 0; n < p.nodes.size(); ++n) {
      const mpq_class depth = w.potentials[m][n] - w.data_at(m, p.nodes[n], false);
      if (depth > deepest) deepest = depth;
    }
    weight.deeper.push_back(deepest);
  }
  return weight;
}

mpz_class floor_of(const mpq_class& r) {
  mpz_class f;
  mpz_fdiv_q(f.get_mpz_t(), r.get_num_mpz_t(), r.get_den_mpz_t());
  return f;
}

Check guarded(const std::function<void()>& check) {
  try {
    check();
  } catch (const Rejected& r) {
    return Check::no(r.why);
  } catch (const CarriesMore&) {
    return Check::no("a message can carry more than its ranges say");
  } catch (const OutOfTime&) {
    return Check::out_of_time();
  } catch (const json::exception& e) {
    return Check::no(fmt::format("malformed certificate: {}", e.what()));
  }
  return Check::yes();
}

}  // namespace parley::certify
