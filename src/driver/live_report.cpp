#include "driver/live_report.hpp"

#include <fmt/format.h>

namespace parley::driver {
namespace {

bool has_begun(const engine::Progress& p) {
  return p.states || p.bound || p.depth || !p.note.empty();
}

std::string covered(const engine::Progress& p) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (p.states) add(fmt::format("{} states", *p.states));
  if (p.depth) add(fmt::format("depth {}", *p.depth));
  if (p.bound) add(fmt::format("bound {}", *p.bound));
  if (!p.note.empty()) add(p.note);
  return fmt::format("{}: {}", shown_name(p.engine), text);
}

// The reason of a property that nobody has looked at yet.
const std::string& nothing_said() {
  static const std::string reason = std::get<verdict::Unknown>(verdict::PropertyResult().verdict).reason;
  return reason;
}

}  // namespace

LiveReport::LiveReport() : start_(std::chrono::steady_clock::now()) {}

void LiveReport::doing(const char* what) {
  const std::lock_guard lock(mutex_);
  doing_ = what;
}

void LiveReport::capacities(std::vector<std::uint32_t> of_queues) {
  const std::lock_guard lock(mutex_);
  capacities_.swap(of_queues);
}

void LiveReport::answers(const std::vector<verdict::PropertyResult>& so_far) {
  std::vector<verdict::PropertyResult> copy = so_far;
  const std::lock_guard lock(mutex_);
  answers_.swap(copy);
}

void LiveReport::progress(const engine::Progress& progress) {
  engine::Progress copy = progress;
  const auto place = static_cast<std::size_t>(progress.engine);
  const std::lock_guard lock(mutex_);
  std::swap(progress_.at(place), copy);
}

std::string LiveReport::unfinished(const verdict::Stop& stop) const {
  std::string text = stop.text;
  if (*doing_ != '\0') text += fmt::format(" {}", doing_);
  for (const engine::Progress& p : progress_)
    if (has_begun(p)) text += "; " + covered(p);
  return text;
}

CheckReport LiveReport::so_far(const verdict::Stop& stop) const {
  const std::lock_guard lock(mutex_);
  CheckReport report{answers_, capacities_, 0};
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  for (verdict::PropertyResult& r : report.results) {
    if (!r.unknown()) continue;
    const auto& said = std::get<verdict::Unknown>(r.verdict);
    if (!r.engine && said.reason != nothing_said()) continue;  // no engine was asked; it says why
    verdict::Stop why{stop.cause, unfinished(stop)};
    if (r.engine && said.reason != stop.text)
      why.text = fmt::format("{}; {}: {}", why.text, r.engine_name(), said.reason);
    r.verdict = verdict::Unknown::because(std::move(why));
    for (const engine::Progress& p : progress_) {
      if (r.engine || !has_begun(p)) continue;
      r.engine = p.engine;
      r.coverage.states = p.states;
      r.coverage.depth = p.depth;
      r.coverage.bound = p.bound;
      r.coverage.memory_bytes = p.memory_bytes;
      r.coverage.seconds = p.seconds;
    }
  }
  return report;
}

}  // namespace parley::driver
