// Segments of compound transitions: from vertex to vertex, each leaving, doing its effect and entering in
// turn, as the PSSM reference does (TransitionActivation.fire; docs/semantics.md rule 12).
#include <algorithm>

#include "lower/completion.hpp"
#include "lower/configuration.hpp"
#include "lower/interleaving.hpp"
#include "support/check.hpp"

namespace parley::lower {

using model::TransitionKind;

namespace {

constexpr int kForkPick = 2;

bool is_junction_like(const MachineInfo& info, VertexId v) {
  const VertexKind kind = info.m().vertex(v).kind;
  if (kind == VertexKind::Join && !info.is_join(v)) return true;
  if (kind == VertexKind::Junction) return true;
  return info.is_point(v) && !info.is_fork(v) && !info.is_join(v);
}

}  // namespace

bool Configuration::enter_pseudostate(VertexId v) {
  if (std::find(pending_.begin(), pending_.end(), v) == pending_.end()) {
    pending_.push_back(v);
    return true;
  }
  if (!c_.refused)
    c_.refuse("pseudostate-cycle", m().vertex(v).span,
              "`" + info().name(v) + "` can be reached from itself without a state in between",
              "a transition must end in a state");
  return false;
}

// --- choosing the way
// ------------------------------------------------------------------------------------------

ExprId Configuration::guard(TransitionId id, const std::vector<TransitionId>& siblings) {
  Scope scope = scope_of(o_);
  scope.parameters = parameters_;
  const model::Transition& t = m().transition(id);
  if (!t.is_else) return t.guard ? pure(c_, *t.guard, scope) : c_.pool().boolean(true);
  ExprId others = c_.pool().boolean(false);
  for (TransitionId s : siblings)
    if (s != id && !m().transition(s).is_else) others = c_.pool().either(others, guard(s, {}));
  return c_.pool().negate(others);
}

std::vector<Route> Configuration::routes(TransitionId id, const std::vector<TransitionId>& siblings) {
  const VertexId target = m().transition(id).target;
  const ExprId here = guard(id, siblings);
  if (!is_junction_like(info(), target)) return {{here, {id}, target}};
  const auto& out = info().outgoing(target);
  if (out.empty() && m().vertex(target).kind == VertexKind::EntryPoint) return {{here, {id}, target}};
  std::vector<Route> result;
  if (!enter_pseudostate(target)) return result;
  for (TransitionId next : out)
    for (Route& rest : routes(next, out)) {
      rest.condition = c_.pool().both(here, rest.condition);
      rest.segments.insert(rest.segments.begin(), id);
      result.push_back(std::move(rest));
      if (result.size() > c_.options.max_options && !c_.refused)
        c_.refuse("too-many-routes", m().transition(id).span,
                  "there are too many ways through junctions from here");
      if (c_.refused) return result;
    }
  pending_.pop_back();
  return result;
}

StmtId Configuration::choose(const std::vector<Route>& list, const system::Origin& origin,
                             const std::string& what) {
  if (list.size() == 1 && c_.pool().is_const(list[0].condition, 1)) return fire(list[0]);
  system::Stmt s;
  s.kind = system::StmtKind::Branch;
  s.origin = origin;
  s.text = what;
  const Route* otherwise = nullptr;
  for (const Route& r : list) {
    const bool plain_else = r.segments.size() == 1 && m().transition(r.segments[0]).is_else;
    if (plain_else && otherwise == nullptr) {
      otherwise = &r;
      continue;
    }
    s.conditions.push_back(r.condition);
    s.children.push_back(fire(r));
  }
  if (otherwise != nullptr) {
    s.has_else = true;
    s.children.push_back(fire(*otherwise));
  }
  return c_.add(std::move(s));
}

StmtId Configuration::follow(VertexId v) {
  if (const auto it = followed_.find(v); it != followed_.end()) return it->second;
  if (!enter_pseudostate(v)) return c_.skip();
  const auto& out = info().outgoing(v);
  std::vector<Route> list;
  for (TransitionId t : out) {
    auto more = routes(t, out);
    list.insert(list.end(), more.begin(), more.end());
  }
  const StmtId result =
      choose(list, origin_of(m().vertex(v).span), "no way out of `" + info().name(v) + "` is open");
  pending_.pop_back();
  followed_.emplace(v, result);
  return result;
}

// --- one segment
// -----------------------------------------------------------------------------------------------

Configuration::Way Configuration::way(const model::Transition& t) const {
  Way w;
  w.from = info().path(t.source);
  w.to = info().path(t.target);
  w.common = static_cast<std::size_t>(
      std::mismatch(w.from.begin(), w.from.end(), w.to.begin(), w.to.end()).first - w.from.begin());
  const bool source_is_state = info().is_state(t.source);
  if (t.kind == TransitionKind::Local && source_is_state && info().contains(t.source, t.target)) {
    w.common = w.from.size() + 1;
    w.stays_inside = true;
    return w;
  }
  if (w.common > 0 && w.from[w.common - 1].state.valid()) {
    const VertexId s = w.from[w.common - 1].state;
    const auto point_of = [&](VertexId v) { return info().is_point(v) && info().home(v) == s; };
    const bool kept =
        point_of(t.source) || (point_of(t.target) && m().vertex(t.target).kind == VertexKind::ExitPoint);
    if (!kept) --w.common;
  }
  if (w.common == 0 || w.from[w.common - 1].region.valid()) {
    if (w.from.size() > w.common)
      w.left = w.common == 0 ? VertexId{} : w.from[w.common].state;
    else if (source_is_state)
      w.left = t.source;
  }
  return w;
}

StmtId Configuration::depart(const model::Transition& t, const Way& w) {
  if (w.stays_inside) return info().is_point(t.target) ? c_.skip() : exit_regions(t.source);
  if (w.common == 0) {
    if (!c_.refused)
      c_.refuse("crosses-regions", t.span,
                "a transition cannot lead from one region of the machine into another");
    return c_.skip();
  }
  if (w.left.valid()) return exit_state(w.left);
  // To an exit point: the region it comes from is left, its state is not yet.
  if (w.from.size() > w.common && w.from[w.common].region.valid())
    return exit_region(w.from[w.common].region);
  return c_.skip();
}

StmtId Configuration::effect(TransitionId t) {
  return c_.block({c_.note(c_.transition_elements.at(info().machine_class())[t.index()]),
                   behaviour(m().transition(t).effect, true)});
}

std::set<RegionId> Configuration::regions_entered_by(VertexId point, VertexId state) const {
  std::set<RegionId> result;
  for (TransitionId t : info().outgoing(point)) {
    const auto way_in = info().path(m().transition(t).target);
    const auto at = std::find(way_in.begin(), way_in.end(), PathItem{{}, state});
    if (at != way_in.end() && at + 1 != way_in.end()) result.insert((at + 1)->region);
  }
  return result;
}

// Enters the states of w.to from `at` on, then does `inner`. `ends_here`: inner only enters, so it may take
// any place in the order of regions. `targeted`: regions of the last state that something else enters.
StmtId Configuration::approach(const Way& w, std::size_t at, bool ends_here,
                               const std::set<RegionId>& targeted, StmtId inner) {
  if (at >= w.to.size()) return inner;
  if (w.to[at].region.valid()) {
    const bool reenter_others = w.stays_inside && at == w.common;
    const StmtId rest = approach(w, at + 1, ends_here, targeted, inner);
    if (!reenter_others) return rest;
    const VertexId state = w.to[at - 1].state;
    if (ends_here) return enter_regions(state, {w.to[at].region}, rest);
    return c_.block({enter_regions(state, {w.to[at].region}, c_.skip()), rest});
  }
  const VertexId state = w.to[at].state;
  if (at + 1 == w.to.size()) {
    const bool whole = targeted.empty();  // nothing else enters it: as by default
    return c_.block(
        {whole ? enter_state(state) : c_.block({shell(state), enter_regions(state, targeted, c_.skip())}),
         inner});
  }
  const RegionId next = w.to[at + 1].region;
  const StmtId rest = approach(w, at + 2, ends_here, targeted, inner);
  if (ends_here) return c_.block({shell(state), enter_regions(state, {next}, rest)});
  return c_.block({shell(state), enter_regions(state, {next}, c_.skip()), rest});
}

StmtId Configuration::run(const std::vector<TransitionId>& segments, std::size_t at, VertexId end) {
  if (c_.refused) return c_.skip();
  const TransitionId id = segments[at];
  const model::Transition& t = m().transition(id);
  if (t.kind == TransitionKind::Internal) return effect(id);
  if (info().is_join(t.target)) return join_arm(id, t.target);
  const bool last = at + 1 == segments.size();
  if (last && info().is_state(t.target) && info().is_point(t.source) && info().home(t.source) == t.target)
    return effect(id);  // from a connection point to its own state, which is active already
  const Way w = way(t);
  if (last && t.kind == TransitionKind::Local && info().is_state(t.target) &&
      info().contains(t.target, t.source)) {
    // PSSM Transition 011-C: the region is completed, its state is neither left nor entered again.
    const auto at_state = std::find(w.from.begin(), w.from.end(), PathItem{{}, t.target});
    const RegionId r = (at_state + 1)->region;
    std::vector<StmtId> list = {exit_region(r), effect(id)};
    list.push_back(
        c_.assign(o_.location[r.index()], static_cast<std::int32_t>(info().completed_location(r))));
    if (o_.history[r.index()].valid()) list.push_back(c_.assign(o_.history[r.index()], 0));
    list.push_back(after_region_end(c_, o_, r));
    return c_.block(std::move(list));
  }
  const VertexKind kind = m().vertex(t.target).kind;
  const bool ends_here = last && (kind == VertexKind::State || kind == VertexKind::Final ||
                                  kind == VertexKind::ShallowHistory || kind == VertexKind::DeepHistory);
  const StmtId inner = last ? arrive(end) : run(segments, at + 1, end);
  std::set<RegionId> targeted;
  if (kind == VertexKind::EntryPoint) targeted = regions_entered_by(t.target, info().home(t.target));
  return c_.block({depart(t, w), effect(id), approach(w, w.common, ends_here, targeted, inner)});
}

StmtId Configuration::arrive(VertexId v) {
  switch (m().vertex(v).kind) {
    case VertexKind::State:
      return enter_state(v);
    case VertexKind::Final:
      return enter_final(v);
    case VertexKind::Terminate:
      return terminate();
    case VertexKind::Choice:
      return follow(v);
    case VertexKind::ShallowHistory:
    case VertexKind::DeepHistory: {
      const RegionId r = m().vertex(v).region;
      // Never been here: the default history transition, else the default entry of the region.
      const StmtId otherwise = info().outgoing(v).empty() ? enter_region(r) : follow(v);
      return restore(r, m().vertex(v).kind == VertexKind::DeepHistory, otherwise);
    }
    case VertexKind::Fork:
      return fork(v);
    case VertexKind::EntryPoint:
      return info().is_fork(v) ? fork(v) : c_.skip();
    default:
      return c_.skip();
  }
}

// --- forks and joins
// -------------------------------------------------------------------------------------------

StmtId Configuration::fork(VertexId v) {
  const auto& out = info().outgoing(v);
  if (out.empty() || !enter_pseudostate(v)) return c_.skip();
  const bool point = info().is_point(v);
  std::vector<StmtId> list, parts;
  if (point) {  // its state is entered; each segment enters one region
    for (TransitionId t : out) {
      const Way w = way(m().transition(t));
      const StmtId inner = arrive(m().transition(t).target);
      parts.push_back(c_.block({effect(t), approach(w, w.common, true, {}, inner)}));
    }
  } else {
    // The state whose regions the segments lead into: where their paths part.
    std::vector<Way> ways;
    for (TransitionId t : out) ways.push_back(way(m().transition(t)));
    std::size_t parting = ways[0].to.size();
    for (const Way& w : ways)
      parting = std::min(
          parting, static_cast<std::size_t>(
                       std::mismatch(w.to.begin(), w.to.end(), ways[0].to.begin(), ways[0].to.end()).first -
                       w.to.begin()));
    std::set<RegionId> targeted;
    for (const Way& w : ways)
      if (parting > 0 && parting < w.to.size() && w.to[parting - 1].state.valid())
        targeted.insert(w.to[parting].region);
    if (targeted.size() != out.size()) {
      if (!c_.refused)
        c_.refuse("bad-fork", m().vertex(v).span,
                  "the transitions of a fork must lead into different regions of one state");
      pending_.pop_back();
      return c_.skip();
    }
    const VertexId state = ways[0].to[parting - 1].state;
    list.push_back(depart(m().transition(out[0]), ways[0]));
    Way to_state = ways[0];
    to_state.to.resize(parting);
    const StmtId open = c_.when(c_.active(o_, state), c_.skip(),
                                approach(to_state, to_state.common, true, targeted, c_.skip()));
    for (std::size_t i = 0; i < out.size(); ++i) {
      const StmtId inner = arrive(m().transition(out[i]).target);
      parts.push_back(c_.block({effect(out[i]), open, approach(ways[i], parting, true, {}, inner)}));
    }
  }
  const std::uint32_t first = o_.pick_size == 0 ? 0 : (o_.pick_base[v.index()] + kForkPick) * o_.pick_size;
  list.push_back(in_any_order(c_, parts, first));
  pending_.pop_back();
  return c_.block(std::move(list));
}

StmtId Configuration::join_arm(TransitionId id, VertexId join) {
  const auto& arms = info().arms(join);
  const auto arm = std::find_if(arms.begin(), arms.end(), [&](const JoinArm& a) { return a.segment == id; });
  PARLEY_CHECK(arm != arms.end());
  ExprId all_there = c_.pool().boolean(true);
  for (const JoinArm& other : arms)
    if (other.region != arm->region)
      all_there = c_.pool().both(all_there, c_.at(o_, other.region, other.location));
  const StmtId wait =
      c_.block({exit_region(arm->region), effect(id),
                c_.assign(o_.location[arm->region.index()], static_cast<std::int32_t>(arm->location))});
  const model::Transition& t = m().transition(id);
  const Way w = way(t);
  const StmtId go = c_.block({depart(t, w), effect(id), approach(w, w.common, false, {}, follow(join))});
  return c_.when(all_there, go, wait);
}

// --- what is left, for conflicts
// -------------------------------------------------------------------------------

void Configuration::exits_after(VertexId v, std::set<VertexId>& seen, std::vector<VertexId>& left,
                                bool& everything) const {
  if (!seen.insert(v).second) return;
  const VertexKind kind = m().vertex(v).kind;
  if (kind == VertexKind::Terminate) everything = true;
  const bool goes_on = kind == VertexKind::Choice || kind == VertexKind::Junction ||
                       kind == VertexKind::Fork || info().is_point(v);
  if (!goes_on || info().is_join(v)) return;
  for (TransitionId t : info().outgoing(v)) {
    left.push_back(way(m().transition(t)).left);
    exits_after(m().transition(t).target, seen, left, everything);
  }
}

VertexId Configuration::outermost_exit(const Route& route, bool& everything) const {
  std::vector<VertexId> left;
  for (TransitionId id : route.segments) {
    const model::Transition& t = m().transition(id);
    if (t.kind == TransitionKind::Internal || info().is_join(t.target))
      continue;  // an arm leaves its own region only
    left.push_back(way(t).left);
  }
  std::set<VertexId> seen;
  exits_after(route.end, seen, left, everything);
  VertexId result;
  for (VertexId v : left)
    if (v.valid() && (!result.valid() || info().contains(v, result))) result = v;
  return result;
}

}  // namespace parley::lower
