#include "lower/selection.hpp"

#include <algorithm>

#include "system/may_fail.hpp"

namespace parley::lower {

using model::TriggerKind;

bool Event::triggers(const model::Machine& m, TransitionId id) const {
  const model::Transition& t = m.transition(id);
  if (kind == Kind::After || kind == Kind::Change) return id == transition;
  return std::any_of(t.triggers.begin(), t.triggers.end(), [&](const model::Trigger& x) {
    if (kind == Kind::Timeout) return x.kind == TriggerKind::Timeout && x.timer == timer;
    return x.kind == TriggerKind::AnySignal || (x.kind == TriggerKind::Signal && x.signal == signal);
  });
}

Selection::Selection(Context& c, Object& o, Configuration& configuration, Event event)
    : c_(c), o_(o), configuration_(configuration), event_(event) {}

const std::vector<Reaction>& Selection::own(VertexId state) {
  const auto it = own_.find(state);
  if (it != own_.end()) return it->second;
  std::vector<TransitionId> siblings;
  for (TransitionId t : o_.machine->outgoing(state))
    if (event_.triggers(o_.machine->m(), t)) siblings.push_back(t);
  std::vector<Reaction> result;
  for (TransitionId t : siblings)
    for (Route& r : configuration_.routes(t, siblings))
      if (!c_.pool().is_const(r.condition, 0)) result.push_back({state, std::move(r)});
  return own_.emplace(state, std::move(result)).first->second;
}

Selection::Any Selection::none() const {
  return {c_.pool().boolean(false), c_.pool().boolean(false)};
}

void Selection::join(Any& any, const Any& more) {
  any.sure = c_.pool().either(any.sure, more.sure);
  any.risky = c_.pool().either(any.risky, more.risky);
}

const Selection::Any& Selection::any_of(VertexId state) {
  if (const auto it = any_state_.find(state); it != any_state_.end()) return it->second;
  Any result = none();
  for (RegionId r : o_.machine->m().vertex(state).regions) join(result, any_of(r));
  for (const Reaction& x : own(state)) {
    ExprId& part = system::may_fail(c_.system, x.route.condition) ? result.risky : result.sure;
    part = c_.pool().either(part, x.route.condition);
  }
  return any_state_.emplace(state, result).first->second;
}

const Selection::Any& Selection::any_of(RegionId region) {
  if (const auto it = any_region_.find(region); it != any_region_.end()) return it->second;
  Any result = none();
  const auto where = [this](VertexId s, ExprId inside) {
    return c_.pool().is_const(inside, 0) ? inside : c_.pool().both(c_.active(o_, s), inside);
  };
  for (VertexId s : o_.machine->states(region)) {
    const Any inside = any_of(s);
    join(result, {where(s, inside.sure), where(s, inside.risky)});
  }
  return any_region_.emplace(region, result).first->second;
}

ExprId Selection::any_in(VertexId state) {
  const Any any = any_of(state);
  return c_.pool().either(any.sure, any.risky);
}

ExprId Selection::any_in(RegionId region) {
  const Any any = any_of(region);
  return c_.pool().either(any.sure, any.risky);
}

ExprId Selection::any() {
  Any result = none();
  for (RegionId r : o_.machine->m().top) join(result, any_of(r));
  return c_.pool().either(result.sure, result.risky);
}

bool Selection::too_many(std::size_t count) {
  if (count <= c_.options.max_options) return false;
  if (!c_.refused)
    c_.refuse("too-many-reactions", o_.machine->m().span,
              "one event can make more than " + std::to_string(c_.options.max_options) +
                  " sets of transitions of `" + o_.name + "` fire together",
              "use fewer orthogonal regions that react to the same event");
  return true;
}

std::vector<Option> Selection::options_in(RegionId region) {
  std::vector<Option> result;
  for (VertexId s : o_.machine->states(region)) {
    if (c_.pool().is_const(any_in(s), 0)) continue;
    for (Option& x : options_in(s)) result.push_back(std::move(x));
    if (too_many(result.size())) return {};
  }
  return result;
}

// Every region contributes what it can; without the case in which none does.
std::vector<Option> Selection::combined(const std::vector<RegionId>& regions) {
  std::vector<Option> result = {{{}, c_.pool().boolean(true)}};
  for (RegionId r : regions) {
    if (c_.pool().is_const(any_in(r), 0)) continue;
    std::vector<Option> here = options_in(r);
    std::vector<Option> next;
    if (too_many(result.size() * (here.size() + 1))) return {};
    for (const Option& x : result) {
      for (const Option& y : here) {
        Option both = x;
        both.fired.insert(both.fired.end(), y.fired.begin(), y.fired.end());
        both.condition = c_.pool().both(x.condition, y.condition);
        next.push_back(std::move(both));
      }
      if (always_reacts(r)) continue;
      Option none = x;
      none.condition = c_.pool().both(x.condition, c_.pool().negate(any_in(r)));
      next.push_back(std::move(none));
    }
    result = std::move(next);
  }
  std::erase_if(result, [](const Option& x) { return x.fired.empty(); });
  return result;
}

// Whichever state of the region is active, something in it is enabled.
bool Selection::always_reacts(RegionId region) {
  const auto& locations = o_.machine->location_vertices(region);  // the first is "not active"
  return o_.machine->initial(region).valid() &&
         std::all_of(locations.begin() + 1, locations.end(),
                     [&](VertexId v) { return v.valid() && c_.pool().is_const(any_in(v), 1); });
}

// An active state says that all states around it are: only the source of a reaction is tested.
std::vector<Option> Selection::options_in(VertexId state) {
  std::vector<Option> result = combined(o_.machine->m().vertex(state).regions);
  ExprId inner = c_.pool().boolean(false);
  for (RegionId r : o_.machine->m().vertex(state).regions) inner = c_.pool().either(inner, any_in(r));
  for (const Reaction& x : own(state)) {
    const ExprId enabled = c_.pool().both(c_.pool().negate(inner), x.route.condition);
    result.push_back({{x}, c_.pool().both(c_.active(o_, state), enabled)});
  }
  return result;
}

// Two transitions conflict when one leaves a state that the other starts in or leaves.
bool Selection::conflict(const Reaction& a, const Reaction& b) const {
  const auto hits = [&](const Reaction& x, const Reaction& y) {
    bool everything = false;
    const VertexId left = configuration_.outermost_exit(x.route, everything);
    return everything || (left.valid() && (left == y.source || o_.machine->contains(left, y.source)));
  };
  return hits(a, b) || hits(b, a);
}

void Selection::split_conflicts(std::vector<Option>& list) {
  std::vector<Option> result;
  for (Option& x : list) {
    const std::size_t n = x.fired.size();
    if (n < 2) {
      result.push_back(std::move(x));
      continue;
    }
    std::vector<std::vector<bool>> clash(n, std::vector<bool>(n));
    bool some = false;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < i; ++k)
        some = (clash[i][k] = clash[k][i] = conflict(x.fired[i], x.fired[k])) || some;
    if (!some) {
      result.push_back(std::move(x));
      continue;
    }
    if (n > 16 || too_many(result.size())) {
      too_many(c_.options.max_options + 1);
      return;
    }
    // Largest sets without conflict, by trying all: n is the number of regions that react.
    const auto fits = [&](std::uint32_t set, std::size_t extra) {
      for (std::size_t k = 0; k < n; ++k)
        if ((set >> k & 1u) != 0 && k != extra && clash[extra][k]) return false;
      return true;
    };
    for (std::uint32_t set = 1; set < (1u << n); ++set) {
      bool good = true;
      for (std::size_t i = 0; i < n && good; ++i) good = ((set >> i & 1u) != 0) == fits(set, i);
      if (!good) continue;
      Option part{{}, x.condition};
      for (std::size_t i = 0; i < n; ++i)
        if ((set >> i & 1u) != 0) part.fired.push_back(x.fired[i]);
      result.push_back(std::move(part));
    }
  }
  list = std::move(result);
}

std::vector<Option> Selection::options() {
  std::vector<Option> result = combined(o_.machine->m().top);
  split_conflicts(result);
  return result;
}

}  // namespace parley::lower
