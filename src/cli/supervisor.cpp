#include "cli/supervisor.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "support/deep_thread.hpp"
#include "support/interrupt.hpp"
#include "support/leftovers.hpp"
#include "support/process_memory.hpp"

namespace parley::cli {
namespace {

constexpr double kShareOfMachine = 0.8;
constexpr double kAskedAt = 0.9;              // of the memory limit
constexpr double kSignalPatience = 0.5;       // seconds
constexpr double kOneInterruption = 0.3;      // `timeout` signals the process and its group: that is one
constexpr unsigned kLastWordsSeconds = 5;     // an answer that is late is better than none, but not for ever
constexpr int kFarFromLimit = 10, kNear = 2;  // milliseconds between two looks at memory

double patience(const Budget& budget) {
  return std::clamp(budget.seconds.value_or(0) / 20, 0.2, 2.0);
}

double seconds_since(std::chrono::steady_clock::time_point then) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

InterruptCause cause_of(const verdict::Stop& stop) {
  return stop.cause == verdict::StopCause::OutOfTime     ? InterruptCause::OutOfTime
         : stop.cause == verdict::StopCause::OutOfMemory ? InterruptCause::OutOfMemory
                                                         : InterruptCause::Signal;
}

// A second signal, or last words that take too long: ends here and now.
void end_at_once(int signal) {
  remove_leftovers();
  constexpr char text[] = "parley: ended before the answer was written\n";
  (void)!write(STDERR_FILENO, text, sizeof text - 1);
  _exit(signal == SIGALRM ? kUnknown : 128 + signal);
}

}  // namespace

Budget Budget::of(const Arguments& a) {
  Budget budget;
  if (a.has("time")) budget.seconds = seconds_value("time", a.get("time"));
  budget.memory_bytes = memory_value(a);
  if (!a.has("memory"))
    if (const auto machine = static_cast<double>(machine_bytes()); machine > 0)
      budget.memory_bytes = static_cast<std::uint64_t>(machine * kShareOfMachine);
  return budget;
}

Supervisor::Supervisor(OutputBuffer& out, const Terminal& terminal)
    : out_(out),
      colour_(terminal.colour),
      progress_(terminal.progress),
      width_(terminal.width),
      start_(Clock::now()) {
  sigemptyset(&caught_);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction given {};
    sigaction(signal, nullptr, &given);
    if (given.sa_handler != SIG_IGN) sigaddset(&caught_, signal);  // nohup and the like mean it
  }
  pthread_sigmask(SIG_BLOCK, &caught_, &before_);
  signals_ = signalfd(-1, &caught_, SFD_NONBLOCK | SFD_CLOEXEC);
  done_ = eventfd(0, EFD_CLOEXEC);
}

Supervisor::~Supervisor() {
  close(signals_);
  close(done_);
}

void Supervisor::arm(const Budget& budget) {
  if (armed_ && interrupt_cause() != InterruptCause::Signal) withdraw_interrupt();
  const std::lock_guard lock(mutex_);
  budget_ = budget;
  if (armed_) start_ = Clock::now();
  armed_ = true;
}

void Supervisor::doing(const char* what) {
  const std::lock_guard lock(mutex_);
  doing_ = what;
}

std::string Supervisor::told() const {
  const std::lock_guard lock(mutex_);
  return fmt::format("{}{}{}", interrupt_text(), *doing_ == '\0' ? "" : " ", doing_);
}

int Supervisor::next_signal() const {
  signalfd_siginfo info{};
  return read(signals_, &info, sizeof info) == sizeof info ? static_cast<int>(info.ssi_signo) : 0;
}

std::optional<verdict::Stop> Supervisor::reason_to_stop(int signal, std::uint64_t resident) const {
  if (signal != 0)
    return verdict::Stop{verdict::StopCause::Cancelled,
                         fmt::format("interrupted by SIG{}", sigabbrev_np(signal))};
  if (budget_.seconds && seconds_since(start_) > *budget_.seconds)
    return verdict::out_of_time(*budget_.seconds);
  if (budget_.memory_bytes &&
      static_cast<double>(resident) > kAskedAt * static_cast<double>(*budget_.memory_bytes))
    return verdict::out_of_memory(*budget_.memory_bytes);
  return std::nullopt;
}

