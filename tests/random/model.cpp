#include "random/model.hpp"

#include <fmt/format.h>

#include <random>

namespace parley::random {
namespace {

struct SignalInfo {
  std::string name;
  std::string param;  // empty: none; "int", "bool", or a class
};

struct ClassInfo {
  std::string name;
  std::vector<std::string> ints{"x"};
  bool flag = true;
  bool array = false, timer = false;
};

class Generator {
 public:
  Generator(std::uint64_t seed, const Profile& profile)
      : rng_(seed * 0x9e3779b97f4a7c15ull + 1), p_(profile) {}

  Piece make();

 private:
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>((rng_() >> 16) % n); }
  bool chance(std::uint32_t percent) { return below(100) < percent; }
  template <class T>
  const T& one_of(const std::vector<T>& list) {
    return list[below(static_cast<std::uint32_t>(list.size()))];
  }

  void signals(Piece& root);
  Piece a_class(std::size_t index);
  Piece transition(bool completion);
  Piece effect(std::string open, std::string close, std::uint32_t statements);
  Piece statement(std::uint32_t depth);
  Piece send();
  std::string failing_guard();
  std::string guard();
  std::string boolean(std::uint32_t depth);
  std::string integer();
  // A zero draws nothing, so that models without this feature stay as they were.
  bool rich() { return p_.arithmetic > 0 && chance(p_.arithmetic); }
  std::string operand();
  std::string variable();
  std::string arithmetic(std::uint32_t depth);
  std::string comparison();
  std::string target_state();
  Piece system();
  void checks(Piece& root);
  // Temporal checks are about the objects of the last class.
  void temporal_checks(Piece& root);
  std::string event();
  std::string atom();
  std::string formula(std::uint32_t operators);
  std::string pattern();
  void fairness(Piece& root);
  std::string label();
  std::string argument(const std::string& type);

  // First pass over a machine: the tree of states, so that transitions can name any of them.
  struct Node {
    std::string name;
    std::vector<std::vector<Node>> regions;
  };
  std::vector<Node> plan_region(std::uint32_t depth);
  // Where something stands: the regions of orthogonal states around it, as (state, region).
  using Where = std::vector<std::pair<std::string, std::size_t>>;
  struct Target {
    std::string name;
    Where where;
  };
  static bool crosses(const Where& from, const Where& to);
  void collect(const std::vector<Node>& nodes, const Where& where);
  Piece state_of(const Node& node);
  void region_of(Piece& into, const std::vector<Node>& nodes);

