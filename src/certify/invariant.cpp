#include "certify/invariant.hpp"

#include <nlohmann/json.hpp>

#include "certify/patience.hpp"
#include "certify/z3_alarm.hpp"
#include "certify/z3_system.hpp"

namespace parley::certify {
namespace {

using verdict::CertificateKind;
using z3::expr;

struct Payload {
  std::vector<std::vector<std::string>> clauses;
  std::uint32_t k = 0;
  bool simple_path = false;
};

class Checker {
 public:
  Checker(z3::context& z, Z3System& system, const system::System& s, const system::Property& p,
          const Patience& patience)
      : z_(z), system_(system), s_(s), p_(p), patience_(patience) {}

  // Returns an empty text if the formula is unsatisfiable.
  std::string refute(const expr& formula, const std::string& what) {
    z3::solver solver(z_, "QF_BV");
    solver.add(formula);
    return refute(solver, what);
  }
  std::string refute(z3::solver& solver, const std::string& what) {
    z3::params options(z_);
    options.set("timeout", patience_.milliseconds());
    solver.set(options);
    const z3::check_result r = patience_.over() ? z3::unknown : solver.check();
    if (r == z3::unsat) return {};
    undecided_ = r == z3::unknown;
    if (patience_.over() && r == z3::unknown) return "out of time";
    return r == z3::sat ? what : "the checking solver gave up: " + what;
  }
  bool undecided() const { return undecided_; }

  // The clauses on a state; they name bits that exist (see `names_bits`).
  std::vector<expr> clauses(const Z3System::State& st, const Payload& c) {
    std::vector<expr> all;
    for (const auto& clause : c.clauses) {
      patience_.ask();
      expr some = z_.bool_val(false);
      for (const std::string& name : clause) {
        const bool negative = name[0] == '!';
        const expr b = *system_.bit(st, negative ? name.substr(1) : name);
        some = some || (negative ? !b : b);
      }
      all.push_back(some);
    }
    return all;
  }
  std::string names_bits(const Z3System::State& st, const Payload& c) {
    for (const auto& clause : c.clauses)
      for (const std::string& name : clause)
        if (name.empty() || !system_.bit(st, name[0] == '!' ? name.substr(1) : name))
          return "there is no state bit `" + name + "`";
    return {};
  }
  std::optional<expr> invariant(const Z3System::State& st, const Payload& c, std::string& why) {
    why = names_bits(st, c);
    if (!why.empty()) return std::nullopt;
    expr all = system_.well_formed(st);
    for (const expr& clause : clauses(st, c)) all = all && clause;
    return all;
  }

  std::string starts_well(const Payload& c) {
    const Z3System::Step start = system_.initial();
    std::string why;
    const auto inv = invariant(start.after, c, why);
    if (!inv) return why;
    why = refute(start.happens && !*inv, "an initial state is outside of the invariant");
    if (why.empty()) why = refute(system_.bad_start(start, p_), "the start itself violates the property");
    return why;
  }

  // Clause by clause, so that those an action does not touch need no solver: most of them.
  std::string is_inductive(const Payload& c) {
    const Z3System::State st = system_.fresh("x");
    std::string why;
    const auto inv = invariant(st, c, why);
    if (!inv) return why;
    const auto before = clauses(st, c);
    z3::solver solver(z_, "QF_BV");
    solver.add(*inv);
    for (std::size_t a = 0; a < s_.actions.size(); ++a) {
      const Z3System::Step step = system_.step(st, system::ActionId(a));
      const auto after = clauses(step.after, c);
      expr broken = !system_.well_formed(step.after);
      for (std::size_t i = 0; i < after.size(); ++i)
        if (!z3::eq(before[i], after[i])) broken = broken || !after[i];
      solver.push();
      solver.add(step.happens);
      solver.add(broken);
      why = refute(solver, "a step leaves the invariant: " + s_.actions[a].name);
      solver.pop();
      if (!why.empty()) return why;
    }
    return {};
  }

  std::string check_inductive(const Payload& c) {
    std::string why = starts_well(c);
    if (why.empty()) why = is_inductive(c);
    if (!why.empty()) return why;
    const Z3System::State st = system_.fresh("x");
    const auto inv = invariant(st, c, why);
    why = refute(*inv && system_.bad_state(st, p_), "a state of the invariant violates the property");
    if (why.empty())
      why = refute(*inv && system_.bad_step(st, p_), "a step from the invariant violates the property");
    return why;
  }

  // States 0..n joined by steps, the first one initial or just in the invariant.
  std::vector<Z3System::State> path(std::uint32_t n) {
    std::vector<Z3System::State> out;
    for (std::uint32_t i = 0; i <= n; ++i) out.push_back(system_.fresh("s" + std::to_string(i)));
    return out;
  }

  std::string holds_up_to(std::uint32_t k) {
    const Z3System::Step start = system_.initial();
    std::string why = refute(system_.bad_start(start, p_), "the start itself violates the property");
    const auto states = path(k);
    expr run = start.happens && system_.equal(start.after, states[0]);
    for (std::uint32_t i = 0; i <= k && why.empty(); ++i) {
      why = refute(run && system_.bad_state(states[i], p_),
                   "a run of " + std::to_string(i) + " steps violates it");
      if (why.empty() && i < k)
        why = refute(run && system_.bad_step(states[i], p_),
                     "a step after " + std::to_string(i) + " violates it");
      if (i < k) run = run && system_.moves_to(states[i], states[i + 1]);
    }
    last_run_ = run;
    return why;
  }

