#include "front/diagram/xstate.hpp"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "front/diagram/label.hpp"

namespace parley::front::diagram {
namespace {

// Order matters: of several transitions for one event the first that may is taken.
using Json = nlohmann::ordered_json;

class Reader {
 public:
  Reader(const std::string& text, diag::FileId file, diag::Diagnostics& diagnostics)
      : text_(text), file_(file), diagnostics_(diagnostics) {}

  Chart read(const Json& machine) {
    chart_.name = text_of(machine, "id");
    chart_.span = {file_, 0, 1};
    const int root = surround(machine);
    root_ids_["#" + chart_.name] = root;
    children(machine, root, "", 0);
    for (const Pending& p : pending_) resolve(p);
    return std::move(chart_);
  }

  bool failed() const { return failed_; }

 private:
  struct Pending {
    int from;
    std::string target;  // "": stays
    Label label;
    diag::Span span;
  };

  // Transitions and actions of the machine itself belong to a state around all others; -1: it has none.
  int surround(const Json& machine) {
    bool any = false;
    for (const char* key :
         {"on", "always", "after", "invoke", "entry", "exit", "onEntry", "onExit", "onDone"})
      any |= machine.contains(key);
    if (!any) return -1;
    Arrow start;
    start.to = add(chart_.name.empty() ? "machine" : chart_.name, NodeKind::State, -1, 0, chart_.span);
    path_of_[start.to] = "";
    start.from = add("", NodeKind::Initial, -1, 0, chart_.span);
    start.span = chart_.span;
    const int root = start.to;
    chart_.arrows.push_back(std::move(start));
    read_state(machine, root);
    return root;
  }

  static std::string text_of(const Json& object, const char* key) {
    const auto it = object.find(key);
    return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
  }

  void fail(diag::Span span, std::string message) {
    if (!failed_) diagnostics_.error("diagram-syntax", span, std::move(message));
    failed_ = true;
  }

  // The parser gives no places; a state is where its key is written first behind its parent.
  diag::Span place(const std::string& key, std::uint32_t from) const {
    const auto at = text_.find("\"" + key + "\"", from);
    const auto begin = static_cast<std::uint32_t>(at == std::string::npos ? from : at);
    return {file_, begin, begin + static_cast<std::uint32_t>(key.size()) + 2};
  }

  int add(std::string id, NodeKind kind, int parent, int region, diag::Span span) {
    if (chart_.nodes.size() >= kMaxNodes) fail(span, fmt::format("more than {} states", kMaxNodes));
    Node n;
    n.id = std::move(id);
    n.kind = kind;
    n.parent = parent;
    n.region = region;
    n.span = span;
    chart_.nodes.push_back(std::move(n));
    return static_cast<int>(chart_.nodes.size()) - 1;
  }

  void children(const Json& object, int parent, const std::string& path, int depth) {
    if (depth > kMaxDepth)
      return fail(chart_.span, fmt::format("states are nested more than {} deep", kMaxDepth));
    const auto it = object.find("states");
    if (it == object.end() || !it->is_object()) return;
    const bool parallel = text_of(object, "type") == "parallel" || object.value("parallel", false);
    int region = 0;
    const std::uint32_t from = parent < 0 ? 0 : chart_.nodes[static_cast<std::size_t>(parent)].span.begin;
    std::vector<std::pair<const Json*, int>> made;
    for (const auto& [key, state] : it->items()) {
      if (!state.is_object()) return fail(place(key, from), "a state is an object");
      const std::string type = text_of(state, "type");
      const NodeKind kind =
          type == "final" ? NodeKind::Final
          : type == "history"
              ? (text_of(state, "history") == "deep" ? NodeKind::DeepHistory : NodeKind::ShallowHistory)
              : NodeKind::State;
      const int node = add(key, kind, parent, parallel ? region++ : 0, place(key, from));
      const std::string own = path.empty() ? key : path + "." + key;
      paths_[own] = node;
      if (const std::string id = text_of(state, "id"); !id.empty()) root_ids_["#" + id] = node;
      path_of_[node] = own;
      made.emplace_back(&state, node);
    }
    start(object, parent, path, parallel, made);
    for (const auto& [state, node] : made) {
      read_state(*state, node);
      children(*state, node, path_of_[node], depth + 1);
    }
  }

