#include "driver/proven_bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "bounds/bounds.hpp"
#include "certify/bounds_check.hpp"
#include "passes/capacities.hpp"
#include "semantics/interpreter.hpp"
#include "system/may_fail.hpp"

namespace parley::driver {
namespace {

using system::OverflowPolicy;
using system::QueueId;
using system::StmtKind;

constexpr std::int64_t kLargest = 64;  // a proven limit beyond this makes states too wide to be worth it

// How many messages one action may put into a queue before it fails: upper limits.
class SendsBeforeFailure {
 public:
  SendsBeforeFailure(const system::System& s, QueueId queue) : s_(s), queue_(queue) {}

  std::uint64_t most() {
    std::uint64_t most = s_.initial_body.valid() ? of(s_.initial_body) : 0;
    for (const system::Action& a : s_.actions) most = std::max(most, of(a.body));
    return most;
  }

 private:
  std::uint64_t of(system::StmtId body) {
    sent_ = worst_ = 0;
    walk(body, 1);
    return worst_;
  }
  bool fits(system::ExprId value, const expr::Type& type) const {
    const expr::Type& t = s_.exprs[value].type;
    return type.lo <= t.lo && t.hi <= type.hi;
  }
  bool fails(const system::Stmt& st) const {
    switch (st.kind) {
      case StmtKind::Assert:
      case StmtKind::Fail:
      case StmtKind::While:  // its limit
      case StmtKind::Branch:
      case StmtKind::Choose:
        return true;
      case StmtKind::Assign:
        if (!st.place.cell.valid() || !fits(st.value, s_.cell(st.place.cell).type)) return true;
        break;
      case StmtKind::Send:
        for (const system::Route& r : st.routes) {
          if (!r.queue.valid() || s_.queue(r.queue).overflow == OverflowPolicy::Error) return true;
          for (std::size_t i = 0; i < st.args.size() && i < s_.signal(r.signal).params.size(); ++i)
            if (!fits(st.args[i], s_.signal(r.signal).params[i])) return true;
        }
        break;
      case StmtKind::Block:
      case StmtKind::SetLocal:
      case StmtKind::If:
      case StmtKind::Note:
      case StmtKind::Print:
        break;
    }
    for (const system::ExprId e : {st.value, st.lo, st.hi, st.target, st.place.row, st.place.column})
      if (system::may_fail(s_, e)) return true;
    return std::any_of(st.args.begin(), st.args.end(),
                       [&](system::ExprId e) { return system::may_fail(s_, e); }) ||
           std::any_of(st.conditions.begin(), st.conditions.end(),
                       [&](system::ExprId e) { return system::may_fail(s_, e); });
  }
  void walk(system::StmtId id, std::uint64_t times) {
    const system::Stmt& st = s_.stmt(id);
    if (fails(st)) worst_ = std::max(worst_, sent_);
    if (st.kind == StmtKind::Send &&
        std::any_of(st.routes.begin(), st.routes.end(), [&](const auto& r) { return r.queue == queue_; }))
      sent_ += times;
    if (st.kind == StmtKind::While) {
      // A later round may fail after what earlier rounds sent: all rounds first, then a look for failures.
      const std::uint64_t rounds = std::min<std::uint64_t>(times * std::max(st.limit, 1U), 1U << 20);
      for (system::StmtId child : st.children) walk(child, rounds);
      worst_ = std::max(worst_, sent_);
      return;
    }
    // Alternatives are added up: more than any of them sends.
    for (system::StmtId child : st.children) walk(child, times);
  }

  const system::System& s_;
  QueueId queue_;
  std::uint64_t sent_ = 0, worst_ = 0;
};

// Whether any expression compares something with the queue's capacity.
bool asks_for_capacity(const system::System& s, QueueId q) {
  for (std::size_t e = 0; e < s.exprs.size(); ++e) {
    const expr::Node& n = s.exprs[system::ExprId(e)];
    if (n.op == expr::Op::QueueCap && n.a == q.index()) return true;
  }
  return false;
}

}  // namespace

RunCapacities run_capacities(const system::System& s, const CapacityOptions& options) {
  RunCapacities run;
  run.capacities = semantics::capacities(s, options.given);
  const auto cuts = [&](std::size_t q) { return s.queues[q].overflow == OverflowPolicy::Cut; };
  bool any_cut = false;
  for (std::size_t q = 0; q < s.queues.size(); ++q)
    any_cut = any_cut || (cuts(q) && !system::marks_cut(s.queues[q]));
  if (!any_cut || options.seconds <= 0) return run;

  bounds::Options test;
  test.seconds = options.seconds;
  test.use_search = false;  // the engines search themselves
  const bounds::BoundsReport report = bounds::analyse(s, test);
  std::vector<std::optional<std::int64_t>> limit(s.queues.size());
  for (const bounds::QueueReport& r : report.queues)
    if (r.answer == bounds::Answer::Bounded &&
        certify::check_bounded(s, r.queue, r.certified_limit, r.certificate).accepted)
      limit[r.queue.index()] = r.certified_limit;

  std::vector<std::uint32_t> capacities = run.capacities;
  bool never_cut = true;
  for (std::size_t q = 0; q < s.queues.size(); ++q) {
    const QueueId id{q};
    if (s.queues[q].capacity == 0U) {
      never_cut = never_cut && !system::marks_cut(s.queues[q]);
      continue;  // a rendezvous, or runs that nobody follows
    }
    // What the queue needs so that its being full plays no part.
    std::optional<std::uint32_t> needed;
    if (limit[q]) {
      const std::uint64_t n = static_cast<std::uint64_t>(*limit[q]) + SendsBeforeFailure(s, id).most() +
                              (asks_for_capacity(s, id) ? 1 : 0);
      if (n <= kLargest) needed = static_cast<std::uint32_t>(std::max<std::uint64_t>(n, 1));
    }
    const bool free = !s.queues[q].capacity && cuts(q);
    if (free && needed && (*needed <= capacities[q] || !(options.given || options.keep_default))) {
      capacities[q] = *needed;
    } else if (!needed || *needed > capacities[q]) {
      // A queue that blocks, loses or fails when full makes runs that the proof knows nothing about.
      if (!cuts(q)) return run;
      never_cut = false;
    }
  }
  run.capacities = std::move(capacities);
  run.never_cut = never_cut;
  std::map<std::int64_t, std::vector<std::string>> by_limit;
  for (std::size_t q = 0; q < s.queues.size(); ++q)
    if (cuts(q) && s.queues[q].capacity != 0U && limit[q] && *limit[q] > 0 && *limit[q] <= run.capacities[q])
      by_limit[*limit[q]].push_back(s.queues[q].name);
  for (const auto& [n, names] : by_limit)
    run.lemmas.push_back(
        fmt::format("{} {} never {} more than {} message{} (boundedness proof, certificate checked)",
                    names.size() == 1 ? "queue" : "queues", fmt::join(names, ", "),
                    names.size() == 1 ? "holds" : "hold", n, n == 1 ? "" : "s"));
  return run;
}

}  // namespace parley::driver
