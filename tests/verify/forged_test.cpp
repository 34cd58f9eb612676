// Forged certificates of all kinds: none is accepted unless what it then says is true. Whether it is, is
// decided without the evidence, by searching (explore/ for properties, all queue lengths for limits): the
// models are small.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <map>
#include <set>

#include "certify/bounds_check.hpp"
#include "driver/certification.hpp"
#include "driver/check.hpp"
#include "driver/engines.hpp"
#include "explore/explore.hpp"
#include "passes/capacities.hpp"
#include "verify/forger.hpp"

#ifndef PARLEY_FORGERIES
#define PARLEY_FORGERIES 60
#endif

namespace parley::verify {
namespace {

using engine::EngineKind;
using testing::Forgery;
using testing::MadeCertificate;
using testing::Verified;

// Three messages go over; every property that a finite run can decide, true and false ones.
constexpr const char* kTransfer = R"(
signal item;
class Source {
  Sink sink;
  int(0..3) sent = 0;
  machine {
    initial -> busy;
    waiting state busy { [sent < 3] / { sent = sent + 1; send item to sink; } -> busy; }
  }
}
class Sink {
  int(0..3) seen = 0;
  machine { initial -> run; waiting state run { on item / { seen = seen + 1; } -> run; } }
}
system { a : Source { sink = b; }; b : Sink; queue of b: capacity 5, overflow cut; queue of a: capacity 1, overflow cut; }
check always (b.seen <= a.sent);
check always (b.seen < 3);
check never (b.seen > a.sent);
check no deadlock;
check no lost messages;
check no unreachable states;
check no unreachable transitions;
check no endless completion;
check no run-time errors;
check no assertion failures;
check no overflow;
check reachable (b.seen == 3);
check reachable (b.seen > a.sent);
check no unbounded queues;
)";

// One queue grows for ever, one does not, and a state is never entered.
constexpr const char* kFlood = R"(
signal drop, more;
class Tap {
  Sink sink;
  machine { initial -> run; waiting state run { / { send drop to sink; } -> run; on more -> dry; } waiting state dry { } }
}
class Sink { machine { initial -> wait; waiting state wait { on drop -> wait; } } }
system { t : Tap { sink = s; }; s : Sink; }
check no unbounded queues;
check no unreachable states;
)";

// Data for abstraction, few enough values to be searched too.
constexpr const char* kAccount = R"(
signal deposit(int(1..20) amount);
signal withdraw;
class Account {
  int balance = 0;
  machine {
    initial -> active;
    waiting state active {
      on deposit(amount) [balance <= 100] / { balance = balance + amount; };
      on deposit(amount) [else] / { };
      on withdraw [balance >= 50] / { balance = balance - 50; };
      on withdraw [else] / { };
    }
  }
}
system {
  a : Account;
  queues: capacity 1, overflow cut;
  environment sends deposit(1..20) to a when (len(a) == 0);
  environment sends withdraw to a when (len(a) == 0);
}
check always (a.balance >= 0);
check always (a.balance < 110);
check no lost messages;
)";

struct Origin {
  const char* text;
  std::vector<EngineKind> engines;
};

const std::vector<Origin>& origins() {
  static const std::vector<Origin> all = {
      {kTransfer, {EngineKind::BreadthFirst, EngineKind::Ic3, EngineKind::KInduction, EngineKind::Bounds}},
      {kFlood, {EngineKind::Bounds}},
      {kAccount, {EngineKind::Cegar, EngineKind::BreadthFirst}}};
  return all;
}

load::Loaded loaded(const std::string& text) {
  const std::string file = ::testing::TempDir() + "/forged-" + std::to_string(getpid()) + ".ply";
  std::ofstream(file) << text;
  load::Loaded l = load::load(file, {});
  EXPECT_TRUE(l.ok()) << diag::render(l.sources, l.diagnostics.sorted());
  std::filesystem::remove(file);
  return l;
}

