// Inside of the lowering of Promela: one class, its parts in lower_*.cpp. Everybody else uses promela.hpp.
//
// A process instance is a slot: an owner with a location cell (0: not running) and cells for its variables,
// which are zero while it does not run. The k-th slot of a proctype is its k-th running instance by process
// number: Spin lets only the youngest process die, so instances of one type are born and die in stack order,
// and the slot to start is always the first free one. Thereby a state of the System is exactly a state of
// Spin's.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "diag/diagnostic.hpp"
#include "front/promela/flow.hpp"
#include "front/promela/points.hpp"
#include "front/promela/promela.hpp"
#include "system/system.hpp"

namespace parley::front::promela {

using expr::Op;
using system::CellId;
using system::ElementId;
using system::ExprId;
using system::OwnerId;
using system::QueueId;
using system::SignalId;
using system::StmtId;

class Lowering {
 public:
  Lowering(const Program& program, const diag::SourceMap& sources, diag::Diagnostics& diagnostics,
           const Options& options, bool wide_channels);
  std::optional<system::System> run();
  // Numbers that are no channels were stored as channels: lower again with room for them.
  bool wants_wide_channels() const { return wants_wide_channels_; }

 private:
  struct LeafCells {
    Leaf leaf;
    std::vector<CellId> cells;    // empty for a fixed channel
    std::vector<QueueId> queues;  // a declared channel: what each element is created with
    bool fixed = false;
  };
  using Storage = std::map<std::string, LeafCells>;  // by path
  struct Slot {
    std::uint32_t index = 0, proctype = 0, instance = 0;
    OwnerId owner;
    CellId pc, pid, priority;
    std::int32_t static_pid = -1;
    std::int32_t initial_pid = -1;  // started with the system
    std::map<const Variable*, Storage> variables;
    std::vector<QueueId> queues;  // created with the instance
  };
  struct Proc {
    Automaton automaton;
    std::vector<std::int32_t> location;  // state → value of the location cell
    std::int32_t draining = 0;  // location while its channels are emptied before it dies; 0: none needed
    std::vector<std::uint32_t> slots;
    std::uint32_t first_id = 0;  // Spin numbers the elements of all proctypes in a row
    bool bounded = true;         // no more instances than slots can exist
    QueueId limit;               // else: full when another one is started
    SignalId limit_signal;
    bool is_run = false;  // some statement runs it
    std::map<std::uint32_t, ElementId> elements;
    std::set<const Variable*> scratch;  // hidden variables that it writes and that no stored state needs
    system::Type location_type;
  };
  // One way to execute a statement.
  struct Pattern {
    ExprId compare;                            // valid: the field must have this value
    const Expr* target = nullptr;              // else: set this variable, if any
    std::vector<std::uint32_t> fixed_element;  // of a structure spread over fields: which leaf element
    std::string path;
    bool spread = false;
  };
  struct Alternative {
    ExprId guard;  // may read Param if there is a trigger
    std::optional<system::Trigger> trigger;
    std::vector<StmtId> body;
    bool rendezvous_send = false, rendezvous_receive = false;
    QueueId queue;
    std::vector<ExprId> args;       // rendezvous send: the fields
    std::vector<Pattern> patterns;  // rendezvous receive
    std::uint32_t locals = 0;
  };
  struct Edge {
    std::uint32_t from = 0, to = 0;
    bool atomic = false, dies = false, plain = false, inside_dstep = false;
    ExprId guard;
    std::optional<system::Trigger> trigger;
    std::vector<StmtId> body;
    std::vector<ElementId> elements;
    std::uint32_t locals = 0;
    diag::Span span;
    std::string name;
  };
  struct Rendezvous {  // one side of it
    std::uint32_t slot = 0;
    Edge edge;  // guard without the location; body empty
    Alternative alternative;
    const Transition* transition = nullptr;
    std::vector<const Transition*> earlier;  // escapes that would be taken first
  };
  struct ChannelTarget {
    QueueId queue;
    ExprId condition;
  };
  struct Shape {
    SignalId signal;
    std::vector<DataType> fields;
  };

  // lower_layout.cpp
  bool prepare_processes();
  void count_slots();
  void find_references(const Sequence& sequence, std::map<std::string, std::vector<std::string>>& labels);
  void find_references(const Expr& e, std::map<std::string, std::vector<std::string>>& labels);
  bool create_queues();
  void create_cells();
  void create_storage(const VariablePtr& v, Slot* slot);
  void set_initial_values();
  void set_initial(const VariablePtr& v, Slot* slot);
  std::int32_t initial_value(ExprId e, diag::Span span);
  Shape shape_of(const ChannelShape& shape);
  void flatten(const DataType& type, std::vector<DataType>& into) const;
  system::Type value_type(const DataType& type) const;
  system::Type channel_type() const;
  static DataType stored_type(const Variable& v);
  std::string slot_name(const Slot& slot) const;
  std::string text_of(diag::Span span) const;

