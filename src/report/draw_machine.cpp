// State machines as DOT (nested clusters for composite states and regions), Mermaid and PlantUML.
#include <fmt/format.h>

#include "diag/diagnostic.hpp"
#include "model/show.hpp"
#include "report/draw.hpp"
#include "report/quoting.hpp"

namespace parley::report {
namespace {

using namespace model;

bool is_composite(const Vertex& v) {
  return !v.regions.empty();
}

constexpr std::size_t kLabelWidth = 60;

std::string transition_label(const Transition& t, bool effects) {
  std::string text;
  for (const Trigger& trigger : t.triggers) {
    if (trigger.kind == TriggerKind::None) continue;
    text += (text.empty() ? "" : ", ") + show(trigger);
  }
  if (t.is_else)
    text += (text.empty() ? "" : " ") + std::string("[else]");
  else if (t.guard)
    text += (text.empty() ? "" : " ") + fmt::format("[{}]", show(*t.guard));
  if (effects && t.effect) text += (text.empty() ? "" : " ") + std::string("/ ") + show(*t.effect.body);
  return text;
}

std::string state_label(const Vertex& v, const Machine& m, VertexId id, bool effects) {
  std::string text = v.name;
  const auto add = [&](const std::string& line) { text += '\n' + clipped(line, kLabelWidth); };
  if (effects && v.entry) add("entry / " + show(*v.entry.body));
  if (effects && v.exit) add("exit / " + show(*v.exit.body));
  if (v.do_activity) add("do / " + v.do_activity.name);
  if (!v.defers.empty()) add(fmt::format("defer {}", fmt::join(v.defers, ", ")));
  for (const Transition& t : m.transitions)
    if (t.source == id && t.kind == TransitionKind::Internal) add(transition_label(t, effects));
  return text;
}

class DotWriter {
 public:
  DotWriter(const Machine& m, const DrawOptions& o) : m_(m), o_(o) {}

  std::string write() {
    out_ = fmt::format(
        "digraph {} {{\n  compound=true; rankdir=TB; fontname=\"sans-serif\"; bgcolor=\"transparent\";\n"
        "  node [fontname=\"sans-serif\", fontsize=11, shape=box, style=rounded, height=0.3];\n"
        "  edge [fontname=\"sans-serif\", fontsize=10];\n",
        dot_string(m_.name.empty() ? "machine" : m_.name));
    for (RegionId r : m_.top) region(r, m_.top.size() > 1, 1);
    for (std::size_t i = 0; i < m_.transitions.size(); ++i) edge(TransitionId(i));
    return out_ + "}\n";
  }

 private:
  std::string pad(int depth) const {
    return std::string(static_cast<std::size_t>(std::min(depth, 20)) * 2, ' ');
  }
  std::string id(VertexId v) const { return fmt::format("{}v{}", o_.id_prefix, v.value); }

  void region(RegionId r, bool framed, int depth) {
    const Region& region = m_.region(r);
    if (framed) {
      out_ += fmt::format("{}subgraph cluster_r{} {{ id=\"{}r{}\"; label={}; style=dashed; fontsize=10;\n",
                          pad(depth), r.value, o_.id_prefix, r.value, dot_string(region.name));
    }
    for (VertexId v : region.vertices) vertex(v, depth + 1);
    if (region.vertices.empty())
      out_ += fmt::format("{}empty_r{} [style=invis, label=\"\"];\n", pad(depth + 1), r.value);
    if (framed) out_ += pad(depth) + "}\n";
  }