// Of `parley check --engine KIND --certificate`.
MadeCertificate checked(const load::Loaded& l, EngineKind kind) {
  std::vector<semantics::State> states;
  driver::EngineOptions how;
  how.all_states = [&](const semantics::State& state) { states.push_back(state); };
  std::vector<std::unique_ptr<engine::Engine>> engines;
  engines.push_back(driver::make_engine(kind, how));
  driver::CheckOptions options;
  options.limits.seconds = 20;
  const driver::CheckReport report = driver::check(*l.system, std::move(engines), options);
  certificate::Document document;
  document.subject = certificate::subject_of(l.sources, {});
  document.capacities = report.queue_capacities;
  for (const verdict::PropertyResult& r : report.results) {
    const auto claim = certificate::claim_of(r);
    if (claim && (claim->certificate.kind != verdict::CertificateKind::Exhaustive || !states.empty()))
      document.properties.push_back(*claim);
  }
  return testing::made(*l.system, document, states);
}

// Of `parley bounds --certificate`.
MadeCertificate bounded(const load::Loaded& l) {
  certificate::Document document;
  document.subject = certificate::subject_of(l.sources, {});
  document.capacities = semantics::capacities(*l.system);
  bounds::Options options;
  options.seconds = 5;
  for (const bounds::QueueReport& q : bounds::analyse(*l.system, options).queues)
    for (const certify::QueueClaim& c : driver::claims_of(q)) {
      std::optional<std::uint64_t> limit;
      if (c.limit) limit = static_cast<std::uint64_t>(*c.limit);
      document.queues.push_back({c.queue, limit, c.certificate});
    }
  return testing::made(*l.system, document, {});
}

const std::vector<MadeCertificate>& honest() {
  static const std::vector<MadeCertificate> all = [] {
    std::vector<MadeCertificate> made;
    for (const Origin& o : origins()) {
      const load::Loaded l = loaded(o.text);
      for (const EngineKind kind : o.engines) made.push_back(checked(l, kind));
      made.push_back(bounded(l));
    }
    std::erase_if(made, [](const MadeCertificate& c) {
      return c.head.at("properties").empty() && c.head.at("queues").empty();
    });
    return made;
  }();
  return all;
}

// More than any bounded queue of these models ever holds.
constexpr std::int64_t kEndless = 100;

bool bounded_by(const system::System& s, system::QueueId queue, std::int64_t limit) {
  return certify::check_searched(s, {{queue, limit}}, 20).accepted;
}

bool is_true(const system::System& s, const certificate::Document& document,
             const certificate::PropertyClaim& claim) {
  if (s.property(claim.property).kind == system::PropertyKind::NoUnboundedQueues) {
    bool all = true;
    for (std::size_t q = 0; q < s.queues.size(); ++q)
      all = all && bounded_by(s, system::QueueId(q), kEndless);
    return claim.holds == all;
  }
  explore::Explorer explorer;
  engine::Request request{s, {claim.property}, document.capacities, {}, 0, nullptr, {}, {}};
  request.limits.seconds = 20;
  const verdict::PropertyResult r = explorer.check(request).front();
  return claim.holds ? r.holds() : r.violated();
}

// The longest that the queue gets where every queue has room for a few messages: a claim of less is a lie,
// also where another queue grows for ever and no search ends.
std::uint32_t longest_with_some_room(const system::System& original, system::QueueId queue) {
  system::System s = passes::without_capacities(original).system;
  system::Property everything;
  everything.kind = system::PropertyKind::Never;
  everything.name = "(everything)";
  everything.expression = s.exprs.boolean(false);
  const system::PropertyId id = s.add(std::move(everything));
  explore::Explorer explorer;
  engine::Request request{s, {id}, std::vector<std::uint32_t>(s.queues.size(), 8), {}, 0, nullptr, {}, {}};
  request.limits.seconds = 20;
  return explorer.check(request).front().coverage.max_queue_length.at(queue.index());
}

bool is_true(const system::System& s, const certificate::QueueClaim& claim) {
  return claim.limit ? longest_with_some_room(s, claim.queue) <= *claim.limit
                     : !bounded_by(s, claim.queue, kEndless);
}

// Each claim that the checker confirms must be true, also beside others that it rejects.
std::string false_and_confirmed(const system::System& s, const Verified& v) {
  if (!v.malformed.empty()) return {};
  std::size_t i = 0;
  for (const certificate::PropertyClaim& c : v.document.properties)
    if (v.report.claims[i++].outcome.result == Result::Confirmed && !is_true(s, v.document, c))
      return v.report.claims[i - 1].claim;
  for (const certificate::QueueClaim& c : v.document.queues)
    if (v.report.claims[i++].outcome.result == Result::Confirmed && !is_true(s, c))
      return v.report.claims[i - 1].claim;
  return {};
}

