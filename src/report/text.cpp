#include "report/text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "diag/diagnostic.hpp"
#include "system/footprint.hpp"
#include "verdict/checked.hpp"

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

namespace {

std::string figures(const PropertyResult& r) {
  std::vector<std::string> parts;
  if (r.coverage.states) parts.push_back(with_commas(*r.coverage.states) + " states");
  if (r.coverage.bound) parts.push_back(fmt::format("bound {}", *r.coverage.bound));
  if (const auto* v = std::get_if<verdict::Violated>(&r.verdict)) {
    if (v->trace) parts.push_back(fmt::format("{} steps", v->trace->steps.size()));
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
  }
  for (const PropertyResult& r : results)
    for (const std::string& note : r.notes)
      out += fmt::format("  {}{}: {}{}\n", p.dim, sanitise(s.property(r.property).name), sanitise(note),
                         p.reset);
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

std::string trace_steps(const system::System& s, const Narration& n, const TextOptions& options) {
  const Palette& p = palette(options.colour);
  std::string out;
  if (!n.sent_at_start.empty()) {
    out += fmt::format("   0. {}start{}\n", p.bold, p.reset);
    for (std::uint32_t number : n.sent_at_start) {
      const NarratedMessage& m = n.messages[number - 1];
      out += fmt::format("        sends {} to {}\n", message_text(m), sanitise(s.queue(m.queue).name));
    }
  }
  const std::size_t total = n.steps.size();
  for (std::size_t i = 0; i < total; ++i) {
    if (total > options.max_steps && i == options.max_steps / 2) {
      const std::size_t skipped = total - options.max_steps;
      out += fmt::format("        … {} steps not shown (--full-trace shows them) …\n", skipped);
      i += skipped;
    }
    const NarratedStep& step = n.steps[i];
    if (n.loop_start && *n.loop_start == i)
      out += fmt::format("      {}-- from here on it repeats --{}\n", p.bold, p.reset);
    const std::string who = step.partner.valid()
                                ? owner_text(s, step.owner, "") + " with " + owner_text(s, step.partner, "")
                                : owner_text(s, step.owner, "system");
    out += fmt::format("{:>4}. {}{}{}: {}\n", i + 1, p.bold, who, p.reset, sanitise(step.title));
    for (std::uint32_t number : step.received) {
      if (number == 0) continue;
      const NarratedMessage& m = n.messages[number - 1];
      out += fmt::format("        {} {} from {}\n", m.discarded ? "discards" : "receives", message_text(m),
                         owner_text(s, m.sender, m.sent_at == 0 ? "the start" : "outside"));
    }
    for (std::uint32_t number : step.sent) {
      const NarratedMessage& m = n.messages[number - 1];
      out += fmt::format("        sends {} to {}{}\n", message_text(m), sanitise(s.queue(m.queue).name),
                         m.lost ? " (lost: the queue is full)" : "");
    }
    for (const verdict::NarratedChange& c : step.changes)
      if (worth_telling(s, step, c))
        out += fmt::format("        {}: {} -> {}\n", sanitise(c.name), sanitise(c.before), sanitise(c.after));
    for (const std::string& text : step.printed) out += fmt::format("        prints {}\n", sanitise(text));
    if (step.outcome != semantics::Outcome::Done)
      out += fmt::format("        {}{}{}\n", p.bad, sanitise(verdict::failure_text(step)), p.reset);
  }
  if (n.loop_start)
    out += *n.loop_start < total
               ? fmt::format("      {}-- back to step {} --{}\n", p.bold, *n.loop_start + 1, p.reset)
               : fmt::format("      {}-- here the run ends --{}\n", p.bold, p.reset);
  return out;
}

namespace {

// One column per owner that takes part, in order of the system.
class Diagram {
 public:
  Diagram(const system::System& s, const Narration& n) : n_(n), column_(s.owners.size(), -1) {
    std::vector<bool> used(s.owners.size());
    for (const NarratedStep& st : n.steps) mark(used, st.owner), mark(used, st.partner);
    for (const NarratedMessage& m : n.messages) mark(used, m.sender), mark(used, m.receiver);
    for (std::size_t i = 0; i < used.size(); ++i)
      if (used[i]) {
        column_[i] = static_cast<int>(names_.size());
        names_.push_back(sanitise(s.owners[i].name));
      }
    std::size_t longest = 6;
    for (const std::string& name : names_) longest = std::max(longest, name.size());
    for (const NarratedMessage& m : n.messages)
      longest = std::max(longest, std::min<std::size_t>(m.signal.size() + 6, 24));
    gap_ = longest + 4;
  }

  bool fits(std::size_t width) const { return !names_.empty() && 6 + names_.size() * gap_ <= width; }

  std::string draw() {
    std::string out(6, ' ');
    for (const std::string& name : names_) out += fmt::format("{:^{}}", name, gap_);
    out = rtrim(out) + '\n';
    for (std::uint32_t number : n_.sent_at_start) out += arrow(0, n_.messages[number - 1]);
    for (std::size_t i = 0; i < n_.steps.size(); ++i) out += step(i);
    return out;
  }

 private:
  static void mark(std::vector<bool>& used, system::OwnerId id) {
    if (id.valid()) used[id.index()] = true;
  }
  static std::string rtrim(std::string text) {
    while (!text.empty() && text.back() == ' ') text.pop_back();
    return text;
  }
  std::size_t middle(system::OwnerId id) const {
    return static_cast<std::size_t>(column_[id.index()]) * gap_ + gap_ / 2;
  }
  std::string lifelines() const {
    std::string line(names_.size() * gap_, ' ');
    for (std::size_t i = 0; i < names_.size(); ++i) line[i * gap_ + gap_ / 2] = '|';
    return line;
  }
  static void put(std::string& line, std::size_t at, const std::string& text) {
    if (at + text.size() > line.size()) line.resize(at + text.size(), ' ');
    line.replace(at, text.size(), text);
  }
  std::string numbered(std::size_t number, const std::string& line) const {
    return rtrim(number == 0 ? std::string(6, ' ') + line : fmt::format("{:>4}  {}", number, line)) + '\n';
  }

  std::string step(std::size_t i) {
    const NarratedStep& st = n_.steps[i];
    std::string line = lifelines();
    std::string label = st.kind == system::ActionKind::Discard ? "x " : "* ";
    for (std::uint32_t number : st.received)
      if (number != 0) label += fmt::format("{}#{} ", clip(n_.messages[number - 1].signal, 18), number);
    if (st.partner.valid() && st.partner != st.owner && column_[st.partner.index()] >= 0) {
      draw_between(line, middle(st.owner), middle(st.partner), "", '=');
    } else if (st.owner.valid()) {
      put(line, middle(st.owner), rtrim(label));
    }
    std::string out = numbered(i + 1, line);
    for (std::uint32_t number : st.sent) out += arrow(0, n_.messages[number - 1]);
    if (semantics::is_failure(st.outcome)) {
      line = lifelines();
      if (st.owner.valid()) put(line, middle(st.owner), std::string("! ") + semantics::describe(st.outcome));
      out += numbered(0, line);
    }
    return out;
  }

  static std::string clip(const std::string& text, std::size_t n) {
    return sanitise(text.size() > n ? text.substr(0, n - 2) + ".." : text);
  }

  void draw_between(std::string& line, std::size_t a, std::size_t b, const std::string& label,
                    char stroke) const {
    const std::size_t from = std::min(a, b), to = std::max(a, b);
    for (std::size_t k = from + 1; k < to; ++k) line[k] = stroke;
    if (!label.empty() && label.size() + 4 <= to - from)
      line.replace(from + (to - from - label.size()) / 2 + 1, label.size(), label);
    if (a < b)
      line[b - 1] = '>';
    else
      line[b + 1] = '<';
  }

  std::string arrow(std::size_t number, const NarratedMessage& m) {
    std::string line = lifelines();
    const std::string label = fmt::format("{}#{}", clip(m.signal, 18), m.number);
    const bool from = m.sender.valid() && column_[m.sender.index()] >= 0;
    const bool to = m.receiver.valid() && column_[m.receiver.index()] >= 0;
    if (from && to && m.sender != m.receiver)
      draw_between(line, middle(m.sender), middle(m.receiver), label, m.lost ? '.' : '-');
    else if (to)
      put(line, middle(m.receiver), "<- " + label);
    else if (from)
      put(line, middle(m.sender), "-> " + label);
    return numbered(number, line);
  }

  const Narration& n_;
  std::vector<int> column_;
  std::vector<std::string> names_;
  std::size_t gap_ = 12;
};

}  // namespace

std::string sequence_diagram(const system::System& s, const Narration& n, const TextOptions& options) {
  Diagram d(s, n);
  return d.fits(options.width) ? d.draw() : std::string();
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
