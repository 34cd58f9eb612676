// The command line as data: commands, their options and arguments. Parsing, --help, shell completion and man
// pages all come from these tables, so they cannot disagree. (CLI11 was looked at: it parses, but has no
// completion or man pages, and one table that yields all four is smaller than gluing them on.)
#pragma once

#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "support/named_enum.hpp"

namespace parley::cli {

struct OptionSpec {
  std::string name;                      // without the dashes
  std::string value;                     // name of its value in help ("SECONDS"); empty: a flag
  std::string help;                      // one sentence
  std::vector<std::string> values = {};  // admitted values, if they are a fixed set
  bool repeatable = false;
  char letter = 0;  // short form, 0: none
};

// The parsed command line of one command.
class Arguments {
 public:
  bool has(const std::string& option) const { return options.count(option) > 0; }
  std::string get(const std::string& option, const std::string& otherwise = {}) const;
  std::vector<std::string> all(const std::string& option) const;

  std::map<std::string, std::vector<std::string>> options;
  std::vector<std::string> positional;
};

class Supervisor;

struct Terminal {
  std::ostream& out;
  std::ostream& err;
  bool colour = false;    // on out
  bool progress = false;  // err is a terminal
  std::size_t width = 100;
  Supervisor* supervisor = nullptr;  // null in tests, and for last words
};

struct Command {
  std::string name;
  std::string summary;      // one line
  std::string arguments;    // "MODEL", "MODEL TRACE"
  std::string description;  // paragraphs
  std::vector<OptionSpec> options;
  int (*run)(const Arguments& arguments, Terminal& terminal) = nullptr;
  std::size_t min_arguments = 1, max_arguments = 1;
};

enum ExitCode {
  kAllHold = 0,
  kViolated = 1,
  kUnknown = 2,
  kBadInput = 3,
  kNotWritten = 3,  // as for input: what is wrong is outside of the program
  kInternalError = 4
};

// Wrong use of the command line; becomes exit status 3 with the message.
struct UsageError {
  std::string message;
  std::string hint;
};

// Output that cannot be written, a file or the standard output; becomes exit status 3 with the message.
struct OutputError {
  std::string message;
};

// All commands, in the order of the help.
const std::vector<Command>& commands();
const Command* find_command(const std::string& name);

// Splits the words after the command's name; throws UsageError.
Arguments parse(const Command& command, const std::vector<std::string>& words);

std::string general_help();
std::string command_help(const Command& command);
std::string completion_script(const std::string& shell);  // bash, zsh, fish
std::string man_page();

// Values of options, with messages that name the option; throw UsageError.
double seconds_value(const std::string& option, const std::string& text);       // "20", "20s", "3m", "1h"
std::uint64_t bytes_value(const std::string& option, const std::string& text);  // "500M", "1G"
std::optional<std::uint64_t> memory_value(const Arguments& arguments);          // of --memory; absent: none
std::uint64_t count_value(const std::string& option, const std::string& text);  // "1000", "10k"

// Options whose admitted values are the names of an enumeration (`names_of<E>()` in their OptionSpec): read
// once, here. Absent: not given.
[[noreturn]] void unknown_choice(const std::string& option, const std::string& text);
template <NamedEnum E>
std::vector<E> choices(const Arguments& arguments, const std::string& option) {
  std::vector<E> found;
  for (const std::string& text : arguments.all(option)) {
    const std::optional<E> value = named<E>(text);
    if (!value) unknown_choice(option, text);
    found.push_back(*value);
  }
  return found;
}
template <NamedEnum E>
std::optional<E> choice(const Arguments& arguments, const std::string& option) {
  const std::vector<E> found = choices<E>(arguments, option);
  return found.empty() ? std::nullopt : std::optional<E>(found.back());
}

}  // namespace parley::cli
