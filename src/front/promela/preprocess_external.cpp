#include "front/promela/preprocess_external.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <sstream>

#include "support/leftovers.hpp"

namespace parley::front::promela {
namespace {

// More than any model needs; a compiler that writes more is ended.
constexpr std::size_t kMaxOutputBytes = 64u << 20;

enum class Ending { NotStarted, Exited, OutOfTime, TooMuchOutput };

struct Ran {
  Ending ending = Ending::NotStarted;
  int status = -1;
  std::string out, err;
};

// Milliseconds until the deadline, for poll; -1: none.
int remaining(const PreprocessLimits& limits) {
  if (!limits.deadline) return -1;
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(*limits.deadline -
                                                                          std::chrono::steady_clock::now());
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 1'000'000'000));
}

// Runs a program with `input` on its standard input and collects both outputs. Pipes are served by poll, so
// that neither side can block the other whatever the sizes are. The program gets a process group of its own,
// so that what it starts ends with it.
Ran run_filter(const std::vector<std::string>& command, const std::string& input,
               const PreprocessLimits& limits) {
  Ran ran;
  int to[2], from[2], err[2], failed[2];
  if (pipe2(to, O_CLOEXEC) || pipe2(from, O_CLOEXEC) || pipe2(err, O_CLOEXEC) || pipe2(failed, O_CLOEXEC))
    return ran;
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    setpgid(0, 0);
    std::signal(SIGPIPE, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    dup2(to[0], 0);
    dup2(from[1], 1);
    dup2(err[1], 2);
    execvp(argv[0], argv.data());
    const char no = 1;
    (void)!write(failed[1], &no, 1);
    _exit(127);
  }
  for (int fd : {to[0], from[1], err[1], failed[1]}) close(fd);
  if (child < 0) {
    for (int fd : {to[1], from[0], err[0], failed[0]}) close(fd);
    return ran;
  }
  const auto old = std::signal(SIGPIPE, SIG_IGN);
  const RunningChild running(child);
  fcntl(to[1], F_SETFL, O_NONBLOCK);
  Ending ending = Ending::Exited;
  std::size_t sent = 0;
  bool open_in = true, open_out = true, open_err = true;
  char buffer[65536];
  while (open_out || open_err) {
    if (open_in && sent == input.size()) close(to[1]), open_in = false;
    pollfd fds[3] = {{open_in ? to[1] : -1, POLLOUT, 0},
                     {open_out ? from[0] : -1, POLLIN, 0},
                     {open_err ? err[0] : -1, POLLIN, 0}};
    const int ready = poll(fds, 3, remaining(limits));
    if (ready < 0 && errno != EINTR) break;
    if (ready == 0) ending = Ending::OutOfTime;
    if (ran.out.size() + ran.err.size() > kMaxOutputBytes) ending = Ending::TooMuchOutput;
    if (ending != Ending::Exited) break;
    if (ready < 0) continue;
    if (fds[0].revents) {
      const ssize_t n = write(to[1], input.data() + sent, input.size() - sent);
      if (n > 0)
        sent += static_cast<std::size_t>(n);
      else
        close(to[1]), open_in = false;
    }
    const auto take = [&](const pollfd& p, int fd, bool& open, std::string& into) {
      if (!p.revents) return;
      const ssize_t n = read(fd, buffer, sizeof buffer);
      if (n > 0)
        into.append(buffer, static_cast<std::size_t>(n));
      else
        open = false;
    };
    take(fds[1], from[0], open_out, ran.out);
    take(fds[2], err[0], open_err, ran.err);
  }
  if (open_in) close(to[1]);
  if (ending != Ending::Exited) {
    kill(-child, SIGKILL);
    kill(child, SIGKILL);  // should it not have made its group yet
  }
  char no = 0;
  ran.ending = read(failed[0], &no, 1) <= 0 ? ending : Ending::NotStarted;
  for (int fd : {from[0], err[0], failed[0]}) close(fd);
  int status = 0;
  waitpid(child, &status, 0);
  std::signal(SIGPIPE, old);
  ran.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return ran;
}

// "<stdin>:12:3: error: text" of the compiler becomes a diagnostic at that place.
void report_errors(const diag::SourceMap& sources, diag::FileId file, const std::string& messages,
                   diag::Diagnostics& diagnostics) {
  std::istringstream lines(messages);
  bool any = false;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t mark = line.find("error: ");
    if (mark == std::string::npos) continue;
    diag::Span span{file, 0, 0};
    unsigned number = 0, column = 0;
    if (std::sscanf(line.c_str(), "<stdin>:%u:%u:", &number, &column) == 2 && number > 0) {
      const std::string& text = sources.text(file);
      std::size_t at = 0;
      for (unsigned n = 1; n < number && at != std::string::npos; ++n) {
        at = text.find('\n', at);
        if (at != std::string::npos) ++at;
      }
      if (at != std::string::npos) {
        std::size_t end = text.find('\n', at);
        if (end == std::string::npos) end = text.size();
        span = {file, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end)};
      }
    }
    diagnostics.error("preprocessor", span, line.substr(mark + 7));
    any = true;
  }
  if (!any) diagnostics.error("preprocessor", {file, 0, 0}, "the C preprocessor failed on this model");
}

}  // namespace

SourceText preprocess_with_compiler(diag::SourceMap& sources, diag::FileId file,
                                    const PreprocessOptions& options, diag::Diagnostics& diagnostics) {
  const std::string folder = std::filesystem::path(sources.name(file)).parent_path().string();
  std::vector<std::string> arguments = {"-std=gnu99", "-E", "-x", "c", "-w"};
  arguments.push_back("-iquote" + (folder.empty() ? std::string(".") : folder));
  for (const std::string& include : options.include_folders) arguments.push_back("-I" + include);
  for (const std::string& define : options.defines) arguments.push_back("-D" + define);
  arguments.push_back("-");
  for (const char* program : {"gcc", "cc", "clang"}) {
    std::vector<std::string> command = {program};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const Ran ran = run_filter(command, sources.text(file), options.limits);
    if (ran.ending == Ending::NotStarted) continue;
    if (ran.ending == Ending::Exited && ran.status == 0) return follow_markers(sources, file, ran.out);
    if (ran.ending == Ending::OutOfTime)
      diagnostics.error("preprocessor-limit", {file, 0, 0}, "the time limit ended the C preprocessor",
                        "give it more time with --time");
    else if (ran.ending == Ending::TooMuchOutput)
      diagnostics.error("preprocessor-limit", {file, 0, 0},
                        fmt::format("the C preprocessor wrote more than {} MB", kMaxOutputBytes >> 20));
    else
      report_errors(sources, file, ran.err, diagnostics);
    return {{}, {}, file, {}};
  }
  diagnostics.error("no-preprocessor", {file, 0, 0}, "--cpp needs a C preprocessor, and none could be run",
                    "install gcc, or leave --cpp out: Parley preprocesses models itself");
  return {{}, {}, file, {}};
}

}  // namespace parley::front::promela
