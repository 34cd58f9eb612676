// parley explain: the help page of a rule.
#include <fmt/format.h>

#include "cli/common.hpp"
#include "report/rules.hpp"
#include "report/text.hpp"

namespace parley::cli {
namespace {

int run_explain(const Arguments& a, Terminal& t) {
  const report::Palette& p = report::palette(t.colour);
  if (a.positional.empty()) {
    for (const report::Rule& r : report::rules()) t.out << fmt::format("{:<24}{}\n", r.id, r.title);
    return kAllHold;
  }
  const report::Rule* rule = report::find_rule(a.positional[0]);
  if (rule == nullptr) {
    std::vector<std::string> ids;
    for (const report::Rule& r : report::rules()) ids.push_back(r.id);
    const std::string near = diag::did_you_mean(a.positional[0], ids);
    throw UsageError{fmt::format("there is no rule `{}`", diag::sanitise(a.positional[0])),
                     near.empty() ? "`parley explain` lists them" : fmt::format("did you mean `{}`?", near)};
  }
  t.out << fmt::format("{}{}{}: {}\n(check {})\n\n{}\n", p.bold, rule->id, p.reset, rule->title,
                       system::describe(rule->kind), rule->page);
  return kAllHold;
}

}  // namespace

Command explain_command() {
  Command c;
  c.name = "explain";
  c.summary = "explain a rule: what it means and what to do about it";
  c.arguments = "[RULE]";
  c.description = "Without an argument it lists the rules.";
  c.min_arguments = 0;
  c.run = run_explain;
  return c;
}

}  // namespace parley::cli
