#include "cli/run.hpp"

#include <fmt/format.h>

#include <new>

#include "cli/project_file.hpp"
#include "cli/supervisor.hpp"
#include "diag/diagnostic.hpp"
#include "support/check.hpp"
#include "support/interrupt.hpp"

#ifndef PARLEY_VERSION
#define PARLEY_VERSION "0.1.0"
#endif

namespace parley::cli {
namespace {

int usage(Terminal& t, const UsageError& e) {
  t.err << "parley: " << e.message << '\n';
  if (!e.hint.empty()) t.err << "hint: " << e.hint << '\n';
  return kBadInput;
}

const Command& command_named(const std::string& name) {
  if (const Command* c = find_command(name)) return *c;
  std::vector<std::string> names;
  for (const Command& c : commands()) names.push_back(c.name);
  const std::string near = diag::did_you_mean(name, names);
  throw UsageError{
      fmt::format("there is no command `{}`", diag::sanitise(name)),
      near.empty() ? "`parley --help` lists them" : fmt::format("did you mean `parley {}`?", near)};
}

int dispatch(const std::vector<std::string>& words, Terminal& t) {
  if (words.empty() || words[0] == "--help" || words[0] == "-h" ||
      (words[0] == "help" && words.size() == 1)) {
    (words.empty() ? t.err : t.out) << general_help();
    return words.empty() ? kBadInput : kAllHold;
  }
  if (words[0] == "--version") {
    t.out << "parley " << PARLEY_VERSION << '\n';
    return kAllHold;
  }
  const bool help_word = words[0] == "help";
  const Command& command = command_named(words[help_word ? 1 : 0]);
  const std::vector<std::string> rest(words.begin() + 1, words.end());
  bool wants_help = help_word;
  for (const std::string& w : rest) {
    if (w == "--") break;
    wants_help = wants_help || w == "--help" || w == "-h";
  }
  if (wants_help) {
    t.out << command_help(command);
    return kAllHold;
  }
  Arguments arguments = parse(command, rest);
  apply_project_file(command, arguments);
  if (t.supervisor != nullptr) t.supervisor->arm(Budget::of(arguments));
  return command.run(arguments, t);
}

}  // namespace

int run(const std::vector<std::string>& words, Terminal& t) {
  try {
    return dispatch(words, t);
  } catch (const UsageError& e) {
    return usage(t, e);
  } catch (const OutputError& e) {
    t.err << "parley: " << e.message << '\n';
    return kNotWritten;
  } catch (const InternalError& e) {
    t.err << "parley: " << e.what()
          << "\nThis is a defect of parley, not of your model. Please report it with the model.\n";
  } catch (const std::bad_alloc&) {
    t.err << "parley: out of memory (the system gave no more)\n";
    return kUnknown;
  } catch (const Interrupted&) {
    t.err << "parley: " << (t.supervisor != nullptr ? t.supervisor->told() : interrupt_text()) << '\n';
    return kUnknown;
  } catch (const std::exception& e) {
    t.err << "parley: internal error: " << e.what() << '\n';
  }
  return kInternalError;
}

}  // namespace parley::cli
