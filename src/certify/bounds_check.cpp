#include "certify/bounds_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "certify/length_check.hpp"
#include "certify/patience.hpp"
#include "certify/phases_check.hpp"
#include "certify/registry.hpp"
#include "certify/weights_check.hpp"
#include "passes/activation.hpp"
#include "passes/capacities.hpp"
#include "passes/message_order.hpp"
#include "semantics/interpreter.hpp"

namespace parley::certify {

using nlohmann::json;
using verdict::CertificateKind;

namespace {

// A closed search, done again depth first with an ordinary set of states.
Check search_again(const system::System& system, const std::vector<Claim>& claims,
                   std::optional<double> seconds) {
  constexpr std::size_t kMost = 2'000'000;
  const Patience patience(seconds);
  const semantics::Interpreter in(system, std::vector<std::uint32_t>(system.queues.size(), 1U << 30));
  std::set<semantics::State> seen;
  std::vector<const semantics::State*> open;
  const auto visit = [&](const semantics::StepResult& r) {
    if (r.outcome == semantics::Outcome::AssumedAway)
      return std::string("an integer overflow is assumed away");
    if (!semantics::happens(r.outcome)) return std::string();
    for (const Claim& c : claims)
      if (const auto& content = r.state.queues[c.queue.index()];
          static_cast<std::int64_t>(content.size()) > c.limit)
        return fmt::format("queue {} holds {} messages", system.queue(c.queue).name, content.size());
    if (semantics::is_failure(r.outcome)) return std::string();  // as long as it gets, and the end of the run
    if (const auto [at, fresh] = seen.insert(r.state); fresh) open.push_back(&*at);
    return std::string();
  };
  for (const semantics::InitialState& i : in.initial_states())
    if (std::string why = visit(i.result); !why.empty()) return Check::no(why);
  while (!open.empty()) {
    if (seen.size() > kMost) return {false, fmt::format("more than {} states", kMost), true};
    if (patience.over()) return {false, fmt::format("out of time after {} states", seen.size()), true};
    const semantics::State& state = *open.back();
    open.pop_back();
    for (const semantics::Successor& s : in.successors(state))
      if (std::string why = visit(s.result); !why.empty()) return Check::no(why);
  }
  return Check::yes();
}

std::optional<CertificateKind> kind_in(const json& j) {
  return named<CertificateKind>(j.at("kind").get<std::string>());
}

// A certificate inside another one; anything but weights in one of their two forms is rejected.
Check check_weighed(const system::System& endless, system::QueueId queue, std::int64_t limit,
                    const json& part, const ActionSet& never, const Patience& patience) {
  const std::optional<CertificateKind> kind = kind_in(part);
  if (kind == CertificateKind::Weights)
    return check_weights(endless, queue, limit, part.at("payload"), never, patience);
  if (kind == CertificateKind::Phases)
    return check_phases(endless, queue, limit, part.at("payload"), never, patience);
  return Check::no("not a certificate of boundedness");
}

}  // namespace

// The same about the System that remembers the order of messages: its runs are those of the original.
Check check_ordered(const system::System& endless, system::QueueId queue, std::int64_t limit, const json& j,
                    std::optional<double> seconds) {
  const Patience patience(seconds);
  try {
    const std::vector<system::QueueId> possible = passes::with_visible_order(endless);
    std::vector<system::QueueId> queues;
    for (const json& q : j.at("queues")) {
      const auto id = q.get<std::size_t>();
      if (std::find(possible.begin(), possible.end(), system::QueueId(id)) == possible.end())
        return Check::no("the order of a queue is not visible");
      queues.emplace_back(id);
    }
    return check_weighed(passes::remembering_order(endless, queues).system, queue, limit, j, {}, patience);
  } catch (const json::exception& e) {
    return Check::no(fmt::format("malformed certificate: {}", e.what()));
  }
}

// Bounds for all queues as long as some actions have not fired, and a proof that with room for these bounds
// (and one more) they never fire. By induction over the run neither is ever the first to fail.
Check check_activation(const system::System& endless, system::QueueId queue, std::int64_t limit,
                       const json& j, std::optional<double> seconds) {
  if (endless.integers == system::IntegerMode::AssumeNoOverflow)
    return Check::no("integer overflows are assumed away");
  const Patience patience(seconds);
  try {
    ActionSet never;
    std::vector<system::ActionId> actions;
    for (const json& a : j.at("never")) {
      const auto id = a.get<std::size_t>();
      if (id >= endless.actions.size()) return Check::no("no such action");
      never.insert(id);
      actions.emplace_back(id);
    }
    std::vector<std::uint32_t> room(endless.queues.size(), 0);
    for (const json& x : j.at("bounds")) {
      const auto q = x.at("queue").get<std::size_t>();
      const auto bound = x.at("limit").get<std::int64_t>();
      if (q >= room.size() || bound < 0 || bound > 1000) return Check::no("no such queue or limit");
      if (system::QueueId(q) == queue && bound > limit) return Check::no("the bound of the queue is larger");
      const Check c = kind_in(x) == CertificateKind::LengthTests
                          ? check_lengths(endless, system::QueueId(q), bound, x.at("payload"), patience)
                          : check_weighed(endless, system::QueueId(q), bound, x, never, patience);
      if (!c.accepted) return {false, fmt::format("queue {}: {}", endless.queues[q].name, c.why), c.gave_up};
      room[q] = static_cast<std::uint32_t>(bound) + 1;
    }
    if (room[queue.index()] == 0) return Check::no("nothing is said about the queue");
    for (std::size_t q = 0; q < room.size(); ++q)
      if (room[q] == 0 && endless.queues[q].capacity != 0U)
        return Check::no(fmt::format("nothing is said about queue {}", endless.queues[q].name));
    // A rendezvous is no send; whatever else is sent needs room.
    for (const system::Stmt& st : endless.stmts)
      if (st.kind == system::StmtKind::Send &&
          std::any_of(st.routes.begin(), st.routes.end(),
                      [&](const system::Route& r) { return r.queue.valid() && room[r.queue.index()] == 0; }))
        return Check::no("something is sent to a queue without room");
    const std::optional<CertificateKind> kind = kind_in(j.at("proof"));
    if (!kind) return Check::no("no such kind of certificate");
    const ProofCheck proof =
        check_certificate(passes::asking_for(endless, actions).system, system::PropertyId(0), room,
                          {*kind, j.at("proof").at("payload").get<std::string>()}, patience.left());
    if (proof.result == ProofCheck::Result::Accepted) return Check::yes();
    return {false, proof.why, proof.result == ProofCheck::Result::Undecided};
  } catch (const json::exception& e) {
    return Check::no(fmt::format("malformed certificate: {}", e.what()));
  }
}

Check check_searched(const system::System& system, const std::vector<Claim>& claims,
                     std::optional<double> seconds) {
  for (const Claim& c : claims) {
    if (c.queue.index() >= system.queues.size()) return Check::no("no such queue");
    if (c.limit < 0) return Check::no("a limit below zero");
  }
  return search_again(passes::without_capacities(system).system, claims, seconds);
}

Check check_bounded(const system::System& system, system::QueueId queue, std::int64_t limit,
                    const verdict::Certificate& certificate, std::optional<double> seconds) {
  const LimitChecker checker = checkers_of(certificate.kind).limit;
  if (checker == nullptr) return Check::no("not a certificate of boundedness");
  if (queue.index() >= system.queues.size()) return Check::no("no such queue");
  if (limit < 0) return Check::no("a limit below zero");
  const system::System endless = passes::without_capacities(system).system;
  const json j = json::parse(certificate.payload, nullptr, false);
  if (!j.is_object()) return Check::no("malformed certificate");
  return checker(endless, queue, limit, j, seconds);
}

Check check_unbounded(const system::System& system, system::QueueId queue,
                      const verdict::Certificate& certificate) {
  if (queue.index() >= system.queues.size()) return Check::no("no such queue");
  const GrowthChecker checker = checkers_of(certificate.kind).growth;
  if (checker == nullptr) return Check::no("not a certificate of unboundedness");
  const json j = json::parse(certificate.payload, nullptr, false);
  return j.is_object() ? checker(passes::without_capacities(system).system, queue, j)
                       : Check::no("malformed certificate");
}

Check check_growing(const system::System& system, const verdict::Certificate& certificate) {
  try {
    const json j = json::parse(certificate.payload);
    return check_unbounded(system, system::QueueId(j.at("growth").at(0).at("queue").get<std::size_t>()),
                           certificate);
  } catch (const json::exception& e) {
    return Check::no(fmt::format("malformed certificate: {}", e.what()));
  }
}

std::vector<Check> check_queues(const system::System& system, const std::vector<QueueClaim>& claims,
                                const QueueCheckTimes& times) {
  std::vector<Check> checks(claims.size(), Check::yes());
  std::vector<Claim> searched;  // one search is enough for all of them
  const Patience patience(times.proof);
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const QueueClaim& c = claims[i];
    if (c.searched())
      searched.push_back({c.queue, *c.limit});
    else
      checks[i] = c.limit ? check_bounded(system, c.queue, *c.limit, c.certificate, patience.left())
                          : check_unbounded(system, c.queue, c.certificate);
  }
  if (searched.empty()) return checks;
  const Check search = check_searched(system, searched, times.search);
  for (std::size_t i = 0; i < claims.size(); ++i)
    if (claims[i].searched()) checks[i] = search;
  return checks;
}

