// The answers of one check so far, shared by the engines' threads: takes claims, has them confirmed
// (driver/certification.hpp), keeps the best answer per property and knows when nothing is left to wait for.
// What no chosen engine decides is said at once and never waited for. Used by driver/check.cpp.
#pragma once

#include <functional>
#include <mutex>
#include <vector>

#include "driver/live_report.hpp"
#include "engine/engine.hpp"
#include "semantics/interpreter.hpp"

namespace parley::driver {

class Board {
 public:
  // Properties that nobody asked for are marked; only those of the engines' questions can become decided.
  struct Row {
    system::PropertyId property;
    bool implicit = false;
  };
  // What a check does with answers.
  struct Surroundings {
    // Makes the answers so far what is to be reported: adds what they rest on.
    std::function<void(std::vector<verdict::PropertyResult>&)> complete;
    std::function<double()> certificate_seconds;  // for the next check of a certificate
    LiveReport& live;                             // told the completed answers whenever they change
  };
  Board(const semantics::Interpreter& interpreter, const std::vector<Row>& rows,
        const std::vector<engine::EngineKind>& engines, Surroundings surroundings);

  // What an engine is to be asked: what it decides.
  std::vector<system::PropertyId> questions_for(engine::EngineKind engine) const;

  // Takes over a conclusive answer, or an Unknown that says more than what is there.
  void post(verdict::PropertyResult result);

  // Everything that the engines decide is decided.
  bool all_decided();
  // All that is open was asked by nobody, and runs show the answers to the rest: they stand whatever else is
  // found.
  bool only_implicit_open();

  std::vector<verdict::PropertyResult> take() { return std::move(results_); }  // not completed

 private:
  std::vector<verdict::PropertyResult> completed() const;
  bool decided(system::PropertyId id);

  const semantics::Interpreter& interpreter_;
  const Surroundings surroundings_;
  std::mutex mutex_;
  std::vector<verdict::PropertyResult> results_;
  std::vector<bool> decidable_;  // by result
};

// No answer to any of them yet.
std::vector<verdict::PropertyResult> unanswered(const std::vector<Board::Row>& rows);

}  // namespace parley::driver
