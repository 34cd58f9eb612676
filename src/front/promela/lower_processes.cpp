// The automata of all proctypes, and how many instances of each can exist.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "front/promela/layout.hpp"

namespace parley::front::promela {
namespace {

constexpr std::uint64_t kUnbounded = 1u << 30;
constexpr std::uint32_t kMaxSlots = 4096;

using LabelsByProctype = std::map<std::string, std::vector<std::string>>;

void find_runs(const Expr& e, std::vector<const Expr*>& out) {
  if (e.kind == ExprKind::Run) out.push_back(&e);
  for (const ExprPtr& arg : e.args) find_runs(*arg, out);
}

bool reaches(const Automaton& a, std::uint32_t from, std::uint32_t to) {
  std::vector<bool> seen(a.states.size());
  std::vector<std::uint32_t> todo = {from};
  while (!todo.empty()) {
    const std::uint32_t s = todo.back();
    todo.pop_back();
    if (s == to) return true;
    if (s == 0 || seen[s]) continue;
    seen[s] = true;
    for (const Transition& t : a.states[s].transitions) todo.push_back(t.target);
  }
  return false;
}

void find_references(const Expr& e, LabelsByProctype& labels) {
  if (e.kind == ExprKind::RemoteLabel) labels[e.name].push_back(e.label);
  for (const ExprPtr& arg : e.args) find_references(*arg, labels);
}

void find_references(const Sequence& sequence, LabelsByProctype& labels) {
  for (const StmtPtr& s : sequence) {
    if (s->expr) find_references(*s->expr, labels);
    if (s->target) find_references(*s->target, labels);
    for (const ExprPtr& arg : s->args) find_references(*arg, labels);
    for (const Sequence& option : s->options) find_references(option, labels);
  }
}

class ProcessCounter {
 public:
  ProcessCounter(const Translation& translation, Layout& layout)
      : program_(translation.program),
        diagnostics_(translation.diagnostics),
        options_(translation.options),
        layout_(layout) {}

  bool prepare_processes();

 private:
  void count_slots();

  const Program& program_;
  diag::Diagnostics& diagnostics_;
  const Options& options_;
  Layout& layout_;
};

bool ProcessCounter::prepare_processes() {
  LabelsByProctype referenced;
  for (const Proctype& p : program_.proctypes) {
    find_references(p.body, referenced);
    if (p.provided) find_references(*p.provided, referenced);
  }
  for (const Proctype& p : program_.claims) find_references(p.body, referenced);
  for (const TemporalFormula& f : program_.formulas)
    if (f.formula) find_references(*f.formula, referenced);
  const std::size_t errors = diagnostics_.error_count();
  for (const Proctype& p : program_.proctypes) {
    Proc proc;
    proc.automaton = build_automaton(p, referenced[p.name], diagnostics_);
    if (!layout_.procs.empty())
      proc.first_id = layout_.procs.back().first_id + layout_.procs.back().automaton.elements;
    layout_.procs.push_back(std::move(proc));
  }
  if (diagnostics_.error_count() != errors) return false;
  if (program_.proctypes.empty()) {
    diagnostics_.error("no-process", program_.end, "this model has no process",
                       "start one with init or active proctype");
    return false;
  }
  count_slots();
  return diagnostics_.error_count() == errors;
}

// How many instances of each proctype can exist: the active ones, and one per run statement and instance that
// executes it; unbounded if that statement can be executed repeatedly.
void ProcessCounter::count_slots() {
  struct Site {
    std::size_t in, of;
    bool repeated;
  };
  std::vector<Site> sites;
  const auto index_of = [&](const std::string& name) {
    for (std::size_t i = 0; i < program_.proctypes.size(); ++i)
      if (program_.proctypes[i].name == name && program_.proctypes[i].kind == ProcKind::Proctype) return i;
    return program_.proctypes.size();
  };
  for (std::size_t p = 0; p < layout_.procs.size(); ++p) {
    std::set<std::uint32_t> seen;
    for (std::uint32_t s : layout_.procs[p].automaton.reachable)
      for (const Transition& t : layout_.procs[p].automaton.states[s].transitions) {
        if (t.is_end) layout_.counts_processes = true;
        if (!t.statement || !t.statement->expr) continue;
        std::vector<const Expr*> runs;
        find_runs(*t.statement->expr, runs);
        for (const Expr* run : runs) {
          const std::size_t of = index_of(run->name);
          if (of == program_.proctypes.size()) continue;
          layout_.counts_processes = true;
          layout_.procs[of].is_run = true;
          const bool repeated = reaches(layout_.procs[p].automaton, t.target, s);
          // The same statement may leave several states, of which one instance passes through one only.
          if (repeated || seen.insert(t.element).second) sites.push_back({p, of, repeated});
        }
      }
  }
  std::vector<std::uint64_t> count(layout_.procs.size());
  for (std::size_t round = 0; round <= layout_.procs.size() + 1; ++round) {
    std::vector<std::uint64_t> next(layout_.procs.size());
    for (std::size_t p = 0; p < layout_.procs.size(); ++p) next[p] = program_.proctypes[p].active;
    for (const Site& site : sites)
      if (count[site.in] > 0)
        next[site.of] = std::min(kUnbounded, next[site.of] + (site.repeated ? kUnbounded : count[site.in]));
    if (round == layout_.procs.size() + 1)
      for (std::size_t p = 0; p < layout_.procs.size(); ++p)
        if (next[p] != count[p]) next[p] = kUnbounded;
    if (next == count) break;
    count = next;
  }
  std::int32_t started = 0;
  for (std::size_t p = 0; p < layout_.procs.size(); ++p) {
    std::uint64_t n = count[p];
    const std::uint64_t limit = std::max<std::uint64_t>(options_.max_instances, program_.proctypes[p].active);
    if (n >= kUnbounded || n > 255) n = std::min(n, limit);
    layout_.procs[p].bounded = n == count[p];
    for (std::uint64_t k = 0; k < n; ++k) {
      Slot slot;
      slot.index = static_cast<std::uint32_t>(layout_.slots.size());
      slot.proctype = static_cast<std::uint32_t>(p);
      slot.instance = static_cast<std::uint32_t>(k);
      if (k < program_.proctypes[p].active) slot.initial_pid = started++;
      if (!layout_.procs[p].is_run) slot.static_pid = slot.initial_pid;
      layout_.procs[p].slots.push_back(slot.index);
      layout_.slots.push_back(std::move(slot));
    }
    if (layout_.slots.size() > kMaxSlots) {
      diagnostics_.error("too-many-processes", program_.proctypes[p].span,
                         "this model has too many processes");
      return;
    }
  }
  layout_.initial_processes = started;
}

}  // namespace

bool lay_out_processes(const Translation& translation, Layout& layout) {
  return ProcessCounter(translation, layout).prepare_processes();
}

}  // namespace parley::front::promela
