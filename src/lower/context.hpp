// The working state of one lowering: the Model, the System under construction, and where each object's cells,
// queue and signals lie. Private to this room; every file of it works on a Context.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "lower/lower.hpp"
#include "lower/machine.hpp"

namespace parley::lower {

using expr::ExprId;
using expr::Op;
using expr::TableId;
using expr::Type;
using expr::TypeKind;
using system::ActionId;
using system::CellId;
using system::ElementId;
using system::OwnerId;
using system::QueueId;
using system::SignalId;
using system::StmtId;

struct Object {
  std::uint32_t number = 0;
  std::string name;
  ClassId of_class;
  const MachineInfo* machine = nullptr;  // null: passive
  OwnerId owner;
  std::uint32_t thread = 0;                     // index in Context::threads; active objects only
  std::uint32_t place = 0;                      // 1.. within its thread
  std::vector<std::vector<CellId>> attributes;  // elements of each attribute
  std::vector<CellId> location, history;        // by region; history invalid where none is kept
  std::vector<CellId> completion;               // by vertex; invalid: none, or not needed
  std::vector<CellId> doing;                    // by vertex: the do activity has not run yet
  std::vector<CellId> after, armed;             // by transition: time events, change events
  std::vector<SignalId> signals;                // by declared signal: as carried in this object's queue
  CellId dispatched;                            // split run-to-completion: the signal being worked on
  std::vector<std::vector<CellId>> parameters;  // by declared signal: its values, while being worked on
  std::uint32_t first_local = 0;                // locals below it pick orders of regions
  std::uint32_t pick_size = 0;                  // locals of one pick
  std::vector<std::uint32_t> pick_base;         // by vertex
  std::map<std::pair<int, std::uint32_t>, StmtId> sequences;  // entry and exit sequences made so far

  ExprId ref_value(expr::Pool& pool, Type type) const {
    return pool.constant(static_cast<std::int32_t>(number) + 1, type);
  }
};

struct Thread {
  std::string name;
  QueueId queue;
  std::vector<std::uint32_t> members;
  CellId running;  // split run-to-completion: place of the member whose step is under way, 0: none
};

struct Context {
  Context(const model::Model& m, diag::Diagnostics& d, const LowerOptions& o)
      : model(m), diagnostics(d), options(o) {}

  const model::Model& model;
  diag::Diagnostics& diagnostics;
  const LowerOptions& options;
  system::System system;
  BackMap map;

  std::map<ClassId, std::unique_ptr<MachineInfo>> machines;  // by the class that has the machine
  std::vector<Object> objects;
  std::vector<Thread> threads;
  OwnerId environment, clock;
  std::uint32_t object_names = 0;  // name table of all references
  std::vector<std::uint32_t> enum_names;
  std::map<ClassId, std::vector<ElementId>> state_elements, transition_elements;
  std::set<const model::Attribute*> assigned;  // attributes that some behaviour may change
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, TableId> tables;
  std::size_t unfolded = 0;  // calls of operations unfolded so far
  bool refused = false;      // an error was reported: the result is thrown away

  expr::Pool& pool() { return system.exprs; }
  const model::Switches& switches() const { return model.switches; }

  void refuse(std::string code, diag::Span span, std::string message, std::string hint = {}) {
    refused = true;
    diagnostics.error(std::move(code), span, std::move(message), std::move(hint));
  }

  // Types.
  Type type(const model::ModelType& t);
  Type ref_type(ClassId of_class) const;

  // Statements. Empty blocks are one shared statement.
  StmtId skip();
  StmtId block(std::vector<StmtId> children);
  StmtId assign(CellId cell, ExprId value, const system::Origin& origin = {});
  StmtId assign(CellId cell, std::int32_t value);
  StmtId set_local(std::uint32_t local, ExprId value);
  StmtId choose(std::uint32_t local, ExprId lo, ExprId hi);
  StmtId when(ExprId condition, StmtId then, StmtId otherwise);
  StmtId note(ElementId element);
  StmtId fail(system::RuntimeError error, std::string text, const system::Origin& origin);
  StmtId add(system::Stmt statement);

  ExprId at(const Object& o, RegionId region, std::uint32_t location);
  // The state is active: its region's location says so (regions of inactive states are at 0).
  ExprId active(const Object& o, VertexId state);
  ExprId is(CellId cell, std::int32_t value) { return pool().equals(system.read(cell), value); }

  // Adds an action with its entry in the back-map.
  ActionId add(system::Action action, std::vector<BackMap::Fired> fired = {});
  CellId add_cell(system::Cell cell, BackMap::CellOrigin origin);

 private:
  StmtId skip_;
};

// Fills in machines, objects, threads, cells, queues, signals and owners (layout.cpp).
void lay_out(Context& c);

system::Origin origin_of(const diag::Span& span, const std::string& element = {});

}  // namespace parley::lower