  // Each region of a parallel state holds one state, where it starts.
  void start(const Json& object, int parent, const std::string& path, bool parallel,
             const std::vector<std::pair<const Json*, int>>& made) {
    const auto enter = [&](int target) {
      const Node& n = chart_.nodes[static_cast<std::size_t>(target)];
      Arrow a;
      a.from = add("", NodeKind::Initial, parent, n.region, n.span);
      a.to = target;
      a.span = chart_.nodes[static_cast<std::size_t>(target)].span;
      chart_.arrows.push_back(std::move(a));
    };
    if (parallel) {
      for (const auto& [state, node] : made) enter(node);
      return;
    }
    std::string initial = text_of(object, "initial");
    if (const auto it = object.find("initial"); it != object.end() && it->is_object())
      initial = text_of(*it, "target");
    const auto it = paths_.find(path.empty() ? initial : path + "." + initial);
    if (it != paths_.end()) return enter(it->second);
    if (!initial.empty()) fail(chart_.span, fmt::format("there is no state `{}` to start in", initial));
  }

  void read_state(const Json& state, int node) {
    Node& n = chart_.nodes[static_cast<std::size_t>(node)];
    for (const char* key : {"entry", "onEntry"}) n.entry += actions(state, key);
    for (const char* key : {"exit", "onExit"}) n.exit += actions(state, key);
    n.activity += actions(state, "activities");
    if (n.kind == NodeKind::ShallowHistory || n.kind == NodeKind::DeepHistory) {
      if (const std::string target = text_of(state, "target"); !target.empty())
        pending_.push_back({node, target, {}, n.span});
      return;
    }
    const diag::Span span = n.span;
    if (const auto on = state.find("on"); on != state.end()) events(*on, node, span);
    Label none;
    for (const char* key : {"always"})
      if (const auto it = state.find(key); it != state.end()) targets(*it, node, none, span);
    if (const auto it = state.find("onDone"); it != state.end()) targets(*it, node, none, span);
    if (const auto after = state.find("after"); after != state.end() && after->is_object())
      for (const auto& [delay, to] : after->items()) {
        Label label;
        const bool number = !delay.empty() && std::isdigit(static_cast<unsigned char>(delay[0]));
        if (number)
          label.after = delay;
        else
          label.events.push_back("after " + delay);  // a delay by name: at any time
        targets(to, node, label, span);
      }
    if (const auto invoke = state.find("invoke"); invoke != state.end()) invoked(*invoke, node, span);
  }

  void events(const Json& on, int node, diag::Span span) {
    if (on.is_array()) {  // [{event, target}]
      for (const auto& t : on) {
        Label label;
        label.events.push_back(text_of(t, "event"));
        targets(t, node, label, span);
      }
    } else if (on.is_object()) {
      for (const auto& [event, to] : on.items()) {
        Label label;
        if (!event.empty()) label.events.push_back(event);
        targets(to, node, label, place(event, span.begin));
      }
    }
  }

  // What is invoked is outside: it may be done, or fail, at any time.
  void invoked(const Json& invoke, int node, diag::Span span) {
    if (invoke.is_array()) {
      for (const auto& one : invoke) invoked(one, node, span);
      return;
    }
    if (!invoke.is_object()) return;
    std::string name = text_of(invoke, "id");
    if (name.empty()) name = text_of(invoke, "src");
    if (name.empty()) name = path_of_[node];
    for (const auto& [key, what] : {std::pair{"onDone", "done"}, {"onError", "error"}})
      if (const auto it = invoke.find(key); it != invoke.end()) {
        Label label;
        label.events.push_back(fmt::format("{}.invoke.{}", what, name));
        targets(*it, node, label, span);
      }
  }