  std::mt19937_64 rng_;
  const Profile& p_;
  std::vector<SignalInfo> signals_;
  std::vector<ClassInfo> classes_;
  ClassInfo* self_ = nullptr;
  std::vector<Target> targets_;          // vertices of the machine being written
  Where here_;                           // of what is being written
  const SignalInfo* trigger_ = nullptr;  // whose parameter `p` may be read
  std::uint32_t names_ = 0;
  std::vector<std::string> labels_;  // of transitions of the last class
  bool may_send_ = true;
  bool takes_any_ = false;  // no message is discarded
};

Piece leaf(std::string line) {
  return {std::move(line), {}, "", true};
}

void Generator::signals(Piece& root) {
  const std::uint32_t n = 2 + below(2);
  for (std::uint32_t i = 0; i < n; ++i) {
    SignalInfo s;
    s.name = fmt::format("s{}", i);
    if (chance(p_.parameters)) {
      switch (below(3)) {
        case 0:
          s.param = "int";
          break;
        case 1:
          s.param = "bool";
          break;
        default:
          s.param = one_of(classes_).name;
      }
    }
    const std::string integer = p_.arithmetic > 0 ? p_.integers : "int(0..2)";
    const std::string type = s.param == "int" ? integer : s.param;
    root.add(leaf(s.param.empty() ? fmt::format("signal {};", s.name)
                                  : fmt::format("signal {}({} v);", s.name, type)));
    signals_.push_back(s);
  }
}

std::string Generator::operand() {
  if (chance(20)) return fmt::format("{}", below(p_.constants + 1));
  if (chance(15)) return fmt::format("(-{})", 1 + below(9));
  return variable();
}

std::string Generator::variable() {
  switch (below(4)) {
    case 0:
      if (trigger_ != nullptr && trigger_->param == "int") return "p";
      return "x";
    case 1:
      if (self_->array) return "arr[1]";
      return "x";
    case 2:
      if (self_->ints.size() > 1) return "y";
      return "x";
    default:
      return "x";
  }
}

// Never constant as a whole: the front end would compute it and object to its value.
std::string Generator::arithmetic(std::uint32_t depth) {
  static const std::vector<std::string> binary{"+", "+", "+", "-",  "-",  "-",  "*",
                                               "&", "|", "^", "<<", ">>", ">>>"};
  const std::string a = depth > 0 ? arithmetic(depth - 1) : variable();
  switch (below(8)) {
    case 0:
      return fmt::format("({} {} {})", a, chance(50) ? "/" : "%",
                         chance(80) ? fmt::format("{}", 1 + below(5)) : variable());
    case 1:
      return fmt::format("({} ? {} : {})", comparison(), a, operand());
    case 2:
      return fmt::format("{}({})", chance(50) ? "-" : "~", a);
    default:
      return fmt::format("({} {} {})", a, one_of(binary), operand());
  }
}

std::string Generator::comparison() {
  static const std::vector<std::string> ops{"<", "<=", ">", ">=", "!=", "=="};
  const std::string a = chance(60) ? operand() : arithmetic(0);
  return fmt::format("{} {} {}", a, one_of(ops),
                     chance(60) ? fmt::format("{}", below(p_.constants + 1)) : operand());
}

std::string Generator::integer() {
  if (rich()) return arithmetic(below(2));
  switch (below(6)) {
    case 0:
      return fmt::format("{}", below(4));
    case 1:
      if (trigger_ != nullptr && trigger_->param == "int") return "p";
      return "x";
    case 2:
      if (self_->array) return fmt::format("arr[{}]", chance(80) ? fmt::format("{}", below(2)) : "x % 2");
      return "x";
    case 3:
      return fmt::format("(x + {}) % 4", 1 + below(2));
    case 4:
      if (self_->ints.size() > 1) return "y";
      return "x";
    default:
      return "x";
  }
}

std::string Generator::boolean(std::uint32_t depth) {
  if (depth == 0 || chance(50)) {
    if (rich()) return comparison();
    switch (below(5)) {
      case 0:
        return "b";
      case 1:
        if (trigger_ != nullptr && trigger_->param == "bool") return "p";
        return "!b";
      case 2:
        return fmt::format("x == {}", below(4));
      case 3:
        return chance(50) ? fmt::format("peer != null") : fmt::format("test({})", below(3));
      default: {
        static const std::vector<std::string> ops{"<", "<=", ">", ">=", "!=", "=="};
        return fmt::format("{} {} {}", integer(), one_of(ops), below(4));
      }
    }
  }
  switch (below(3)) {
    case 0:
      return fmt::format("({} && {})", boolean(depth - 1), boolean(depth - 1));
    case 1:
      return fmt::format("({} || {})", boolean(depth - 1), boolean(depth - 1));
    default:
      return fmt::format("!({})", boolean(depth - 1));
  }
}

// May fail: x is 0 at first, arrays have two elements, and some objects have no peer.
std::string Generator::failing_guard() {
  switch (below(3)) {
    case 0:
      return fmt::format("[{} / x > {}] ", 2 + below(5), below(3));
    case 1:
      return self_->array ? "[arr[x] < 2] " : "[7 % x == 1] ";
    default:
      return chance(50) ? "[peer.b] " : "[b || peer.x > 0] ";
  }
}

std::string Generator::guard() {
  if (p_.failing_guards > 0 && chance(p_.failing_guards)) return failing_guard();
  return chance(30) ? fmt::format("[{}] ", boolean(1)) : "";
}

std::string Generator::argument(const std::string& type) {
  if (type == "int" && rich()) return chance(40) ? operand() : arithmetic(0);
  if (type == "int") return chance(70) ? fmt::format("{}", below(3)) : "x % 3";
  if (type == "bool") return chance(50) ? "b" : chance(50) ? "true" : "false";
  if (type == self_->name && chance(70)) return "this";
  return type == classes_.back().name && chance(60) ? "peer" : "null";
}

Piece Generator::send() {
  const SignalInfo& s = one_of(signals_);
  const std::string message = s.param.empty() ? s.name : fmt::format("{}({})", s.name, argument(s.param));
  if (trigger_ != nullptr && !trigger_->param.empty() && trigger_->param != "int" &&
      trigger_->param != "bool" && chance(60)) {
    Piece guarded{"if (p != null) {", {}, "}", true};
    guarded.add(leaf(fmt::format("send {} to p;", message)));
    return guarded;
  }
  if (chance(25)) return leaf(fmt::format("send {};", message));
  if (chance(p_.errors)) return leaf(fmt::format("send {} to peer;", message));
  Piece guarded{"if (peer != null) {", {}, "}", true};
  guarded.add(leaf(fmt::format("send {} to peer;", message)));
  return guarded;
}

Piece Generator::statement(std::uint32_t depth) {
  if (rich() && chance(60)) {
    if (chance(p_.assertions)) return leaf(fmt::format("assert {};", comparison()));
    const std::string to = self_->ints.size() > 1 && chance(40) ? "y"
                           : self_->array && chance(30)         ? "arr[1]"
                                                                : "x";
    return leaf(fmt::format("{} = {};", to, chance(25) ? operand() : arithmetic(below(2))));
  }
  switch (below(depth == 0 ? 8 : 13)) {
    case 0:
    case 1:
      return leaf(
          fmt::format("x = {};", chance(60) ? fmt::format("(x + {}) % 4", 1 + below(3)) : "any(0..1)"));
    case 2:
      return leaf(fmt::format("b = {};", chance(50) ? "!b" : boolean(1)));
    case 3:
    case 4:
    case 5:
      return may_send_ ? send() : leaf("b = true;");
    case 6:
      if (self_->ints.size() > 1) return leaf(fmt::format("y = {};", below(3)));
      return leaf("bump();");
    case 7:
      if (self_->array) return leaf(fmt::format("arr[{}] = {};", below(2), below(3)));
      return leaf("b = false;");
    case 8: {
      Piece s{fmt::format("if ({}) {{", boolean(1)), {}, "}", true};
      s.add(statement(depth - 1));
      return s;
    }
    case 9: {
      Piece s{"", {}, "", true};
      Piece& first = s.add({"either {", {}, "", false});
      first.add(statement(depth - 1));
      Piece& second = s.add({"} or {", {}, "}", false});
      second.add(statement(depth - 1));
      return s;
    }
    case 10: {
      Piece s{fmt::format("for (k in 0..{}) {{", 1 + below(2)), {}, "}", true};
      s.add(leaf(chance(50) ? "x = (x + k) % 4;" : "if (k == x) { b = !b; }"));
      return s;
    }
    case 11: {
      if (chance(p_.assertions)) return leaf(fmt::format("assert {};", boolean(1)));
      if (!chance(p_.errors)) return statement(0);
      switch (below(3)) {
        case 0:
          return leaf(fmt::format("x = {} / x;", 1 + below(3)));
        case 1:
          return leaf("x = x + 1;");
        default:
          return leaf("b = peer.b;");
      }
    }
    default:
      if (self_->timer) return leaf(chance(70) ? fmt::format("start t = {};", 1 + below(2)) : "stop t;");
      return leaf("x = 0;");
  }
}

Piece Generator::effect(std::string open, std::string close, std::uint32_t statements) {
  Piece e{std::move(open) + " {", {}, "}" + std::move(close), true};
  for (std::uint32_t i = 0; i < statements; ++i) e.add(statement(1));
  return e;
}

Piece Generator::transition(bool completion) {
  std::string head;
  trigger_ = nullptr;
  if (completion) {
    // Completion transitions mostly have a guard that changes, or models would complete for ever.
    head = chance(70) ? fmt::format("[{}] ", boolean(0)) : "";
  } else if (self_->timer && chance(20)) {
    head = chance(50) ? "on timeout t " : fmt::format("after {} ", 1 + below(2));
    head += guard();
  } else if (chance(p_.changes)) {
    head = fmt::format("when ({}) ", boolean(0));
  } else if (chance(5)) {
    head = "on any ";
  } else {
    const SignalInfo& s = one_of(signals_);
    const bool named = !s.param.empty() && chance(80);
    if (named) trigger_ = &s;
    head = fmt::format("on {}{} ", s.name, named ? "(p)" : "");
    head += guard();
  }
  head = label() + head;
  const bool internal = !completion && chance(12);
  const std::string to = internal ? ";" : fmt::format(" -> {};", target_state());
  Piece result;
  if (internal || chance(60)) {
    result = effect(head + "/", to, internal ? 1 : 1 + below(2));
  } else {
    result = leaf(head + to.substr(1));
  }
  trigger_ = nullptr;
  return result;
}

// Some transitions have one, so that formulas can name them.
std::string Generator::label() {
  if (p_.temporal == 0 || !chance(40)) return "";
  const std::string name = fmt::format("l{}", names_++);
  if (self_ == &classes_.back()) labels_.push_back(name);
  return name + ": ";
}

std::vector<Generator::Node> Generator::plan_region(std::uint32_t depth) {
  std::vector<Node> nodes;
  const std::uint32_t n = 1 + below(p_.states) + (depth == 0 ? 1 : 0);
  for (std::uint32_t i = 0; i < n; ++i) {
    Node node;
    node.name = fmt::format("q{}", names_++);
    if (depth < p_.depth && chance(p_.composite)) {
      const std::size_t regions = chance(p_.orthogonal) ? 2 : 1;
      for (std::size_t r = 0; r < regions; ++r) node.regions.push_back(plan_region(depth + 1));
    }
    nodes.push_back(std::move(node));
  }
  return nodes;
}

void Generator::collect(const std::vector<Node>& nodes, const Where& where) {
  for (const Node& n : nodes) {
    targets_.push_back({n.name, where});
    for (std::size_t r = 0; r < n.regions.size(); ++r) {
      Where inside = where;
      if (n.regions.size() > 1) inside.emplace_back(n.name, r);
      collect(n.regions[r], inside);
    }
  }
}

// A transition may not lead from one region of a state into another.
bool Generator::crosses(const Where& from, const Where& to) {
  for (const auto& [state, region] : from)
    for (const auto& [other, into] : to)
      if (state == other && region != into) return true;
  return false;
}

std::string Generator::target_state() {
  std::vector<std::string> open;
  for (const Target& t : targets_)
    if (!crosses(here_, t.where)) open.push_back(t.name);
  return one_of(open);
}

Piece Generator::state_of(const Node& node) {
  Piece s{fmt::format("{}state {} {{", chance(30) ? "waiting " : "", node.name), {}, "}", true};
  if (chance(p_.entry_exit)) s.add(effect("entry /", "", 1));
  if (chance(p_.entry_exit)) s.add(effect("exit /", "", 1));
  if (chance(p_.defer)) s.add(leaf(fmt::format("defer {};", one_of(signals_).name)));
  // Not in orthogonal regions, whose combinations would be too many: the state around them takes it.
  if (takes_any_ && here_.empty()) s.add(leaf("on any;"));
  const std::uint32_t transitions = 1 + below(3);
  for (std::uint32_t i = 0; i < transitions; ++i) s.add(transition(chance(20)));
  if (node.regions.size() == 1) {
    region_of(s, node.regions[0]);
    if (chance(p_.history)) {
      const std::string h = fmt::format("h{}", names_++);
      s.add(leaf(fmt::format("{}history {} -> {};", chance(50) ? "deep " : "", h, node.regions[0][0].name)));
      targets_.push_back({h, here_});  // only later transitions use it
    }
  }
  for (std::size_t r = 0; r < node.regions.size() && node.regions.size() > 1; ++r) {
    Piece& region = s.add({fmt::format("region r{} {{", names_++), {}, "}", false});
    here_.emplace_back(node.name, r);
    region_of(region, node.regions[r]);
    here_.pop_back();
  }
  return s;
}

void Generator::region_of(Piece& into, const std::vector<Node>& nodes) {
  Piece initial = chance(20) ? effect("initial /", fmt::format(" -> {};", nodes[0].name), 1)
                             : leaf(fmt::format("initial -> {};", nodes[0].name));
  initial.removable = false;
  into.add(std::move(initial));
  if (chance(p_.choice)) {
    const std::string name = fmt::format("c{}", names_++);
    Piece& c = into.add({fmt::format("{} {} {{", chance(60) ? "choice" : "junction", name), {}, "}", true});
    c.add(leaf(fmt::format("[{}] -> {};", boolean(1), one_of(nodes).name)));
    Piece other = chance(40) ? effect("[else] /", fmt::format(" -> {};", one_of(nodes).name), 1)
                             : leaf(fmt::format("[else] -> {};", one_of(nodes).name));
    c.add(std::move(other));
    targets_.push_back({name, here_});
  }
  if (chance(15)) {
    const std::string name = fmt::format("f{}", names_++);
    into.add(leaf(fmt::format("final state {};", name)));
    targets_.push_back({name, here_});
  }
  for (const Node& n : nodes) {
    into.add(state_of(n));
    if (n.regions.size() == 2 && chance(p_.fork_join)) {
      const std::string name = fmt::format("k{}", names_++);
      Piece& f = into.add({fmt::format("fork {} {{", name), {}, "}", true});
      for (const auto& r : n.regions) f.add({fmt::format("-> {};", one_of(r).name), {}, "", false});
      targets_.push_back({name, here_});
    }
  }
}

Piece Generator::a_class(std::size_t index) {
  ClassInfo& c = classes_[index];
  self_ = &c;
  targets_.clear();
  Piece k{fmt::format("class {} {{", c.name), {}, "}", true};
  // Every reference goes to the last class, so that wiring always exists.
  k.add({fmt::format("{} peer;", classes_.back().name), {}, "", false});
  const std::string integer = p_.arithmetic > 0 ? p_.integers : "";
  const bool wide = chance(p_.wide_integers);
  k.add({fmt::format("{} x = 0;", !integer.empty() ? integer : wide ? "int" : "int(0..3)"), {}, "", false});
  k.add({fmt::format("bool b = {};", chance(50) ? "true" : "false"), {}, "", false});
  if (c.ints.size() > 1) k.add({integer.empty() ? "int(0..2) y = 1;" : integer + " y = 1;", {}, "", false});
  if (c.array) k.add({integer.empty() ? "int(0..2) arr[2] = 0;" : integer + " arr[2] = 0;", {}, "", false});
  if (c.timer) k.add({"timer(3) t;", {}, "", false});
  k.add({"bool test(int n) { return x > n || b; }", {}, "", false});
  k.add({"void bump() { x = (x + 1) % 4; }", {}, "", false});
  Piece& m = k.add({"machine {", {}, "}", false});
  const std::vector<Node> nodes = plan_region(0);
  here_.clear();
  collect(nodes, here_);
  region_of(m, nodes);
  return k;
}

Piece Generator::system() {
  Piece s{"system {", {}, "}", false};
  std::vector<std::string> objects;
  const std::string& last = classes_.back().name;
  const bool family = chance(40);
  const std::string peer = family ? "o[0]" : "o";
  for (const ClassInfo& c : classes_) {
    if (c.name == last) continue;
    const std::string name = fmt::format("{}0", c.name == "A" ? "a" : "b");
    s.add({fmt::format("{} : {} {{ peer = {}; }};", name, c.name, peer), {}, "", true});
    objects.push_back(name);
  }
  if (family) {
    s.add({fmt::format("o[2] : {} {{ peer = o[(i + 1) % 2]; }};", last), {}, "", false});
    objects.push_back("o");
  } else {
    s.add({fmt::format("o : {} {{ peer = {}; }};", last, chance(50) ? "o" : "null"), {}, "", false});
    objects.push_back("o");
  }
  if (objects.size() > 1 && chance(p_.threads))
    s.add(leaf(fmt::format("thread th {{ {}, {} }};", objects[0], objects[1])));
  static const std::vector<std::string> policies{"block", "cut", "lose", "error"};
  s.add({fmt::format("queues: capacity {}, overflow {};", 1 + below(2), one_of(policies)), {}, "", false});
  if (chance(p_.environment)) {
    const std::uint32_t n = 1 + below(2);
    for (std::uint32_t i = 0; i < n; ++i) {
      const SignalInfo& sig = one_of(signals_);
      std::string args;
      if (sig.param == "int") args = chance(50) ? "(0..1)" : "(any)";
      if (sig.param == "int" && p_.arithmetic > 0) args = fmt::format("(0..{})", below(p_.constants + 1));
      if (sig.param == "bool") args = chance(50) ? "(true)" : "(any)";
      if (!sig.param.empty() && args.empty()) args = "(any)";
      const std::string& to = one_of(objects);
      const std::string when = family || to != "o" || chance(60) ? "" : " when (len(o) == 0)";
      s.add(leaf(
          fmt::format("environment sends {}{} to {}{} at most {};", sig.name, args, to, when, 1 + below(2))));
    }
  }
  Piece& w = s.add({"semantics {", {}, "}", false});
  w.add({chance(60) ? "time = lazy;" : "time = free;", {}, "", false});
  if (chance(p_.switches)) {
    static const std::vector<std::string> switches{
        "run_to_completion = split", "completion = free",  "discard = no_transition", "integers = error",
        "integers = no_overflow",    "regions = declared", "deferral = any_enabled"};
    const std::uint32_t n = 1 + below(2);
    std::string before;
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::string& choice = one_of(switches);
      if (choice.substr(0, 4) == before.substr(0, 4)) continue;
      w.add(leaf(choice + ";"));
      before = choice;
    }
  }
  return s;
}

