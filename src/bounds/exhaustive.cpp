#include "bounds/exhaustive.hpp"

#include <algorithm>
#include <chrono>

#include "support/interrupt.hpp"

namespace parley::bounds {

namespace {

// Room is a property, so that a queue that needs more ends the search early. Whether more room would help.
bool needs_more_room(engine::Engine& engine, system::System s, std::uint32_t room, std::uint64_t seed,
                     double seconds, const engine::CancelToken* cancel, SearchResult& found) {
  system::Property fits;
  fits.kind = system::PropertyKind::Always;
  fits.name = "every queue has room";
  fits.expression = s.exprs.boolean(true);
  for (std::size_t q = 0; q < s.queues.size(); ++q)
    fits.expression =
        s.exprs.both(fits.expression, s.exprs.binary(expr::Op::Lt, s.exprs.queue_len(system::QueueId(q)),
                                                     s.exprs.constant(static_cast<std::int32_t>(room))));
  s.properties = {fits};
  for (system::Queue& q : s.queues) q.overflow = system::OverflowPolicy::Cut;  // and says so
  engine::Request request{
      s, {system::PropertyId(0)}, std::vector<std::uint32_t>(s.queues.size(), room), {}, seed, cancel, {},
      {}};
  request.limits.seconds = seconds;
  request.limits.memory_bytes = std::uint64_t{2} << 30;
  const verdict::PropertyResult r = engine.check(request).front();
  found.states = std::max<std::size_t>(found.states, r.coverage.states.value_or(0));
  const bool cut = std::any_of(r.assumptions.begin(), r.assumptions.end(), [](const auto& a) {
    return a.code == verdict::AssumptionCode::QueueCapacity;
  });
  if (r.violated() || cut) return true;
  const auto& longest = r.coverage.max_queue_length;
  const bool roomy = longest.size() == s.queues.size() &&
                     std::all_of(longest.begin(), longest.end(), [&](std::uint32_t n) { return n < room; });
  if (r.coverage.complete && roomy && r.holds()) {
    found.closed = true;
    found.longest = longest;
  }
  return false;
}

}  // namespace

SearchResult see_everything(engine::Engine& engine, const system::System& system, std::uint64_t seed,
                            double seconds, const engine::CancelToken* cancel) {
  const auto start = std::chrono::steady_clock::now();
  SearchResult found;
  for (const std::uint32_t room : {6U, 20U, 60U}) {
    const double left =
        seconds - std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (left <= 0 || (cancel != nullptr && cancel->cancelled()) || interrupted() ||
        !needs_more_room(engine, system, room, seed, left, cancel, found))
      break;
  }
  return found;
}

BackgroundSearch::BackgroundSearch(engine::Engine& engine, const system::System& system, std::uint64_t seed,
                                   double seconds)
    : thread_([this, &engine, &system, seed, seconds] {
        result_ = see_everything(engine, system, seed, seconds, &cancel_);
        done_.store(true, std::memory_order_release);
      }) {}

BackgroundSearch::~BackgroundSearch() {
  cancel_.cancel();
  thread_.join();
}

}  // namespace parley::bounds
