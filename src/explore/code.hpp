// Guards and bodies as bytecode. Instructions name their operands by address in one flat memory that holds
// the state, the locals, the parameters of examined messages, constants and temporaries, so that `cell == 3`
// is one instruction and nothing is loaded first. Made by compile.hpp, run by machine.hpp; it has no meaning
// of its own: every opcode is tested against expr/operators.hpp and the reference interpreter.
#pragma once

#include <cstdint>
#include <vector>

#include "explore/layout.hpp"
#include "system/system.hpp"

namespace parley::explore {

inline constexpr std::uint32_t kNone = Id<void>::kNone;

enum class Opcode : std::uint8_t {
  // m[c] = op m[a], m[b]; wrap-around
  PARLEY_UNARY_OPS(PARLEY_NAME) PARLEY_BINARY_OPS(PARLEY_NAME)  //
  CheckedUnary,
  CheckedBinary,  // other integer modes: through expr::compute; d16: bits
  Move,           // m[c] = m[a]
  Load,           // m[c] = table d at row m[a], column m[b]
  Locate,         // m[c] = the slot of that entry
  QueueHas,       // m[c] = some message of queue_tests[a] satisfies it
  HeadIs,         // m[c] = the selected message does
  // control; c: the target
  Jump,
  JumpIf,
  JumpUnless,
  JumpEq,
  JumpNe,
  JumpLt,
  JumpLe,
  JumpGt,
  JumpGe,
  Yes,
  No,  // end of a guard
  // bodies
  Store,         // slot c = m[a]
  StoreChecked,  // slot c = m[a] if ranges[b] contains it
  StoreAt,       // slot m[c] = m[a], checked against the cell's own range
  Choose,        // m[c] = any of m[a]..m[b]
  TestTarget,    // fail if sends[a] has no route
  TestArgument,  // fail if m[c] does not fit parameter b of sends[a]
  Send,          // sends[a]
  BranchOpen,    // alternative c is open
  BranchPick,    // go to one of the open alternatives of branches[a]
  CountRound,    // fail if m[c] == m[a], else m[c]++
  Note,          // element a
  AssertionFails,
  Fail,  // a run-time error
  Done
};

struct Instruction {
  Opcode op = Opcode::Done;
  std::uint8_t d8 = 0;    // operators of expressions: the expr::Op
  std::uint16_t d16 = 0;  // TruncU, TruncS, CheckedUnary: number of bits
  std::uint32_t a = 0, b = 0, c = 0;
  std::uint32_t d = 0;  // Load, Locate: the table
};

struct ValueRange {
  std::int32_t lo = 0, hi = 0;
  bool zero = false;  // 0 as well
  bool contains(std::int32_t v) const { return (v >= lo && v <= hi) || (zero && v == 0); }
};

struct CellTable {
  std::vector<std::uint32_t> slots;  // row-major; kNone: no cell there
  std::uint32_t rows = 0, columns = 1;
};

// A queue test: code of the predicate (kNone: always true), where it expects the message's parameters.
struct QueueTest {
  std::uint32_t queue = 0;
  std::uint32_t signal = kNone;  // code in that queue; kNone: any
  bool impossible = false;       // a signal that is never in that queue
  std::uint32_t predicate = kNone;
  std::uint32_t params = 0;
  std::uint32_t deferrals = kNone;  // HeadIs: in deferral_sets
};

// The deferral conditions of a queue by signal code, compiled for one place of the parameters.
struct DeferralSet {
  struct Condition {
    std::uint32_t code = 0;  // signal
    std::uint32_t pc = 0;
  };
  std::vector<Condition> conditions;
  std::uint32_t params = 0;
};

struct SendRoute {
  std::uint32_t queue = kNone;  // kNone: a run-time error
  std::uint32_t code = 0;
};

struct SendCode {
  std::uint32_t target = 0;  // address
  std::vector<SendRoute> routes;
  std::vector<std::uint32_t> args;  // addresses
  bool sorted = false;
};

struct BranchCode {
  std::vector<std::uint32_t> targets;
  std::uint32_t otherwise = kNone;  // kNone: an error when nothing is open
};

struct QueueCode {
  Layout::QueuePlace place;
  system::OverflowPolicy overflow = system::OverflowPolicy::Cut;
  std::uint32_t capacity = 0;
  std::uint32_t deferrals = kNone;              // for selecting a trigger's message
  std::vector<std::vector<ValueRange>> params;  // by signal code
};

struct ActionCode {
  std::uint32_t guard = kNone;  // kNone: true
  std::uint32_t body = kNone;   // kNone: nothing to do
  std::uint32_t owner = kNone;
  std::uint32_t hold = kNone;
  std::uint32_t locals = 0;
  std::uint32_t queue = kNone;  // of the trigger
  std::uint32_t signal = 0;     // code in that queue
  std::uint32_t params = 0;     // of that signal
  bool first_matching = false;
  bool consume = true;
  bool discards = false;
  bool completes = false;
};

// Which actions of an owner to try, found by the values of its index cell and the selected signal.
struct OwnerPlan {
  std::uint32_t cell = kNone;  // slot of the index cell; kNone: there is none
  std::int32_t lo = 0;
  std::uint32_t values = 1;
  struct Spontaneous {
    std::vector<std::uint32_t> begin;  // by value; values + 1 entries
    std::vector<std::uint32_t> actions;
  } spontaneous;
  struct Consuming {
    std::uint32_t queue = 0;
    std::uint32_t signals = 0;
    std::vector<std::uint32_t> begin;  // by value and signal code; values * signals + 1 entries
    std::vector<std::uint32_t> actions;
    std::vector<std::uint32_t> all;  // every action on this queue
  };
  std::vector<Consuming> consuming;
  std::vector<std::uint32_t> first_matching;  // actions that search a queue
};

struct Program {
  std::vector<Instruction> code;
  std::vector<std::int32_t> memory;  // initial contents: fillers, constants
  std::uint32_t state_slots = 0;
  std::uint32_t idle = 0;  // address of the idle flag
  bool reads_idle = false;
  std::uint32_t locals = 0;  // address
  std::uint32_t params = 0;  // of the trigger's message
  std::uint32_t most_params = 0;
  std::vector<ValueRange> ranges;
  std::vector<ValueRange> cell_ranges;
  std::vector<CellTable> tables;
  std::vector<QueueTest> queue_tests;
  std::vector<DeferralSet> deferral_sets;
  std::vector<SendCode> sends;
  std::vector<BranchCode> branches;
  std::vector<QueueCode> queues;
  std::vector<ActionCode> actions;
  std::vector<OwnerPlan> owners;
  std::uint32_t initial_body = kNone;
  std::uint32_t initial_locals = 0;
  std::vector<std::uint32_t> may_rest;     // by owner: code of a condition; kNone: true
  std::vector<std::uint32_t> properties;   // by property: code of its expression; kNone: has none
  std::vector<bool> may_complete_forever;  // by owner: its completion actions could feed each other
  std::uint32_t elements = 0;
  bool overflow_is_error = false;  // integer mode, when not wrap-around
};

}  // namespace parley::explore
