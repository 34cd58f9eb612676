// An independent count: dining philosophers written down once more as a small program of its own, with its
// own states and its own search. It knows nothing of the tool; the tool must find as many states and
// transitions.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <queue>
#include <sstream>

#include "diag/diagnostic.hpp"
#include "explore/explore.hpp"
#include "front/text/parser.hpp"
#include "lower/lower.hpp"
#include "model/resolve.hpp"

namespace parley::testing {
namespace {

enum Philosopher { thinking, hungry, holding_left, eating };

// Fork messages: who >= 0 asks for it, -1 puts it back.
struct Table {
  std::vector<int> phil, held, granted;
  std::vector<std::vector<int>> fork;
  auto operator<=>(const Table&) const = default;
};

std::vector<Table> next(const Table& t) {
  const int n = static_cast<int>(t.phil.size());
  std::vector<Table> out;
  for (int i = 0; i < n; ++i) {
    const int left = i, right = (i + 1) % n;
    Table u = t;
    if (t.phil[i] == thinking) {
      u.phil[i] = hungry;
      u.fork[left].push_back(i);
      out.push_back(u);
    } else if (t.phil[i] == eating) {
      u.phil[i] = thinking;
      u.fork[left].push_back(-1);
      u.fork[right].push_back(-1);
      out.push_back(u);
    } else if (t.granted[i] > 0) {
      --u.granted[i];
      if (t.phil[i] == hungry) u.fork[right].push_back(i);
      u.phil[i] = t.phil[i] == hungry ? holding_left : eating;
      out.push_back(u);
    }
  }
  for (int f = 0; f < n; ++f) {
    // Free: the first message is a wish and is granted. Held: wishes wait, the first `put` is taken.
    for (std::size_t m = 0; m < t.fork[f].size(); ++m) {
      const int who = t.fork[f][m];
      if (t.held[f] && who >= 0) continue;
      Table u = t;
      u.fork[f].erase(u.fork[f].begin() + static_cast<std::ptrdiff_t>(m));
      u.held[f] = !t.held[f];
      EXPECT_EQ(who >= 0, !t.held[f]) << "a fork was put back twice";
      if (who >= 0) ++u.granted[who];
      out.push_back(u);
      break;
    }
  }
  return out;
}

struct Count {
  std::size_t states = 0, transitions = 0, depth = 0;
};

Count by_hand(int n) {
  Table start{std::vector<int>(n, thinking), std::vector<int>(n, 0), std::vector<int>(n, 0),
              std::vector<std::vector<int>>(n)};
  std::map<Table, std::size_t> seen{{start, 0}};
  std::queue<Table> todo;
  todo.push(start);
  Count c;
  while (!todo.empty()) {
    const Table t = todo.front();
    todo.pop();
    const std::size_t depth = seen.at(t);
    c.depth = std::max(c.depth, depth);
    for (const Table& u : next(t)) {
      ++c.transitions;
      if (seen.emplace(u, depth + 1).second) todo.push(u);
    }
  }
  c.states = seen.size();
  return c;
}

TEST(Philosophers, AnIndependentProgramCountsTheSame) {
  std::stringstream text;
  text << std::ifstream(std::string(PARLEY_SOURCE_DIR) + "/examples/philosophers.ply").rdbuf();
  for (int n = 2; n <= 5; ++n) {
    diag::SourceMap sources;
    diag::Diagnostics diagnostics;
    model::Model model =
        front::text::parse(sources, sources.add("philosophers.ply", text.str()), diagnostics);
    model::ResolveOptions options;
    options.constants["N"] = std::to_string(n);
    model::resolve(model, diagnostics, options);
    ASSERT_FALSE(diagnostics.has_errors());
    const auto lowered = lower::lower(model, diagnostics);
    ASSERT_TRUE(lowered);
    const system::System& s = lowered->system;
    explore::Explorer explorer({explore::SearchOrder::BreadthFirst, true});
    explorer.check(engine::Request{s, {}, semantics::capacities(s), {}, 0, nullptr, {}, {}});
    const Count c = by_hand(n);
    EXPECT_EQ(explorer.statistics().states, c.states) << n;
    EXPECT_EQ(explorer.statistics().transitions, c.transitions) << n;
    EXPECT_EQ(explorer.statistics().depth, c.depth) << n;
  }
}

}  // namespace
}  // namespace parley::testing
