#include "passes/message_order.hpp"

#include <algorithm>

namespace parley::passes {

using namespace system;

namespace {

using expr::Op;

// Letters of a signal. Message types that have no name are one letter, the last.
std::int32_t letters_of(const System& s, const Signal& signal) {
  return has_message_type(s, signal)
             ? static_cast<std::int32_t>(s.name_tables[signal.params[0].names].names.size()) + 1
             : 1;
}

// Calls f(statement) for every statement of a body.
template <class F>
void for_each_statement(const System& s, StmtId id, F&& f) {
  f(s.stmt(id));
  for (StmtId child : s.stmt(id).children) for_each_statement(s, child, f);
}

bool looks_at_queues(const System& s, ExprId e) {
  if (expr::info(s.exprs[e].op).asks_queue) return true;
  const auto operands = s.exprs.operands(e);
  return std::any_of(operands.begin(), operands.end(), [&](ExprId o) { return looks_at_queues(s, o); });
}

class Rememberer {
 public:
  Rememberer(const System& original, const std::vector<QueueId>& queues) : s_(original) {
    ordered_.assign(s_.queues.size(), 0);
    for (QueueId q : queues) ordered_[q.index()] = 1;
  }

  System run() {
    number_letters();
    find_senders();
    add_cells();
    widen_signals();
    for (std::size_t a = 0; a < s_.actions.size(); ++a) {
      const OwnerId owner = s_.actions[a].owner;
      const StmtId body = rewritten(s_.actions[a].body, owner);
      s_.actions[a].body = body;
      if (s_.actions[a].trigger && ordered_[s_.actions[a].trigger->queue.index()]) take(s_.actions[a]);
    }
    if (s_.initial_body.valid()) s_.initial_body = rewritten(s_.initial_body, OwnerId{});
    return std::move(s_);
  }

 private:
  // Who sends, to where, and what it sent last; what of that was taken last.
  struct Sender {
    QueueId queue;
    OwnerId owner;  // invalid: the initial body
    CellId sent, taken;
    std::int32_t first = 0;  // of the codes for "after letter l of this sender": first + l
  };

  void number_letters() {
    letter_.assign(s_.signals.size(), 0);
    for (std::size_t q = 0; q < s_.queues.size(); ++q) {
      if (!ordered_[q]) continue;
      for (SignalId g : s_.queues[q].signals) {
        if (letter_[g.index()] != 0) continue;
        letter_[g.index()] = 1 + letters_;
        letters_ += letters_of(s_, s_.signal(g));
      }
    }
  }

  void find_senders() {
    const auto look = [&](StmtId body, OwnerId owner) {
      if (!body.valid()) return;
      for_each_statement(s_, body, [&](const Stmt& st) {
        if (st.kind != StmtKind::Send) return;
        for (const Route& r : st.routes)
          if (r.queue.valid() && ordered_[r.queue.index()] && find(r.queue, owner) == nullptr)
            senders_.push_back({r.queue, owner, {}, {}, 0});
      });
    };
    look(s_.initial_body, OwnerId{});
    for (const Action& a : s_.actions) look(a.body, a.owner);
  }
  const Sender* find(QueueId queue, OwnerId owner) const {
    for (const Sender& x : senders_)
      if (x.queue == queue && x.owner == owner) return &x;
    return nullptr;
  }

  void add_cells() {
    const Type letter = Type::range(0, letters_);
    std::vector<OwnerId> receiver(s_.queues.size());
    for (const Action& a : s_.actions)
      if (a.trigger) receiver[a.trigger->queue.index()] = a.owner;
    std::int32_t next = 1;  // 0: nothing is remembered of this message
    for (Sender& x : senders_) {
      const std::string queue = s_.queue(x.queue).name;
      const std::string sender = x.owner.valid() ? s_.owner(x.owner).name : "the initialisation";
      Cell c;
      c.type = letter;
      c.role = CellRole::Bookkeeping;
      c.owner = x.owner;
      c.name = "last from " + sender + " into " + queue;
      x.sent = s_.add(c);
      c.owner = receiver[x.queue.index()];
      c.name = "last from " + sender + " out of " + queue;
      x.taken = s_.add(c);
      x.first = next;
      next += letters_ + 1;
    }
    code_ = Type::range(0, next - 1);
  }

