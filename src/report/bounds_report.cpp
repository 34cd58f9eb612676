#include "report/bounds_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "diag/diagnostic.hpp"

namespace parley::report {

using namespace bounds;

namespace {

std::string answer_text(const QueueReport& q) {
  switch (q.answer) {
    case Answer::Bounded:
      return fmt::format("at most {}{}", q.limit, q.exact ? " (reached)" : "");
    case Answer::Unbounded:
      return "UNBOUNDED";
    case Answer::Unknown:
      return fmt::format("unknown (seen {})", q.longest_seen);
  }
  return {};
}

std::string by_what(const QueueReport& q) {
  if (q.answer == Answer::Unbounded) return std::string(words_of(verdict::CertificateKind::Pump));
  if (q.answer == Answer::Unknown) return "-";
  const char* mark = q.checked == false ? "*" : "";
  return fmt::format("{}{}", words_of(q.certificate.kind), mark);
}

void explain_steps(const system::System& s, const std::vector<semantics::Step>& steps, std::string& out) {
  for (const semantics::Step& step : steps)
    out += fmt::format("      {}: {}\n", diag::sanitise(s.owner(s.action(step.action).owner).name),
                       diag::sanitise(s.action(step.action).name));
}

std::string fairness_text(const system::System& s, const QueueReport& q) {
  if (!q.fairness) return {};
  if (q.fairness->fair()) return "    it is weakly fair: whoever is able to act all the time does act\n";
  std::string names;
  for (system::OwnerId o : q.fairness->starved)
    names += fmt::format("{}{}", names.empty() ? "" : ", ", diag::sanitise(s.owner(o).name));
  return fmt::format("    it is not weakly fair: able to act all the time, but never acting: {}\n", names);
}

void explain(const system::System& s, const QueueReport& q, std::string& out) {
  const std::string name = diag::sanitise(s.queue(q.queue).name);
  if (q.answer == Answer::Bounded) {
    if (!q.phases.empty()) {
      out += fmt::format("{} is bounded in phases, each with weights of its own:\n", name);
      for (const std::string& line : q.phases) out += fmt::format("    {}\n", diag::sanitise(line));
    }
    if (!q.senders.empty())
      out += fmt::format("{} is asked for its length before anything is sent to it; it then holds at most\n",
                         name);
    for (const Sender& x : q.senders)
      out += fmt::format("    {:>5}  after {}: {}\n", x.most,
                         diag::sanitise(s.owner(s.action(x.action).owner).name),
                         diag::sanitise(s.action(x.action).name));
    if (q.kinds.size() < 2) return;
    out += fmt::format("{} holds at most, by kind of message:\n", name);
    for (const KindBound& k : q.kinds) out += fmt::format("    {:>5}  {}\n", k.limit, diag::sanitise(k.name));
    return;
  }
  if (q.answer == Answer::Unbounded) {
    std::uint32_t per_round = 0;
    for (const Growth& g : q.pump->growth)
      if (g.queue == q.queue) per_round = g.per_round;
    out += fmt::format("{} grows by {} with every round of this loop, for ever:\n", name, per_round);
    out += fmt::format("    to get there ({} steps)\n", q.pump->prefix.steps.size());
    explain_steps(s, q.pump->prefix.steps, out);
    out += fmt::format("    and then again and again ({} steps)\n", q.pump->loop.size());
    explain_steps(s, q.pump->loop, out);
    out +=
        "    why for ever: after each round control and data are as before, the loop finds the same messages "
        "at the\n"
        "    head of every queue, and it never asks whether a growing queue is empty or full\n";
    out += fairness_text(s, q);
    return;
  }
  if (q.story.empty()) return;
  out += fmt::format("{} might grow if these cycles can be combined (nobody found such a run):\n", name);
  for (const std::string& line : q.story) out += fmt::format("    {}\n", diag::sanitise(line));
}

nlohmann::ordered_json cycle_json(const system::System& s, const BlamedCycle& c) {
  nlohmann::ordered_json x = {{"owners", nlohmann::ordered_json::array()},
                              {"actions", nlohmann::ordered_json::array()},
                              {"times", c.times},
                              {"path", c.path},
                              {"effect", c.effect}};
  for (system::OwnerId o : c.owners) x["owners"].push_back(s.owner(o).name);
  for (system::ActionId a : c.actions) x["actions"].push_back(a.index());
  return x;
}

}  // namespace

std::string text(const system::System& s, const BoundsReport& r, const BoundsTextOptions& options) {
  std::size_t widest = 5;
  for (const QueueReport& q : r.queues)
    widest = std::max(widest, diag::sanitise(s.queue(q.queue).name).size());
  std::string out =
      fmt::format("{:{}}  {:22} {:20} {:>8}  {}\n", "queue", widest, "length", "proved by", "declared", "");
  for (const QueueReport& q : r.queues) {
    const bool rendezvous = q.declared == 0U;
    out += fmt::format("{:{}}  {:22} {:20} {:>8}  {}\n", diag::sanitise(s.queue(q.queue).name), widest,
                       rendezvous ? "rendezvous" : answer_text(q), rendezvous ? "-" : by_what(q),
                       q.declared ? std::to_string(*q.declared) : "-", rendezvous ? "" : q.suggestion);
  }
  out += fmt::format("{} control states, {} transitions, {}{} elementary cycles, {} kinds of message; ",
                     r.nodes, r.edges, r.cycles, r.cycles_complete ? "" : "+", r.kinds);
  out += fmt::format("{} counterexamples, {} refinements, {} states searched{}, {:.2f} s\n",
                     r.counterexamples, r.refinements, r.states, r.search_closed ? " (all)" : "", r.seconds);
  if (!r.unchecked.empty()) out += fmt::format("* not checked again: {}\n", r.unchecked);
  for (const std::string& what : r.not_followed)
    out += fmt::format("assuming that no run needs more {}\n", diag::sanitise(what));
  for (const std::string& what : r.assumptions)
    out += fmt::format("assuming that {}\n", diag::sanitise(what));
  if (!r.note.empty()) out += fmt::format("note: {}\n", diag::sanitise(r.note));
  if (!options.explain) return out;
  if (!r.refinement_log.empty()) out += "refinements, in order:\n";
  for (const std::string& line : r.refinement_log) out += fmt::format("    {}\n", diag::sanitise(line));
  for (const QueueReport& q : r.queues) explain(s, q, out);
  return out;
}

nlohmann::ordered_json to_json(const system::System& s, const BoundsReport& r) {
  nlohmann::ordered_json j;
  j["model"] = s.name;
  j["queues"] = nlohmann::ordered_json::array();
  for (const QueueReport& q : r.queues) {
    nlohmann::ordered_json x;
    x["name"] = s.queue(q.queue).name;
    x["answer"] = word(q.answer);
    if (q.answer == Answer::Bounded) {
      x["limit"] = q.limit;
      x["reached"] = q.exact;
      x["kinds"] = nlohmann::ordered_json::array();
      for (const KindBound& k : q.kinds) x["kinds"].push_back({{"kind", k.name}, {"limit", k.limit}});
      if (!q.senders.empty()) x["senders"] = nlohmann::ordered_json::array();
      for (const Sender& sender : q.senders) {
        const system::Action& a = s.action(sender.action);
        x["senders"].push_back({{"owner", s.owner(a.owner).name}, {"action", a.name}, {"most", sender.most}});
      }
    }
    if (!q.phases.empty()) x["phases"] = q.phases;
    if (q.fairness) {
      x["fair"] = q.fairness->fair();
      x["starved"] = nlohmann::ordered_json::array();
      for (system::OwnerId o : q.fairness->starved) x["starved"].push_back(s.owner(o).name);
    }
    if (q.checked) x["checked"] = *q.checked;
    x["longest_seen"] = q.longest_seen;
    if (q.declared) x["declared"] = *q.declared;
    if (q.certificate.kind != verdict::CertificateKind::None)
      x["certificate"] = {{"kind", name_of(q.certificate.kind)},
                          {"payload", nlohmann::ordered_json::parse(q.certificate.payload)}};
    x["story"] = q.story;
    x["cycles"] = nlohmann::ordered_json::array();
    for (const BlamedCycle& c : q.cycles) x["cycles"].push_back(cycle_json(s, c));
    x["suggestion"] = q.suggestion;
    j["queues"].push_back(std::move(x));
  }
  j["control_states"] = r.nodes;
  j["transitions"] = r.edges;
  j["cycles"] = r.cycles;
  j["cycles_complete"] = r.cycles_complete;
  j["kinds"] = r.kinds;
  j["counterexamples"] = r.counterexamples;
  j["refinements"] = r.refinement_log;
  j["states"] = r.states;
  j["search_closed"] = r.search_closed;
  j["not_followed"] = r.not_followed;
  j["assumptions"] = r.assumptions;
  j["note"] = r.note;
  if (!r.unchecked.empty()) j["unchecked"] = r.unchecked;
  return j;
}

}  // namespace parley::report
