// The prints of a Circuit. Each writer numbers or names the nodes its own way; none of them changes a gate.
#include <fmt/format.h>

#include <unordered_map>

#include "diag/diagnostic.hpp"
#include "export/circuit.hpp"

namespace parley::exporting {

using encode::Aig;
using encode::inverted;
using encode::Lit;
using encode::node_of;

namespace {

// One line of text, safe inside comments of every format.
std::string tame(const std::string& name) {
  std::string text = diag::sanitise(name);
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 32) c = ' ';
  for (std::size_t at = text.find("*/"); at != std::string::npos; at = text.find("*/", at))
    text.insert(at + 1, " ");
  return text;
}

void append_delta(std::string& out, std::uint32_t delta) {
  while (delta >= 128) {
    out.push_back(static_cast<char>((delta & 127) | 128));
    delta >>= 7;
  }
  out.push_back(static_cast<char>(delta));
}

}  // namespace

// Latches start at 0 as old readers expect: a bit that starts at 1 is stored negated.
std::string to_aiger(const Circuit& c) {
  const Aig& g = c.aig();
  std::vector<std::uint32_t> number(g.size(), 0);  // AIGER literal of the node, may be negated
  std::uint32_t next = 1;
  for (const Input& i : c.inputs()) number[node_of(i.now)] = 2 * next++;
  for (const Latch& l : c.latches()) number[node_of(l.now)] = 2 * next++ + (l.initial ? 1 : 0);
  const auto gates = c.gates();
  for (const std::uint32_t n : gates) number[n] = 2 * next++;
  const auto lit = [&](Lit x) { return number[node_of(x)] ^ (inverted(x) ? 1u : 0u); };
  std::string out = fmt::format("aig {} {} {} {} {}\n", next - 1, c.inputs().size(), c.latches().size(),
                                c.bads().size(), gates.size());
  for (const Latch& l : c.latches()) out += fmt::format("{}\n", lit(l.next) ^ (l.initial ? 1u : 0u));
  for (const Bad& b : c.bads()) out += fmt::format("{}\n", lit(b.when));
  for (const std::uint32_t n : gates) {
    std::uint32_t a = lit(g.left(n)), b = lit(g.right(n));
    if (a < b) std::swap(a, b);
    append_delta(out, number[n] - a);
    append_delta(out, a - b);
  }
  for (std::size_t i = 0; i < c.inputs().size(); ++i) out += fmt::format("i{} {}\n", i, c.inputs()[i].name);
  for (std::size_t i = 0; i < c.latches().size(); ++i)
    out += fmt::format("l{} {}{}\n", i, c.latches()[i].initial ? "not_" : "", c.latches()[i].name);
  for (std::size_t i = 0; i < c.bads().size(); ++i) out += fmt::format("o{} {}\n", i, tame(c.bads()[i].name));
  out += fmt::format("c\nparley: {}\n", tame(c.relation().system().name));
  return out;
}

std::string to_btor2(const Circuit& c) {
  const Aig& g = c.aig();
  std::string out =
      fmt::format("; parley: {}\n1 sort bitvec 1\n2 zero 1\n3 one 1\n", tame(c.relation().system().name));
  std::vector<std::int64_t> number(g.size(), 0);
  number[0] = 2;
  std::int64_t next = 4;
  for (const Input& i : c.inputs()) {
    out += fmt::format("{} input 1 {}\n", next, i.name);
    number[node_of(i.now)] = next++;
  }
  for (const Latch& l : c.latches()) {
    out += fmt::format("{} state 1 {}\n", next, l.name);
    number[node_of(l.now)] = next++;
    out += fmt::format("{} init 1 {} {}\n", next, next - 1, l.initial ? 3 : 2);
    ++next;
  }
  const auto lit = [&](Lit x) { return inverted(x) ? -number[node_of(x)] : number[node_of(x)]; };
  for (const std::uint32_t n : c.gates()) {
    out += fmt::format("{} and 1 {} {}\n", next, lit(g.left(n)), lit(g.right(n)));
    number[n] = next++;
  }
  for (const Latch& l : c.latches()) {
    out += fmt::format("{} next 1 {} {}\n", next++, number[node_of(l.now)], lit(l.next));
  }
  for (const Bad& b : c.bads()) out += fmt::format("{} bad {} ; {}\n", next++, lit(b.when), tame(b.name));
  return out;
}

std::string to_smv(const Circuit& c) {
  const Aig& g = c.aig();
  std::unordered_map<std::uint32_t, std::string> name{{0, "FALSE"}};
  const auto plain = [](std::string text) {  // identifiers take no dots
    for (char& ch : text)
      if (ch == '.') ch = '_';
    return text;
  };
  std::string out = fmt::format("-- parley: {}\nMODULE main\n", tame(c.relation().system().name));
  for (const Input& i : c.inputs()) {
    name[node_of(i.now)] = plain(i.name);
    out += fmt::format("IVAR {} : boolean;\n", plain(i.name));
  }
  for (const Latch& l : c.latches()) {
    name[node_of(l.now)] = plain(l.name);
    out += fmt::format("VAR {} : boolean;\n", plain(l.name));
  }
  const auto lit = [&](Lit x) {
    if (x == encode::kTrue) return std::string("TRUE");
    return inverted(x) ? "!" + name.at(node_of(x)) : name.at(node_of(x));
  };
  out += "DEFINE\n";
  for (const std::uint32_t n : c.gates()) {
    name[n] = fmt::format("g{}", n);
    out += fmt::format("  g{} := {} & {};\n", n, lit(g.left(n)), lit(g.right(n)));
  }
  out += "ASSIGN\n";
  for (const Latch& l : c.latches())
    out += fmt::format("  init({0}) := {1};\n", plain(l.name), l.initial ? "TRUE" : "FALSE");
  out += "TRANS TRUE\n";
  for (const Latch& l : c.latches())
    out += fmt::format("  & (next({}) <-> {})\n", plain(l.name), lit(l.next));
  // A bad signal may read inputs; a register makes it a property of states, one step later.
  for (std::size_t i = 0; i < c.bads().size(); ++i) {
    out +=
        fmt::format("-- {}\nVAR bad{} : boolean;\nINIT !bad{}\nTRANS next(bad{}) <-> {}\nINVARSPEC !bad{}\n",
                    tame(c.bads()[i].name), i, i, i, lit(c.bads()[i].when), i);
  }
  return out;
}

