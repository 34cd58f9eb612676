// What is known about each queue: the bound and the weights behind it, or the loop that makes it grow with
// its cycles and the growth per round, or the cycles that might be to blame; and the argument in words.
#include <fmt/format.h>

#include <algorithm>

#include "passes/capacities.hpp"
#include "report/loop_cycles.hpp"
#include "report/story.hpp"
#include "report/story_page.hpp"

namespace parley::report {
namespace {

using json = nlohmann::ordered_json;
using verdict::CertificateKind;

constexpr std::size_t kRounds = 6;      // shown of a loop
constexpr std::size_t kMaxCurve = 240;  // points of a drawn curve; longer loops show whole rounds only
constexpr std::size_t kMaxCycles = 40, kMaxWeights = 60;

verdict::Trace lasso_of(const json& pump) {
  verdict::Trace t;
  t.initial_choices = pump.at("initial_choices").get<std::vector<std::uint64_t>>();
  t.loop_start = pump.at("prefix").size();
  for (const char* part : {"prefix", "loop"})
    for (const json& step : pump.at(part))
      t.steps.push_back({system::ActionId(step.at("action").get<std::size_t>()),
                         step.at("choices").get<std::vector<std::uint64_t>>()});
  return t;
}

template <class Ids>
json numbers(const Ids& ids) {
  json list = json::array();
  for (const auto id : ids) list.push_back(id.value);
  return list;
}

std::string plural(std::size_t n, const char* what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

class QueuePage {
 public:
  QueuePage(const system::System& s, const system::System& roomy, const json& queue, const json& story)
      : s_(s), roomy_(roomy), q_(queue), story_(story) {}

  json page() {
    for (const char* key :
         {"name", "answer", "limit", "reached", "kinds", "longest_seen", "declared", "suggestion", "checked"})
      if (q_.contains(key)) page_[key] = q_.at(key);
    const std::string answer = q_.at("answer").get<std::string>();
    page_["rendezvous"] = q_.contains("declared") && q_.at("declared") == 0;
    if (q_.contains("certificate"))
      proof_ = named<CertificateKind>(q_.at("certificate").at("kind").get<std::string>())
                   .value_or(CertificateKind::None);
    page_["proof"] = words_of(proof_);
    page_["shown_as"] = answer == "bounded" ? "holds" : answer == "unbounded" ? "violated" : "unknown";
    page_["cycles"] = json::array();
    if (answer == "unbounded")
      unbounded();
    else if (answer == "bounded")
      bounded();
    else
      unknown();
    return std::move(page_);
  }

 private:
  void unbounded() {
    const json& pump = q_.at("certificate").at("payload");
    const verdict::Trace lasso = lasso_of(pump);
    for (const LoopCycle& c : loop_cycles(roomy_, lasso)) {
      if (page_["cycles"].size() == kMaxCycles) break;
      page_["cycles"].push_back({{"owners", json::array({c.owner.value})},
                                 {"who", s_.owner(c.owner).name},
                                 {"path", c.path},
                                 {"times", c.times},
                                 {"effect", c.effect},
                                 {"actions", numbers(c.actions)},
                                 {"elements", numbers(c.elements)}});
    }
    json growth = json::array();
    std::size_t per_round = 0;
    for (const QueueGrowth& g : queue_growth(roomy_, lasso, kRounds)) {
      const std::string& name = s_.queue(g.queue).name;
      if (name == q_.at("name") && g.after_round.size() > 1) per_round = g.after_round[1] - g.after_round[0];
      json one = {{"queue", name}, {"rounds", g.after_round}};
      if (g.after_step.size() <= kMaxCurve) one["steps"] = g.after_step;
      growth.push_back(std::move(one));
    }
    page_["growth"] = std::move(growth);
    page_["prefix_steps"] = pump.at("prefix").size();
    page_["loop_steps"] = pump.at("loop").size();
    page_["argument"] = fmt::format(
        "{} the model is where a loop of {} begins. When the loop ends, everything that matters is as it "
        "was: "
        "the active states, the values, and the messages the loop looks at. Only {} has {} more. The loop "
        "never asks "
        "whether a growing queue is empty or full, so it can be taken again, and again, for ever. Declared "
        "capacities "
        "were taken away for this question: with them, the queue overflows or its senders wait.",
        pump.at("prefix").empty() ? "At the start" : "After " + plural(pump.at("prefix").size(), "step"),
        plural(pump.at("loop").size(), "step"), q_.at("name").get<std::string>(),
        plural(per_round, "message"));
    if (q_.contains("fair")) page_["argument"] = page_["argument"].get<std::string>() + fairness();
  }

  std::string fairness() const {
    if (q_.at("fair").get<bool>())
      return " The loop is weakly fair: whoever is able to act all the time does act.";
    std::string names;
    for (const json& name : q_.at("starved")) names += (names.empty() ? "" : ", ") + name.get<std::string>();
    return fmt::format(" The loop is not weakly fair: able to act all the time, but never acting: {}.",
                       names);
  }

  void asked_first(const std::string& name) {
    std::string senders;
    for (const json& x : q_.at("senders"))
      senders +=
          fmt::format("{}{} after `{}` of {}", senders.empty() ? "" : ", ", x.at("most").get<std::int64_t>(),
                      x.at("action").get<std::string>(), x.at("owner").get<std::string>());
    page_["argument"] = fmt::format(
        "Whoever sends to {} asks for its length first, in the same step or while nobody else can send. So "
        "it "
        "holds at most: {}.",
        name, senders);
  }

  void bounded() {
    const std::string name = q_.at("name").get<std::string>();
    const auto limit = q_.at("limit").get<std::int64_t>();
    switch (proof_) {
      case CertificateKind::Weights:
        return weighed(name, limit);
      case CertificateKind::Phases:
        return in_phases(name, limit);
      case CertificateKind::LengthTests:
        return asked_first(name);
      case CertificateKind::Ordered:
        return ordered(name, limit);
      case CertificateKind::Activation:
        return never_entered(name, limit);
      case CertificateKind::Exhaustive:
        return all_seen(name, limit);
      case CertificateKind::None:
      case CertificateKind::Witness:
      case CertificateKind::Covered:
      case CertificateKind::InductiveInvariant:
      case CertificateKind::KInduction:
      case CertificateKind::NoLongerRuns:
      case CertificateKind::AbstractClosure:
      case CertificateKind::Ranking:
      case CertificateKind::KLiveness:
      case CertificateKind::Bounds:
      case CertificateKind::Pump:
        break;  // no evidence for the limit of one queue
    }
    page_["argument"] = "";
  }

  void in_phases(const std::string& name, std::int64_t limit) {
    std::string tree;
    for (const json& line : q_.at("phases")) tree += line.get<std::string>() + ". ";
    page_["argument"] = fmt::format(
        "Every run falls into finitely many stays. {}Within a stay no machine can go round a cycle and "
        "leave "
        "more weight behind than it took away, for weights that belong to the stay; going from stay to "
        "stay, "
        "{} never holds more than {}.",
        tree, name, limit);
  }

  void never_entered(const std::string& name, std::int64_t limit) {
    page_["argument"] = fmt::format(
        "The cycles that might make {0} grow can never be entered: as long as their actions have not fired "
        "weights keep every queue short, and with queues that short another engine proves that the actions "
        "never fire. So {0} never holds more than {1}.",
        name, limit);
  }

  void ordered(const std::string& name, std::int64_t limit) {
    page_["argument"] = fmt::format(
        "Counting messages is not enough here: their order is. Each message is taken to carry which one "
        "its "
        "sender sent before, and who receives it knows which came last; a queue keeps the order, so "
        "nothing "
        "is lost by that. Then weights show that {} never holds more than {}.",
        name, limit);
  }

  void all_seen(const std::string& name, std::int64_t limit) {
    page_["argument"] = fmt::format(
        "All states of the model were visited ({}), with no capacity to stop anybody from sending. The "
        "longest that {} "
        "ever got is {}.",
        story_.at("states").get<std::size_t>(), name, limit);
  }

  void weighed(const std::string& name, std::int64_t limit) {
    // The queue's own messages first; a certificate may have weights for all the others too.
    json weights = json::array();
    const std::string own = " in " + name;
    for (const bool mine : {true, false})
      for (const json& w : q_.at("weights"))
        if (w.at("what").get<std::string>().ends_with(own) == mine && weights.size() < kMaxWeights)
          weights.push_back(w);
    page_["more_weights"] = q_.at("weights").size() - weights.size();
    page_["weights"] = std::move(weights);
    page_["argument"] = fmt::format(
        "Give every waiting message the weight in the table (no entry: weight 0). No machine can go round a "
        "cycle and "
        "leave more weight behind than it took away: what it sends is paid for by what it takes, or by a "
        "counter that "
        "comes to its end. So the total weight can only rise on the way from the start into the cycles, and "
        "never above "
        "a number that can be added up. A message in {} weighs at least 1, so there are never more than {}.",
        name, limit);
  }

  void unknown() {
    if (q_.at("cycles").empty()) {
      page_["argument"] =
          "Within the time given, no bound was proved and no loop was found that repeats for ever. There is "
          "no list of "
          "cycles to blame: the linear program was not finished, or could not be set up for this model.";
      return;
    }
    for (const json& c : q_.at("cycles")) {
      if (page_["cycles"].size() == kMaxCycles) break;
      json owners = json::array(), elements = json::array();
      for (std::size_t o = 0; o < s_.owners.size(); ++o)
        for (const json& name : c.at("owners"))
          if (s_.owners[o].name == name) owners.push_back(o);
      for (const json& a : c.at("actions"))
        for (system::ElementId e : s_.actions[a.get<std::size_t>()].elements) elements.push_back(e.value);
      page_["cycles"].push_back({{"owners", std::move(owners)},
                                 {"who", c.at("owners").empty() ? json("the start") : c.at("owners").front()},
                                 {"path", path_of(c)},
                                 {"times", c.at("times")},
                                 {"effect", c.at("effect")},
                                 {"actions", c.at("actions")},
                                 {"elements", std::move(elements)}});
    }
    page_["argument"] = fmt::format(
        "If the machines could go round these cycles as often as the table says, {} would gain messages and "
        "nothing "
        "would be used up. No run was found that does it, and nothing that was tried shows that there is "
        "none: they may "
        "need each other's messages in an order that never happens. Look whether they can happen together.",
        q_.at("name").get<std::string>());
  }

  // Owners without states of their own, such as the environment, are told by what they do.
  std::string path_of(const json& cycle) const {
    const json& actions = cycle.at("actions");
    if (actions.empty()) return cycle.at("path").get<std::string>();
    const system::Action& first = s_.actions[actions.front().get<std::size_t>()];
    return s_.owner(first.owner).locations.empty() ? first.name : cycle.at("path").get<std::string>();
  }

  const system::System& s_;
  const system::System& roomy_;
  const json& q_;
  const json& story_;
  CertificateKind proof_ = CertificateKind::None;
  json page_ = json::object();
};

}  // namespace

json bounds_page(const system::System& s, const json& story) {
  const system::System roomy = passes::without_capacities(s).system;
  json page = {{"queues", json::array()}};
  for (const json& q : story.at("queues")) page["queues"].push_back(QueuePage(s, roomy, q, story).page());
  for (const char* key : {"control_states", "transitions", "cycles", "cycles_complete", "kinds",
                          "counterexamples", "refinements", "states", "search_closed", "note"})
    page[key] = story.at(key);
  if (story.contains("unchecked")) page["unchecked"] = story.at("unchecked");
  // The queue worth looking at first: one that grows, else one that might.
  std::size_t first = 0;
  for (const char* word : {"unbounded", "unknown"}) {
    const auto found = std::find_if(page["queues"].begin(), page["queues"].end(),
                                    [&](const json& q) { return q.at("answer") == word; });
    if (found == page["queues"].end()) continue;
    first = static_cast<std::size_t>(found - page["queues"].begin());
    break;
  }
  page["first"] = first;
  page["without_capacities"] = true;
  return page;
}

}  // namespace parley::report
