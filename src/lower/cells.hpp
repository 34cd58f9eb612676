// Making cells and name tables, for the two files that lay things out. Private to lowering.
#pragma once

#include "lower/context.hpp"

namespace parley::lower {

struct CellSpec {
  std::string name;
  Type type;
  std::int32_t initial = 0;
  system::CellRole role = system::CellRole::Bookkeeping;
  bool is_timer = false;
  diag::Span span = {};
  std::string element = {};
};

// A cell of an object, with its entry in the back-map.
CellId add_cell(Context& c, const Object& o, CellSpec spec, BackMap::CellOrigin origin);
std::uint32_t add_names(Context& c, std::string name, std::vector<std::string> names);

// Threads, their queues and signals (threads.cpp).
void make_threads(Context& c);
void make_queues(Context& c);
void make_signals(Context& c);
void add_split_cells(Context& c);

}  // namespace parley::lower
