// Symbolic execution of one action (or of the initial body): the reference semantics of
// semantics/action_run.hpp as formulas. The first blocking, cut or failing event ends the step, in the
// interpreter's order; expressions carry their own errors. Choices become free inputs, and each choice point
// is recorded so that a model of the formula can be turned back into the choices of a trace.
// How effects of several actions are put together is the business of relation.hpp.
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "encode/layout.hpp"
#include "semantics/choices.hpp"

namespace parley::encode {

// The system uses something this encoding does not express; engines turn it into Unknown with this reason.
class Unsupported : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The value of an expression, or the error that its evaluation meets first. At most one of the two is true.
struct Value {
  Word word;
  Lit error = kFalse;
  Lit assumed = kFalse;  // overflow that is assumed not to happen
};

struct Push {
  Lit when = kFalse;
  Word signal;
  std::vector<Word> params;
};

// What an action does to a queue besides taking its trigger: appended messages, or, after a sorted send, the
// whole new contents.
struct QueueEffect {
  std::vector<Push> pushes;
  bool replaced = false;
  SymbolicQueue contents;
  Lit touched = kFalse;  // a message was (or would have been) put
};

struct CellEffect {
  Lit written = kFalse;
  Word value;
};

struct ChoicePoint {
  Lit asked = kFalse;  // the statement is reached
  bool is_branch = false;
  std::vector<Lit> open, picked;  // Branch
  Word lo, hi, value;             // Choose
};

// Everything below `fits` assumes that the action is enabled and its choices fit; exactly one outcome is
// then true.
struct Effect {
  Lit enabled = kFalse;        // the trigger's message is there and the guard is true
  Lit guard_error = kFalse;    // evaluating trigger or guard fails: a run-time error of this step
  Lit guard_assumed = kFalse;  // … or overflows although assumed not to
  std::vector<Lit> at;         // position of the trigger's message
  Lit fits = kTrue;            // the free inputs are choices that exist
  Lit done = kTrue, blocked = kFalse, cut = kFalse, assumed = kFalse;
  Lit assertion = kFalse, error = kFalse, overflow = kFalse;
  Lit lost = kFalse;  // a message was lost before the step ended
  std::map<system::CellId, CellEffect> cells;
  std::map<system::QueueId, QueueEffect> queues;
  std::map<system::CellId, Lit> reads;  // under which condition a cell is read, or an upper bound of it
  std::vector<ChoicePoint> choices;
};

// Free inputs for choices, shared by actions that never run in the same step.
class InputPool {
 public:
  explicit InputPool(Aig& aig) : g_(aig) {}
  Lit next();
  void rewind() { used_ = 0; }
  const std::vector<Lit>& inputs() const { return inputs_; }

 private:
  Aig& g_;
  std::vector<Lit> inputs_;
  std::size_t used_ = 0;
};

// SymbolicQueue operations.
SymbolicQueue removed_at(Aig& aig, const SymbolicQueue& queue, const std::vector<Lit>& at);
SymbolicQueue appended(Aig& aig, const SymbolicQueue& queue, const Push& push);

class Execution {
 public:
  struct Setting {
    Aig& aig;
    const Layout& layout;
    const SymbolicState& state;
    Lit idle = kFalse;
    // Per queue: a message was taken by an earlier action of the same step; may be empty.
    const std::vector<Lit>* taken_before = nullptr;
  };
  explicit Execution(const Setting& setting);

  // Only trigger and guard.
  Effect enabledness(const system::Action& action);
  // All of it, with choices from the pool.
  Effect run(const system::Action& action, InputPool& pool);
  Effect run_initial(InputPool& pool);
  // Some choice leads to a step that is neither disabled nor blocked.
  Lit may_move(const system::Action& action);

  // A property expression: its value, or no value after an error.
  Value evaluate(system::ExprId expression);

 private:
  struct Message {
    Word signal;
    std::vector<Word> params;
  };
  struct Selected {
    std::vector<Lit> at;
    Lit error = kFalse, assumed = kFalse;
  };

  void reset();
  void enter(const system::Action& action, Effect& effect);
  void perform_body(system::StmtId body, std::uint32_t locals, Effect& effect);
  Lit statement(system::StmtId id, Lit path);
  Lit up_to_last_send(system::StmtId id, Lit path);
  Lit assign(const system::Stmt& st, Lit path);
  Lit send(const system::Stmt& st, Lit path);
  Lit send_to_queue(const system::Stmt& st, system::QueueId queue, Lit path, const Push& push);
  Lit choose(const system::Stmt& st, Lit path);
  Lit branch(const system::Stmt& st, Lit path);
  Lit loop(const system::Stmt& st, Lit path);
  Lit after_value(const Value& v, Lit path);

  Value eval(system::ExprId id);
  Value compute(system::ExprId id);
  Value element(const expr::Node& node);
  Value queue_has(const expr::Node& node);
  Value head_is(const expr::Node& node);
  Value logical(const expr::Node& node);
  Value holds_for(const Message& m, system::ExprId predicate);
  struct Located {
    std::vector<std::pair<system::CellId, Lit>> hits;
    Lit error = kFalse, assumed = kFalse;
  };
  Located locate(system::TableId table, system::ExprId row, system::ExprId column);
  const Selected& selected(system::QueueId queue);
  Message message_at(system::QueueId queue, const std::vector<Lit>& at);
  SymbolicQueue contents(system::QueueId queue);
  std::vector<Lit>& occupied(system::QueueId queue);
  void read(system::CellId cell, Lit when);
  void state_changed();
  Lit in_type(const Word& w, const expr::Type& type);
  Lit is_signal(system::QueueId queue, const Word& code, system::SignalId signal);
  Lit sorts_before(system::QueueId queue, const Push& push, const Slot& slot);

  Aig& g_;
  const Layout& layout_;
  const system::System& s_;
  const SymbolicState& base_;
  Lit idle_;
  const std::vector<Lit>* taken_before_;
  Arithmetic a_;

  std::vector<Word> cells_;
  std::vector<Word> locals_;
  std::map<system::QueueId, std::vector<Lit>> occupied_;  // after what happened so far
  std::unordered_map<std::uint32_t, Value> memo_;
  std::map<system::QueueId, Selected> selected_;
  Message message_;
  const system::Trigger* consumed_ = nullptr;  // the trigger's message has been taken
  Effect* effect_ = nullptr;
  InputPool* pool_ = nullptr;
  semantics::Choices* script_ = nullptr;  // enumerate instead of free inputs
  Lit infeasible_ = kFalse;               // the script picks something that does not exist
  std::size_t unrolled_ = 0;
};

}  // namespace parley::encode
