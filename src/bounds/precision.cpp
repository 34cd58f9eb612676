#include "bounds/precision.hpp"

#include <algorithm>

namespace parley::bounds {

namespace {

// Signals whose message type every statement writes down. One that is passed on in a variable would make a
// statement an edge per type, before anybody knows that this helps.
class WrittenTypes {
 public:
  explicit WrittenTypes(const system::System& s) : s_(s), written_(s.signals.size(), true) {
    for (const system::Action& a : s.actions) statement(a.body, a.trigger);
    if (s.initial_body.valid()) statement(s.initial_body, std::nullopt);
  }
  bool operator[](std::size_t signal) const {
    return written_[signal] && system::has_message_type(s_, s_.signals[signal]);
  }

 private:
  bool is_type(system::ExprId e) const {
    const expr::Node& n = s_.exprs[e];
    if (n.op == expr::Op::Param) return n.a == 0;
    return (n.op == expr::Op::TruncU || n.op == expr::Op::TruncS) && is_type(n.operands[0]);
  }
  void statement(system::StmtId id, const std::optional<system::Trigger>& trigger) {
    const system::Stmt& st = s_.stmt(id);
    if (st.kind == system::StmtKind::Send && !st.args.empty() && s_.exprs[st.args[0]].op != expr::Op::Const)
      for (const system::Route& r : st.routes)
        if (r.signal.valid()) written_[r.signal.index()] = false;
    const bool stores = st.kind == system::StmtKind::Assign || st.kind == system::StmtKind::SetLocal;
    if (trigger && stores && is_type(st.value)) written_[trigger->signal.index()] = false;
    for (system::StmtId child : st.children) statement(child, trigger);
  }

  const system::System& s_;
  std::vector<bool> written_;  // by signal
};

}  // namespace

Precision coarsest(const system::System& s) {
  Precision p;
  for (std::size_t o = 0; o < s.owners.size(); ++o) {
    const system::OwnerId id{o};
    const bool moves = std::any_of(s.actions.begin(), s.actions.end(),
                                   [&](const system::Action& a) { return a.owner == id || a.partner == id; });
    if (moves || !s.owners[o].locations.empty())
      p.components.push_back({s.owners[o].name, {id}, s.owners[o].locations});
  }
  const WrittenTypes types(s);
  for (std::size_t i = 0; i < s.signals.size(); ++i) {
    std::vector<bool> split(s.signals[i].params.size(), false);
    if (types[i]) split[0] = true;
    p.splits.by_signal.push_back(std::move(split));
  }
  return p;
}

}  // namespace parley::bounds
