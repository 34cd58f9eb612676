// Bounds that only the order of messages gives (passes/message_order.hpp, tested in tests/passes).
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "bounds/bounds.hpp"
#include "certify/bounds_check.hpp"
#include "system_maker.hpp"

namespace parley::bounds {
namespace {

using nlohmann::json;
using testing::Maker;

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
    ASSERT_EQ(inbox.certificate.kind, verdict::CertificateKind::Ordered);
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
  ASSERT_EQ(inbox.certificate.kind, verdict::CertificateKind::Ordered);
  const auto rejected = [&](const char* what, const std::function<void(json&)>& forge,
                            std::int64_t limit = 2) {
    json j = json::parse(inbox.certificate.payload);
    forge(j);
    const certify::Check c = certify::check_bounded(service.m.s, service.inbox, limit,
                                                    {verdict::CertificateKind::Ordered, j.dump()});
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
                                      {verdict::CertificateKind::Weights,
                                       json::parse(inbox.certificate.payload)["payload"].dump()})
                   .accepted)
      << "on the original";
}

}  // namespace
}  // namespace parley::bounds