  // Signals of ordered queues, and those that share a send with one, get the parameter.
  void widen_signals() {
    coded_.assign(s_.signals.size(), 0);
    for (std::size_t q = 0; q < s_.queues.size(); ++q)
      if (ordered_[q])
        for (SignalId g : s_.queues[q].signals) coded_[g.index()] = 1;
    for (bool changed = true; changed;) {
      changed = false;
      for (const Stmt& st : s_.stmts) {
        if (st.kind != StmtKind::Send || !carries_code(st)) continue;
        for (const Route& r : st.routes) {
          if (!r.queue.valid() || coded_[r.signal.index()]) continue;
          coded_[r.signal.index()] = 1;
          changed = true;
        }
      }
    }
    for (std::size_t g = 0; g < s_.signals.size(); ++g) {
      if (!coded_[g]) continue;
      s_.signals[g].params.push_back(code_);
      s_.signals[g].param_names.resize(s_.signals[g].params.size() - 1);
      s_.signals[g].param_names.emplace_back("what its sender sent before");
    }
  }
  bool carries_code(const Stmt& st) const {
    return std::any_of(st.routes.begin(), st.routes.end(),
                       [&](const Route& r) { return r.queue.valid() && coded_[r.signal.index()]; });
  }

  // Number of the signal's first letter, plus the message type if it has a name.
  ExprId letter(SignalId g, ExprId type) {
    const std::int32_t base = letter_[g.index()], letters = letters_of(s_, s_.signal(g));
    if (letters == 1) return number(base);
    const std::int32_t first = s_.name_tables[s_.signal(g).params[0].names].first;
    const ExprId offset = s_.exprs.binary(Op::Sub, type, number(first));
    const ExprId named = s_.exprs.both(s_.exprs.binary(Op::Ge, offset, number(0)),
                                       s_.exprs.binary(Op::Lt, offset, number(letters - 1)));
    return s_.exprs.binary(Op::Add, number(base), s_.exprs.cond(named, offset, number(letters - 1)));
  }
  ExprId number(std::int32_t n) { return s_.exprs.constant(n); }
  ExprId equal(ExprId x, ExprId y) { return s_.exprs.binary(Op::Eq, x, y); }

  StmtId rewritten(StmtId id, OwnerId owner) {
    Stmt st = s_.stmt(id);
    for (StmtId& child : st.children) child = rewritten(child, owner);
    if (st.kind != StmtKind::Send || !carries_code(st)) return s_.add(std::move(st));
    return send(std::move(st), owner);
  }

  StmtId send(Stmt st, OwnerId owner) {
    ExprId code = number(0);
    Stmt both;
    for (std::size_t r = 0; r < st.routes.size(); ++r) {
      const Route& route = st.routes[r];
      const Sender* x = route.queue.valid() ? find(route.queue, owner) : nullptr;
      if (x == nullptr) continue;
      const ExprId here = equal(st.target, number(static_cast<std::int32_t>(r)));
      const ExprId after = s_.exprs.binary(Op::Add, number(x->first), s_.read(x->sent));
      Stmt remember;
      remember.kind = StmtKind::Assign;
      remember.place.cell = x->sent;
      remember.value = letter(route.signal, st.args.empty() ? ExprId{} : st.args[0]);
      StmtId then = s_.add(std::move(remember));
      if (st.routes.size() > 1) {
        code = s_.exprs.cond(here, after, code);
        Stmt choice;
        choice.kind = StmtKind::If;
        choice.value = here;
        choice.children = {then};
        then = s_.add(std::move(choice));
      } else {
        code = after;
      }
      both.children.push_back(then);
    }
    st.args.push_back(code);
    both.children.insert(both.children.begin(), s_.add(std::move(st)));
    return s_.add(std::move(both));
  }