void Generator::checks(Piece& root) {
  for (const char* kind :
       {"no deadlock", "no lost messages", "no assertion failures", "no run-time errors", "no overflow",
        "no unreachable states", "no unreachable transitions", "no endless completion"})
    root.add(leaf(fmt::format("check {};", kind)));
  const std::string object = "forall (z : " + classes_.back().name + ") z";
  root.add(leaf(fmt::format("check small: always ({}.x <= {});", object, 1 + below(3))));
  root.add(leaf(fmt::format("check unset: never ({}.b);", object)));
  root.add(leaf(fmt::format("check reached: reachable ({}.x == {});", object, 1 + below(3))));
  root.add(leaf(fmt::format("check long: reachable (exists (z : {}) len(z) == 2);", classes_.back().name)));
  temporal_checks(root);
  if (p_.arithmetic == 0) return;
  root.add(leaf(fmt::format("check below: always ({}.x < {});", object, 4 + below(2 * p_.constants))));
  root.add(leaf(fmt::format("check missed: never (exists (z : {}) z.x == {});", classes_.back().name,
                            2 + below(p_.constants))));
}

std::string Generator::event() {
  const SignalInfo& s = one_of(signals_);
  switch (below(labels_.empty() ? 4 : 5)) {
    case 0:
      return fmt::format("o sends {}", s.name);
    case 1:
      return fmt::format("o discards {}", s.name);
    case 2:
      if (s.param == "int") return fmt::format("o receives {}(v) where v == {}", s.name, below(3));
      if (s.param == "bool") return fmt::format("o receives {}(v) where {}v", s.name, chance(50) ? "!" : "");
      return fmt::format("o receives {}", s.name);
    case 3:
      if (s.param == "int") return fmt::format("o sends {}(v) to o where v > {}", s.name, below(2));
      return fmt::format("o receives {}", s.name);
    default:
      return fmt::format("o takes {}", one_of(labels_));
  }
}