void Supervisor::ask(const verdict::Stop& stop, int signal) {
  stop_ = stop;
  signal_ = signal;
  asked_ = Clock::now();
  interrupt(cause_of(stop), stop.text);
}

bool Supervisor::patience_is_over(std::uint64_t resident) const {
  return seconds_since(asked_) > (signal_ != 0 ? kSignalPatience : patience(budget_)) ||
         (budget_.memory_bytes && resident > *budget_.memory_bytes);
}

int Supervisor::run(const std::function<int()>& command) {
  int status = kInternalError;
  DeepThread worker([&] {
    status = command();
    while (ended_.exchange(true)) pause();  // the supervisor answers: its exit is the end of this thread too
    const std::uint64_t one = 1;
    (void)!write(done_, &one, sizeof one);
  });
  int period = kFarFromLimit;
  for (bool finished = false; !finished;) {
    std::array<pollfd, 2> fds = {pollfd{signals_, POLLIN, 0}, pollfd{done_, POLLIN, 0}};
    poll(fds.data(), fds.size(), period);
    finished = (fds[1].revents & POLLIN) != 0;
    const int signal = next_signal();
    const std::uint64_t resident = resident_bytes();
    std::unique_lock lock(mutex_);
    const bool near = budget_.memory_bytes && resident > *budget_.memory_bytes / 2;
    period = near || stop_ ? kNear : kFarFromLimit;
    if (stop_ && !interrupted()) stop_.reset();  // withdrawn: the command goes on with a new budget
    if (stop_ && signal != 0) {
      if (signal_ != 0 && seconds_since(asked_) > kOneInterruption) end_at_once(signal);
      signal_ = signal;  // a limit was reached just before: `timeout` and --time of the same length
    }
    if (!stop_) {
      if (const auto stop = reason_to_stop(signal, resident)) ask(*stop, signal);
    } else if (patience_is_over(resident) && !ended_.exchange(true)) {
      lock.unlock();
      take_over();
    }
  }
  worker.join();
  restore_signals();
  return signal_ != 0 ? 128 + signal_ : status;
}

void Supervisor::take_over() {
  ::signal(SIGALRM, end_at_once);  // the only signal from now on
  alarm(kLastWordsSeconds);
  mutex_.lock();  // for good: what the words refer to stays
  std::ostringstream out, err;
  Terminal terminal{out, err, colour_, false, width_};
  if (progress_) err << "\r\033[K";
  int status = kUnknown;
  try {
    if (words_)
      status = words_(*stop_, terminal);
    else
      err << fmt::format("parley: {}{}{}\n", stop_->text, *doing_ == '\0' ? "" : " ", doing_);
  } catch (const OutputError& e) {
    err << "parley: " << e.message << '\n';
    status = kNotWritten;
  } catch (const std::exception& e) {
    err << fmt::format("parley: {}; what is known could not be told: {}\n", stop_->text, e.what());
  }
  const std::string problem = out_.take_over(out.str(), patience(budget_));
  if (!problem.empty()) {
    err << "parley: the standard output cannot be written: " << problem << '\n';
    status = kNotWritten;
  }
  const std::string said = err.str();
  (void)!write(STDERR_FILENO, said.data(), said.size());
  remove_leftovers();
  _exit(signal_ != 0 ? 128 + signal_ : status);
}

void Supervisor::restore_signals() {
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

void Supervisor::hand_over() {
  ::signal(SIGPIPE, SIG_DFL);
  restore_signals();
}

LastWords::LastWords(Supervisor* supervisor, Supervisor::Words words) : supervisor_(supervisor) {
  if (supervisor_ == nullptr) return;
  const std::lock_guard lock(supervisor_->mutex_);
  supervisor_->words_.swap(words);
}

LastWords::~LastWords() {
  if (supervisor_ == nullptr) return;
  Supervisor::Words none;
  const std::lock_guard lock(supervisor_->mutex_);
  supervisor_->words_.swap(none);
}

}  // namespace parley::cli