  // The message is the one after the last that was taken from its sender; then it is the last.
  void take(Action& a) {
    const Signal& signal = s_.signal(a.trigger->signal);
    const ExprId code = s_.exprs.param(static_cast<std::uint32_t>(signal.params.size() - 1), code_);
    const ExprId now =
        letter(a.trigger->signal, s_.exprs.param(0, signal.params.size() > 1 ? signal.params[0] : code_));
    ExprId in_order = s_.exprs.boolean(false);
    Stmt both;
    for (const Sender& x : senders_) {
      if (x.queue != a.trigger->queue) continue;
      in_order =
          s_.exprs.either(in_order, equal(code, s_.exprs.binary(Op::Add, number(x.first), s_.read(x.taken))));
      Stmt remember;
      remember.kind = StmtKind::Assign;
      remember.place.cell = x.taken;
      remember.value = now;
      Stmt choice;
      choice.kind = StmtKind::If;
      choice.value = s_.exprs.both(s_.exprs.binary(Op::Ge, code, number(x.first)),
                                   s_.exprs.binary(Op::Le, code, number(x.first + letters_)));
      choice.children = {s_.add(std::move(remember))};
      both.children.push_back(s_.add(std::move(choice)));
    }
    a.guard = s_.exprs.both(a.guard, in_order);
    if (!a.trigger->consume) return;
    both.children.push_back(a.body);
    a.body = s_.add(std::move(both));
  }

  System s_;
  std::vector<char> ordered_;         // by queue
  std::vector<char> coded_;           // by signal: carries the parameter
  std::vector<std::int32_t> letter_;  // by signal: its first letter; 0: none
  std::int32_t letters_ = 0;
  std::vector<Sender> senders_;
  Type code_;
};

}  // namespace

std::vector<QueueId> with_visible_order(const System& s) {
  std::vector<char> good(s.queues.size(), 1);
  std::vector<OwnerId> receiver(s.queues.size());
  for (std::size_t q = 0; q < s.queues.size(); ++q) {
    std::int32_t letters = 0;
    for (SignalId g : s.queues[q].signals) letters += letters_of(s, s.signal(g));
    if (s.queues[q].capacity == 0U || !s.queues[q].deferrals.empty() || letters < 2) good[q] = 0;
  }
  for (const Action& a : s.actions) {
    if (!a.trigger) continue;
    const std::size_t q = a.trigger->queue.index();
    if (a.trigger->selection != Selection::Selected) good[q] = 0;
    if (receiver[q].valid() && receiver[q] != a.owner) good[q] = 0;
    receiver[q] = a.owner;
  }
  for (const Stmt& st : s.stmts) {
    if (st.kind != StmtKind::Send) continue;
    // A sorted queue would sort by what is remembered as well.
    if (st.insertion != Insertion::AtBack) return {};
    // What a send says must be the same before and after it.
    const bool asks =
        looks_at_queues(s, st.target) ||
        std::any_of(st.args.begin(), st.args.end(), [&](ExprId e) { return looks_at_queues(s, e); });
    if (!asks) continue;
    for (const Route& r : st.routes)
      if (r.queue.valid()) good[r.queue.index()] = 0;
  }
  std::vector<QueueId> found;
  for (std::size_t q = 0; q < good.size(); ++q)
    if (good[q] && receiver[q].valid()) found.emplace_back(q);
  return found;
}

Passed remembering_order(const System& system, const std::vector<QueueId>& queues) {
  System remembering = Rememberer(system, queues).run();
  BackMap back = same_ids(system, remembering);
  return {std::move(remembering), std::move(back)};
}

}  // namespace parley::passes