// One process: pick what fires and the choices, compute the gates, then take all next values at once. Gates
// are hidden variables, so Spin's states are ours.
std::string to_promela(const Circuit& c) {
  const Aig& g = c.aig();
  std::unordered_map<std::uint32_t, std::string> name{{0, "0"}};
  std::string out = fmt::format("/* parley: {} */\n", tame(c.relation().system().name));
  out += fmt::format("bit s[{}];\nhidden byte n[{}];\nhidden byte i[{}];\n", c.latches().size(),
                     c.latches().size(), std::max<std::size_t>(c.inputs().size(), 1));
  const auto gates = c.gates();
  out += fmt::format("hidden byte g[{}];\nhidden int fired;\n", std::max<std::size_t>(gates.size(), 1));
  std::vector<std::size_t> fires, choices;
  for (std::size_t k = 0; k < c.inputs().size(); ++k) {
    name[node_of(c.inputs()[k].now)] = fmt::format("i[{}]", k);
    (c.inputs()[k].name.starts_with("fire") ? fires : choices).push_back(k);
  }
  for (std::size_t k = 0; k < c.latches().size(); ++k)
    name[node_of(c.latches()[k].now)] = fmt::format("s[{}]", k);
  const auto lit = [&](Lit x) { return (inverted(x) ? "!" : "") + name.at(node_of(x)); };
  out += "active proctype system_step() {\n";
  for (std::size_t k = 0; k < c.latches().size(); ++k)
    if (c.latches()[k].initial) out += fmt::format("  s[{}] = 1;\n", k);
  out += "  do\n  :: atomic {\n    if\n    :: fired = -1\n";
  for (const std::size_t k : fires) out += fmt::format("    :: fired = {}\n", k);
  out += "    fi;\n";
  for (const std::size_t k : choices) out += fmt::format("    if :: i[{0}] = 0 :: i[{0}] = 1 fi;\n", k);
  out += "    d_step {\n";
  for (const std::size_t k : fires) out += fmt::format("      i[{0}] = (fired == {0});\n", k);
  for (std::size_t k = 0; k < gates.size(); ++k) {
    name[gates[k]] = fmt::format("g[{}]", k);
    out += fmt::format("      g[{}] = {} && {};\n", k, lit(g.left(gates[k])), lit(g.right(gates[k])));
  }
  for (const Bad& b : c.bads())
    out += fmt::format("      assert(!({})); /* {} */\n", lit(b.when), tame(b.name));
  for (std::size_t k = 0; k < c.latches().size(); ++k)
    out += fmt::format("      n[{}] = {};\n", k, lit(c.latches()[k].next));
  for (std::size_t k = 0; k < c.latches().size(); ++k) out += fmt::format("      s[{0}] = n[{0}];\n", k);
  out += "    }\n  }\n  od\n}\n";
  return out;
}

std::string to_smtlib(const Circuit& c, std::size_t property, std::uint32_t bound) {
  const Aig& g = c.aig();
  std::string out = fmt::format("; parley: {}\n; sat: `{}` is violated within {} steps\n(set-logic QF_UF)\n",
                                tame(c.relation().system().name), tame(c.bads()[property].name), bound);
  const auto gates = c.gates();
  std::string any;
  for (std::uint32_t k = 0; k <= bound; ++k) {
    std::unordered_map<std::uint32_t, std::string> name{{0, "false"}};
    const auto lit = [&](Lit x) {
      if (x == encode::kTrue) return std::string("true");
      return inverted(x) ? "(not " + name.at(node_of(x)) + ")" : name.at(node_of(x));
    };
    for (const Input& i : c.inputs()) {
      name[node_of(i.now)] = fmt::format("|{}@{}|", i.name, k);
      out += fmt::format("(declare-const |{}@{}| Bool)\n", i.name, k);
    }
    for (const Latch& l : c.latches()) {
      name[node_of(l.now)] = fmt::format("|{}@{}|", l.name, k);
      if (k == 0)
        out += fmt::format("(define-fun |{}@0| () Bool {})\n", l.name, l.initial ? "true" : "false");
    }
    for (const std::uint32_t n : gates) {
      out += fmt::format("(define-fun g{}@{} () Bool (and {} {}))\n", n, k, lit(g.left(n)), lit(g.right(n)));
      name[n] = fmt::format("g{}@{}", n, k);
    }
    // A named constant per state bit and step, so that solvers need not look through all steps at once.
    if (k < bound)
      for (const Latch& l : c.latches())
        out += fmt::format("(declare-const |{0}@{1}| Bool)\n(assert (= |{0}@{1}| {2}))\n", l.name, k + 1,
                           lit(l.next));
    any += " " + lit(c.bads()[property].when);
  }
  out += fmt::format("(assert (or{} false))\n(check-sat)\n", any);
  return out;
}

}  // namespace parley::exporting
