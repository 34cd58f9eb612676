// Queues that are asked for their length before anybody sends (bounds/length_tests.hpp). Every model has a
// second queue that grows for ever, so that no search ends; the limits are counted by hand.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "bounds/bounds.hpp"
#include "certify/bounds_check.hpp"
#include "front/promela/promela.hpp"
#include "front/text/parser.hpp"
#include "lower/lower.hpp"
#include "model/resolve.hpp"
#include "random_check.hpp"
#include "system_maker.hpp"

namespace parley::bounds {
namespace {

using expr::Op;
using nlohmann::json;
using system::ExprId;
using system::QueueId;
using system::StmtId;
using testing::Maker;

// The report by length tests alone: neither search nor luck.
QueueReport proven(const system::System& s, QueueId q) {
  Options o;
  o.use_search = false;
  o.seconds = 5;
  return analyse(s, o).queues[q.index()];
}

void expect_limit(const system::System& s, QueueId q, std::int64_t limit, const std::string& what) {
  const QueueReport r = proven(s, q);
  ASSERT_EQ(r.answer, Answer::Bounded) << what;
  EXPECT_EQ(r.certificate.kind, verdict::CertificateKind::LengthTests) << what;
  EXPECT_EQ(r.limit, limit) << what;
  EXPECT_EQ(r.senders.empty(), limit == 0) << what;
  const certify::Check c = certify::check_bounded(s, q, limit, r.certificate);
  EXPECT_TRUE(c.accepted) << what << ": " << c.why;
  EXPECT_FALSE(certify::check_bounded(s, q, limit - 1, r.certificate).accepted) << what;
}

// One machine that sends to q in various ways, another that takes from it, and a queue that grows.
struct Pair : Maker {
  system::OwnerId sender = owner("sender", 3), taker = owner("taker", 1);
  QueueId q = queue("q"), other = queue("other"), grows = queue("grows");
  system::SignalId g = signal("g");
  ExprId len = s.exprs.queue_len(q), other_len = s.exprs.queue_len(other);

