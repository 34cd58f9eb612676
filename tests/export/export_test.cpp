// Exports mean the same as the System: AIGER through ABC (pdr, bmc3), SMT-LIB through Z3, Promela through
// Spin, BTOR2 through a replayer of our own that runs beside the reference interpreter.
#include <gtest/gtest.h>
#include <z3++.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <sstream>

#include "explore/random_system.hpp"
#include "export/circuit.hpp"
#include "semantics/hand_made.hpp"
#include "semantics/interpreter.hpp"
#include "symbolic/shortest.hpp"

namespace parley::exporting {
namespace {

std::string run(const std::string& command) {
  std::array<char, 4096> buffer{};
  std::string out;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return {};
  while (fgets(buffer.data(), buffer.size(), pipe) != nullptr) out += buffer.data();
  pclose(pipe);
  return out;
}

std::filesystem::path scratch(const std::string& name) {
  const auto dir =
      std::filesystem::path(::testing::TempDir()) / ("parley-export-" + std::to_string(getpid()));
  std::filesystem::create_directories(dir);
  return dir / name;
}

std::vector<system::PropertyId> exported(const system::System& s) {
  std::vector<system::PropertyId> out;
  for (std::size_t p = 0; p < s.properties.size(); ++p)
    if (encode::Relation::supports(s.properties[p].kind)) out.emplace_back(p);
  return out;
}

// The ping-pong with a counter that may run over its range (a run-time error after the third send) or not.
system::System pingpong(bool broken) {
  testing::PingPong m;
  if (broken) m.s.actions[m.send_ping.index()].guard = m.s.exprs.boolean(true);
  system::Property p;
  p.kind = system::PropertyKind::NoRuntimeError;
  p.name = "no run-time errors";
  m.s.add(p);
  return m.s;
}

Circuit circuit_of(const system::System& s) {
  return Circuit(s, semantics::capacities(s), exported(s));
}

TEST(Aiger, AbcAgrees) {
  if (run("which berkeley-abc").empty()) GTEST_SKIP() << "berkeley-abc is not installed";
  for (const bool broken : {false, true}) {
    const auto path = scratch("p.aig");
    std::ofstream(path, std::ios::binary) << to_aiger(circuit_of(pingpong(broken)));
    const std::string pdr = run("berkeley-abc -c 'read_aiger " + path.string() + "; pdr'");
    EXPECT_EQ(pdr.find("Property proved") != std::string::npos, !broken) << pdr;
    const std::string bmc = run("berkeley-abc -c 'read_aiger " + path.string() + "; bmc3 -F 12'");
    EXPECT_EQ(bmc.find("was asserted in frame") != std::string::npos, broken) << bmc;
  }
}

TEST(Aiger, AbcFindsTheShortestRunsOfRandomSystems) {
  if (run("which berkeley-abc").empty()) GTEST_SKIP() << "berkeley-abc is not installed";
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const system::System s = testing::RandomSystem(seed).make();
    const testing::Shortest want = testing::shortest_runs(semantics::Interpreter(s), 800);
    if (!want.complete) continue;
    for (const system::PropertyId p : exported(s)) {
      std::unique_ptr<Circuit> c;
      try {
        c = std::make_unique<Circuit>(s, semantics::capacities(s), std::vector<system::PropertyId>{p});
      } catch (const encode::Unsupported&) {
        continue;
      }
      const auto path = scratch("r.aig");
      std::ofstream(path, std::ios::binary) << to_aiger(*c);
      const std::string out = run("berkeley-abc -c 'read_aiger " + path.string() + "; bmc3 -F 40 -T 60'");
      const auto at = want.length.find(p.value);
      if (at != want.length.end() && at->second > 30) continue;
      const auto found = out.find("was asserted in frame ");
      if (found == std::string::npos && out.find("No output asserted") == std::string::npos)
        continue;  // out of time
      ASSERT_EQ(found != std::string::npos, at != want.length.end())
          << "seed " << seed << ' ' << s.property(p).name << out;
      ++compared;
      if (found == std::string::npos) continue;
      // A failing step is seen in the frame it starts from; the start step adds one.
      const auto frame = static_cast<std::size_t>(std::atoi(out.c_str() + found + 22));
      const std::size_t offset = c->has_start_step() ? 1 : 0;
      EXPECT_LE(frame, at->second + offset) << seed;
      EXPECT_GE(frame + 1, at->second + (at->second > 0 ? offset : 0)) << seed;
    }
  }
  EXPECT_GT(compared, 8);
}

TEST(Smtlib, Z3FindsTheViolationAtItsBound) {
  // The failing step is seen in the state it starts from, so one step before its own length.
  const system::System s = pingpong(true);
  const testing::Shortest want = testing::shortest_runs(semantics::Interpreter(s), 1000);
  const auto length = static_cast<std::uint32_t>(want.length.at(0));
  const Circuit c = circuit_of(s);
  for (const std::uint32_t bound : {length - 2, length - 1}) {
    z3::context z;
    z3::solver solver(z);
    solver.from_string(to_smtlib(c, 0, bound).c_str());
    EXPECT_EQ(solver.check(), bound + 1 < length ? z3::unsat : z3::sat) << bound;
  }
}

TEST(Promela, SpinAgrees) {
  if (run("which spin").empty()) GTEST_SKIP() << "spin is not installed";
  for (const bool broken : {false, true}) {
    const auto path = scratch("p.pml");
    std::ofstream(path) << to_promela(circuit_of(pingpong(broken)));
    const std::string out = run("cd " + path.parent_path().string() +
                                " && spin -a p.pml && cc -O1 -DSAFETY -o pan pan.c && ./pan -m20000");
    EXPECT_NE(out.find(broken ? "errors: 1" : "errors: 0"), std::string::npos) << out;
  }
}

// A reader for the part of BTOR2 that we write: one-bit sorts.
class Btor2 {
 public:
  explicit Btor2(const std::string& text) {
    std::istringstream in(text);
    std::string line;
    while (std::getline(in, line)) {
      if (line.empty() || line[0] == ';') continue;
      std::istringstream words(line);
      Line l;
      words >> l.id >> l.op;
      if (l.op == "sort") continue;
      if (l.op != "bad") {
        int sort = 0;
        words >> sort;
      }
      if (l.op == "input" || l.op == "state") {
        words >> l.name;
      } else {
        words >> l.x >> l.y;
      }
      if (l.op == "init") values_[l.x] = l.y == 3;
      if (l.op == "state") states_[l.name] = l.id;
      if (l.op == "input") inputs_[l.name] = l.id;
      lines_.push_back(l);
    }
  }
  void set(const std::string& input, bool value) { values_[inputs_.at(input)] = value; }
  bool state(const std::string& name) const { return values_.at(states_.at(name)); }
  const std::map<std::string, long>& inputs() const { return inputs_; }
  std::vector<bool> evaluate() {  // the bad signals
    std::vector<bool> bad;
    for (const Line& l : lines_) {
      if (l.op == "zero") values_[l.id] = false;
      if (l.op == "one") values_[l.id] = true;
      if (l.op == "and") values_[l.id] = value(l.x) && value(l.y);
      if (l.op == "bad") bad.push_back(value(l.x));
    }
    return bad;
  }
  void step() {
    std::map<long, bool> next;
    for (const Line& l : lines_)
      if (l.op == "next") next[l.x] = value(l.y);
    for (const auto& [id, v] : next) values_[id] = v;
  }

