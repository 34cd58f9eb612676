// Layout by Graphviz: its `dot` program as a child process, DOT in, SVG out. The program ignores SIGPIPE
// (main.cpp).
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "report/draw.hpp"
#include "support/interrupt.hpp"
#include "support/leftovers.hpp"

extern char** environ;

namespace parley::report {
namespace {

// Writes the input while reading the output, so that neither side waits for a full pipe.
std::string exchange(int to, int from, const std::string& input) {
  std::string output;
  std::size_t written = 0;
  bool writing = true, reading = true;
  while (reading) {
    std::array<pollfd, 2> fds = {pollfd{from, POLLIN, 0}, pollfd{writing ? to : -1, POLLOUT, 0}};
    if (poll(fds.data(), fds.size(), 20000) <= 0) break;  // a layout that takes longer is given up
    if (writing && (fds[1].revents & (POLLOUT | POLLERR | POLLHUP)) != 0) {
      const ssize_t n =
          write(to, input.data() + written, std::min<std::size_t>(input.size() - written, 4096));
      if (n > 0) written += static_cast<std::size_t>(n);
      if (n < 0 || written == input.size()) {
        close(to);
        writing = false;
      }
    }
    if ((fds[0].revents & (POLLIN | POLLHUP | POLLERR)) != 0) {
      std::array<char, 16384> buffer;
      const ssize_t n = read(from, buffer.data(), buffer.size());
      if (n <= 0)
        reading = false;
      else
        output.append(buffer.data(), static_cast<std::size_t>(n));
    }
  }
  if (writing) close(to);
  close(from);
  return output;
}

}  // namespace

std::optional<std::string> svg(const std::string& dot) {
  if (interrupted()) return std::nullopt;  // an answer without pictures is better than a late one
  std::array<int, 2> in{}, out{};
  if (pipe(in.data()) != 0) return std::nullopt;
  if (pipe(out.data()) != 0) {
    close(in[0]);
    close(in[1]);
    return std::nullopt;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", 1 /* O_WRONLY */, 0);
  for (int fd : {in[0], in[1], out[0], out[1]}) posix_spawn_file_actions_addclose(&actions, fd);
  std::array<char*, 3> argv = {const_cast<char*>("dot"), const_cast<char*>("-Tsvg"), nullptr};
  pid_t child = 0;
  // This process ignores SIGPIPE and blocks what its supervisor waits for; `dot` does neither.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, pipe_only;
  sigemptyset(&none);
  sigemptyset(&pipe_only);
  sigaddset(&pipe_only, SIGPIPE);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &pipe_only);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  const int failed = posix_spawnp(&child, "dot", &actions, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(in[0]);
  close(out[1]);
  if (failed != 0) {
    close(in[1]);
    close(out[0]);
    return std::nullopt;
  }
  const RunningChild running(child);
  std::string text = exchange(in[1], out[0], dot);
  int status = 0;
  if (text.find("</svg>") == std::string::npos) kill(child, SIGKILL);
  waitpid(child, &status, 0);
  const std::size_t start = text.find("<svg");
  if (start == std::string::npos || text.find("</svg>") == std::string::npos) return std::nullopt;
  return text.substr(start);  // without XML declaration and doctype, ready to stand in HTML
}

}  // namespace parley::report
