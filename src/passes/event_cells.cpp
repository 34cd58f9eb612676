#include "passes/event_cells.hpp"

#include <algorithm>
#include <unordered_map>

namespace parley::passes {

using namespace system;

namespace {

template <class Id>
bool contains(const std::vector<Id>& list, Id id) {
  return std::find(list.begin(), list.end(), id) != list.end();
}

class Instrument {
 public:
  Instrument(const System& original, const std::vector<EventAtom>& atoms) : s_(original), atoms_(atoms) {}

  WithEvents run(const System& original) {
    for (const EventAtom& atom : atoms_) {
      Cell c;
      c.name = "event: " + (atom.shown.empty() ? std::string(describe(atom.kind)) : atom.shown);
      c.type = Type::boolean();
      c.role = CellRole::Bookkeeping;
      cells_.push_back(s_.add(std::move(c)));
    }
    for (std::size_t a = 0; a < s_.actions.size(); ++a) {
      const StmtId body = with_sends(s_.actions[a].body, {s_.actions[a].owner, s_.actions[a].partner});
      s_.actions[a].body = sequence(at_start(s_.actions[a]), body);
    }
    start();
    BackMap back = same_ids(original, s_);
    return {{std::move(s_), std::move(back)}, std::move(cells_)};
  }

 private:
  // Who acts: two in a rendezvous.
  struct Actors {
    OwnerId owner, partner;
    friend bool operator==(const Actors&, const Actors&) = default;
  };

  static bool acts(const EventAtom& atom, const Actors& actors) {
    return contains(atom.owners, actors.owner) ||
           (actors.partner.valid() && contains(atom.owners, actors.partner));
  }

  // What the action's trigger and its transitions say, before anything else happens: the other cells forget.
  std::vector<StmtId> at_start(const Action& a) {
    std::vector<StmtId> list;
    for (std::size_t i = 0; i < atoms_.size(); ++i)
      list.push_back(assign(
          i, acts(atoms_[i], {a.owner, a.partner}) ? shown_by(atoms_[i], a) : s_.exprs.boolean(false)));
    return list;
  }

  ExprId shown_by(const EventAtom& atom, const Action& a) {
    const bool discards = a.kind == ActionKind::Discard;
    switch (atom.kind) {
      case EventAtom::Kind::Receives:
      case EventAtom::Kind::Discards:
        if (discards != (atom.kind == EventAtom::Kind::Discards)) break;
        if (a.trigger && contains(atom.signals, a.trigger->signal))
          return atom.where.valid() ? atom.where : s_.exprs.boolean(true);
        if (a.drops && contains(atom.signals, a.drops->signal)) return carried(atom, a.drops->arguments);
        break;
      case EventAtom::Kind::Takes:
        return s_.exprs.boolean(atom.elements.empty() ||
                                std::any_of(a.elements.begin(), a.elements.end(),
                                            [&](ElementId e) { return contains(atom.elements, e); }));
      case EventAtom::Kind::Sends:
        break;
    }
    return s_.exprs.boolean(false);
  }

  void start() {
    if (!s_.initial_body.valid()) return;
    // Parts are found by their statement; they keep their place in the body.
    std::unordered_map<std::uint32_t, StmtId> parts;
    for (System::StartPart& part : s_.start_parts) {
      const StmtId before = part.body;
      part.body = with_sends(part.body, {part.owner, {}});
      parts[before.value] = part.body;
    }
    if (const auto whole = parts.find(s_.initial_body.value); whole != parts.end()) {
      s_.initial_body = whole->second;
      return;
    }
    Stmt body = s_.stmt(s_.initial_body);
    for (StmtId& child : body.children)
      if (const auto part = parts.find(child.value); part != parts.end()) child = part->second;
    s_.initial_body = s_.add(std::move(body));
  }

  // The body with every send and every note that shows an event followed by remembering it. Bodies share
  // statements, so each is rewritten once for those who act.
  StmtId with_sends(StmtId id, const Actors& actors) {
    if (!(actors == memo_of_)) {
      memo_.clear();
      memo_of_ = actors;
    }
    return rewritten(id, actors);
  }

  StmtId rewritten(StmtId id, const Actors& actors) {
    if (const auto known = memo_.find(id.value); known != memo_.end()) return known->second;
    Stmt st = s_.stmt(id);
    bool changed = false;
    for (StmtId& child : st.children) {
      const StmtId now = rewritten(child, actors);
      changed = changed || now != child;
      child = now;
    }
    StmtId result = changed ? s_.add(st) : id;
    if (const std::vector<StmtId> memory = remembering(st, actors); !memory.empty())
      result = sequence(memory, result);
    memo_[id.value] = result;
    return result;
  }

  std::vector<StmtId> remembering(const Stmt& st, const Actors& actors) {
    std::vector<StmtId> list;
    for (std::size_t i = 0; i < atoms_.size(); ++i) {
      const EventAtom& atom = atoms_[i];
      if (!acts(atom, actors)) continue;
      if (st.kind == StmtKind::Send && atom.kind == EventAtom::Kind::Sends) {
        const ExprId sent = sent_by(atom, st);
        if (!s_.exprs.is_const(sent, 0)) list.push_back(assign(i, s_.exprs.either(s_.read(cells_[i]), sent)));
      } else if (st.kind == StmtKind::Note && atom.kind == EventAtom::Kind::Takes &&
                 contains(atom.elements, st.element)) {
        list.push_back(assign(i, s_.exprs.boolean(true)));
      }
    }
    return list;
  }

  // Whether this send puts a message of the atom on its way; where it goes is decided by its target.
  ExprId sent_by(const EventAtom& atom, const Stmt& st) {
    std::vector<ExprId> ways;
    bool always = true;
    for (std::size_t r = 0; r < st.routes.size(); ++r) {
      const bool fits = st.routes[r].queue.valid() && contains(atom.signals, st.routes[r].signal) &&
                        (atom.queues.empty() || contains(atom.queues, st.routes[r].queue));
      always = always && fits;
      if (fits) ways.push_back(s_.exprs.equals(st.target, static_cast<std::int32_t>(r)));
    }
    if (ways.empty()) return s_.exprs.boolean(false);
    const ExprId way = always || st.routes.size() == 1 ? s_.exprs.boolean(true) : s_.exprs.any(ways);
    return s_.exprs.both(way, carried(atom, st.args));
  }

  // What the atom asks of the message's values, if they are these.
  ExprId carried(const EventAtom& atom, const std::vector<ExprId>& values) {
    if (!atom.where.valid()) return s_.exprs.boolean(true);
    return s_.exprs.rewrite(atom.where, [&](ExprId leaf) {
      return s_.exprs[leaf].op == expr::Op::Param ? values[s_.exprs[leaf].a] : ExprId{};
    });
  }

  StmtId assign(std::size_t atom, ExprId value) {
    Stmt st;
    st.kind = StmtKind::Assign;
    st.place.cell = cells_[atom];
    st.value = value;
    return s_.add(std::move(st));
  }

  StmtId sequence(std::vector<StmtId> first, StmtId then) {
    Stmt st;
    st.kind = StmtKind::Block;
    st.children = std::move(first);
    st.children.push_back(then);
    return s_.add(std::move(st));
  }

  System s_;
  const std::vector<EventAtom>& atoms_;
  std::vector<CellId> cells_;
  Actors memo_of_;
  std::unordered_map<std::uint32_t, StmtId> memo_;
};

}  // namespace

WithEvents with_event_cells(const System& system, const std::vector<EventAtom>& atoms) {
  return Instrument(system, atoms).run(system);
}

}  // namespace parley::passes
