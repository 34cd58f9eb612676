// Systems that remember the order of messages (passes/message_order.hpp): the same runs as the original, step
// by step; and bounds that only the order gives.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "bounds/bounds.hpp"
#include "certify/bounds_check.hpp"
#include "passes/capacities.hpp"
#include "passes/message_order.hpp"
#include "semantics/interpreter.hpp"
#include "system_maker.hpp"

namespace parley::bounds {
namespace {

using nlohmann::json;
using testing::Maker;

// What a state of the remembering system is in the original: without the cells and parameters it has more.
semantics::State original_part(const system::System& s, semantics::State state) {
  state.cells.resize(s.cells.size());
  for (auto& queue : state.queues)
    for (semantics::Message& m : queue) m.args.resize(s.signal(m.signal).params.size());
  return state;
}

std::vector<std::set<semantics::State>> levels(const system::System& s, std::size_t depth,
                                               const system::System& original) {
  const semantics::Interpreter in(s, std::vector<std::uint32_t>(s.queues.size(), 1000));
  std::set<semantics::State> now, seen;
  std::vector<std::set<semantics::State>> all;
  for (const auto& i : in.initial_states())
    if (i.result.outcome == semantics::Outcome::Done) now.insert(i.result.state);
  for (std::size_t d = 0; d <= depth && now.size() < 3000; ++d) {
    all.emplace_back();
    for (const auto& state : now) all.back().insert(original_part(original, state));
    std::set<semantics::State> next;
    for (const auto& state : now)
      for (const auto& x : in.successors(state))
        if (x.result.outcome == semantics::Outcome::Done) next.insert(x.result.state);
    now = std::move(next);
  }
  return all;
}

// Breadth first, level by level, the remembering system reaches exactly the states of the original.
TEST(RememberedOrder, TakesNoStepAwayAndAddsNone) {
  std::size_t compared = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const system::System s = passes::without_capacities(testing::random_system(seed));
    const std::vector<system::QueueId> queues = passes::with_visible_order(s);
    if (queues.empty()) continue;
    ++compared;
    const system::System ordered = passes::remembering_order(s, queues);
    system::validate(ordered);
    const auto mine = levels(ordered, 6, s), theirs = levels(s, 6, s);
    for (std::size_t d = 0; d < std::min(mine.size(), theirs.size()); ++d)
      ASSERT_EQ(mine[d], theirs[d]) << "seed " << seed << " depth " << d;
  }
  EXPECT_GT(compared, 50U);
}

TEST(RememberedOrder, OnlyWhereTheHeadIsTaken) {
  Maker m;
  const auto owner = m.owner("p", 1), other = m.owner("r", 1);
  const auto a = m.signal("a"), b = m.signal("b");
  const auto plain = m.queue("plain"), deferred = m.queue("deferred"), picked = m.queue("picked"),
             shared = m.queue("shared"), one = m.queue("one");
  for (const auto q : {plain, deferred, picked, shared}) {
    m.step(owner, 0, 0, {m.send(q, a), m.send(q, b)});
    m.receive(owner, 0, 0, q, a);
    m.receive(owner, 0, 0, q, b);
  }
  m.step(owner, 0, 0, {m.send(one, a)});
  m.receive(owner, 0, 0, one, a);
  m.s.queues[deferred.index()].deferrals.push_back({a, m.s.exprs.boolean(true)});
  m.step(owner, 0, 0, {}, {}, system::Trigger{picked, b, system::Selection::FirstMatching, true});
  m.receive(other, 0, 0, shared, a);
  // A send that looks at a queue may say something else when it is over.
  const auto counted = m.signal("counted", {system::Type::range(0, 100)});
  const auto asking = m.queue("asking");
  m.step(owner, 0, 0, {m.send(asking, counted, {m.s.exprs.queue_len(asking)}), m.send(asking, b)});
  m.receive(owner, 0, 0, asking, counted);
  m.receive(owner, 0, 0, asking, b);
  EXPECT_EQ(passes::with_visible_order(m.s), (std::vector<system::QueueId>{plain}));
}

// Clients that ask, wait and release; a server that answers without looking who holds what. As a bag, its
// queue lets releases wait for ever while later requests are answered. In order it cannot: at most a release
// and a request of each client.
struct Service {
  Maker m;
  system::QueueId inbox, log;
  explicit Service(int clients) {
    const auto server = m.owner("server", 1), noise = m.owner("noise", 1);
    inbox = m.queue("inbox", server), log = m.queue("log");
    const auto grant = m.signal("grant"), entry = m.signal("entry");
    for (int i = 0; i < clients; ++i) {
      const std::string name = "client" + std::to_string(i);
      const auto req = m.signal("req" + std::to_string(i)), rel = m.signal("rel" + std::to_string(i));
      const auto client = m.owner(name, 3, "Client");
      const auto own = m.queue(name, client);
      m.step(client, 0, 1, {m.send(inbox, req)});
      m.receive(client, 1, 2, own, grant);
      m.step(client, 2, 0, {m.send(inbox, rel)});
      m.receive(server, 0, 0, inbox, req, {m.send(own, grant)});
      m.receive(server, 0, 0, inbox, rel);
    }
    m.step(noise, 0, 0, {m.send(log, entry)});
  }
};

TEST(RememberedOrder, GivesBoundsThatCountingDoesNot) {
  for (const int clients : {1, 2}) {
    const Service service(clients);
    Options o;
    o.use_search = false;
    o.look_at_order = false;
    EXPECT_EQ(analyse(service.m.s, o).queues[service.inbox.index()].answer, Answer::Unknown);
    o.look_at_order = true;
    const BoundsReport r = analyse(service.m.s, o);
    const QueueReport& inbox = r.queues[service.inbox.index()];
    ASSERT_EQ(inbox.answer, Answer::Bounded) << clients;
    EXPECT_EQ(inbox.limit, 2 * clients);
    ASSERT_EQ(inbox.certificate.kind, "ordered");
    EXPECT_EQ(r.queues[service.log.index()].answer, Answer::Unknown);
    const certify::Check check =
        certify::check_bounded(service.m.s, service.inbox, inbox.limit, inbox.certificate);
    EXPECT_TRUE(check.accepted) << check.why;
  }
}

TEST(RememberedOrder, ForgeriesAreRejected) {
  const Service service(1);
  Options o;
  o.use_search = false;
  const QueueReport inbox = analyse(service.m.s, o).queues[service.inbox.index()];
  ASSERT_EQ(inbox.certificate.kind, "ordered");
  const auto rejected = [&](const char* what, const std::function<void(json&)>& forge,
                            std::int64_t limit = 2) {
    json j = json::parse(inbox.certificate.payload);
    forge(j);
    const certify::Check c = certify::check_bounded(service.m.s, service.inbox, limit, {"ordered", j.dump()});
    EXPECT_FALSE(c.accepted) << what;
    EXPECT_FALSE(c.why.empty()) << what;
  };
  rejected(
      "a smaller limit", [](json&) {}, 1);
  rejected("without the order", [](json& j) { j["queues"] = json::array(); });
  rejected("a queue whose order is not visible",
           [&](json& j) { j["queues"].push_back(service.log.index()); });
  rejected("a queue that is not there", [](json& j) { j["queues"].push_back(99); });
  rejected("another kind", [](json& j) { j["kind"] = "exhaustive"; });
  rejected("nested", [](json& j) { j["kind"] = "ordered"; });
  rejected("nothing inside", [](json& j) { j["payload"] = json::object(); });
  rejected("the wrong type", [](json& j) { j["queues"] = 3; });
  EXPECT_FALSE(certify::check_bounded(service.m.s, service.inbox, 2,
                                      {"weights", json::parse(inbox.certificate.payload)["payload"].dump()})
                   .accepted)
      << "on the original";
}

}  // namespace
}  // namespace parley::bounds
