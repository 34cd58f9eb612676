#include "driver/board.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "driver/certification.hpp"

namespace parley::driver {

using engine::EngineKind;
using verdict::PropertyResult;

namespace {

// Why nobody will say anything about it.
std::string undecided(const system::Property& p) {
  if (!p.unformalised.empty()) return fmt::format("no engine decides it: {}", p.unformalised);
  std::vector<std::string> able;
  for (const EngineKind kind : all_of<EngineKind>)
    if (kind != EngineKind::Relay && verdict::decides(kind, p.kind))
      able.push_back(fmt::format("{}", name_of(kind)));
  return fmt::format("the chosen engine does not decide this kind of property; --engine {} does",
                     fmt::join(able, " or "));
}

bool shown_by_a_run(const PropertyResult& r) {
  if (const auto* v = std::get_if<verdict::Violated>(&r.verdict)) return v->trace.has_value();
  const auto* h = std::get_if<verdict::Holds>(&r.verdict);
  return h != nullptr && h->witness.has_value();
}

}  // namespace

std::vector<PropertyResult> unanswered(const std::vector<Board::Row>& rows) {
  std::vector<PropertyResult> results;
  for (const Board::Row& row : rows) {
    PropertyResult r;
    r.property = row.property;
    r.implicit = row.implicit;
    results.push_back(std::move(r));
  }
  return results;
}

Board::Board(const semantics::Interpreter& interpreter, const std::vector<Row>& rows,
             const std::vector<EngineKind>& engines, Surroundings surroundings)
    : interpreter_(interpreter), surroundings_(std::move(surroundings)), results_(unanswered(rows)) {
  for (PropertyResult& r : results_) {
    const system::Property& p = interpreter.system().property(r.property);
    decidable_.push_back(p.unformalised.empty() &&
                         std::any_of(engines.begin(), engines.end(),
                                     [&](EngineKind kind) { return verdict::decides(kind, p.kind); }));
    if (!decidable_.back()) r.verdict = verdict::Unknown{undecided(p)};
  }
  surroundings_.live.answers(completed());
}

std::vector<PropertyResult> Board::completed() const {
  std::vector<PropertyResult> answers = results_;
  surroundings_.complete(answers);
  return answers;
}

std::vector<system::PropertyId> Board::questions_for(EngineKind engine) const {
  std::vector<system::PropertyId> ids;
  for (const PropertyResult& r : results_)
    if (verdict::decides(engine, interpreter_.system().property(r.property).kind)) ids.push_back(r.property);
  return ids;
}

void Board::post(PropertyResult r) {
  if (decided(r.property)) return;
  certify(interpreter_, r, surroundings_.certificate_seconds());
  const std::lock_guard lock(mutex_);
  for (PropertyResult& have : results_) {
    if (have.property != r.property || !have.unknown()) continue;
    r.implicit = have.implicit;
    if (!r.unknown() || !have.engine || have.engine == r.engine) {
      have = r;
      continue;
    }
    auto& reason = std::get<verdict::Unknown>(have.verdict).reason;
    const auto& more = std::get<verdict::Unknown>(r.verdict);
    if (!have.story) have.story = r.story;
    if (more.stopped != verdict::StopCause::Cancelled)
      reason += fmt::format("; {}: {}", r.engine_name(), more.reason);
  }
  surroundings_.live.answers(completed());
}

bool Board::all_decided() {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < results_.size(); ++i)
    if (decidable_[i] && results_[i].unknown()) return false;
  return true;
}

bool Board::only_implicit_open() {
  const std::lock_guard lock(mutex_);
  bool any = false;
  for (std::size_t i = 0; i < results_.size(); ++i) {
    if (!decidable_[i] || results_[i].implicit) continue;
    if (!shown_by_a_run(results_[i])) return false;
    any = true;
  }
  return any;
}

bool Board::decided(system::PropertyId id) {
  const std::lock_guard lock(mutex_);
  return std::any_of(results_.begin(), results_.end(),
                     [&](const PropertyResult& r) { return r.property == id && !r.unknown(); });
}

}  // namespace parley::driver