  void vertex(VertexId v, int depth) {
    const Vertex& x = m_.vertex(v);
    if (is_composite(x)) {
      out_ += fmt::format(
          "{}subgraph cluster_v{} {{ id=\"{}\"; label={}; style=\"rounded,solid\"; fontsize=12;\n",
          pad(depth), v.value, id(v), dot_string(state_label(x, m_, v, o_.effects)));
      // An invisible point stands for the state itself, since edges end at nodes.
      out_ +=
          fmt::format("{}n{} [shape=point, style=invis, width=0.01, label=\"\"];\n", pad(depth + 1), v.value);
      for (RegionId r : x.regions) region(r, x.regions.size() > 1, depth + 1);
      out_ += pad(depth) + "}\n";
      return;
    }
    std::string shape;
    switch (x.kind) {
      case VertexKind::State:
        shape = fmt::format("label={}", dot_string(state_label(x, m_, v, o_.effects)));
        break;
      case VertexKind::Initial:
        shape =
            "label=\"\", shape=circle, style=filled, fillcolor=black, width=0.15, height=0.15, "
            "fixedsize=true";
        break;
      case VertexKind::Final:
        shape =
            "label=\"\", shape=doublecircle, style=filled, fillcolor=black, width=0.12, height=0.12, "
            "fixedsize=true";
        break;
      case VertexKind::Choice:
        shape = "label=\"\", shape=diamond, style=solid, width=0.3, height=0.3, fixedsize=true";
        break;
      case VertexKind::Junction:
        shape =
            "label=\"\", shape=circle, style=filled, fillcolor=black, width=0.12, height=0.12, "
            "fixedsize=true";
        break;
      case VertexKind::ShallowHistory:
        shape = "label=\"H\", shape=circle, style=solid, width=0.25, fixedsize=true";
        break;
      case VertexKind::DeepHistory:
        shape = "label=\"H*\", shape=circle, style=solid, width=0.25, fixedsize=true";
        break;
      case VertexKind::Fork:
      case VertexKind::Join:
        shape = "label=\"\", style=filled, fillcolor=black, width=0.8, height=0.06, fixedsize=true";
        break;
      case VertexKind::Terminate:
        shape = "label=\"X\", shape=plaintext";
        break;
      case VertexKind::EntryPoint:
      case VertexKind::ExitPoint:
        shape = fmt::format("xlabel={}, label=\"\", shape=circle, style=solid, width=0.15, fixedsize=true",
                            dot_string(x.name));
        break;
    }
    out_ += fmt::format("{}n{} [id=\"{}\", {}];\n", pad(depth), v.value, id(v), shape);
  }

  void edge(TransitionId id_) {
    const Transition& t = m_.transition(id_);
    if (t.kind == TransitionKind::Internal || !t.source.valid() || !t.target.valid()) return;
    const Vertex& from = m_.vertex(t.source);
    const Vertex& to = m_.vertex(t.target);
    out_ += fmt::format("  n{} -> n{} [id=\"{}t{}\", label={}", t.source.value, t.target.value, o_.id_prefix,
                        id_.value, dot_string(drawn_label(t, o_)));
    // A cluster as an end clips the edge at its border; not when the other end lies inside it.
    if (is_composite(from) && !inside(t.target, t.source))
      out_ += fmt::format(", ltail=cluster_v{}", t.source.value);
    if (is_composite(to) && !inside(t.source, t.target))
      out_ += fmt::format(", lhead=cluster_v{}", t.target.value);
    out_ += "];\n";
  }

  // `inner` is `outer` or lies inside it.
  bool inside(VertexId inner, VertexId outer) const {
    for (VertexId v = inner; v.valid();) {
      if (v == outer) return true;
      const RegionId r = m_.vertex(v).region;
      v = r.valid() ? m_.region(r).state : VertexId{};
    }
    return false;
  }

  const Machine& m_;
  const DrawOptions& o_;
  std::string out_;
};

// Mermaid and PlantUML share the shape `state "label" as s3 { … }`; they differ in pseudostates and labels.
class StateTextWriter {
 public:
  StateTextWriter(const Machine& m, bool mermaid) : m_(m), mermaid_(mermaid) {}

  std::string write() {
    out_ = mermaid_ ? "stateDiagram-v2\n" : "@startuml\nhide empty description\n";
    for (std::size_t i = 0; i < m_.top.size(); ++i) {
      if (i > 0) out_ += "  --\n";
      region(m_.top[i], 1);
    }
    return mermaid_ ? out_ : out_ + "@enduml\n";
  }

