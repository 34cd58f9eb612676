// The concrete domain: a code is the value itself, every operator has one result.
#pragma once

#include "domain/domain.hpp"

namespace parley::domain {

class Concrete {
 public:
  using Value = std::int32_t;

  explicit Concrete(const system::System& system) : system_(&system) {}

  Value constant(std::int32_t v, const Type&) const { return v; }
  Value load_cell(CellId, std::int32_t code) const { return code; }
  Value load_param(SignalId, std::uint32_t, std::int32_t code) const { return code; }
  void store_cell(CellId cell, Value v, std::vector<Stored>& out) const {
    out.push_back({v, system_->cell(cell).type.contains(v)});
  }
  void store_param(SignalId signal, std::uint32_t i, Value v, std::vector<Stored>& out) const {
    out.push_back({v, system_->signal(signal).params[i].contains(v)});
  }
  void apply_unary(Op op, Value x, std::uint32_t bits, std::vector<Possible<Value>>& out) const {
    const expr::Computed c = expr::compute(op, x, bits);
    out.push_back({c.value, c.error, c.overflowed});
  }
  void apply_binary(Op op, Value x, Value y, std::vector<Possible<Value>>& out) const {
    const expr::Computed c = expr::compute(op, x, y);
    out.push_back({c.value, c.error, c.overflowed});
  }
  Truth truth(Value v) const { return {v != 0, v == 0}; }
  void indices(Value v, std::uint32_t, std::vector<std::int32_t>& out) const { out.push_back(v); }
  std::uint64_t choice_count(Value lo, Value hi) const {
    return hi < lo ? 0 : static_cast<std::uint64_t>(static_cast<std::int64_t>(hi) - lo) + 1;
  }
  Value choice(Value lo, Value, std::uint64_t k) const {
    return static_cast<Value>(static_cast<std::int64_t>(lo) + static_cast<std::int64_t>(k));
  }

 private:
  const system::System* system_;
};

static_assert(ValueDomain<Concrete>);

}  // namespace parley::domain
