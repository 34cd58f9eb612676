// Forged certificates of all kinds: none is accepted unless what it then says is true. Whether it is, is
// decided without the evidence, by searching (explore/ for properties, all queue lengths for limits): the
// models are small.
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <set>

#include "certify/bounds_check.hpp"
#include "explore/explore.hpp"
#include "passes/capacities.hpp"
#include "verify/forger.hpp"
#include "verify/honest_certificates.hpp"

#ifndef PARLEY_FORGERIES
#define PARLEY_FORGERIES 40
#endif

namespace parley::verify {
namespace {

using testing::Forgery;
using testing::MadeCertificate;
using testing::Verified;

const std::vector<MadeCertificate>& honest() {
  static const std::vector<MadeCertificate> all = testing::honest_certificates();
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
       {"exhaustive", "witness", "covered", "inductive-invariant", "k-induction", "abstract-closure",
        "bounds", "weights", "phases", "length-tests", "ordered", "activation", "pump"})
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
