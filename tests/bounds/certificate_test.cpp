// The independent checker: what it must accept and, more important, what it must reject.
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "bounds/bounds.hpp"
#include "certify/bounds_check.hpp"
#include "report/bounds_report.hpp"
#include "system_maker.hpp"

namespace parley::bounds {
namespace {

using nlohmann::json;
using testing::Maker;

struct Proven {
  system::System s = testing::client_server(2);
  QueueReport queue;
  Proven() {
    Options o;
    o.use_search = false;
    queue = analyse(s, o).queues[0];
  }
  certify::Check check(const json& forged, std::int64_t limit) const {
    return certify::check_bounded(s, queue.queue, limit, {verdict::CertificateKind::Weights, forged.dump()});
  }
  json payload() const { return json::parse(queue.certificate.payload); }
};

TEST(WeightsCertificate, IsAccepted) {
  const Proven p;
  ASSERT_EQ(p.queue.answer, Answer::Bounded);
  const certify::Check c = p.check(p.payload(), 3);
  EXPECT_TRUE(c.accepted) << c.why;
}

TEST(WeightsCertificate, ForgeriesAreRejected) {
  const Proven p;
  const auto rejected = [&](const char* what, const std::function<void(json&)>& forge,
                            std::int64_t limit = 3) {
    json j = p.payload();
    forge(j);
    const certify::Check c = p.check(j, limit);
    EXPECT_FALSE(c.accepted) << what;
    EXPECT_FALSE(c.why.empty()) << what;
  };
  rejected(
      "a smaller limit", [](json&) {}, 2);
  rejected("weight below 1", [](json& j) { j["messages"][0]["weight"] = "1/2"; });
  rejected("negative weight", [](json& j) { j["messages"][0]["weight"] = "-1"; });
  rejected("no weights at all", [](json& j) { j["messages"] = json::array(); });
  rejected("all potentials zero", [](json& j) {
    for (json& c : j["components"])
      for (json& n : c["nodes"]) n["potential"] = "0";
  });
  rejected("a missing node", [](json& j) { j["components"][0]["nodes"].erase(1); });
  rejected("a missing component", [](json& j) { j["components"].erase(1); });
  rejected("an owner counted twice", [](json& j) { j["components"].push_back(j["components"][0]); });
  rejected("an unknown cell", [](json& j) { j["components"][0]["tracked"][0] = 999; });
  rejected("not a number", [](json& j) { j["messages"][0]["weight"] = "one"; });
  rejected("division by zero", [](json& j) { j["messages"][0]["weight"] = "1/0"; });
  rejected("a missing field", [](json& j) { j.erase("ledgers"); });
  rejected("the wrong type", [](json& j) { j["components"] = "none"; });
  const std::int64_t far = std::numeric_limits<std::int64_t>::min();
  rejected("a value beyond 32 bits", [&](json& j) { j["components"][0]["nodes"][0]["values"][0] = far; });
  rejected("a range that wraps around", [&](json& j) {
    for (json& c : j["components"])
      for (json& n : c["nodes"])
        for (json& r : n["ranges"]) r[0] = far;
    j["components"][0]["ranged"].push_back(0);
    for (json& n : j["components"][0]["nodes"]) n["ranges"].push_back({far, 10});
  });
  rejected("a fraction for a value", [](json& j) { j["components"][0]["nodes"][0]["values"][0] = 0.5; });
  EXPECT_FALSE(
      certify::check_bounded(p.s, p.queue.queue, 3, {verdict::CertificateKind::Weights, "{"}).accepted);
  EXPECT_FALSE(
      certify::check_bounded(p.s, p.queue.queue, 3, {verdict::CertificateKind::Pump, "{}"}).accepted);
}

// Counters: the range of a counter is part of the proof, so a forged range must not pass.
TEST(WeightsCertificate, ForgedRangesAreRejected) {
  Maker m;
  const auto left = m.owner("left", 1);
  const auto q = m.queue("q");
  const auto g = m.signal("g");
  const auto counter = m.cell("left.counter", left, 0, 255, 0);
  m.step(left, 0, 0, {m.send(q, g), m.assign(counter, m.op(expr::Op::Add, m.get(counter), m.num(1)))},
         m.op(expr::Op::Lt, m.get(counter), m.num(7)));
  Options o;
  o.use_search = false;
  const QueueReport r = analyse(m.s, o).queues[0];
  ASSERT_EQ(r.limit, 7);
  EXPECT_TRUE(certify::check_bounded(m.s, q, 7, r.certificate).accepted);
  json j = json::parse(r.certificate.payload);
  j["components"][0]["nodes"][0]["ranges"][0] = {0, 5};
  for (json& d : j["data"]) d["limit"] = 5;
  EXPECT_FALSE(certify::check_bounded(m.s, q, 5, {verdict::CertificateKind::Weights, j.dump()}).accepted);
}

// What messages carry is part of the proof: here only that the relay forwards 0 and 1 bounds the queue, since
// the sink would answer a 2.
TEST(WeightsCertificate, ForgedContentsAreRejected) {
  Maker m;
  const auto source = m.owner("source", 2), relay = m.owner("relay", 1), sink = m.owner("sink", 1);
  const auto a = m.queue("a"), b = m.queue("b");
  const auto type = system::Type::range(0, 255);
  const auto g = m.signal("g", {type});
  const auto x = m.cell("relay.x", relay, 0, 255, 0);
  m.step(source, 0, 1, {m.send(a, g, {m.num(1)})});
  m.receive(relay, 0, 0, a, g, {m.assign(x, m.s.exprs.param(0, type)), m.send(b, g, {m.get(x)})});
  m.receive(sink, 0, 0, b, g, {m.send(b, g, {m.num(0)}), m.send(b, g, {m.num(0)})},
            m.op(expr::Op::Eq, m.s.exprs.param(0, type), m.num(2)));
  m.receive(sink, 0, 0, b, g, {}, m.op(expr::Op::Ne, m.s.exprs.param(0, type), m.num(2)));
  Options o;
  o.use_search = false;
  const QueueReport r = analyse(m.s, o).queues[1];
  ASSERT_EQ(r.answer, Answer::Bounded);
  EXPECT_EQ(r.limit, 1);
  EXPECT_TRUE(certify::check_bounded(m.s, b, 1, r.certificate).accepted);
  const json good = json::parse(r.certificate.payload);
  ASSERT_TRUE(good.contains("params"));
  const auto rejected = [&](const char* what, const std::function<void(json&)>& forge) {
    json j = good;
    forge(j);
    EXPECT_FALSE(certify::check_bounded(m.s, b, 1, {verdict::CertificateKind::Weights, j.dump()}).accepted)
        << what;
  };
  rejected("contents nobody claims", [](json& j) { j.erase("params"); });
  rejected("less than is sent", [](json& j) {
    for (json& p : j["params"]) p["ranges"][0] = {0, 0};
  });
  rejected("a message left out", [](json& j) { j["params"].erase(0); });
  rejected("too few ranges", [](json& j) { j["params"][0]["ranges"] = json::array(); });
}

TEST(PumpCertificate, ForgeriesAreRejected) {
  Maker m;
  const auto user = m.owner("user", 2), server = m.owner("server", 1);
  const auto q = m.queue("q"), other = m.queue("other");
  const auto g = m.signal("request", {system::Type::range(0, 3)});
  const auto n = m.cell("user.n", user, 0, 3, 0);
  m.step(user, 0, 1, {m.send(q, g, {m.get(n)})});
  m.step(user, 1, 0, {m.assign(n, m.op(expr::Op::Rem, m.op(expr::Op::Add, m.get(n), m.num(1)), m.num(4)))});
  m.receive(server, 0, 0, q, g, {m.send(other, g, {m.num(0)})},
            m.op(expr::Op::Eq, m.s.exprs.param(0, system::Type::range(0, 3)), m.num(2)));
  const QueueReport r = analyse(m.s, Options{}).queues[0];
  ASSERT_EQ(r.answer, Answer::Unbounded);
  const certify::Check good = certify::check_unbounded(m.s, q, r.certificate);
  EXPECT_TRUE(good.accepted) << good.why;
  EXPECT_FALSE(certify::check_unbounded(m.s, other, r.certificate).accepted);
  const auto rejected = [&](const char* what, const std::function<void(json&)>& forge) {
    json j = json::parse(r.certificate.payload);
    forge(j);
    EXPECT_FALSE(certify::check_unbounded(m.s, q, {verdict::CertificateKind::Pump, j.dump()}).accepted)
        << what;
  };
  rejected("half a loop", [](json& j) { j["loop"].erase(j["loop"].size() - 1); });
  rejected("no loop", [](json& j) { j["loop"] = json::array(); });
  rejected("an unknown action", [](json& j) { j["loop"][0]["action"] = 77; });
  rejected("a choice that is not asked for", [](json& j) { j["loop"][0]["choices"] = {1}; });
  rejected("a parameter that matters is ignored", [](json& j) { j["ignored_params"] = {{0, 0}}; });
  rejected("no growth claims needed, but a list", [](json& j) { j.erase("prefix"); });
}

// The data of this pump decides when the server moves, so it may not be ignored although the loop itself
// never looks.
TEST(PumpCertificate, IgnoredDataMustBeIrrelevant) {
  Maker m;
  const auto user = m.owner("user", 1);
  const auto q = m.queue("q");
  const auto g = m.signal("g");
  const auto n =
      m.s.add(system::Cell{"user.n", system::Type::integer(), 0, system::CellRole::Data, user, false, {}});
  m.step(user, 0, 0, {m.send(q, g), m.assign(n, m.op(expr::Op::Add, m.get(n), m.num(1)))},
         m.op(expr::Op::Lt, m.get(n), m.num(9)));
  const json forged = {{"initial_choices", json::array()},
                       {"prefix", json::array()},
                       {"loop", {{{"action", 0}, {"choices", json::array()}}}},
                       {"growth", {{{"queue", 0}, {"per_round", 1}}}},
                       {"ignored_cells", {n.index()}},
                       {"ignored_params", json::array()}};
  const certify::Check c = certify::check_unbounded(m.s, q, {verdict::CertificateKind::Pump, forged.dump()});
  EXPECT_FALSE(c.accepted);
  EXPECT_EQ(c.why, "something ignored decides something");
}

// Widening lets n reach 8 and with it opens locations 1 and 2; narrowing closes the way there again, but the
// step to 1 can still be taken at 1 and is not dead (seed 496 of the random text models). Nobody weighs what
// happens in control states without a way to them, so they are no part of the certificate.
TEST(WeightsCertificate, ListsOnlyWhatCanBeReached) {
  Maker m;
  const auto o = m.owner("o", 3);
  const auto q = m.queue("q", o);
  const auto n = m.cell("o.n", o, 0, 100, 0);
  const auto n_plus = [&](int k) { return m.op(expr::Op::Add, m.get(n), m.num(k)); };
  m.step(o, 0, 0, {m.assign(n, n_plus(1))}, m.op(expr::Op::Lt, n_plus(3), m.num(10)));
  const auto location = m.s.owners[0].locations[0];
  const auto eight = m.step(o, 0, 1, {}, m.op(expr::Op::Eq, n_plus(1), m.num(9)));
  m.s.actions[eight.index()].guard =
      m.s.exprs.both(m.op(expr::Op::Lt, m.get(location), m.num(2)), m.op(expr::Op::Eq, n_plus(1), m.num(9)));
  m.step(o, 1, 2, {m.send(q, m.signal("g"))});
  Options options;
  options.use_search = false;
  const QueueReport r = analyse(m.s, options).queues[0];
  ASSERT_EQ(r.answer, Answer::Bounded);
  EXPECT_EQ(r.limit, 0);
  const certify::Check c = certify::check_bounded(m.s, q, 0, r.certificate);
  EXPECT_TRUE(c.accepted) << c.why;
}

// Every initialisation fails (seed 354 of the random text models: `x = 1 / x` with x = 0), so no queue ever
// holds anything, whatever the rest of the model does; with more values to choose from than anybody lists,
// the checker must see it without listing them.
TEST(NoInitialState, BoundsEveryQueueByZero) {
  for (const std::int32_t most : {1, 1000000}) {
    Maker m;
    const auto o = m.owner("o", 1);
    const auto q = m.queue("q", o);
    m.step(o, 0, 0, {m.send(q, m.signal("g"))});
    system::Stmt choose;
    choose.kind = system::StmtKind::Choose;
    choose.lo = m.num(0);
    choose.hi = m.num(most);
    system::Stmt fail;
    fail.kind = system::StmtKind::Fail;
    m.s.initial_body = m.block({m.s.add(choose), m.s.add(fail)});
    m.s.initial_locals = 1;
    for (const bool searched : {false, true}) {
      Options options;
      options.use_search = searched;
      const QueueReport r = analyse(m.s, options).queues[0];
      ASSERT_EQ(r.answer, Answer::Bounded) << most;
      EXPECT_EQ(r.limit, 0) << most;
      const certify::Check c = certify::check_bounded(m.s, q, 0, r.certificate);
      EXPECT_TRUE(c.accepted) << most << ": " << c.why;
      EXPECT_FALSE(certify::check_bounded(m.s, q, -1, r.certificate).accepted) << most;
    }
  }
}

TEST(ExhaustiveCertificate, IsSearchedAgain) {
  const system::System s = testing::figure1();
  EXPECT_TRUE(certify::check_bounded(s, system::QueueId(0), 1, {verdict::CertificateKind::Exhaustive, "{}"})
                  .accepted);
  EXPECT_FALSE(certify::check_bounded(s, system::QueueId(0), 0, {verdict::CertificateKind::Exhaustive, "{}"})
                   .accepted);
}

TEST(ExhaustiveCertificate, OneSearchForAllQueues) {
  const system::System s = testing::figure1();
  const system::QueueId a(0), b(1);
  EXPECT_TRUE(certify::check_searched(s, {{a, 1}, {b, 1}}).accepted);
  for (const std::vector<certify::Claim>& wrong : {std::vector<certify::Claim>{{a, 1}, {b, 0}},
                                                   {{a, 0}, {b, 1}},
                                                   {{a, 1}, {b, -1}},
                                                   {{system::QueueId(2), 1}}}) {
    const certify::Check c = certify::check_searched(s, wrong);
    EXPECT_FALSE(c.accepted);
    EXPECT_FALSE(c.gave_up);
  }
  const certify::Check late = certify::check_searched(s, {{a, 1}}, 0.0);
  EXPECT_FALSE(late.accepted);
  EXPECT_TRUE(late.gave_up);
}

TEST(ExhaustiveCertificate, TheReportSaysWhatWasNotCheckedAgain) {
  const system::System s = testing::figure1();
  Options options;
  options.use_weights = false;
  BoundsReport r = analyse(s, options);
  ASSERT_EQ(r.queues[0].certificate.kind, verdict::CertificateKind::Exhaustive);
  EXPECT_EQ(report::text(s, r, {}).find('*'), std::string::npos);
  EXPECT_FALSE(report::to_json(s, r)["queues"][0].contains("checked"));
  r.queues[0].checked = false;
  r.queues[1].checked = true;
  r.unchecked = "out of time after 7 states";
  const std::string table = report::text(s, r, {});
  EXPECT_NE(table.find("all states seen* "), std::string::npos) << table;
  EXPECT_NE(table.find("all states seen  "), std::string::npos) << table;
  EXPECT_NE(table.find("* not checked again: out of time after 7 states\n"),
            std::string::npos)
      << table;
  const auto j = report::to_json(s, r);
  EXPECT_EQ(j["queues"][0]["checked"], false);
  EXPECT_EQ(j["queues"][1]["checked"], true);
  EXPECT_EQ(j["unchecked"], "out of time after 7 states");
}

}  // namespace
}  // namespace parley::bounds
