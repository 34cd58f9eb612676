// A run as a sequence diagram for terminals: a column for each owner that takes part, a line for each step
// and each message.
#include <fmt/format.h>

#include <algorithm>

#include "diag/diagnostic.hpp"
#include "report/text.hpp"

namespace parley::report {

using diag::sanitise;
using verdict::NarratedMessage;
using verdict::NarratedStep;
using verdict::Narration;

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
    for (std::size_t i = 0; i < n_.steps.size(); ++i) {
      if (n_.loop_start == i) {
        out += ".--\n";
        in_loop_ = true;
      }
      out += step(i);
    }
    if (in_loop_) out += fmt::format("'-> back to step {}\n", *n_.loop_start + 1);
    in_loop_ = false;
    if (n_.loop_start == n_.steps.size()) out += ends();
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
    std::string out = number == 0 ? std::string(6, ' ') + line : fmt::format("{:>4}  {}", number, line);
    if (in_loop_ && out.front() == ' ') out.front() = '|';
    return rtrim(std::move(out)) + '\n';
  }

  // Lifelines end where nobody can move any more.
  std::string ends() const {
    std::string line = lifelines();
    std::replace(line.begin(), line.end(), '|', '-');
    return numbered(0, line);
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
  bool in_loop_ = false;  // what is drawn now repeats
};

}  // namespace

std::string sequence_diagram(const system::System& s, const Narration& n, const TextOptions& options) {
  Diagram d(s, n);
  return d.fits(options.width) ? d.draw() : std::string();
}

}  // namespace parley::report