  Pair() {
    step(sender, 0, 0, {send(grows, g)});
    receive(taker, 0, 0, q, g);
    receive(taker, 0, 0, grows, g);
  }
  StmtId when(ExprId condition, StmtId then) {
    system::Stmt st;
    st.kind = system::StmtKind::If;
    st.value = condition;
    st.children = {then};
    return s.add(st);
  }
};

TEST(LengthTests, GuardsOfEveryShape) {
  struct Case {
    const char* what;
    std::function<ExprId(Pair&)> guard;
    std::optional<std::int64_t> limit;  // with one message per step
  };
  const Case cases[] = {
      {"len < 3", [](Pair& p) { return p.op(Op::Lt, p.len, p.num(3)); }, 3},
      {"len <= 3", [](Pair& p) { return p.op(Op::Le, p.len, p.num(3)); }, 4},
      {"len == 0", [](Pair& p) { return p.op(Op::Eq, p.len, p.num(0)); }, 1},
      {"3 > len", [](Pair& p) { return p.op(Op::Gt, p.num(3), p.len); }, 3},
      {"3 >= len", [](Pair& p) { return p.op(Op::Ge, p.num(3), p.len); }, 4},
      {"0 == len", [](Pair& p) { return p.op(Op::Eq, p.num(0), p.len); }, 1},
      {"!(len >= 3)", [](Pair& p) { return p.s.exprs.negate(p.op(Op::Ge, p.len, p.num(3))); }, 3},
      {"len + 2 < 5", [](Pair& p) { return p.op(Op::Lt, p.op(Op::Add, p.len, p.num(2)), p.num(5)); }, 3},
      {"len < 5 && len < 2",
       [](Pair& p) { return p.s.exprs.both(p.op(Op::Lt, p.len, p.num(5)), p.op(Op::Lt, p.len, p.num(2))); },
       2},
      {"len < 2 || len < 5",
       [](Pair& p) { return p.s.exprs.either(p.op(Op::Lt, p.len, p.num(2)), p.op(Op::Lt, p.len, p.num(5))); },
       5},
      // Only one half of the alternative says something.
      {"len < 2 || len(other) == 0",
       [](Pair& p) {
         return p.s.exprs.either(p.op(Op::Lt, p.len, p.num(2)), p.op(Op::Eq, p.other_len, p.num(0)));
       },
       std::nullopt},
      {"len < 2 && len(other) == 0",
       [](Pair& p) {
         return p.s.exprs.both(p.op(Op::Lt, p.len, p.num(2)), p.op(Op::Eq, p.other_len, p.num(0)));
       },
       2},
      {"len(other) < 2", [](Pair& p) { return p.op(Op::Lt, p.other_len, p.num(2)); }, std::nullopt},
      // One message at a time never jumps over 2; and whoever waits for two messages sends the first of them
      // never.
      {"len != 2", [](Pair& p) { return p.op(Op::Ne, p.len, p.num(2)); }, 2},
      {"len >= 2", [](Pair& p) { return p.op(Op::Ge, p.len, p.num(2)); }, 0},
  };
  for (const Case& c : cases) {
    Pair p;
    p.step(p.sender, 0, 0, {p.send(p.q, p.g)}, c.guard(p));
    if (c.limit) {
      expect_limit(p.s, p.q, *c.limit, c.what);
    } else {
      EXPECT_NE(proven(p.s, p.q).answer, Answer::Bounded) << c.what;
    }
  }
}

TEST(LengthTests, BodiesOfEveryShape) {
  {
    Pair p;
    p.step(p.sender, 0, 0, {p.send(p.q, p.g), p.send(p.q, p.g)}, p.op(Op::Lt, p.len, p.num(3)));
    expect_limit(p.s, p.q, 4, "two at once");
  }
  {
    Pair p;
    p.step(p.sender, 0, 0, {p.when(p.op(Op::Lt, p.len, p.num(2)), p.send(p.q, p.g))});
    expect_limit(p.s, p.q, 2, "asked in the body");
  }
  {
    Pair p;
    p.step(p.sender, 0, 0, {p.send(p.q, p.g), p.when(p.op(Op::Lt, p.len, p.num(2)), p.send(p.q, p.g))},
           p.op(Op::Eq, p.len, p.num(0)));
    expect_limit(p.s, p.q, 2, "asked in the body after a send");
  }
  {
    // Takes one, then may send two: from 3 to 4 messages, where the guard stops it.
    Pair p;
    p.receive(p.sender, 0, 0, p.q, p.g, {p.send(p.q, p.g), p.send(p.q, p.g)}, p.op(Op::Lt, p.len, p.num(4)));
    p.step(p.sender, 0, 0, {p.send(p.q, p.g)}, p.op(Op::Eq, p.len, p.num(0)));
    expect_limit(p.s, p.q, 4, "a receive before the sends");
  }
  {
    // Takes one and sends one back without asking: as long as before.
    Pair p;
    p.receive(p.sender, 0, 0, p.q, p.g, {p.send(p.q, p.g)});
    p.step(p.sender, 0, 0, {p.send(p.q, p.g)}, p.op(Op::Lt, p.len, p.num(3)));
    expect_limit(p.s, p.q, 3, "taken and sent back");
  }
  {
    // Only looks at the message: one longer.
    Pair p;
    const auto a = p.receive(p.sender, 0, 0, p.q, p.g, {p.send(p.q, p.g)});
    p.s.actions[a.index()].trigger->consume = false;
    p.step(p.sender, 0, 0, {p.send(p.q, p.g)}, p.op(Op::Lt, p.len, p.num(3)));
    EXPECT_NE(proven(p.s, p.q).answer, Answer::Bounded);
  }
  {
    Pair p;
    p.s.initial_body = p.block({p.send(p.q, p.g), p.send(p.q, p.g), p.send(p.q, p.g)});
    p.step(p.sender, 0, 0, {p.send(p.q, p.g)}, p.op(Op::Lt, p.len, p.num(2)));
    expect_limit(p.s, p.q, 3, "more at the start than anybody would send");
  }
}

TEST(LengthTests, ATestInAnEarlierStepHelpsWhileNobodyElseSends) {
  for (const bool forestalled : {false, true}) {
    Pair p;
    p.step(p.sender, 0, 1, {}, p.op(Op::Lt, p.len, p.num(3)));
    p.step(p.sender, 1, 0, {p.send(p.q, p.g)});
    const auto second = p.owner("second", 1);
    if (forestalled) p.step(second, 0, 0, {p.send(p.q, p.g)});
    if (forestalled) {
      EXPECT_NE(proven(p.s, p.q).answer, Answer::Bounded);
    } else {
      expect_limit(p.s, p.q, 3, "alone");
    }
  }
  // Two who both ask first and send later: each may have asked before the other has sent.
  Pair p;
  const auto second = p.owner("second", 2);
  for (const auto o : {p.sender, second}) {
    p.step(o, 0, 1, {}, p.op(Op::Lt, p.len, p.num(3)));
    p.step(o, 1, 0, {p.send(p.q, p.g)});
  }
  expect_limit(p.s, p.q, 4, "two who ask first");
  const system::System endless = p.s;
  SearchResult seen;
  SearchLimits limits;
  limits.states = 5000;
  Searcher(endless, 1).explore({true, false, false}, limits, seen);
  EXPECT_EQ(seen.longest[0], 4U);
}

// A table of routes: by a cell of the sender, by a parameter of the message; and a test of the wrong queue.
TEST(LengthTests, QueuesChosenByAVariable) {
  const auto route = [](Pair& p, ExprId target) {
    const StmtId st = p.send(p.q, p.g);
    p.send(p.other, p.g);
    p.s.stmts[st.index()].routes = {{p.q, p.g}, {p.other, p.g}};
    p.s.stmts[st.index()].target = target;
    return st;
  };
  {
    Pair p;
    const auto i = p.cell("sender.i", p.sender, 0, 1, 0);
    const ExprId length = p.s.exprs.cond(p.is(i, 0), p.len, p.other_len);
    p.step(p.sender, 0, 0, {p.assign(i, p.op(Op::Sub, p.num(1), p.get(i)))});
    p.step(p.sender, 0, 0, {route(p, p.get(i))}, p.op(Op::Lt, length, p.num(3)));
    expect_limit(p.s, p.q, 3, "by a cell");
    expect_limit(p.s, p.other, 3, "by a cell, the other");
  }
  {
    Pair p;
    const auto i = p.cell("sender.i", p.sender, 0, 1, 0);
    p.step(p.sender, 0, 0, {p.assign(i, p.op(Op::Sub, p.num(1), p.get(i)))});
    p.step(p.sender, 0, 0, {route(p, p.get(i))}, p.op(Op::Lt, p.len, p.num(3)));
    expect_limit(p.s, p.q, 3, "only one of them is asked");
    EXPECT_NE(proven(p.s, p.other).answer, Answer::Bounded);
  }
  for (const bool crossed : {false, true}) {
    Pair p;
    const auto type = system::Type::range(0, 1);
    const auto request = p.signal("request", {type});
    const auto which = p.s.exprs.param(0, type);
    const auto inbox = p.queue("inbox");
    const auto env = p.owner("env", 1);
    p.step(env, 0, 0, {p.send(inbox, request, {p.num(0)})});
    p.step(env, 0, 0, {p.send(inbox, request, {p.num(1)})});
    const ExprId length = p.s.exprs.cond(p.op(Op::Eq, which, p.num(crossed ? 1 : 0)), p.len, p.other_len);
    p.receive(p.sender, 0, 0, inbox, request, {route(p, which)}, p.op(Op::Lt, length, p.num(3)));
    p.receive(p.sender, 0, 0, inbox, request, {}, p.op(Op::Ge, length, p.num(3)));
    if (crossed) {
      EXPECT_NE(proven(p.s, p.q).answer, Answer::Bounded);
    } else {
      expect_limit(p.s, p.q, 3, "by a parameter");
    }
  }
}

TEST(LengthTests, TextModel) {
  diag::SourceMap sources;
  diag::Diagnostics diagnostics;
  const diag::FileId file = sources.add("m.ply", R"(
signal card;
signal note;
class Atm { machine { initial -> idle; waiting state idle { on card -> idle; } } }
class Log { machine { initial -> idle; waiting state idle { on note -> idle; } } }
system {
  atm : Atm;
  log : Log;
  environment sends card to atm when (atm in idle && len(atm) == 0);
  environment sends note to log;
}
)");
  model::Model model = front::text::parse(sources, file, diagnostics);
  model::resolve(model, diagnostics);
  ASSERT_FALSE(diagnostics.has_errors());
  const auto lowered = lower::lower(model, diagnostics);
  ASSERT_TRUE(lowered);
  expect_limit(lowered->system, QueueId(0), 1, "environment");
  Options o;
  o.seconds = 3;
  const BoundsReport r = analyse(lowered->system, o);
  EXPECT_EQ(r.queues[0].limit, 1);
  EXPECT_EQ(r.queues[1].answer, Answer::Unbounded);
}

TEST(LengthTests, PromelaModels) {
  struct Case {
    const char* what;
    std::string text;
    std::optional<std::int64_t> limit;  // of q
  };
  const std::string consumer = "active proctype C() { byte x; do :: q?x :: r?x od }\n";
  const std::string channels = "chan q = [8] of { byte };\nchan r = [8] of { byte };\n";
  const Case cases[] = {
      {"one producer", channels + "active proctype P() { do :: len(q) < 3 -> q!1 :: r!2 od }\n" + consumer,
       3},
      {"mirrored", channels + "active proctype P() { do :: 3 > len(q) -> q!1 :: r!2 od }\n" + consumer, 3},
      // That nobody interferes with a d_step is not made use of: each of three may have asked already.
      {"one step",
       channels + "active [3] proctype P() { do :: d_step { len(q) < 3 -> q!1 } :: r!2 od }\n" + consumer, 5},
      {"two producers",
       channels + "active [2] proctype P() { do :: len(q) < 3 -> q!1 :: r!2 od }\n" + consumer, 4},
      {"the wrong queue", channels + "active proctype P() { do :: len(r) < 3 -> q!1 :: r!2 od }\n" + consumer,
       std::nullopt},
      {"forestalled",
       channels +
           "active proctype P() { do :: len(q) < 3 -> q!1 od }\nactive proctype Q() { do :: q!1 od }\n" +
           consumer,
       std::nullopt},
      {"an array of channels",
       "chan q[2] = [8] of { byte };\nchan r = [8] of { byte };\n"
       "active proctype P() { byte i; do :: len(q[i]) < 3 -> q[i]!1 :: i = 1 - i :: r!2 od }\n"
       "active proctype C() { byte x; do :: q[0]?x :: q[1]?x :: r?x od }\n",
       3},
  };
  for (const Case& c : cases) {
    diag::SourceMap sources;
    diag::Diagnostics diagnostics;
    const auto s = front::promela::load(sources, "m.pml", c.text, diagnostics, {});
    ASSERT_TRUE(s) << c.what;
    if (c.limit) {
      expect_limit(*s, QueueId(0), *c.limit, c.what);
    } else {
      EXPECT_NE(proven(*s, QueueId(0)).answer, Answer::Bounded) << c.what;
    }
  }
}

TEST(LengthTests, ForgeriesAreRejected) {
  Pair p;
  p.step(p.sender, 0, 1, {}, p.op(Op::Lt, p.len, p.num(3)));
  p.step(p.sender, 1, 0, {p.send(p.q, p.g)});
  const QueueReport r = proven(p.s, p.q);
  ASSERT_EQ(r.certificate.kind, verdict::CertificateKind::LengthTests);
  const json good = json::parse(r.certificate.payload);
  ASSERT_TRUE(
      certify::check_bounded(p.s, p.q, 3, {verdict::CertificateKind::LengthTests, good.dump()}).accepted);
  const auto rejected = [&](const char* what, const std::function<void(json&)>& forge, QueueId queue,
                            std::int64_t limit) {
    json j = good;
    forge(j);
    const certify::Check c =
        certify::check_bounded(p.s, queue, limit, {verdict::CertificateKind::LengthTests, j.dump()});
    EXPECT_FALSE(c.accepted) << what;
    EXPECT_FALSE(c.why.empty()) << what;
  };
  const auto same = [](json&) {};
  rejected("a smaller limit", same, p.q, 2);
  rejected("another queue", same, p.grows, 3);
  rejected("a limit that no length reaches", same, p.grows, std::int64_t{1} << 40);
  rejected(
      "shorter everywhere",
      [](json& j) {
        for (json& n : j["nodes"]) n["length"][1] = n["length"][1].get<int>() - 1;
      },
      p.q, 3);
  for (std::size_t i = 0; i < good.at("nodes").size(); ++i) {
    rejected(
        "shorter in one place",
        [&](json& j) { j["nodes"][i]["length"][1] = j["nodes"][i]["length"][1].get<int>() - 1; }, p.q, 3);
    rejected(
        "longer than the limit", [&](json& j) { j["nodes"][i]["length"][1] = 4; }, p.q, 3);
    rejected(
        "never empty", [&](json& j) { j["nodes"][i]["length"][0] = 1; }, p.q, 3);
    rejected(
        "a missing node", [&](json& j) { j["nodes"].erase(i); }, p.q, 3);
    rejected(
        "a node twice", [&](json& j) { j["nodes"].push_back(j["nodes"][i]); }, p.q, 3);
  }
  rejected(
      "no control states",
      [](json& j) {
        j["tracked"] = json::array();
        j["nodes"] = {{{"values", json::array()}, {"ranges", json::array()}, {"length", {0, 3}}}};
      },
      p.q, 3);
  rejected(
      "an unknown cell", [](json& j) { j["tracked"][0] = 99; }, p.q, 3);
  rejected(
      "a negative cell", [](json& j) { j["tracked"][0] = -1; }, p.q, 3);
  rejected(
      "values missing", [](json& j) { j["nodes"][0]["values"] = json::array(); }, p.q, 3);
  rejected(
      "a missing field", [](json& j) { j.erase("splits"); }, p.q, 3);
  rejected(
      "the wrong type", [](json& j) { j["nodes"] = "none"; }, p.q, 3);
  EXPECT_FALSE(certify::check_bounded(p.s, p.q, 3, {verdict::CertificateKind::LengthTests, "["}).accepted);
  EXPECT_FALSE(
      certify::check_bounded(p.s, p.q, 3, {verdict::CertificateKind::Weights, good.dump()}).accepted);
}

// Random systems that ask for lengths in guards and bodies, in every way that the maker knows.
TEST(LengthTests, RandomSystemsNeverContradictExplicitSearch) {
  testing::Tally tally;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    testing::against_search(testing::random_system(seed, true), seed, 300, tally);
    if (HasFatalFailure()) return;
  }
  tally.print();
  EXPECT_GT(tally.by_tests, 15U);
}

}  // namespace
}  // namespace parley::bounds