  void targets(const Json& to, int node, const Label& label, diag::Span span) {
    if (to.is_array()) {
      if (to.size() > 1 && chart_.approximations.empty())
        chart_.approximations.push_back(
            "where several transitions wait for one event, any whose guard holds is taken, not the first");
      for (const auto& one : to) targets(one, node, label, span);
    } else if (to.is_string()) {
      pending_.push_back({node, to.get<std::string>(), label, span});
    } else if (to.is_object()) {
      Label own = label;
      own.guard = named(to, "guard").empty() ? named(to, "cond") : named(to, "guard");
      own.action = actions(to, "actions");
      std::string target = text_of(to, "target");
      if (const auto several = to.find("target");
          several != to.end() && several->is_array() && several->size() == 1)
        target = (*several)[0].is_string() ? (*several)[0].get<std::string>() : "";
      if (const auto several = to.find("target");
          several != to.end() && several->is_array() && several->size() > 1)
        return fail(span, "a transition with several targets is not read");
      pending_.push_back({node, target, own, span});
    }
  }

  // A name, or an object with its type: {"type": "log"}.
  static std::string name_of(const Json& value) {
    if (value.is_string()) return value.get<std::string>();
    return value.is_object() ? text_of(value, "type") : std::string();
  }

  static std::string named(const Json& object, const char* key) {
    const auto it = object.find(key);
    return it == object.end() ? std::string() : name_of(*it);
  }

  static std::string actions(const Json& object, const char* key) {
    const auto it = object.find(key);
    if (it == object.end()) return {};
    std::string text;
    const auto add = [&](const Json& a) {
      if (const std::string name = name_of(a); !name.empty()) text += name + ";\n";
    };
    if (it->is_array())
      for (const auto& a : *it) add(a);
    else
      add(*it);
    return text;
  }

  // Targets: "#id", "#id.child", ".child", "sibling", "sibling.child".
  int find(const Pending& p) const {
    if (p.target.starts_with("#")) {
      const auto dot = p.target.find('.');
      const auto it = root_ids_.find(p.target.substr(0, dot));
      if (it == root_ids_.end()) return -1;
      if (dot == std::string::npos) return it->second;
      const std::string path = it->second < 0 ? "" : path_of_.at(it->second);
      const std::string base = path.empty() ? "" : path + ".";
      const auto found = paths_.find(base + p.target.substr(dot + 1));
      return found == paths_.end() ? -1 : found->second;
    }
    std::string base = path_of_.at(p.from);
    if (!p.target.starts_with("."))
      base = base.rfind('.') == std::string::npos ? "" : base.substr(0, base.rfind('.'));
    const std::string tail = p.target.starts_with(".") ? p.target.substr(1) : p.target;
    const auto found = paths_.find(base.empty() ? tail : base + "." + tail);
    return found == paths_.end() ? -1 : found->second;
  }

  void resolve(const Pending& p) {
    if (p.target.empty()) {  // no target: the state stays
      chart_.nodes[static_cast<std::size_t>(p.from)].internal.push_back({p.label, p.span});
      return;
    }
    Arrow a;
    a.from = p.from;
    a.to = find(p);
    a.label = p.label;
    a.span = p.span;
    if (a.to < 0) return fail(p.span, fmt::format("there is no state `{}`", p.target));
    chart_.arrows.push_back(std::move(a));
  }

  const std::string& text_;
  diag::FileId file_;
  diag::Diagnostics& diagnostics_;
  Chart chart_;
  std::vector<Pending> pending_;
  std::map<std::string, int> paths_, root_ids_;
  std::map<int, std::string> path_of_;
  bool failed_ = false;
};

}  // namespace

std::vector<Chart> read_xstate(const diag::SourceMap& sources, diag::FileId file,
                               diag::Diagnostics& diagnostics) {
  const std::string& text = sources.text(file);
  std::vector<Chart> charts;
  try {
    const Json document = Json::parse(text);
    const auto read = [&](const Json& machine) {
      if (!machine.is_object() || !machine.contains("states") || !machine["states"].is_object()) {
        diagnostics.error("diagram-none", {file, 0, 0}, "this JSON is no XState machine: it has no `states`");
        return;
      }
      Reader reader(text, file, diagnostics);
      Chart chart = reader.read(machine);
      if (!reader.failed()) charts.push_back(std::move(chart));
    };
    if (document.is_array())
      for (const auto& machine : document) read(machine);
    else
      read(document);
  } catch (const Json::parse_error& error) {
    const auto at = static_cast<std::uint32_t>(std::min<std::size_t>(error.byte, text.size()));
    diagnostics.error("json-syntax", {file, at, at}, "not well-formed JSON");
  }
  return charts;
}

}  // namespace parley::front::diagram
