// make bench-proofs: which properties of the examples each proof engine proves, in what time, how large the
// certificate is, and what the independent checker says of it. Last line: the summary.
#include <fmt/format.h>

#include <chrono>

#include "certify/invariant.hpp"
#include "load.hpp"
#include "semantics/interpreter.hpp"
#include "symbolic/engines.hpp"

using namespace parley;

namespace {

const verdict::Certificate* certificate_of(const verdict::PropertyResult& r) {
  if (const auto* h = std::get_if<verdict::Holds>(&r.verdict)) return h->witness ? nullptr : &h->certificate;
  const auto* v = std::get_if<verdict::Violated>(&r.verdict);
  return v != nullptr && v->certificate ? &*v->certificate : nullptr;
}

struct Total {
  int asked = 0, proved = 0, accepted = 0, rejected = 0, unchecked = 0;
};

}  // namespace

// bench_proofs SECONDS model.ply...
int main(int argc, char** argv) {
  if (argc < 3) return 3;
  const double limit = std::atof(argv[1]);
  Total ic3, kind;
  fmt::print("{:24} {:40} {:6} {:>9} {:>8} {:>7} {}\n", "model", "property", "engine", "answer", "seconds", "bytes",
             "certificate (seconds to check)");
  for (int m = 2; m < argc; ++m) {
    const std::string path = argv[m];
    const std::string name = path.substr(path.rfind('/') + 1, path.rfind('.') - path.rfind('/') - 1);
    const system::System s = bench::load(path);
    for (const bool with_ic3 : {true, false}) {
      const auto engine = with_ic3 ? symbolic::make_ic3({}) : symbolic::make_kind({});
      Total& total = with_ic3 ? ic3 : kind;
      certify::CertificateChecker checker(s, semantics::capacities(s));
      for (std::size_t p = 0; p < s.properties.size(); ++p) {
        if (!encode::Relation::supports(s.properties[p].kind)) continue;
        engine::Request request{s, {system::PropertyId(p)}, semantics::capacities(s), {}, 0, nullptr, {}, {}};
        request.limits.seconds = limit;
        const auto result = engine->check(request)[0];
        ++total.asked;
        std::string bytes = "-", checked = "-";
        if (const verdict::Certificate* c = certificate_of(result)) {
          ++total.proved;
          bytes = std::to_string(c->payload.size());
          const auto start = std::chrono::steady_clock::now();
          const certify::ProofCheck answer = checker.check(system::PropertyId(p), *c, 60);
          const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
          const bool ok = answer.result == certify::ProofCheck::Result::Accepted;
          ++(ok ? total.accepted
                : answer.result == certify::ProofCheck::Result::Rejected ? total.rejected
                                                                          : total.unchecked);
          checked = fmt::format("{} ({:.2f})", ok ? "accepted" : answer.why, took.count());
        }
        fmt::print("{:24} {:40} {:6} {:>9} {:>8.2f} {:>7} {}\n", name, s.properties[p].name.substr(0, 40),
                   engine->name(), verdict::word(result.verdict), result.coverage.seconds, bytes, checked);
        std::fflush(stdout);
      }
    }
  }
  fmt::print("summary: ic3_proved={}/{} kind_proved={}/{} accepted={} rejected={} unchecked={}\n", ic3.proved,
             ic3.asked, kind.proved, kind.asked, ic3.accepted + kind.accepted, ic3.rejected + kind.rejected,
             ic3.unchecked + kind.unchecked);
}
