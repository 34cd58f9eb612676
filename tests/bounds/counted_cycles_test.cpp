// Counted supplementary cycles (cycle_balance.hpp), which the publication leaves out: where they make the
// difference. All counts by hand.
#include <gtest/gtest.h>

#include "bounds/published/run.hpp"
#include "front/promela/promela.hpp"

namespace parley::bounds::published {
namespace {

Run run(const std::string& text, const Options& options = {}) {
  diag::SourceMap sources;
  diag::Diagnostics diagnostics;
  const auto s = front::promela::load(sources, "hand.pml", text, diagnostics, {});
  EXPECT_TRUE(s.has_value());
  return published::run(*s, options);
}

Options counted() {
  Options o;
  o.counted = true;
  return o;
}

// Each message costs 2 of x and each one taken gives 1 back, so two are taken for one sent. The published
// test only asks that some are taken: 2 sent, 1 taken remains.
TEST(CountedCycles, TwoSupplementaryRoundsForOneStep) {
  const char* const model = R"(
    chan q = [1] of { byte };
    active proctype P() {
      byte x = 2;
      do
      :: x >= 2 -> q!1; x = x - 2
      :: q?_; x = x + 1
      od
    })";
  const Report published = run(model).report;
  EXPECT_EQ(published.answer, Answer::Unknown);
  EXPECT_EQ(published.undecided(Undecided::Executions), 1U);
  const Report r = run(model, counted()).report;
  EXPECT_EQ(r.answer, Answer::Bounded);
  EXPECT_EQ(r.spurious, r.counterexamples);
}

// As in GIOP's loop over request numbers: the outer round needs i == 4 and sets it to 0, so four inner rounds
// go with it. It sends 3, they take 4. One cycle stores what it receives in i, so not all steps are known;
// nobody sends to it.
TEST(CountedCycles, AResetNeedsItsWayBack) {
  const char* const model = R"(
    chan q = [1] of { byte }; chan nobody = [1] of { byte };
    active proctype P() {
      byte i = 4;
      do
      :: i == 4 -> i = 0; q!1; q!1; q!1
      :: i != 4 -> q?_; i = i + 1
      :: nobody?i
      od
    })";
  const Report published = run(model).report;
  EXPECT_EQ(published.answer, Answer::Unknown);
  EXPECT_EQ(published.undecided(Undecided::Executions), 1U);
  EXPECT_EQ(run(model, counted()).report.answer, Answer::Bounded);
}

// Three sent for two taken: this one does grow, and counting does not hide it.
TEST(CountedCycles, WhatGrowsIsStillNotDecided) {
  const Report r = run(R"(
    chan q = [1] of { byte };
    active proctype P() {
      byte x = 2;
      do
      :: x >= 2 -> q!1; q!1; q!1; x = x - 2
      :: q?_; x = x + 1
      od
    })",
                       counted())
                       .report;
  EXPECT_EQ(r.answer, Answer::Unknown);
}

}  // namespace
}  // namespace parley::bounds::published
