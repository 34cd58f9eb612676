#include "report/text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "diag/diagnostic.hpp"
#include "report/formula_table.hpp"
#include "system/footprint.hpp"
#include "verdict/checked.hpp"
#include "verdict/formula_rows.hpp"

namespace parley::report {

using diag::sanitise;
using verdict::NarratedMessage;
using verdict::NarratedStep;
using verdict::Narration;
using verdict::PropertyResult;

const Palette& palette(bool colour) {
  static const Palette plain{"", "", "", "", "", ""};
  static const Palette coloured{"\033[1m", "\033[32m", "\033[1;31m", "\033[33m", "\033[2m", "\033[0m"};
  return colour ? coloured : plain;
}

std::string with_commas(std::uint64_t n) {
  std::string digits = std::to_string(n);
  for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<std::size_t>(at), ",");
  return digits;
}

std::string bytes_text(std::uint64_t n) {
  if (n < 10'000) return fmt::format("{} B", n);
  if (n < 10'000'000) return fmt::format("{:.1f} kB", static_cast<double>(n) / 1e3);
  if (n < 10'000'000'000) return fmt::format("{:.1f} MB", static_cast<double>(n) / 1e6);
  return fmt::format("{:.1f} GB", static_cast<double>(n) / 1e9);
}

std::string length_text(const verdict::Trace& trace) {
  const std::size_t steps = trace.steps.size();
  if (!trace.loop_start) return fmt::format("{} steps", steps);
  if (*trace.loop_start >= steps) return fmt::format("{} steps to the end", steps);
  return fmt::format("{} + {} steps", *trace.loop_start, steps - *trace.loop_start);
}

namespace {

std::string figures(const PropertyResult& r) {
  std::vector<std::string> parts;
  if (r.coverage.states) parts.push_back(with_commas(*r.coverage.states) + " states");
  if (r.coverage.bound) parts.push_back(fmt::format("bound {}", *r.coverage.bound));
  if (const auto* v = std::get_if<verdict::Violated>(&r.verdict)) {
    if (v->trace) parts.push_back(length_text(*v->trace));
    if (v->found_in_steps) parts.push_back(fmt::format("found in {} symbolic steps", *v->found_in_steps));
    if (!v->unreached.empty()) parts.push_back(fmt::format("{} unreached", v->unreached.size()));
  }
  if (const auto* h = std::get_if<verdict::Holds>(&r.verdict); h != nullptr && h->witness)
    parts.push_back(fmt::format("witness of {} steps", h->witness->steps.size()));
  if (r.holds()) parts.emplace_back(row(*verdict::checked_by(r)).words);
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string message_text(const NarratedMessage& m) {
  return fmt::format("{} #{}", sanitise(m.text), m.number);
}

// The step's title already says where the acting object went; flags that the user did not name stay out.
bool worth_telling(const system::System& s, const NarratedStep& step, const verdict::NarratedChange& c) {
  const system::Cell& cell = s.cell(c.cell);
  if (cell.role == system::CellRole::Location && s.owner(step.owner).locations.size() == 1)
    return cell.owner != step.owner || step.partner.valid();  // of a joint step both are told
  return cell.role != system::CellRole::Bookkeeping;
}

std::string owner_text(const system::System& s, system::OwnerId id, const char* none) {
  return id.valid() ? sanitise(s.owner(id).name) : none;
}

}  // namespace

std::string summary(const system::System& s, const std::vector<PropertyResult>& results,
                    const TextOptions& options) {
  const Palette& p = palette(options.colour);
  std::size_t name_width = 8;
  for (const PropertyResult& r : results)
    name_width = std::max(name_width, std::min<std::size_t>(60, s.property(r.property).name.size()));
  std::string out;
  std::vector<std::string> footnotes;  // assumptions, each told once
  for (const PropertyResult& r : results) {
    const char* colour = r.holds() ? p.good : r.violated() ? p.bad : p.unsure;
    std::vector<std::string> marks;
    for (const verdict::Assumption& a : r.assumptions) {
      auto found = std::find(footnotes.begin(), footnotes.end(), a.text);
      if (found == footnotes.end()) found = footnotes.insert(found, a.text);
      marks.push_back(fmt::format("[{}]", found - footnotes.begin() + 1));
    }
    const std::string done = figures(r);
    out += fmt::format("  {}{:<9}{} {:<{}}  {}{}{}{}{}{}\n", colour, verdict::word(r.verdict), p.reset,
                       sanitise(s.property(r.property).name), name_width, p.dim, r.engine_name(),
                       done.empty() ? "" : ": ", done,
                       marks.empty() ? "" : fmt::format(", assuming {}", fmt::join(marks, "")), p.reset);
    if (const auto* u = std::get_if<verdict::Unknown>(&r.verdict))
      out += fmt::format("            {}\n", sanitise(u->reason));
    for (const std::string& note : r.notes)
      out += fmt::format("            {}{}{}\n", p.dim, sanitise(note), p.reset);
  }
  for (std::size_t i = 0; i < footnotes.size(); ++i)
    out += fmt::format("  {}[{}] assuming that {}{}\n", p.dim, i + 1, sanitise(footnotes[i]), p.reset);
  std::vector<std::string> told;
  for (const PropertyResult& r : results)
    for (const std::string& lemma : r.lemmas)
      if (std::find(told.begin(), told.end(), lemma) == told.end()) told.push_back(lemma);
  for (const std::string& lemma : told)
    out += fmt::format("  {}proved on the way: {}{}\n", p.dim, sanitise(lemma), p.reset);
  return out;
}

namespace {

// The steps of a run as lines. Those that repeat have a bar before them: what is above it happens once.
class Steps {
 public:
  Steps(const system::System& s, const Narration& n, const TextOptions& options)
      : s_(s), n_(n), options_(options), p_(palette(options.colour)) {}

  std::string lay_out() {
    if (!n_.sent_at_start.empty()) start();
    const std::size_t total = n_.steps.size();
    const bool cut = total > options_.max_steps;
    for (std::size_t i = 0; i < total; ++i) {
      if (cut && i == options_.max_steps / 2) {
        const std::size_t skipped = total - options_.max_steps;
        line(fmt::format("        … {} steps not shown (--full-trace shows them) …", skipped));
        i += skipped;
      }
      if (!in_loop_ && n_.loop_start && *n_.loop_start <= i) open_loop();
      step(i);
    }
    if (n_.loop_start) close();
    return std::move(out_);
  }

 private:
  void line(const std::string& text) {
    out_ += in_loop_ && text.starts_with(' ') ? '|' + text.substr(1) : text;
    out_ += '\n';
  }

  void start() {
    line(fmt::format("   0. {}start{}", p_.bold, p_.reset));
    for (std::uint32_t number : n_.sent_at_start) {
      const NarratedMessage& m = n_.messages[number - 1];
      line(fmt::format("        sends {} to {}", message_text(m), sanitise(s_.queue(m.queue).name)));
    }
  }

  void open_loop() {
    const std::size_t first = *n_.loop_start + 1, last = n_.steps.size();
    line(first == last
             ? fmt::format(".-- {}step {} repeats for ever{}", p_.bold, first, p_.reset)
             : fmt::format(".-- {}steps {} to {} repeat for ever{}", p_.bold, first, last, p_.reset));
    in_loop_ = true;
  }

  void close() {
    in_loop_ = false;
    if (*n_.loop_start < n_.steps.size())
      line(fmt::format("'-> {}back to step {}{}", p_.bold, *n_.loop_start + 1, p_.reset));
    else
      line(fmt::format("      {}-- here the run ends{} --{}", p_.bold,
                       s_.run_end == system::RunEnd::Stutters ? ": nothing changes any more" : "", p_.reset));
  }

  void step(std::size_t i) {
    const NarratedStep& step = n_.steps[i];
    const std::string who = step.partner.valid()
                                ? owner_text(s_, step.owner, "") + " with " + owner_text(s_, step.partner, "")
                                : owner_text(s_, step.owner, "system");
    line(fmt::format("{:>4}. {}{}{}: {}", i + 1, p_.bold, who, p_.reset, sanitise(step.title)));
    for (std::uint32_t number : step.received) {
      if (number == 0) continue;
      const NarratedMessage& m = n_.messages[number - 1];
      line(fmt::format("        {} {} from {}", m.discarded ? "discards" : "receives", message_text(m),
                       owner_text(s_, m.sender, m.sent_at == 0 ? "the start" : "outside")));
    }
    for (std::uint32_t number : step.sent) {
      const NarratedMessage& m = n_.messages[number - 1];
      line(fmt::format("        sends {} to {}{}", message_text(m), sanitise(s_.queue(m.queue).name),
                       m.lost ? " (lost: the queue is full)" : ""));
    }
    for (const verdict::NarratedChange& c : step.changes)
      if (worth_telling(s_, step, c))
        line(fmt::format("        {}: {} -> {}", sanitise(c.name), sanitise(c.before), sanitise(c.after)));
    for (const std::string& text : step.printed) line(fmt::format("        prints {}", sanitise(text)));
    if (step.outcome != semantics::Outcome::Done)
      line(fmt::format("        {}{}{}", p_.bad, sanitise(verdict::failure_text(step)), p_.reset));
  }

  const system::System& s_;
  const Narration& n_;
  const TextOptions& options_;
  const Palette& p_;
  bool in_loop_ = false;
  std::string out_;
};

}  // namespace

std::string trace_steps(const system::System& s, const Narration& n, const TextOptions& options) {
  return Steps(s, n, options).lay_out();
}

std::string state_text(const system::System& s, const semantics::State& state) {
  std::vector<bool> written(s.cells.size());
  for (std::size_t i = 0; i < s.actions.size(); ++i)
    for (system::CellId c : system::footprint(s, system::ActionId(i)).writes) written[c.index()] = true;
  std::string out;
  for (std::size_t i = 0; i < s.cells.size(); ++i) {
    const system::Cell& c = s.cells[i];
    if (c.role == system::CellRole::Bookkeeping || !written[i])
      continue;  // wiring that never changes is no news
    const char* relation = c.role == system::CellRole::Location ? "in" : "=";
    out += fmt::format("    {} {} {}\n", sanitise(c.name), relation,
                       sanitise(system::show_value(s, c.type, state.cells[i])));
  }
  for (std::size_t i = 0; i < s.queues.size(); ++i) {
    if (state.queues[i].empty()) continue;
    std::vector<std::string> contents;
    for (const semantics::Message& m : state.queues[i]) contents.push_back(sanitise(semantics::show(s, m)));
    out += fmt::format("    queue of {}: {}\n", sanitise(s.queues[i].name), fmt::join(contents, ", "));
  }
  return out;
}

std::string finding(const system::System& s, const diag::SourceMap& sources,
                    const semantics::Interpreter& interpreter, const PropertyResult& r,
                    const TextOptions& options) {
  const Palette& p = palette(options.colour);
  const verdict::Trace* trace = nullptr;
  const auto* violated = std::get_if<verdict::Violated>(&r.verdict);
  if (violated != nullptr && violated->trace) trace = &*violated->trace;
  if (const auto* h = std::get_if<verdict::Holds>(&r.verdict); h != nullptr && h->witness)
    trace = &*h->witness;
  if (trace == nullptr && violated == nullptr) return {};
  std::string out = fmt::format("{}{}{} {}\n", violated != nullptr ? p.bad : p.good,
                                violated != nullptr ? "violated:" : "witness:", p.reset,
                                sanitise(s.property(r.property).name));
  if (trace != nullptr) {
    const Narration n = verdict::narrate(interpreter, r.property, *trace);
    out += trace_steps(s, n, options);
    if (options.diagram && n.steps.size() <= options.max_steps) {
      const std::string diagram = sequence_diagram(s, n, options);
      if (!diagram.empty()) out += "\n" + diagram;
    }
    if (violated != nullptr)
      if (const auto rows = verdict::formula_rows(interpreter, r.property, *trace))
        out += "\n" + formula_table(*rows, options);
    if (violated != nullptr && s.property(r.property).kind == system::PropertyKind::NoDeadlock &&
        !n.states.empty())
      out += fmt::format("\n  {}stuck in{}\n{}", p.bold, p.reset, state_text(s, n.states.back()));
  }
  if (violated == nullptr) return out;
  for (verdict::ElementId e : violated->unreached) {
    const system::Element& element = s.element(e);
    const std::string place = sources.place(element.origin.span);
    out += fmt::format("    never reached: {}{}\n", sanitise(element.name),
                       place.empty() ? "" : "  (" + sanitise(place) + ")");
  }
  out += fmt::format("  {}{}{}", p.bold, sanitise(violated->reason), p.reset);
  const std::string place = sources.place(violated->origin.span);
  out += place.empty() ? "\n" : fmt::format("  ({})\n", sanitise(place));
  if (!place.empty())
    out += fmt::format("      | {}\n",
                       sanitise(sources.line_text(violated->origin.span.file, violated->origin.span.begin)));
  return out;
}

}  // namespace parley::report