TEST(Certificates, HonestOnesAreConfirmedAndOfAllKinds) {
  std::set<std::string> kinds;
  for (const MadeCertificate& c : honest()) {
    const Verified v = testing::verified(c.system, c.file());
    EXPECT_TRUE(v.accepted()) << v.why();
    for (const char* list : {"properties", "queues"})
      for (const auto& claim : c.head.at(list))
        kinds.insert(claim.at("evidence").at("kind").get<std::string>());
  }
  for (const char* kind :
       {"exhaustive", "witness", "covered", "inductive-invariant", "abstract-closure", "bounds", "pump"})
    EXPECT_EQ(kinds.count(kind), 1u) << kind;
}

TEST(Certificates, ForgedOnesAreAcceptedOnlyIfTrue) {
  testing::Forger forger(honest(), 20240615);
  std::size_t accepted = 0, still_true = 0;
  std::map<std::string, std::size_t> read;
  for (std::size_t i = 0; i < PARLEY_FORGERIES; ++i) {
    const std::size_t which = i % honest().size();
    const Forgery f = forger.forge(which);
    const system::System& s = honest()[which].system;
    Options options;
    options.seconds = 20;
    const Verified v = testing::verified(s, f.bytes, options);
    const std::string lie = false_and_confirmed(s, v);
    EXPECT_EQ(lie, "") << "forgery " << i << " of certificate " << which << ", " << f.how;
    accepted += lie.empty() ? 0 : 1;
    still_true += lie.empty() && v.accepted() ? 1 : 0;
    if (v.malformed.empty()) ++read[f.how.substr(0, f.how.find(" at"))];
  }
  for (const auto& [how, count] : read) std::printf("changed %s: %zu could be read\n", how.c_str(), count);
  std::printf("still true: %zu\nsummary: forged_accepted=%zu/%d\n", still_true, accepted, PARLEY_FORGERIES);
  EXPECT_GE(read.size(), 4u);  // what cannot be read at all tests nothing
}

// Digests, constants and switches are the program's to compare: tests/cli/cli_test.py.
TEST(Certificates, FilesThatAreNoneAreRefusedWithAReason) {
  const MadeCertificate& c = honest().front();
  const auto refusal = [&](const std::function<void(nlohmann::json&)>& change) {
    MadeCertificate forged = c;
    change(forged.head);
    return testing::verified(c.system, forged.file()).malformed;
  };
  using nlohmann::json;
  EXPECT_EQ(refusal([](json& j) { j["version"] = 2; }), "`version` must be 1");
  EXPECT_EQ(refusal([](json& j) { j["format"] = "parley-trace"; }),
            "`format` must be \"parley-certificate\"");
  EXPECT_EQ(refusal([](json& j) { j["comment"] = ""; }),
            "the file has a field `comment`, which means nothing there");
  EXPECT_EQ(refusal([](json& j) { j["capacities"][0] = 1.5; }),
            "`capacities[0]` must be a whole number from 0 to 16777216");
  EXPECT_EQ(refusal([](json& j) { j["capacities"].push_back(1); }),
            "`capacities` must have one entry for each queue");
  EXPECT_EQ(refusal([](json& j) { j["capacities"][1] = 4; }),
            "`capacities` must have the declared capacity of b");
  EXPECT_EQ(refusal([](json& j) { j["properties"][0]["number"] = 0; }),
            "`properties[0].number` counts from 1");
  EXPECT_EQ(refusal([](json& j) { j["properties"][0]["property"] = "always (true)"; }),
            "`properties[0].property` must be \"" + c.system.properties[0].name + "\"");
  EXPECT_EQ(refusal([](json& j) { j["properties"][0]["verdict"] = "unknown"; }),
            "`properties[0].verdict` must be \"violated\"");
  EXPECT_EQ(refusal([](json& j) { j["properties"][0]["evidence"]["kind"] = "magic"; }),
            "`properties[0].evidence.kind` is no kind of certificate");
  EXPECT_EQ(refusal([](json& j) { j.erase("subject"); }), "the file lacks the field `subject`");
  EXPECT_NE(testing::verified(c.system, "").malformed, "");
  EXPECT_NE(testing::verified(c.system, c.file() + "more").malformed, "");
}

}  // namespace
}  // namespace parley::verify
