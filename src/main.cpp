#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>

#include "cli/output_buffer.hpp"
#include "cli/run.hpp"
#include "cli/supervisor.hpp"

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  signal(SIGPIPE, SIG_IGN);  // a pipe that nobody reads is a failed write, with a message
  const std::vector<std::string> words(argv + 1, argv + argc);
  const bool out_is_terminal = isatty(STDOUT_FILENO) != 0;
  const char* no_colour = std::getenv("NO_COLOR");
  parley::cli::OutputBuffer buffer(STDOUT_FILENO);
  std::ostream out(&buffer);
  parley::cli::Terminal terminal{out, std::cerr};
  terminal.colour = out_is_terminal && (no_colour == nullptr || *no_colour == '\0');
  terminal.progress = isatty(STDERR_FILENO) != 0;
  winsize size{};
  if (out_is_terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20)
    terminal.width = size.ws_col;
  parley::cli::Supervisor supervisor(buffer, terminal);
  terminal.supervisor = &supervisor;
  int status = supervisor.run([&] { return parley::cli::run(words, terminal); });
  out.flush();
  if (const std::string problem = buffer.failure(); !problem.empty()) {
    std::cerr << "parley: the standard output cannot be written: " << problem << '\n';
    status = parley::cli::kNotWritten;
  }
  return status;
}
