#include "report/pattern_pages.hpp"

#include <fmt/format.h>

namespace parley::report {

using ltl::Counted;
using ltl::Pattern;
using ltl::Scope;

namespace {

// Formulas as text, with parentheses only where they are needed.
struct Text {
  enum class Shape : std::uint8_t { Atom, Prefix, Infix };
  std::string text;
  Shape shape = Shape::Atom;
};

struct Writer {
  static std::string part(const Text& t) {
    return t.shape == Text::Shape::Infix ? '(' + t.text + ')' : t.text;
  }
  static Text prefix(const char* op, const Text& t) { return {op + part(t), Text::Shape::Prefix}; }
  static Text infix(const Text& a, const char* op, const Text& b) {
    return {fmt::format("{} {} {}", part(a), op, part(b)), Text::Shape::Infix};
  }
  Text negate(const Text& t) const { return prefix("!", t); }
  Text both(const Text& a, const Text& b) const { return infix(a, "&&", b); }
  Text either(const Text& a, const Text& b) const { return infix(a, "||", b); }
  Text implies(const Text& a, const Text& b) const { return infix(a, "->", b); }
  Text next(const Text& t) const { return prefix("X ", t); }
  Text eventually(const Text& t) const { return prefix("F ", t); }
  Text always(const Text& t) const { return prefix("G ", t); }
  Text until(const Text& a, const Text& b) const { return infix(a, "U", b); }
  Text weak_until(const Text& a, const Text& b) const { return infix(a, "W", b); }
};

struct ScopeRow {
  Scope scope;
  const char* written;
  const char* meaning;
};
constexpr ScopeRow kScopes[] = {
    {Scope::Globally, "", "in the whole run"},
    {Scope::Before, "before R", "up to the first R; runs without R are not looked at"},
    {Scope::After, "after Q", "from the first Q on"},
    {Scope::Between, "between Q and R", "from each Q up to the next R; a Q that no R follows does not count"},
    {Scope::AfterUntil, "after Q until R", "from each Q up to the next R, or for ever if none comes"}};

struct Row {
  Pattern pattern;
  const char* name;
  const char* title;
  const char* syntax;
  const char* words;
  const char* satisfied;
  const char* violated;
};

// Pictures: one column per position of the run, `…` what it does for ever.
constexpr Row kRows[] = {
    {Pattern::Absence, "absence", "Something never happens", "never P",
     "P is false at every position. Of a state predicate, in the whole run, it is an ordinary invariant.",
     "· · · · · …    no P at all", "· · P · · …    P once is once too often"},
    {Pattern::Existence, "existence", "Something happens at some time", "eventually P",
     "P is true at one position at least. A run that ends before it, or goes round without it, violates it; "
     "`assume fair scheduling;` leaves out runs in which somebody who could bring it about never gets a "
     "turn.",
     "· · P · · …    once is enough", "· · · (· ·)    goes round for ever without P"},
    {Pattern::Universality, "universality", "Something always holds", "always P",
     "P is true at every position. Of a state predicate, in the whole run, it is an ordinary invariant.",
     "P P P P P …", "P P · P P …    one gap"},
    {Pattern::BoundedExistence, "bounded-existence", "Something happens at most n times", "P at most n times",
     "Of states it is counted how often P becomes true: staying in P is one time. Of events (a formula with "
     "sends, receives, discards or takes) every step counts: two messages one after the other are two. The "
     "formulas are those for n = 2.",
     "· P P · P · …    twice, of a state", "· P · P · P …    three times"},
    {Pattern::Precedence, "precedence", "Something happens only after something else", "S precedes P",
     "No P before the first S. P need not come at all, and one S allows any number of P.",
     "· · S · P P …    S came first", "· P · S · P …    the first P had no S before it"},
    {Pattern::Response, "response", "Something is always followed by something else", "P leads to S",
     "Whenever P is true, S is true then or later. One S answers all P before it. If P never happens it "
     "holds, and the answer says that it is vacuous.",
     "· P · S · P S …    every P gets its S", "· P · S · P (· ·)    the last P waits for ever"}};

std::string page_of(const Row& row) {
  std::string page = fmt::format("{}\n\n  check {};\n\n", row.words, row.syntax);
  page += fmt::format("  satisfied:  {}\n  violated:   {}\n\n", row.satisfied, row.violated);
  page += "A scope says in which part of a run:\n\n";
  for (const ScopeRow& s : kScopes) {
    page +=
        fmt::format("  {}{}{}\n      {}\n", row.syntax, *s.written == '\0' ? "" : " ", s.written, s.meaning);
    page += fmt::format("      {}\n", pattern_formula(row.pattern, s.scope, Counted::Phases));
    if (row.pattern == Pattern::BoundedExistence)
      page += fmt::format("      events: {}\n", pattern_formula(row.pattern, s.scope, Counted::Positions));
  }
  page +=
      "\nA part of a run includes the position of Q and not that of R. `parley explain patterns` lists all "
      "patterns.";
  return page;
}

}  // namespace

std::string pattern_formula(Pattern pattern, Scope scope, Counted counted) {
  const Writer writer;
  const ltl::PatternParts<Text> parts{{"P"}, {"S"}, {"Q"}, {"R"}, 2, counted};
  return ltl::formula_of(writer, pattern, scope, parts).text;
}

const std::vector<PatternPage>& pattern_pages() {
  static const std::vector<PatternPage> pages = [] {
    std::vector<PatternPage> list;
    for (const Row& row : kRows) list.push_back({row.name, row.title, row.syntax, page_of(row)});
    return list;
  }();
  return pages;
}

const PatternPage* find_pattern_page(const std::string& name) {
  for (const PatternPage& p : pattern_pages())
    if (p.name == name) return &p;
  return nullptr;
}

std::string pattern_overview() {
  std::string out = "Patterns (dwyer1999), each with a page of its own:\n\n";
  for (const PatternPage& p : pattern_pages())
    out += fmt::format("  {:<19}{:<20}{}\n", p.name, p.syntax, p.title);
  out += "\nScopes, written behind a pattern:\n\n";
  for (const ScopeRow& s : kScopes)
    out += fmt::format("  {:<19}{}\n", *s.written == '\0' ? "(nothing)" : s.written, s.meaning);
  return out + "\n  check every_request: request leads to answer after open until close;\n";
}

}  // namespace parley::report
