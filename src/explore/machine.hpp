// Runs bytecode in place: the working state is changed and put back from a log of old values, so that a step
// costs what it changes and nothing is allocated. Nondeterminism is resolved by a list of picks and
// re-execution, with the same numbering as semantics::Choices. The successor generators (compiled.hpp) drive
// it; it knows neither owners nor stretches nor the store.
#pragma once

#include <cstdint>
#include <vector>

#include "explore/code.hpp"
#include "semantics/state.hpp"

namespace parley::explore {

using semantics::Outcome;

class Machine {
 public:
  Machine(const Program& program, const Layout& layout);

  std::int32_t* values() { return m_.data(); }
  const std::int32_t* values() const { return m_.data(); }

  // A condition: true, false, or the outcome that stopped it (RuntimeError, AssumedAway).
  enum class Answer : std::uint8_t { No, Yes, Stopped };
  Answer test(std::uint32_t pc) {
    if (pc == kNone) return Answer::Yes;
    const Outcome o = run(pc);
    if (o == Outcome::Done) return Answer::Yes;
    return o == Outcome::Disabled ? Answer::No : Answer::Stopped;
  }
  // How the last stopped test or execution ended.
  Outcome stopped_by() const { return stopped_by_; }
  std::uint32_t stopped_queue() const { return stopped_queue_; }

  // The position of the selected message, or the queue's length if all are deferred. Sets `failed`.
  std::uint32_t select(std::uint32_t queue, bool& failed);
  void bind(std::uint32_t queue, std::uint32_t position, std::uint32_t params, std::uint32_t to);
  void take(std::uint32_t queue, std::uint32_t position);
  // Runs a body (kNone: nothing). Everything it changes is in the log.
  Outcome execute(std::uint32_t pc, std::uint32_t locals);

  // --- the log of changes
  // -------------------------------------------------------------------------------------
  struct Change {
    std::uint32_t slot;
    std::int32_t before;
  };
  std::size_t mark() const { return log_top_; }
  void undo(std::size_t mark) {
    while (log_top_ > mark) {
      --log_top_;
      m_[log_[log_top_].slot] = log_[log_top_].before;
    }
  }
  // Brings a packed copy of the state at log position 0 up to now.
  void pack_changes(std::uint32_t* words) const {
    for (std::size_t i = 0; i < log_top_; ++i) layout_.pack_slot(log_[i].slot, m_[log_[i].slot], words);
  }

  // --- picks
  // ----------------------------------------------------------------------------------------------------
  struct Pick {
    std::uint64_t taken;
    std::uint64_t count;
  };
  // Picks from position `base` on belong to the running action.
  std::size_t pick_base() const { return picks_.size(); }
  void begin_picks(std::size_t base) { next_pick_ = base; }
  // Prepares the next run of the action whose picks start at `base`; false: all were seen, picks removed.
  bool advance(std::size_t base);
  void drop_picks(std::size_t base) {
    picks_.resize(base);
    next_pick_ = base;
  }
  const std::vector<Pick>& picks() const { return picks_; }
  std::size_t next_pick() const { return next_pick_; }
  void set_next_pick(std::size_t at) { next_pick_ = at; }

  // --- what happened in the last execution
  // ------------------------------------------------------------------------
  bool lost_message() const { return lost_; }
  // Elements noted for the first time and queues that grew beyond what was seen, until committed.
  void commit();
  void drop_pending() {
    new_elements_.clear();
    longer_queues_.clear();
  }
  bool has_pending() const { return !new_elements_.empty() || !longer_queues_.empty(); }
  const std::vector<bool>& reached() const { return reached_; }
  const std::vector<std::uint32_t>& longest() const { return longest_; }

 private:
  Outcome run(std::uint32_t pc);
  Outcome stop(Outcome outcome) {
    stopped_by_ = outcome;
    return outcome;
  }
  void set(std::uint32_t slot, std::int32_t value) {
    if (m_[slot] == value) return;
    if (log_top_ == log_.size()) log_.resize(log_.size() * 2);
    log_[log_top_++] = {slot, m_[slot]};
    m_[slot] = value;
  }
  std::uint64_t pick(std::uint64_t count);
  // kNone: no such entry.
  std::uint32_t locate(const CellTable& table, std::int32_t row, std::int32_t column) const {
    if (row < 0 || column < 0 || static_cast<std::uint32_t>(row) >= table.rows ||
        static_cast<std::uint32_t>(column) >= table.columns)
      return kNone;
    return table.slots[static_cast<std::size_t>(row) * table.columns + static_cast<std::size_t>(column)];
  }
  Outcome send(const SendCode& send);
  Answer queue_has(const QueueTest& test);
  Answer head_is(const QueueTest& test);
  std::uint32_t select(const QueueCode& queue, std::uint32_t deferrals, bool& failed);
  void bind_at(const QueueCode& queue, std::uint32_t position, std::uint32_t to);
  Outcome computed(const Instruction& i);

  const Program& p_;
  const Layout& layout_;
  std::vector<std::int32_t> m_;
  std::vector<Change> log_;
  std::size_t log_top_ = 0;
  std::vector<Pick> picks_;
  std::size_t next_pick_ = 0;
  std::vector<std::uint32_t> open_;  // alternatives of the branch being decided
  Outcome stopped_by_ = Outcome::Done;
  std::uint32_t stopped_queue_ = kNone;
  bool lost_ = false;
  std::vector<bool> reached_;           // by element
  std::vector<std::uint32_t> longest_;  // by queue
  std::vector<std::uint32_t> new_elements_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> longer_queues_;
};

}  // namespace parley::explore