std::string Generator::atom() {
  const std::string objects =
      fmt::format("{} (z : {}) z", chance(50) ? "forall" : "exists", classes_.back().name);
  switch (below(5)) {
    case 0:
      return fmt::format("({}.x {} {})", objects, chance(50) ? "==" : "<=", below(3));
    case 1:
      return fmt::format("({}.b)", objects);
    case 2:
      return fmt::format("(exists (z : {}) len(z) > 0)", classes_.back().name);
    default:
      return event();
  }
}

std::string Generator::formula(std::uint32_t operators) {
  static const std::vector<std::string> prefixes{"G", "F", "G", "F", "!", "X", "always", "eventually"},
      infixes{"U", "W", "R", "until", "unless", "&&", "||", "->", "<->"};
  if (operators == 0) return atom();
  if (chance(50)) return fmt::format("{} ({})", one_of(prefixes), formula(operators - 1));
  const std::uint32_t left = below(operators);
  const std::string first = formula(left);
  return fmt::format("({}) {} ({})", first, one_of(infixes), formula(operators - 1 - left));
}

std::string Generator::pattern() {
  std::string text;
  switch (below(6)) {
    case 0:
      text = fmt::format("never {}", atom());
      break;
    case 1:
      text = fmt::format("eventually {}", atom());
      break;
    case 2:
      text = fmt::format("always {}", atom());
      break;
    case 3:
      text = fmt::format("{} at most {} times", atom(), 1 + below(2));
      break;
    case 4:
      text = fmt::format("{} precedes {}", atom(), atom());
      break;
    default:
      text = fmt::format("{} leads to {}", atom(), atom());
  }
  switch (below(7)) {
    case 0:
      return fmt::format("{} before {}", text, atom());
    case 1:
      return fmt::format("{} after {}", text, atom());
    case 2:
      return fmt::format("{} between {} and {}", text, atom(), atom());
    case 3:
      return fmt::format("{} after {} until {}", text, atom(), atom());
    default:
      return text;
  }
}

