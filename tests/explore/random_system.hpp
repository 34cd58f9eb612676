// Random Systems, made directly from the tables: every operator, statement, trigger form, overflow policy,
// integer mode and stretch, also combinations that no front end produces. Small on purpose: the oracle walks
// them completely.
#pragma once

#include <random>

#include "system/system.hpp"

namespace parley::testing {

class RandomSystem {
 public:
  explicit RandomSystem(std::uint64_t seed) : rng_(seed) {}
  system::System make();

 private:
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(rng_() % n); }
  bool chance(std::uint32_t percent) { return below(100) < percent; }
  template <class T>
  const T& one_of(const std::vector<T>& list) {
    return list[below(static_cast<std::uint32_t>(list.size()))];
  }
  system::Type small_type();
  void make_owners();
  void make_queues();
  void make_tables();
  void make_action(system::OwnerId owner);
  void make_properties();
  system::ExprId integer(std::uint32_t depth);
  system::ExprId boolean(std::uint32_t depth);
  system::StmtId statement(std::uint32_t depth);
  system::StmtId body(std::uint32_t statements);
  system::StmtId send();
  system::ElementId element();

  std::mt19937_64 rng_;
  system::System s_;
  std::vector<system::CellId> data_;
  std::vector<system::Type> params_;  // that expressions may read now
  std::uint32_t locals_ = 0;          // that expressions may read now
  bool queue_tests_ = true;
  bool idle_ = false;
};

}  // namespace parley::testing
