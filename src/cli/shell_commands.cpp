// parley completion, parley man: what the command tables know, for shells and for man(1).
#include "cli/commands.hpp"

namespace parley::cli {

Command completion_command() {
  Command c;
  c.name = "completion";
  c.summary = "print a shell completion script";
  c.arguments = "bash|zsh|fish";
  c.description = "For bash: source <(parley completion bash).";
  c.run = [](const Arguments& a, Terminal& t) {
    const std::string& shell = a.positional[0];
    if (shell != "bash" && shell != "zsh" && shell != "fish")
      throw UsageError{"completion is for bash, zsh or fish", {}};
    t.out << completion_script(shell);
    return int{kAllHold};
  };
  return c;
}

Command man_command() {
  Command c;
  c.name = "man";
  c.summary = "print the manual page";
  c.description = "Read it with: parley man | man -l -";
  c.min_arguments = c.max_arguments = 0;
  c.run = [](const Arguments&, Terminal& t) {
    t.out << man_page();
    return int{kAllHold};
  };
  return c;
}

}  // namespace parley::cli
