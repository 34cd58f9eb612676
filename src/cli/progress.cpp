#include "cli/progress.hpp"

#include <fmt/format.h>

#include "diag/diagnostic.hpp"
#include "report/text.hpp"

namespace parley::cli {

engine::ProgressSink ProgressLine::sink() {
  if (!terminal_.progress) return {};
  return [this](const engine::Progress& p) { show(p); };
}

void ProgressLine::show(const engine::Progress& p) {
  std::string line = fmt::format("{} {:.0f} s", verdict::shown_name(p.engine), p.seconds);
  if (p.states) line += fmt::format("  {} states", report::with_commas(*p.states));
  if (p.states_per_second > 0)
    line += fmt::format("  {}/s", report::with_commas(static_cast<std::uint64_t>(p.states_per_second)));
  if (p.depth) line += fmt::format("  depth {}", *p.depth);
  if (p.bound) line += fmt::format("  bound {}", *p.bound);
  if (p.memory_bytes) line += "  " + report::bytes_text(*p.memory_bytes);
  if (!p.note.empty()) line += "  " + diag::sanitise(p.note);
  if (line.size() + 1 > terminal_.width) line.resize(terminal_.width - 1);
  const std::lock_guard lock(mutex_);
  terminal_.err << "\r\033[K" << line << std::flush;
  shown_ = true;
}

void ProgressLine::clear() {
  const std::lock_guard lock(mutex_);
  if (shown_) terminal_.err << "\r\033[K" << std::flush;
  shown_ = false;
}

}  // namespace parley::cli
