#include "certify/closure.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "certify/patience.hpp"
#include "certify/z3_alarm.hpp"
#include "certify/z3_system.hpp"

namespace parley::certify {
namespace {

using nlohmann::json;
using z3::expr;

// A box was written in a way that cannot be read as one of this system.
struct Unreadable {
  std::string why;
};

struct Bounds {
  std::int64_t lo = 0, hi = 0;
};

Bounds bounds_of(const json& j) {  // 5 or [0, 9]
  Bounds b;
  if (j.is_array()) {
    if (j.size() != 2) throw Unreadable{"an interval has two bounds"};
    b = {j[0].get<std::int64_t>(), j[1].get<std::int64_t>()};
  } else {
    b.lo = b.hi = j.get<std::int64_t>();
  }
  if (b.lo < INT32_MIN || b.hi > INT32_MAX || b.lo > b.hi) throw Unreadable{"an interval is out of range"};
  return b;
}

class Checker {
 public:
  Checker(const system::System& s, const system::Property& p, const std::vector<std::uint32_t>& capacities,
          const Patience& patience)
      : patience_(patience), s_(s), p_(p), system_(z_, s, capacities, [this] { return patience_.over(); }) {}

  std::string run(const json& states) {
    const Z3Alarm alarm(z_, patience_);
    const Z3System::Step start = system_.initial();
    std::string why =
        refute(start.happens && !closure(start.after, states), "an initial state is in no abstract state");
    if (why.empty()) why = refute(system_.bad_start(start, p_), "the start itself violates the property");
    const Z3System::State st = system_.fresh("x");
    const expr inside = closure(st, states);
    for (std::size_t a = 0; a < s_.actions.size() && why.empty(); ++a) {
      const Z3System::Step step = system_.step(st, system::ActionId(a));
      why = refute(inside && step.happens && !closure(step.after, states),
                   "a step leaves the abstract states: " + s_.actions[a].name);
    }
    if (why.empty())
      why = refute(inside && system_.bad_state(st, p_), "an abstract state may violate the property");
    if (why.empty())
      why = refute(inside && system_.bad_step(st, p_),
                   "a step from an abstract state may violate the property");
    return why;
  }
  bool undecided() const { return undecided_; }

 private:
  // Empty if the formula is unsatisfiable.
  std::string refute(const expr& formula, const std::string& what) {
    z3::solver solver(z_, "QF_BV");
    z3::params options(z_);
    options.set("timeout", patience_.milliseconds());
    solver.set(options);
    solver.add(formula);
    patience_.ask();
    const z3::check_result r = solver.check();
    if (r == z3::unsat) return {};
    undecided_ = r == z3::unknown;
    return r == z3::sat ? what : "the checking solver gave up: " + what;
  }

  expr closure(const Z3System::State& st, const json& states) {
    z3::expr_vector boxes(z_);
    for (const json& j : states) {
      patience_.ask();
      boxes.push_back(box(st, j));
    }
    return system_.well_formed(st) && z3::mk_or(boxes);
  }

  void within(const expr& value, const json& j, z3::expr_vector& into) {
    const Bounds b = bounds_of(j);
    if (b.lo == b.hi) return into.push_back(value == z_.bv_val(b.lo, 32));
    if (b.lo > INT32_MIN) into.push_back(value >= z_.bv_val(b.lo, 32));
    if (b.hi < INT32_MAX) into.push_back(value <= z_.bv_val(b.hi, 32));
  }

  expr box(const Z3System::State& st, const json& j) {
    z3::expr_vector all(z_);
    const json &cells = j.at("cells"), &queues = j.at("queues");
    if (cells.size() != s_.cells.size() || queues.size() != s_.queues.size())
      throw Unreadable{"an abstract state has other cells or queues than the system"};
    for (std::size_t i = 0; i < s_.cells.size(); ++i) within(st.cells[i], cells[i], all);
    for (std::size_t q = 0; q < s_.queues.size(); ++q) {
      if (queues[q].size() > st.queues[q].slots.size())
        throw Unreadable{"a queue has more messages than places"};
      all.push_back(st.queues[q].length == z_.bv_val(static_cast<std::int64_t>(queues[q].size()), 32));
      for (std::size_t k = 0; k < queues[q].size(); ++k) message(q, st.queues[q].slots[k], queues[q][k], all);
    }
    // A stretch that may have ended stands for those that have not, too: fewer may move then.
    if (j.contains("holder")) {
      const auto holder = j.at("holder").get<std::uint32_t>();
      if (holder >= s_.owners.size()) throw Unreadable{"there is no such holder"};
      all.push_back(st.holder == z_.bv_val(static_cast<std::int64_t>(holder) + 1, 32));
    }
    return z3::mk_and(all);
  }

  void message(std::size_t q, const Z3System::Slot& slot, const json& j, z3::expr_vector& into) {
    const auto signal = j.at("signal").get<std::uint32_t>();
    const auto& known = s_.queues[q].signals;
    const auto at = std::find(known.begin(), known.end(), system::SignalId(signal));
    if (at == known.end()) throw Unreadable{"a queue holds a signal that never arrives there"};
    into.push_back(slot.signal == z_.bv_val(static_cast<std::int64_t>(at - known.begin()), 32));
    const json& args = j.at("args");
    if (args.size() != s_.signal(*at).params.size())
      throw Unreadable{"a message has other arguments than its signal"};
    for (std::size_t p = 0; p < args.size(); ++p) within(slot.params[p], args[p], into);
  }

  const Patience& patience_;
  z3::context z_;
  const system::System& s_;
  const system::Property& p_;
  Z3System system_;
  bool undecided_ = false;
};

}  // namespace

ProofCheck check_closure(const system::System& system, system::PropertyId property,
                         const std::vector<std::uint32_t>& capacities,
                         const verdict::Certificate& certificate, std::optional<double> seconds) {
  using Result = ProofCheck::Result;
  const Patience patience(seconds);
  const auto undecided = [&](const std::string& why) {
    return ProofCheck{Result::Undecided, patience.over() ? "out of time" : why};
  };
  try {
    const json j = json::parse(certificate.payload);
    if (certificate.kind != verdict::CertificateKind::AbstractClosure)
      return {Result::Rejected, "it is of another kind"};
    if (j.at("property").get<std::string>() != system.property(property).name)
      return {Result::Rejected, "it is about another property"};
    if (j.at("capacities").get<std::vector<std::uint32_t>>() != capacities)
      return {Result::Rejected, "it is about other queue capacities"};
    if (!j.contains("states"))
      return {Result::Undecided, "there are too many abstract states to write them down"};
    Checker checker(system, system.property(property), capacities, patience);
    const std::string why = checker.run(j.at("states"));
    if (why.empty()) return {Result::Accepted, {}};
    return {checker.undecided() ? Result::Undecided : Result::Rejected, why};
  } catch (const Unreadable& e) {
    return {Result::Rejected, e.why};
  } catch (const json::exception& e) {
    return {Result::Rejected, std::string("it cannot be read: ") + e.what()};
  } catch (const OutOfTime&) {
    return undecided("out of time");
  } catch (const NotExpressible& e) {
    return undecided(e.what());
  } catch (const z3::exception& e) {
    return undecided(std::string("the checking solver failed: ") + e.msg());
  }
}

}  // namespace parley::certify
