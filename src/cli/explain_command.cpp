// parley explain: the help page of a rule, of a code behind a message about a model, or of a pattern.
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "diag/diagnostic.hpp"
#include "report/diagnostic_pages.hpp"
#include "report/pattern_pages.hpp"
#include "report/rules.hpp"
#include "report/text.hpp"

namespace parley::cli {
namespace {

int list(bool all, Terminal& t) {
  for (const report::Rule& r : report::rules()) t.out << fmt::format("{:<28}{}\n", r.id, r.title);
  if (all)
    for (const report::DiagnosticPage& d : report::diagnostic_pages())
      t.out << fmt::format("{:<28}{}\n", d.code, d.title);
  return kAllHold;
}

int run_explain(const Arguments& a, Terminal& t) {
  const report::Palette& p = report::palette(t.colour);
  if (a.positional.empty()) return list(a.has("all"), t);
  const std::string& id = a.positional[0];
  if (const report::Rule* rule = report::find_rule(id)) {
    t.out << fmt::format("{}{}{}: {}\n(check {})\n\n{}\n", p.bold, rule->id, p.reset, rule->title,
                         system::describe(rule->kind), rule->page);
    return kAllHold;
  }
  if (const report::DiagnosticPage* d = report::find_diagnostic_page(id)) {
    t.out << fmt::format("{}{}{}: {}\n(a message about a model)\n\n{}\n", p.bold, d->code, p.reset, d->title,
                         d->page);
    return kAllHold;
  }
  if (const report::PatternPage* page = report::find_pattern_page(id)) {
    t.out << fmt::format("{}{}{}: {}\n(a pattern of temporal checks)\n\n{}\n", p.bold, page->name, p.reset,
                         page->title, page->page);
    return kAllHold;
  }
  if (id == "patterns") {
    t.out << report::pattern_overview();
    return kAllHold;
  }
  std::vector<std::string> ids = {"patterns"};
  for (const report::PatternPage& x : report::pattern_pages()) ids.push_back(x.name);
  for (const report::Rule& r : report::rules()) ids.push_back(r.id);
  for (const report::DiagnosticPage& d : report::diagnostic_pages()) ids.push_back(d.code);
  const std::string near = diag::did_you_mean(id, ids);
  throw UsageError{
      fmt::format("there is no rule `{}`", diag::sanitise(id)),
      near.empty() ? "`parley explain --all` lists them" : fmt::format("did you mean `{}`?", near)};
}

}  // namespace

Command explain_command() {
  Command c;
  c.name = "explain";
  c.summary = "explain a rule, a message or a pattern: what it means and what to do about it";
  c.arguments = "[RULE]";
  c.description =
      "RULE is what a property is about (deadlock, lost-message, …) or the code in brackets behind a message "
      "about a "
      "model (unknown-name, never-sent, …), or a pattern of temporal checks (response, …; `patterns` lists "
      "them). Without it the rules are listed.";
  c.options = {{"all", "", "Lists the codes of messages too."}};
  c.min_arguments = 0;
  c.run = run_explain;
  return c;
}

}  // namespace parley::cli
