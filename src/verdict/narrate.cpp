#include "verdict/narrate.hpp"

#include "passes/capacities.hpp"

namespace parley::verdict {

using semantics::Event;
using semantics::EventKind;
using semantics::StepResult;

std::string format_printed(const system::System& system, const Event& event) {
  std::string out;
  std::size_t next = 0;
  for (std::size_t i = 0; i < event.text.size(); ++i) {
    const char c = event.text[i];
    if (c == '%' && i + 1 < event.text.size()) {
      std::uint32_t names = Id<void>::kNone;  // "%#3e": the name of the value in table 3
      if (event.text[i + 1] == '#') {
        names = 0;
        for (i += 2; i < event.text.size() && event.text[i] >= '0' && event.text[i] <= '9'; ++i)
          names = names * 10 + static_cast<std::uint32_t>(event.text[i] - '0');
        if (i == event.text.size()) break;
        --i;
      }
      const char kind = event.text[++i];
      if (kind == '%') {
        out += '%';
      } else if (next < event.message.args.size()) {
        const std::int32_t v = event.message.args[next++];
        if (names != Id<void>::kNone)
          out += system::show_value(system, {expr::TypeKind::Int, expr::kIntMin, expr::kIntMax, names}, v);
        else if (kind == 'c')
          out += static_cast<char>(v);
        else
          out += std::to_string(v);
      }
      continue;
    }
    if (c == '\\' && i + 1 < event.text.size()) {
      const char kind = event.text[++i];
      out += kind == 'n' ? '\n' : kind == 't' ? '\t' : kind;
      continue;
    }
    out += c;
  }
  return out;
}

std::string failure_text(const NarratedStep& step) {
  const std::string kind = semantics::describe(step.outcome);
  const std::string& message = step.failure.message;
  if (message.empty()) return kind;
  return message.starts_with(kind) ? message : kind + ": " + message;
}

namespace {

class Narrator {
 public:
  Narrator(const system::System& s, Narration& out) : s_(s), out_(out), queues_(s.queues.size()) {}

  void events(const StepResult& r, system::OwnerId by, std::size_t step, std::vector<std::uint32_t>& sent,
              NarratedStep* into) {
    for (const Event& e : r.events) {
      switch (e.kind) {
        case EventKind::Sent:
        case EventKind::Lost:
          sent.push_back(send(e, by, step));
          break;
        case EventKind::Received:
        case EventKind::Discarded:
          if (into != nullptr) into->received.push_back(take(e, step));
          break;
        case EventKind::Noted:
          (into != nullptr ? into->noted : out_.noted_at_start).push_back(e.element);
          break;
        case EventKind::Printed:
          if (into != nullptr) into->printed.push_back(format_printed(s_, e));
          break;
        case EventKind::Assigned:
          break;  // net changes are shown, see below
      }
    }
  }

  void keep_queues() { out_.queues.push_back(queues_); }

 private:
  std::uint32_t send(const Event& e, system::OwnerId by, std::size_t step) {
    NarratedMessage m;
    m.number = static_cast<std::uint32_t>(out_.messages.size() + 1);
    m.text = semantics::show(s_, e.message);
    m.signal = s_.signal(e.message.signal).name;
    m.queue = e.queue;
    m.sender = by;
    m.receiver = s_.signal(e.message.signal).receiver.valid() ? s_.signal(e.message.signal).receiver
                                                              : s_.queue(e.queue).owner;
    m.sent_at = step;
    m.lost = e.kind == EventKind::Lost;
    auto& q = queues_[e.queue.index()];
    if (!m.lost)
      q.insert(q.begin() + static_cast<long>(std::min<std::size_t>(e.position, q.size())), m.number);
    out_.messages.push_back(m);
    return m.number;
  }

  std::uint32_t take(const Event& e, std::size_t step) {
    auto& q = queues_[e.queue.index()];
    if (e.position >= q.size()) return 0;
    const std::uint32_t number = q[e.position];
    for (std::size_t i = 0; i < e.position; ++i) out_.messages[q[i] - 1].deferred_over = true;
    NarratedMessage& m = out_.messages[number - 1];
    m.taken_at = step;
    m.discarded = e.kind == EventKind::Discarded;
    if (consumes_) q.erase(q.begin() + static_cast<long>(e.position));
    return number;
  }

 public:
  bool consumes_ = true;

 private:
  const system::System& s_;
  Narration& out_;
  std::vector<std::vector<std::uint32_t>> queues_;
};

}  // namespace

Narration narrate(const semantics::Interpreter& interpreter, const Trace& trace) {
  const system::System& s = interpreter.system();
  const Replay r = replay(interpreter, trace);
  Narration n;
  n.loop_start = trace.loop_start;
  n.states = r.states;
  Narrator narrator(s, n);
  narrator.events(r.initial, {}, 0, n.sent_at_start, nullptr);
  narrator.keep_queues();
  for (std::size_t i = 0; i < r.results.size(); ++i) {
    const StepResult& result = r.results[i];
    const system::Action& a = s.action(trace.steps[i].action);
    NarratedStep step;
    step.action = trace.steps[i].action;
    step.owner = a.owner;
    step.partner = a.partner;
    step.title = a.name;
    step.kind = a.kind;
    step.outcome = result.outcome;
    step.failure = result.failure;
    narrator.consumes_ = !a.trigger || a.trigger->consume;
    narrator.events(result, a.owner, i + 1, step.sent, &step);
    narrator.keep_queues();
    if (i + 1 < r.states.size()) {
      const auto& before = r.states[i].cells;
      const auto& after = r.states[i + 1].cells;
      for (std::size_t c = 0; c < s.cells.size(); ++c)
        if (before[c] != after[c])
          step.changes.push_back({system::CellId(c), s.cells[c].name,
                                  system::show_value(s, s.cells[c].type, before[c]),
                                  system::show_value(s, s.cells[c].type, after[c])});
      step.inside_stretch = !r.states[i + 1].visible();
    }
    n.steps.push_back(std::move(step));
  }
  return n;
}

Narration narrate(const semantics::Interpreter& interpreter, PropertyId property, const Trace& trace) {
  const system::System& s = interpreter.system();
  if (s.property(property).kind != system::PropertyKind::NoUnboundedQueues)
    return narrate(interpreter, trace);
  const system::System roomy = passes::without_capacities(s).system;
  return narrate(unlimited_interpreter(roomy), trace);
}

}  // namespace parley::verdict
