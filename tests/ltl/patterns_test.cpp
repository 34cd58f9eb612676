// The formula of every pattern in every scope against what it means, written down over the positions of a
// word: segments by the definition of scopes (dwyer1999, figure 1), then the pattern in each segment.
#include "ltl/patterns.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "ltl/formula_text.hpp"
#include "ltl/lasso.hpp"
#include "ltl/random_formula.hpp"

namespace parley::ltl {
namespace {

constexpr std::uint32_t kP = 0, kS = 1, kQ = 2, kR = 3;

// The beginning of a lasso, long enough: whatever happens for ever happens in it often enough to be seen.
struct Unrolled {
  std::vector<Letter> letters;
  std::size_t starts;  // positions that differ in what follows
  std::size_t loop;

  explicit Unrolled(const Lasso& word) : starts(word.size()), loop(word.loop.size()) {
    std::size_t at = 0;
    for (std::size_t i = 0; i < word.stem.size() + 8 * word.loop.size(); ++i, at = word.next(at))
      letters.push_back(word.at(at));
  }
  bool at(std::size_t i, std::uint32_t proposition) const { return (letters[i] >> proposition & 1) != 0; }
  std::optional<std::size_t> first(std::uint32_t proposition, std::size_t from) const {
    for (std::size_t i = from; i < letters.size(); ++i)
      if (at(i, proposition)) return i;
    return std::nullopt;
  }
};

struct Segment {
  std::size_t begin = 0;
  std::optional<std::size_t> end;  // none: it goes on for ever
};

std::vector<Segment> segments(const Unrolled& w, Scope scope) {
  switch (scope) {
    case Scope::Globally:
      return {{0, std::nullopt}};
    case Scope::Before:
      if (const auto r = w.first(kR, 0)) return {{0, r}};
      return {};
    case Scope::After:
      if (const auto q = w.first(kQ, 0)) return {{*q, std::nullopt}};
      return {};
    case Scope::Between:
    case Scope::AfterUntil:
      break;
  }
  std::vector<Segment> all;
  for (std::size_t i = 0; i < w.starts; ++i) {
    if (!w.at(i, kQ) || w.at(i, kR)) continue;
    const auto r = w.first(kR, i);
    if (r || scope == Scope::AfterUntil) all.push_back({i, r});
  }
  return all;
}

bool holds_in(const Unrolled& w, const Segment& segment, Pattern pattern, std::uint32_t most,
              Counted counted) {
  const std::size_t end = segment.end.value_or(w.letters.size());
  std::size_t times = 0;
  bool all = true, seen_s = false, s_first = true;
  for (std::size_t i = segment.begin; i < end; ++i) {
    const bool p = w.at(i, kP);
    const bool goes_on = i > segment.begin && w.at(i - 1, kP);
    if (p && !(counted == Counted::Phases && goes_on)) ++times;
    all = all && p;
    seen_s = seen_s || w.at(i, kS);
    if (p && !seen_s) s_first = false;
  }
  switch (pattern) {
    case Pattern::Absence:
      return times == 0;
    case Pattern::Existence:
      return times > 0;
    case Pattern::Universality:
      return all;
    case Pattern::BoundedExistence:
      return times <= most;
    case Pattern::Precedence:
      return s_first;
    case Pattern::Response:
      break;
  }
  // In a segment without end an S that comes at all comes within a loop.
  const std::size_t last = segment.end ? end : w.letters.size() - w.loop;
  for (std::size_t i = segment.begin; i < last; ++i) {
    if (!w.at(i, kP)) continue;
    const auto s = w.first(kS, i);
    if (!s || *s >= end) return false;
  }
  return true;
}

bool means(const Lasso& word, Pattern pattern, Scope scope, std::uint32_t most, Counted counted) {
  const Unrolled w(word);
  for (const Segment& s : segments(w, scope))
    if (!holds_in(w, s, pattern, most, counted)) return false;
  return true;
}

// Letters in which R and Q are rare enough for segments, and P is frequent, rare or neither.
Lasso random_word(random::Source& source) {
  const auto letters = [&](std::uint32_t count) {
    const std::uint32_t rare = 2 + source.below(6), mostly = source.below(3);
    std::vector<Letter> all;
    for (std::uint32_t i = 0; i < count; ++i) {
      Letter l = source.below(4);
      if (source.below(rare) == 0) l |= 1u << kQ;
      if (source.below(rare) == 0) l |= 1u << kR;
      if (mostly == 0 && source.below(8) != 0) l |= 1u << kP;
      if (mostly == 1 && source.below(2) != 0) l &= ~Letter{1u << kP};
      all.push_back(l);
    }
    return all;
  };
  const std::uint32_t stem = source.below(9), loop = 1 + source.below(4);
  return {letters(stem), letters(loop)};
}

class Patterns : public ::testing::TestWithParam<std::tuple<Pattern, Scope>> {};

TEST_P(Patterns, TheFormulaSaysWhatThePatternMeans) {
  const auto [pattern, scope] = GetParam();
  random::Source source(static_cast<std::uint64_t>(pattern) * 16 + static_cast<std::uint64_t>(scope));
  int held = 0, violated = 0;
  for (const Counted counted : {Counted::Phases, Counted::Positions})
    for (std::uint32_t most = 0; most <= (pattern == Pattern::BoundedExistence ? 3u : 0u); ++most) {
      Store store;
      const PatternParts<FormulaId> parts{store.atom(kP), store.atom(kS), store.atom(kQ),
                                          store.atom(kR), most,           counted};
      const FormulaId formula = formula_of(store, pattern, scope, parts);
      for (int i = 0; i < 3000; ++i) {
        const Lasso word = random_word(source);
        const bool meant = means(word, pattern, scope, most, counted);
        (meant ? held : violated) += 1;
        ASSERT_EQ(holds(store, formula, word), meant)
            << show(store, formula, std::vector<std::string>{"P", "S", "Q", "R"}) << ", word " << i;
      }
    }
  EXPECT_GT(held, 100);
  EXPECT_GT(violated, 100);
}

INSTANTIATE_TEST_SUITE_P(
    All, Patterns,
    ::testing::Combine(::testing::Values(Pattern::Absence, Pattern::Existence, Pattern::Universality,
                                         Pattern::BoundedExistence, Pattern::Precedence, Pattern::Response),
                       ::testing::Values(Scope::Globally, Scope::Before, Scope::After, Scope::Between,
                                         Scope::AfterUntil)));

// Why these are not the published ones: a word on which the published formula is wrong.
TEST(PublishedPatterns, PrecedenceAfterIsContentWithAnyStart) {
  Store store;
  std::vector<std::string> names = {"p", "s", "q", "r"};
  const Parsed published = parse(store, "[] !q || <> (q && (!p W s))", names);
  ASSERT_TRUE(published.error.empty());
  // Q, then P without S before it, then Q again and nothing more.
  const Lasso word{{1u << kQ, 1u << kP, 1u << kQ}, {0}};
  EXPECT_TRUE(holds(store, published.formula, word));
  EXPECT_FALSE(means(word, Pattern::Precedence, Scope::After, 0, Counted::Phases));
}

// Ours is written with weak untils throughout; it says the same.
TEST(PublishedPatterns, BoundedExistenceAfterUntilIsTheSame) {
  Store store;
  std::vector<std::string> names = {"p", "s", "q", "r"};
  const Parsed published = parse(
      store,
      "[] (q -> ((!p && !r) U (r || ((p && !r) U (r || ((!p && !r) U (r || ((p && !r) U (r || (!p W r) || "
      "[] p)))))))))",
      names);
  ASSERT_TRUE(published.error.empty()) << published.error;
  const PatternParts<FormulaId> parts{store.atom(kP), store.atom(kS), store.atom(kQ), store.atom(kR), 2,
                                      Counted::Phases};
  const FormulaId ours = formula_of(store, Pattern::BoundedExistence, Scope::AfterUntil, parts);
  random::Source source(77);
  for (int i = 0; i < 3000; ++i) {
    const Lasso word = random_word(source);
    ASSERT_EQ(holds(store, published.formula, word), holds(store, ours, word)) << i;
  }
}

}  // namespace
}  // namespace parley::ltl