  // lower_expr.cpp
  ExprId integer(const Expr& e, const Slot* slot);
  ExprId boolean(const Expr& e, const Slot* slot);
  ExprId build(const Expr& e, const Slot* slot);
  ExprId operation(const Expr& e, const Slot* slot);
  ExprId as_boolean(ExprId e);
  ExprId as_integer(ExprId e);
  ExprId read(const Ref& ref, const Slot* slot);
  ExprId read_leaf(const LeafCells& cells, const std::string& name, const std::vector<ExprId>& indices);
  const LeafCells* find_leaf(const Ref& ref, const Slot* slot, const std::string& more = {});
  std::vector<ExprId> indices_of(const Ref& ref, const Slot* slot);
  ExprId flat_index(const std::vector<std::uint32_t>& dims, const std::vector<ExprId>& indices);
  system::Place place_of(const LeafCells& cells, const std::string& name, const std::vector<ExprId>& indices);
  ExprId truncate(const DataType& type, ExprId value);
  std::vector<ChannelTarget> targets(const Ref& ref, const Slot* slot, ExprId* unknown);
  ExprId channel_value(const Expr& e, const Slot* slot);
  ExprId poll(const Expr& e, const Slot* slot);
  ExprId remote_label(const Expr& e, const Slot* slot);
  ExprId remote_variable(const Expr& e, const Slot* slot);
  ExprId pid_of(const Slot& slot);
  ExprId alive(const Slot& slot);
  ExprId at_state(const Slot& slot, std::uint32_t state);
  ExprId process_count();
  ExprId constant(std::int32_t v) { return s_.exprs.constant(v); }
  ExprId both(ExprId a, ExprId b) { return s_.exprs.both(a, b); }
  ExprId negate(ExprId a) { return s_.exprs.negate(a); }
  ExprId any_of(std::vector<ExprId> list);
  ExprId all_of(std::vector<ExprId> list);
  void unsupported(diag::Span span, const std::string& what, const std::string& hint = {});

  // lower_effects.cpp
  std::vector<Alternative> alternatives(const Transition& t, const Slot& slot);
  void send_alternatives(const Stmt& s, const Slot& slot, std::vector<Alternative>& out);
  void receive_alternatives(const Stmt& s, const Slot& slot, std::vector<Alternative>& out);
  void assign_alternative(const Stmt& s, const Slot& slot, Alternative& a);
  std::vector<Pattern> patterns(const std::vector<ExprPtr>& args, const Slot& slot);
  ExprId pattern_condition(const std::vector<Pattern>& patterns, const std::vector<ExprId>& values);
  void store(const Pattern& p, ExprId value, const Slot& slot, diag::Span span, std::vector<StmtId>& body);
  std::vector<ExprId> message_values(const std::vector<ExprPtr>& args, const Slot& slot);
  ExprId executable(const Transition& t, const Slot& slot, bool needs_partner);
  ExprId partner_exists(const Alternative& send, const Slot& sender);
  ExprId slot_enabled(const Slot& slot);
  ExprId highest_priority(const Slot& slot);
  ExprId before(const AutomatonState& state, std::size_t index, const Slot& slot);
  std::optional<StmtId> start_process(const Expr& run, const Slot& caller, Alternative& a);
  StmtId beyond_limit(std::size_t p, const Expr& run);
  StmtId start_slot(const Slot& slot, const std::vector<ExprId>& args, const Expr& run, diag::Span span);
  std::string print_format(const Stmt& s) const;
  ExprPtr find_run(const ExprPtr& e, const Stmt& s);
  StmtId assign(CellId cell, ExprId value, diag::Span span);
  StmtId assign(system::Place place, ExprId value, diag::Span span);
  StmtId block(std::vector<StmtId> children, diag::Span span);
  StmtId failure(system::RuntimeError error, std::string text, diag::Span span);

  // lower_promises.cpp
  void collect_promises();
  void claim_edges(const Slot& slot, std::uint32_t state, const Transition& t);
  void determinism_edges(const Slot& slot, std::uint32_t state);
  void warn_of_idle_claims();
  void error_edge(const Slot& slot, std::uint32_t state, ExprId guard, std::string text, diag::Span span);

  // lower_temporal.cpp
  void add_temporal_properties();
  std::string as_written(diag::Span span, const std::string& tokens) const;
  std::string unobservable(const Expr& e) const;
  system::Formula formula(const Expr& e);
  void claim_automaton(const Proctype& claim, system::Property& property);

  // lower_hidden.cpp
  void find_scratch();
  void clear_scratch(const Slot& slot, std::vector<StmtId>& body, diag::Span span);

  // lower_actions.cpp
  void collect_edges();
  void collect_edges(Slot& slot);
  void extend(Edge& edge, const Slot& slot);
  void emit_edges();
  void emit_rendezvous();
  void emit_pair(const Rendezvous& send, const Rendezvous& receive);
  void emit_death(const Slot& slot, const Edge& edge);
  void death_body(const Slot& slot, std::vector<StmtId>& body, diag::Span span);
  void add_action(const Slot& slot, const Edge& edge, std::optional<StmtId> extra = std::nullopt);
  ExprId step_condition(const Slot& slot, const Edge& edge);
  std::vector<StmtId> move(const Slot& slot, const Edge& edge);
  void note_elements();
  void finish_owners();
  void add_properties();
  ElementId element(Proc& proc, const Transition& t, const std::string& type_name);

  const Program& program_;
  const diag::SourceMap& sources_;
  diag::Diagnostics& diagnostics_;
  Options options_;
  ChannelSets channels_;
  system::System s_;
  std::vector<Proc> procs_;
  std::vector<Slot> slots_;
  std::map<const Variable*, Storage> globals_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, QueueId> queues_;  // (slot + 1 or 0, channel number)
  std::vector<Shape> queue_shapes_;                                    // by queue
  std::vector<bool> rendezvous_;                                       // by queue
  CellId nr_pr_, last_;
  std::int32_t initial_processes_ = 0;
  bool counts_processes_ = false;
  bool wide_channels_ = false, wants_wide_channels_ = false;
  std::vector<std::vector<Edge>> edges_;                   // by slot
  std::vector<std::vector<Rendezvous>> sends_, receives_;  // by queue
  std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> name_tables_;
  std::map<std::string, std::uint32_t> mtype_tables_;
  Slot observer_;             // whoever watches: temporal properties are read from its point of view
  ExprPtr current_run_;       // the `run` of the statement being lowered
  ExprId current_run_value_;  // what stands for it
};

}  // namespace parley::front::promela
