// Where everything of a Promela program is in the System. A process instance is a slot: an owner with a
// location cell (0: not running) and cells for its variables, which are zero while it does not run. The k-th
// slot of a proctype is its k-th running instance by process number: Spin lets only the youngest process die,
// so instances of one type are born and die in stack order, and the slot to start is always the first free
// one. Thereby a state of the System is exactly a state of Spin's. Made by lay_out(), then only read: by all
// parts of the lowering. Initial values other than those of processes are set later (lower_initial.cpp).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "front/promela/flow.hpp"
#include "front/promela/points.hpp"
#include "front/promela/translation.hpp"

namespace parley::front::promela {

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
  bool is_run = false;         // some statement runs it
  system::Type location_type;
};

struct Shape {  // of a channel's messages
  SignalId signal;
  std::vector<DataType> fields;
};

struct Layout {
  explicit Layout(const Program& p) : program(p) {}

  const Program& program;
  std::vector<Proc> procs;  // by proctype
  std::vector<Slot> slots;
  std::map<const Variable*, Storage> globals;
  std::map<std::pair<std::uint32_t, std::uint32_t>, QueueId> queues;  // (slot + 1 or 0, channel number)
  std::vector<Shape> queue_shapes;                                    // by queue
  std::vector<bool> rendezvous;                                       // by queue
  CellId nr_pr, last;                                                 // where the program needs them
  std::int32_t initial_processes = 0;
  bool counts_processes = false;
  bool wide_channels = false;  // cells of channels have room for other small numbers
  std::map<std::string, std::uint32_t> mtype_tables;

  std::string slot_name(const Slot& slot) const;
  system::Type channel_type() const;
  system::Type value_type(const DataType& type) const;
};

// Spin's verifier keeps an array of bits as bytes, so that its elements hold what they are given; only where
// such a value travels in a message one bit of it is left.
DataType stored_type(const Variable& v);

// Nothing when there were errors.
std::optional<Layout> lay_out(const Translation& translation, const ChannelSets& channels,
                              bool wide_channels);

// ---- lower_processes.cpp: the automata of all proctypes, and a slot for each instance that can exist
bool lay_out_processes(const Translation& translation, Layout& layout);

}  // namespace parley::front::promela