 private:
  struct Line {
    long id = 0;
    std::string op, name;
    long x = 0, y = 0;
  };
  bool value(long x) const { return x < 0 ? !values_.at(-x) : values_.at(x); }
  std::vector<Line> lines_;
  std::map<long, bool> values_;
  std::map<std::string, long> states_, inputs_;
};

TEST(Btor2, ReplaysBesideTheInterpreter) {
  std::mt19937 random(5);
  int moved = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const system::System s = testing::RandomSystem(seed).make();
    const semantics::Interpreter in(s);
    std::unique_ptr<Circuit> c;
    try {
      c = std::make_unique<Circuit>(circuit_of(s));
    } catch (const encode::Unsupported&) {
      continue;
    }
    if (c->has_start_step()) continue;  // the start is one of many
    Btor2 machine(to_btor2(*c));
    const encode::Layout& layout = c->relation().layout();
    const auto current = [&] {
      std::vector<bool> bits;
      for (const encode::StateBit& b : layout.bits()) bits.push_back(machine.state(b.name()));
      return layout.decode(bits);
    };
    semantics::State state = in.initial_states()[0].result.state;
    ASSERT_EQ(current().cells, state.cells);
    for (int i = 0; i < 60; ++i) {
      std::vector<std::string> fires;
      for (const auto& [name, id] : machine.inputs()) {
        machine.set(name, name.starts_with("choice") && random() % 2 != 0);
        if (name.starts_with("fire")) fires.push_back(name);
      }
      const std::string fired = fires[random() % fires.size()];
      machine.set(fired, true);
      machine.evaluate();
      machine.step();
      const semantics::State after = current();
      if (after.cells == state.cells && after.queues == state.queues)
        continue;  // it did not fit, or did nothing
      bool allowed = false;
      for (const auto& next : in.successors(state))
        if (next.result.outcome == semantics::Outcome::Done &&
            next.step.action.value == static_cast<std::uint32_t>(std::stoul(fired.substr(4))) &&
            next.result.state.cells == after.cells && next.result.state.queues == after.queues) {
          allowed = true;
          state = next.result.state;
        }
      ASSERT_TRUE(allowed) << "seed " << seed << ' ' << fired;
      ++moved;
    }
  }
  EXPECT_GT(moved, 20);
}

// There is no NuSMV in Debian; at least every name that is used is declared.
TEST(Smv, UsesDeclaredNamesOnly) {
  const std::string text = to_smv(circuit_of(pingpong(true)));
  std::set<std::string> declared{"TRUE", "FALSE", "next", "init"};
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string first, second;
    words >> first >> second;
    if (first == "VAR" || first == "IVAR") declared.insert(second);
    if (first[0] == 'g' && second == ":=") declared.insert(first);
  }
  std::istringstream again(text);
  while (std::getline(again, line)) {
    if (line.starts_with("--") || line.find('&') == std::string::npos) continue;
    std::string word;
    for (const char ch : line + " ") {
      if (std::isalnum(static_cast<unsigned char>(ch)) != 0 || ch == '_') {
        word += ch;
      } else if (!word.empty()) {
        EXPECT_TRUE(declared.contains(word)) << word;
        word.clear();
      }
    }
  }
}

}  // namespace
}  // namespace parley::exporting
