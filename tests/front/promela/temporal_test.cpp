// ltl formulas and never claims behind the front end: text, place and meaning are properties of the System.
#include <gtest/gtest.h>

#include "front/promela/support.hpp"

namespace parley::front::promela {
namespace {

using testing::load_text;
using testing::Loaded;

const system::Property& property(const Loaded& loaded, const std::string& name) {
  for (const system::Property& p : loaded.system->properties)
    if (p.name == name) return p;
  ADD_FAILURE() << "no property " << name;
  return loaded.system->properties[0];
}

TEST(Temporal, FormulasAreTreesOverTheCells) {
  const Loaded loaded = load_text(
      "byte x; bool done;\n"
      "ltl live { [] (x == 1 -> <> done) }\n"
      "ltl { !(x == 1 U done) && X (x < 3 W done || true V (x == 0 <-> done)) }\n"
      "active proctype P() { here: x = 1; done = true }\n"
      "ltl place { <> P@here }\n");
  ASSERT_TRUE(loaded.system) << loaded.messages();
  const system::Property& live = property(loaded, "ltl live");
  ASSERT_TRUE(live.formula);
  EXPECT_EQ(live.temporal, "[] (x == 1 -> <> done)");
  EXPECT_EQ(loaded.sources.position(live.origin.span).line, 2u);
  using Kind = system::Formula::Kind;
  const system::Formula& f = *live.formula;
  ASSERT_EQ(f.kind, Kind::Globally);
  ASSERT_EQ(f.operands[0].kind, Kind::Implies);
  EXPECT_EQ(f.operands[0].operands[0].kind, Kind::Predicate);
  EXPECT_EQ(system::show(*loaded.system, f.operands[0].operands[0].predicate), "x == 1");
  EXPECT_EQ(f.operands[0].operands[1].kind, Kind::Finally);
  EXPECT_EQ(system::show(*loaded.system, f), "[] ((x == 1) -> <> (done != 0))");
  const system::Property& other = property(loaded, "ltl ltl_1");
  ASSERT_TRUE(other.formula);
  EXPECT_EQ(other.formula->kind, Kind::And);
  EXPECT_EQ(other.formula->operands[0].operands[0].kind, Kind::Until);
  EXPECT_EQ(other.formula->operands[1].kind, Kind::Next);
  ASSERT_TRUE(property(loaded, "ltl place").formula);
  EXPECT_EQ(property(loaded, "ltl place").formula->operands[0].kind, Kind::Predicate);
}

TEST(Temporal, NeverClaimsAreAutomata) {
  const Loaded loaded = load_text(
      "byte x;\nactive proctype P() { x = 1 }\n"
      "never N {\nT0: do\n  :: x == 1 -> goto accept_all\n  :: true\n  od;\naccept_all: skip\n}\n");
  ASSERT_TRUE(loaded.system) << loaded.messages();
  const system::Property& p = property(loaded, "never N");
  ASSERT_TRUE(p.claim) << p.unformalised;
  const system::NeverClaim& claim = *p.claim;
  EXPECT_EQ(loaded.sources.position(p.origin.span).line, 3u);
  // T0, accept_all and the end: three states, as `pan -d` lists them for the claim.
  ASSERT_EQ(claim.states.size(), 3u);
  const auto& start = claim.states[claim.start];
  EXPECT_EQ(start.name, "T0");
  EXPECT_FALSE(start.accepting);
  ASSERT_EQ(start.edges.size(), 2u);
  EXPECT_EQ(system::show(*loaded.system, start.edges[0].guard), "x == 1");
  const auto& accepting = claim.states[start.edges[0].target];
  EXPECT_EQ(accepting.name, "accept_all");
  EXPECT_TRUE(accepting.accepting);
  EXPECT_TRUE(claim.states[accepting.edges[0].target].final);
}

TEST(Temporal, WhatASystemCannotSayStaysText) {
  const Loaded loaded = load_text(
      "byte x;\nactive proctype P() { x = 1 }\n"
      "never A { byte y; do :: y == 1 od }\nnever B { x = 2 }\nnever C { do :: _pid == 1 od }\n");
  ASSERT_TRUE(loaded.system) << loaded.messages();
  for (const char* name : {"never A", "never B", "never C"}) {
    EXPECT_FALSE(property(loaded, name).claim) << name;
    EXPECT_NE(property(loaded, name).unformalised, "") << name;
    EXPECT_NE(property(loaded, name).temporal, "") << name;
  }
}

// What Spin decides with pan -a, pan -l and event sequences is asked for, and kept as text.
TEST(Temporal, LabelsAndEventSequencesAreProperties) {
  const Loaded loaded = load_text(
      "chan c = [1] of { byte }; byte x;\n"
      "trace { do :: c!1; c?1 od }\n"
      "active proctype P() { do :: { accept_one: x = 1 } :: progress: c!1; c?1 od }\n"
      "active proctype Q() { if :: true -> accept: skip fi; accept_two: skip }\n");
  ASSERT_TRUE(loaded.system) << loaded.messages();
  const system::Property& accept = property(loaded, "no acceptance cycles");
  EXPECT_EQ(accept.kind, system::PropertyKind::Temporal);
  EXPECT_EQ(accept.temporal, "P@accept_one, Q@accept, Q@accept_two");
  EXPECT_EQ(loaded.sources.position(accept.origin.span).line, 3u);
  EXPECT_EQ(property(loaded, "no non-progress cycles").temporal, "P@progress");
  EXPECT_EQ(property(loaded, "trace").temporal, "trace { do :: c!1; c?1 od }");
  EXPECT_FALSE(property(loaded, "trace").unformalised.empty());
}

TEST(Temporal, LabelsOfClaimsAreTheClaims) {
  const Loaded loaded = load_text(
      "byte x;\nactive proctype P() { acceptable: x = 1 }\nnever { accept_all: do :: x == 1 od }\n");
  ASSERT_TRUE(loaded.system) << loaded.messages();
  for (const system::Property& p : loaded.system->properties)
    EXPECT_TRUE(p.name != "no acceptance cycles" || p.temporal == "P@acceptable");
}

}  // namespace
}  // namespace parley::front::promela