 private:
  std::string pad(int depth) const {
    return std::string(static_cast<std::size_t>(std::min(depth, 20)) * 2, ' ');
  }
  std::string name(VertexId v) const {
    const Vertex& x = m_.vertex(v);
    if (x.kind == VertexKind::Initial || x.kind == VertexKind::Final) return "[*]";
    return fmt::format("s{}", v.value);
  }

  void region(RegionId r, int depth) {
    for (VertexId v : m_.region(r).vertices) declare(v, depth);
    for (const Transition& t : m_.transitions) {
      if (!t.source.valid() || !t.target.valid() || m_.vertex(t.source).region != r ||
          t.kind == TransitionKind::Internal)
        continue;
      const std::string label = plain_label(transition_label(t, true));
      out_ += fmt::format("{}{} --> {}{}{}\n", pad(depth), name(t.source), name(t.target),
                          label.empty() ? "" : " : ", label);
    }
  }

  // PlantUML draws entry and exit points on the border of the state that they are declared in.
  void points(VertexId state, int depth) {
    for (std::size_t i = 0; i < m_.vertices.size(); ++i) {
      const Vertex& x = m_.vertices[i];
      if (x.owner_state != state || (x.kind != VertexKind::EntryPoint && x.kind != VertexKind::ExitPoint))
        continue;
      out_ += fmt::format("{}state s{} <<{}>>\n", pad(depth), i,
                          x.kind == VertexKind::EntryPoint ? "entryPoint" : "exitPoint");
    }
  }

  void declare(VertexId v, int depth) {
    const Vertex& x = m_.vertex(v);
    switch (x.kind) {
      case VertexKind::Initial:
      case VertexKind::Final:
        return;
      case VertexKind::Choice:
      case VertexKind::Junction:
        out_ += fmt::format("{}state s{} <<choice>>\n", pad(depth), v.value);
        return;
      case VertexKind::Fork:
        out_ += fmt::format("{}state s{} <<fork>>\n", pad(depth), v.value);
        return;
      case VertexKind::Join:
        out_ += fmt::format("{}state s{} <<join>>\n", pad(depth), v.value);
        return;
      case VertexKind::ShallowHistory:
      case VertexKind::DeepHistory:
        if (mermaid_) break;  // it has no history: a state of that name
        out_ += fmt::format("{}state s{} <<history{}>>\n", pad(depth), v.value,
                            x.kind == VertexKind::DeepHistory ? "*" : "");
        return;
      case VertexKind::EntryPoint:
      case VertexKind::ExitPoint:
        if (mermaid_) break;
        return;  // declared inside of their state
      default:
        break;
    }
    std::string label = x.kind == VertexKind::State ? x.name : show_word(x.kind) + ' ' + x.name;
    out_ += fmt::format("{}state \"{}\" as s{}", pad(depth), plain_label(label), v.value);
    if (!is_composite(x)) {
      out_ += '\n';
      return;
    }
    out_ += " {\n";
    if (!mermaid_) points(v, depth + 1);
    for (std::size_t i = 0; i < x.regions.size(); ++i) {
      if (i > 0) out_ += pad(depth + 1) + "--\n";
      region(x.regions[i], depth + 1);
    }
    out_ += pad(depth) + "}\n";
  }

  const Machine& m_;
  bool mermaid_;
  std::string out_;
};

}  // namespace

std::string drawn_label(const Transition& t, const DrawOptions& o) {
  return clipped(transition_label(t, o.effects), kLabelWidth);
}

std::string machine_dot(const Model&, const Machine& machine, const DrawOptions& options) {
  return DotWriter(machine, options).write();
}

std::string machine_mermaid(const Machine& machine) {
  return StateTextWriter(machine, true).write();
}
std::string machine_plantuml(const Machine& machine) {
  return StateTextWriter(machine, false).write();
}

}  // namespace parley::report