void Generator::temporal_checks(Piece& root) {
  for (std::uint32_t i = 0; i < p_.temporal; ++i)
    root.add(
        leaf(fmt::format("check t{}: {};", i, chance(40) ? pattern() : formula(1 + below(p_.operators)))));
  if (p_.fairness > 0 && chance(p_.fairness)) fairness(root);
}

void Generator::fairness(Piece& root) {
  const char* strength = chance(50) ? "weakly" : "strongly";
  switch (below(labels_.empty() ? 3 : 4)) {
    case 0:
      root.add(leaf("assume fair scheduling;"));
      break;
    case 1:
      root.add(leaf(fmt::format("assume {} fair (o);", strength)));
      break;
    case 2:
      root.add(leaf("assume strongly fair scheduling;"));
      break;
    default:
      root.add(leaf(fmt::format("assume {} fair (o takes {});", strength, one_of(labels_))));
  }
}

Piece Generator::make() {
  Piece root{"", {}, "", false};
  takes_any_ = !chance(p_.discards);
  const std::uint32_t n = 1 + below(p_.classes);
  for (std::uint32_t i = 0; i < n; ++i) {
    ClassInfo c;
    c.name = std::string(1, static_cast<char>('A' + i));
    if (chance(40)) c.ints.push_back("y");
    c.array = chance(p_.arrays);
    c.timer = chance(p_.timers);
    classes_.push_back(c);
  }
  signals(root);
  for (std::size_t i = 0; i < classes_.size(); ++i) root.add(a_class(i));
  root.add(system());
  checks(root);
  return root;
}

}  // namespace

Piece model(std::uint64_t seed, const Profile& profile) {
  return Generator(seed, profile).make();
}

}  // namespace parley::random
