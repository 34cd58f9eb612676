// --help, shell completion and the man page, all from the command tables.
#include <fmt/format.h>

#include "cli/options.hpp"
#include "load/load.hpp"

namespace parley::cli {
namespace {

std::string option_usage(const OptionSpec& o) {
  std::string text = o.letter != 0 ? fmt::format("-{}, --{}", o.letter, o.name) : fmt::format("--{}", o.name);
  if (!o.value.empty())
    text += ' ' + (o.values.empty() ? o.value : fmt::format("{}", fmt::join(o.values, "|")));
  return text;
}

// Breaks a paragraph into lines of at most `width`, each after the first indented.
std::string wrapped(const std::string& text, std::size_t indent, std::size_t width) {
  std::string out, word;
  std::size_t column = indent;
  const auto flush = [&] {
    if (word.empty()) return;
    if (column + word.size() + 1 > width && column > indent) {
      out += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
    word.clear();
  };
  for (const char c : text) {
    if (c == ' ' || c == '\n')
      flush();
    else
      word += c;
  }
  flush();
  return out;
}

std::string quoted(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'')
      out += "'\\''";
    else
      out += c;
  }
  return "'" + out + "'";
}

std::string roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  return out;
}

}  // namespace

std::string command_help(const Command& c) {
  std::string out = fmt::format("parley {} - {}\n\nUsage: parley {} {}{}\n", c.name, c.summary, c.name,
                                c.arguments, c.options.empty() ? "" : " [options]");
  if (!c.description.empty()) out += "\n" + wrapped(c.description, 0, 96) + "\n";
  if (!c.options.empty()) out += "\nOptions:\n";
  for (const OptionSpec& o : c.options) {
    const std::string usage = option_usage(o);
    if (usage.size() <= 24)
      out += fmt::format("  {:<26}{}\n", usage, wrapped(o.help, 28, 100));
    else
      out += fmt::format("  {}\n{:28}{}\n", usage, "", wrapped(o.help, 28, 100));
  }
  return out;
}

std::string general_help() {
  std::string out =
      "parley - checks systems of communicating state machines\n\n"
      "Usage: parley COMMAND [arguments] [options]\n\nCommands:\n";
  for (const Command& c : commands()) out += fmt::format("  {:<14}{}\n", c.name, c.summary);
  out += "\n" + wrapped("Of the files that MODEL may be, " + load::known_endings() + ".", 0, 96);
  out +=
      "\n`parley COMMAND --help` tells more about one command.\n"
      "Exit status: 0 all properties hold, 1 violated, 2 unknown, 3 bad usage or input, or output that\n"
      "cannot be written, 4 internal error, 129, 130 or 143 after SIGHUP, SIGINT or SIGTERM.\n";
  return out;
}

std::string completion_script(const std::string& shell) {
  std::string names;
  for (const Command& c : commands()) names += (names.empty() ? "" : " ") + c.name;
  std::string out;
  if (shell == "fish") {
    out = "complete -c parley -f -n '__fish_use_subcommand'\n";
    for (const Command& c : commands()) {
      out += fmt::format("complete -c parley -f -n '__fish_use_subcommand' -a {} -d {}\n", c.name,
                         quoted(c.summary));
      out += fmt::format("complete -c parley -F -n '__fish_seen_subcommand_from {}'\n", c.name);
      for (const OptionSpec& o : c.options) {
        out += fmt::format("complete -c parley -n '__fish_seen_subcommand_from {}' -l {} -d {}", c.name,
                           o.name, quoted(o.help));
        if (!o.values.empty())
          out += fmt::format(" -x -a {}", quoted(fmt::format("{}", fmt::join(o.values, " "))));
        else if (!o.value.empty())
          out += " -r";
        out += '\n';
      }
    }
    return out;
  }
  if (shell == "zsh") out = "#compdef parley\nautoload -U +X bashcompinit && bashcompinit\n";
  out += "_parley() {\n  local word=\"${COMP_WORDS[COMP_CWORD]}\" previous=\"${COMP_WORDS[COMP_CWORD-1]}\"\n";
  out += fmt::format(
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then COMPREPLY=($(compgen -W \"{} --help --version\" -- \"$word\")); "
      "return; fi\n",
      names);
  out += "  case \"${COMP_WORDS[1]} $previous\" in\n";
  for (const Command& c : commands())
    for (const OptionSpec& o : c.options)
      if (!o.values.empty())
        out += fmt::format("    '{} --{}') COMPREPLY=($(compgen -W \"{}\" -- \"$word\")); return ;;\n",
                           c.name, o.name, fmt::join(o.values, " "));
  out += "  esac\n  case \"$word\" in\n    -*) case \"${COMP_WORDS[1]}\" in\n";
  for (const Command& c : commands()) {
    std::string options;
    for (const OptionSpec& o : c.options) options += " --" + o.name;
    out +=
        fmt::format("      {}) COMPREPLY=($(compgen -W \"{} --help\" -- \"$word\")) ;;\n", c.name, options);
  }
  out +=
      "      esac ;;\n    *) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n  esac\n}\ncomplete -o filenames -F "
      "_parley parley\n";
  return out;
}

std::string man_page() {
  std::string out =
      ".TH PARLEY 1\n.SH NAME\nparley \\- checks systems of communicating state machines\n"
      ".SH SYNOPSIS\n.B parley\n.I COMMAND\n[arguments] [options]\n"
      ".SH DESCRIPTION\nReads state machines written in the text language, UML models and Promela models, "
      "and "
      "answers per\n"
      "property: holds, violated with a replayed counterexample, or unknown.\n";
  out += "Of the files that\n.I MODEL\nmay be, " + roff(load::known_endings()) + ".\n.SH COMMANDS\n";
  for (const Command& c : commands()) {
    out += fmt::format(".SS parley {} {}\n{}.\n", roff(c.name), roff(c.arguments), roff(c.summary));
    if (!c.description.empty()) out += ".PP\n" + roff(c.description) + "\n";
    for (const OptionSpec& o : c.options)
      out += fmt::format(".TP\n.B {}\n{}\n", roff(option_usage(o)), roff(o.help));
  }
  out +=
      ".SH EXIT STATUS\n0 all properties hold, 1 violated, 2 unknown, 3 bad usage or input, 4 internal "
      "error.\n";
  return out;
}

}  // namespace parley::cli
