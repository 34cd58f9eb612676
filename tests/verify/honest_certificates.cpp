#include "verify/honest_certificates.hpp"

#include "bounds/system_maker.hpp"
#include "driver/certification.hpp"
#include "driver/check.hpp"
#include "driver/engines.hpp"
#include "load/load_text.hpp"

namespace parley::verify::testing {
namespace {

using engine::EngineKind;

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

// Counts twice, and pages again and again should the counters ever differ.
constexpr const char* kMeter = R"(
signal tick, alarm;
class Meter {
  Pager pager;
  int first = 0;
  int second = 0;
  machine {
    initial -> counting;
    waiting state counting {
      on tick [first < 4] / { first = first + 1; second = second + 1; };
      when (first != second) -> paging;
    }
    state paging { / { send alarm to pager; } -> paging; }
  }
}
class Pager { machine { initial -> quiet; waiting state quiet { on alarm -> quiet; } } }
system { meter : Meter { pager = pager; }; pager : Pager; environment sends tick to meter when (len(meter) == 0); }
)";

struct Origin {
  const char* text;
  std::vector<EngineKind> engines;
};

const std::vector<Origin>& origins() {
  static const std::vector<Origin> all = {
      {kTransfer, {EngineKind::BreadthFirst, EngineKind::Ic3, EngineKind::KInduction, EngineKind::Bounds}},
      {kFlood, {EngineKind::Bounds}},
      {kAccount, {EngineKind::Cegar, EngineKind::BreadthFirst}},
      {kMeter, {}}};
  return all;
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
  return made(*l.system, document, states);
}

// What `parley bounds --certificate` writes, with search or by proofs alone: what a search has seen needs no
// proof.
MadeCertificate bounded(const system::System& s, const certificate::Subject& subject, bool by_search) {
  certificate::Document document;
  document.subject = subject;
  document.capacities = semantics::capacities(s);
  const auto prover = driver::make_engine(EngineKind::Ic3);
  bounds::Options options;
  options.seconds = 5;
  options.use_search = by_search;
  for (const bounds::QueueReport& q :
       bounds::analyse(s, options, nullptr, {nullptr, by_search ? nullptr : prover.get()}).queues)
    for (const certify::QueueClaim& c : driver::claims_of(q)) {
      std::optional<std::uint64_t> limit;
      if (c.limit) limit = static_cast<std::uint64_t>(*c.limit);
      document.queues.push_back({c.queue, limit, c.certificate});
    }
  return made(s, document, {});
}

// A client that asks, waits and releases; in a bag its releases could wait for ever while requests are
// answered. Beside it a queue that grows.
system::System service() {
  bounds::testing::Maker m;
  const auto server = m.owner("server", 1), noise = m.owner("noise", 1), client = m.owner("client", 3);
  const auto inbox = m.queue("inbox", server), log = m.queue("log"), own = m.queue("client", client);
  const auto grant = m.signal("grant"), entry = m.signal("entry"), ask = m.signal("ask"),
             release = m.signal("release");
  m.step(client, 0, 1, {m.send(inbox, ask)});
  m.receive(client, 1, 2, own, grant);
  m.step(client, 2, 0, {m.send(inbox, release)});
  m.receive(server, 0, 0, inbox, ask, {m.send(own, grant)});
  m.receive(server, 0, 0, inbox, release);
  m.step(noise, 0, 0, {m.send(log, entry)});
  return m.s;
}

// First two y are made of each x, then an x of each y; once round both would double what is there, but there
// is no way back.
system::System doubling() {
  bounds::testing::Maker m;
  const auto p = m.owner("p", 3), noise = m.owner("noise", 1);
  const auto x = m.queue("x"), y = m.queue("y"), flood = m.queue("flood");
  const auto g = m.signal("g");
  m.step(p, 2, 0, {m.send(x, g)});
  m.s.cells[m.s.owners[p.index()].locations[0].index()].initial = 2;
  m.receive(p, 0, 0, x, g, {m.send(y, g), m.send(y, g)});
  m.step(p, 0, 1);
  m.receive(p, 1, 1, y, g, {m.send(x, g)});
  m.step(noise, 0, 0, {m.send(flood, g)});
  return m.s;
}

}  // namespace

std::vector<MadeCertificate> honest_certificates() {
  std::vector<MadeCertificate> all;
  for (const Origin& o : origins()) {
    const load::Loaded l = parley::testing::load_text(o.text);
    for (const EngineKind kind : o.engines) all.push_back(checked(l, kind));
    for (const bool by_search : {true, false})
      all.push_back(bounded(*l.system, certificate::subject_of(l.sources, {}), by_search));
  }
  for (const system::System& s : {service(), doubling()}) all.push_back(bounded(s, {}, false));
  std::erase_if(all, [](const MadeCertificate& c) {
    return c.head.at("properties").empty() && c.head.at("queues").empty();
  });
  return all;
}

}  // namespace parley::verify::testing