ProofCheck check_all_bounded(const system::System& system, const verdict::Certificate& certificate,
                             std::optional<double> seconds) {
  using Result = ProofCheck::Result;
  if (certificate.kind != CertificateKind::Bounds) return {Result::Rejected, "not a list of bounds"};
  std::vector<char> covered(system.queues.size(), 0);
  std::vector<QueueClaim> claims;
  try {
    for (const json& x : json::parse(certificate.payload)) {
      const auto q = x.at("queue").get<std::size_t>();
      if (q >= covered.size()) return {Result::Rejected, "no such queue"};
      covered[q] = 1;
      const std::optional<CertificateKind> kind = kind_in(x);
      if (!kind) return {Result::Rejected, "no such kind of certificate"};
      claims.push_back({system::QueueId(q),
                        x.at("limit").get<std::int64_t>(),
                        {*kind, x.at("payload").get<std::string>()}});
    }
  } catch (const json::exception& e) {
    return {Result::Rejected, fmt::format("it cannot be read: {}", e.what())};
  }
  for (std::size_t q = 0; q < covered.size(); ++q)
    if (!covered[q] && !system::marks_cut(system.queues[q]))
      return {Result::Rejected, fmt::format("nothing is said about queue {}", system.queues[q].name)};
  const std::vector<Check> checks = check_queues(system, claims, {seconds, seconds});
  for (std::size_t i = 0; i < claims.size(); ++i)
    if (const Check& c = checks[i]; !c.accepted)
      return {c.gave_up ? Result::Undecided : Result::Rejected,
              claims[i].searched() ? c.why
                                   : fmt::format("queue {}: {}", system.queue(claims[i].queue).name, c.why)};
  return {Result::Accepted, {}};
}

}  // namespace parley::certify