  std::string check_k_induction(const Payload& c) {
    if (c.k < 1 || c.k > 1000) return "k is out of range";
    std::string why = starts_well(c);
    if (why.empty()) why = is_inductive(c);
    if (why.empty()) why = holds_up_to(c.k);
    if (!why.empty()) return why;
    const auto states = path(c.k);
    expr run = z_.bool_val(true);
    for (std::uint32_t i = 0; i <= c.k; ++i) {
      run = run && *invariant(states[i], c, why);
      if (i < c.k) run = run && !system_.bad_state(states[i], p_);
      if (i + 1 < c.k) run = run && !system_.bad_step(states[i], p_);
      if (c.simple_path && i < c.k)
        for (std::uint32_t j = 0; j < i; ++j) run = run && !system_.equal(states[i], states[j]);
      if (i + 1 == c.k)
        why = refute(run && system_.bad_step(states[i], p_), "good steps may be followed by a bad one");
      if (!why.empty()) return why;
      if (i < c.k) run = run && system_.moves_to(states[i], states[i + 1]);
    }
    return refute(run && system_.bad_state(states[c.k], p_), "good states may be followed by a bad one");
  }

  std::string check_no_longer_runs(std::uint32_t bound) {
    if (bound > 10000) return "the bound is out of range";
    std::string why = holds_up_to(bound);
    if (why.empty()) why = holds_up_to(bound + 1);
    if (why.empty()) why = refute(*last_run_, "a run goes on after the bound");
    return why;
  }

 private:
  z3::context& z_;
  Z3System& system_;
  const system::System& s_;
  const system::Property& p_;
  const Patience& patience_;
  std::optional<expr> last_run_;
  bool undecided_ = false;
};

}  // namespace

struct CertificateChecker::Implementation {
  Implementation(const system::System& s, std::vector<std::uint32_t> c)
      : system(s), capacities(std::move(c)), formulas(z, s, capacities, [this] { return patience.over(); }) {}

  const system::System& system;
  std::vector<std::uint32_t> capacities;
  Patience patience;
  z3::context z;
  Z3System formulas;
};

CertificateChecker::CertificateChecker(const system::System& system, std::vector<std::uint32_t> capacities)
    : inside_(std::make_unique<Implementation>(system, std::move(capacities))) {}
CertificateChecker::~CertificateChecker() = default;

ProofCheck CertificateChecker::check(system::PropertyId property, const verdict::Certificate& certificate,
                                     std::optional<double> seconds) {
  const auto rejected = [](std::string why) {
    return ProofCheck{ProofCheck::Result::Rejected, std::move(why)};
  };
  const bool inductive = certificate.kind == CertificateKind::InductiveInvariant;
  const bool k_induction = certificate.kind == CertificateKind::KInduction;
  const bool no_longer_runs = certificate.kind == CertificateKind::NoLongerRuns;
  if (!inductive && !k_induction && !no_longer_runs)
    return rejected("a certificate of kind `" + std::string(name_of(certificate.kind)) +
                    "` is not checked here");
  Payload c;
  try {
    const auto j = nlohmann::json::parse(certificate.payload);
    if (no_longer_runs) {
      c.k = j.at("bound").get<std::uint32_t>();
    } else {
      if (j.at("property").get<std::string>() != inside_->system.property(property).name)
        return rejected("it is about another property");
      if (j.at("capacities").get<std::vector<std::uint32_t>>() != inside_->capacities)
        return rejected("it is about other queue capacities");
      c.clauses = j.at("clauses").get<std::vector<std::vector<std::string>>>();
      if (k_induction) {
        c.k = j.at("k").get<std::uint32_t>();
        c.simple_path = j.at("simple_path").get<bool>();
      }
    }
  } catch (const nlohmann::json::exception& e) {
    return rejected(std::string("it cannot be read: ") + e.what());
  }
  inside_->patience = Patience(seconds);
  try {
    const Z3Alarm alarm(inside_->z, inside_->patience);
    Checker checker(inside_->z, inside_->formulas, inside_->system, inside_->system.property(property),
                    inside_->patience);
    const std::string why = inductive     ? checker.check_inductive(c)
                            : k_induction ? checker.check_k_induction(c)
                                          : checker.check_no_longer_runs(c.k);
    if (why.empty()) return {ProofCheck::Result::Accepted, {}};
    return {checker.undecided() ? ProofCheck::Result::Undecided : ProofCheck::Result::Rejected, why};
  } catch (const OutOfTime&) {
    return {ProofCheck::Result::Undecided, "out of time"};
  } catch (const NotExpressible& e) {
    return {ProofCheck::Result::Undecided, inside_->patience.over() ? "out of time" : e.what()};
  } catch (const z3::exception& e) {
    return {ProofCheck::Result::Undecided,
            inside_->patience.over() ? "out of time" : std::string("the checking solver failed: ") + e.msg()};
  }
}

ProofCheck check_certificate(const system::System& system, system::PropertyId property,
                             const std::vector<std::uint32_t>& capacities,
                             const verdict::Certificate& certificate, std::optional<double> seconds) {
  return CertificateChecker(system, capacities).check(property, certificate, seconds);
}

}  // namespace parley::certify
