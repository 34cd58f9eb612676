#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>

#include "cli/run.hpp"

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  const std::vector<std::string> words(argv + 1, argv + argc);
  const bool out_is_terminal = isatty(STDOUT_FILENO) != 0;
  const char* no_colour = std::getenv("NO_COLOR");
  parley::cli::Terminal terminal{std::cout, std::cerr};
  terminal.colour = out_is_terminal && (no_colour == nullptr || *no_colour == '\0');
  terminal.progress = isatty(STDERR_FILENO) != 0;
  winsize size{};
  if (out_is_terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20) terminal.width = size.ws_col;
  const int status = parley::cli::run(words, terminal);
  std::cout.flush();
  return status;
}
