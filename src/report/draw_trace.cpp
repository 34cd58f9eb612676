// Traces as sequence diagrams in Mermaid and PlantUML.
#include <fmt/format.h>

#include <algorithm>

#include "report/draw.hpp"
#include "report/quoting.hpp"

namespace parley::report {
namespace {

using verdict::NarratedMessage;
using verdict::NarratedStep;
using verdict::Narration;

std::string party(system::OwnerId id) {
  return id.valid() ? fmt::format("o{}", id.value) : "start";
}

std::vector<bool> taking_part(const system::System& s, const Narration& n) {
  std::vector<bool> used(s.owners.size());
  const auto mark = [&](system::OwnerId id) {
    if (id.valid()) used[id.index()] = true;
  };
  for (const NarratedStep& st : n.steps) mark(st.owner), mark(st.partner);
  for (const NarratedMessage& m : n.messages) mark(m.sender), mark(m.receiver);
  return used;
}

// The receiving end: the owner the message is for, or who took it.
system::OwnerId receiver(const Narration& n, const NarratedMessage& m) {
  if (m.receiver.valid()) return m.receiver;
  if (m.taken_at > 0) return n.steps[m.taken_at - 1].owner;
  return m.sender;
}

// A note across all lifelines.
std::string run_ends(const std::vector<bool>& used, bool mermaid) {
  const auto first = std::find(used.begin(), used.end(), true);
  if (first == used.end()) return {};
  const auto last = std::find(used.rbegin(), used.rend(), true);
  const auto from = first - used.begin(), to = used.rend() - last - 1;
  return from == to ? fmt::format("  {} over o{}{}: the run ends\n", mermaid ? "Note" : "note", from,
                                  mermaid ? "" : " ")
                    : fmt::format("  {} over o{},o{}{}: the run ends\n", mermaid ? "Note" : "note", from, to,
                                  mermaid ? "" : " ");
}

std::string draw(const system::System& s, const Narration& n, bool mermaid) {
  std::string out = mermaid ? "sequenceDiagram\n" : "@startuml\n";
  const std::vector<bool> used = taking_part(s, n);
  if (!n.sent_at_start.empty()) out += "  participant start\n";
  for (std::size_t i = 0; i < used.size(); ++i)
    if (used[i])
      out += mermaid ? fmt::format("  participant o{} as {}\n", i, plain_label(s.owners[i].name))
                     : fmt::format("  participant \"{}\" as o{}\n", plain_label(s.owners[i].name), i);
  const auto arrow = [&](const NarratedMessage& m) {
    const char* line = mermaid ? (m.lost ? "-x" : "-)") : (m.lost ? "->x" : "->>");
    out += fmt::format("  {}{}{}: {} ({})\n", party(m.sender), line, party(receiver(n, m)),
                       plain_label(m.text), m.number);
  };
  for (std::uint32_t m : n.sent_at_start) arrow(n.messages[m - 1]);
  for (std::size_t i = 0; i < n.steps.size(); ++i) {
    if (n.loop_start == i) out += "  loop for ever\n";
    const NarratedStep& st = n.steps[i];
    std::string text = fmt::format("{} {}", i + 1, plain_label(st.title));
    for (std::uint32_t m : st.received)
      if (m != 0)
        text += fmt::format(", {} {} ({})", n.messages[m - 1].discarded ? "discards" : "takes",
                            plain_label(n.messages[m - 1].signal), m);
    out += mermaid ? fmt::format("  Note over {}: {}\n", party(st.owner), text)
                   : fmt::format("  note over {} : {}\n", party(st.owner), text);
    for (std::uint32_t m : st.sent) arrow(n.messages[m - 1]);
    if (st.outcome != semantics::Outcome::Done) {
      const std::string failure = plain_label(st.failure.message);
      out += mermaid ? fmt::format("  Note over {}: {}\n", party(st.owner), failure)
                     : fmt::format("  note over {} : {}\n", party(st.owner), failure);
    }
  }
  if (n.loop_start && *n.loop_start < n.steps.size()) out += "  end\n";
  if (n.loop_start == n.steps.size()) out += run_ends(used, mermaid);
  return mermaid ? out : out + "@enduml\n";
}

}  // namespace

std::string trace_mermaid(const system::System& s, const Narration& n) {
  return draw(s, n, true);
}
std::string trace_plantuml(const system::System& s, const Narration& n) {
  return draw(s, n, false);
}

}  // namespace parley::report
