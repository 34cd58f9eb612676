#include "lower/fairness.hpp"

#include <algorithm>

#include "lower/formulas.hpp"
#include "model/show.hpp"
#include "system/fairness.hpp"

namespace parley::lower {

using model::FairnessDecl;
using system::Fairness;

namespace {

template <class Id>
bool contains(const std::vector<Id>& list, Id id) {
  return std::find(list.begin(), list.end(), id) != list.end();
}

// The body may do what the event says: send such a message, or pass through such a transition.
bool may_show(const system::System& s, StmtId body, const system::EventAtom& e) {
  if (!body.valid()) return false;
  const system::Stmt& st = s.stmt(body);
  if (st.kind == system::StmtKind::Send && e.kind == system::EventAtom::Kind::Sends)
    for (const system::Route& r : st.routes)
      if (r.queue.valid() && contains(e.signals, r.signal)) return true;
  if (st.kind == system::StmtKind::Note && e.kind == system::EventAtom::Kind::Takes &&
      contains(e.elements, st.element))
    return true;
  return std::any_of(st.children.begin(), st.children.end(),
                     [&](StmtId child) { return may_show(s, child, e); });
}

bool shows(const system::System& s, const system::Action& a, const system::EventAtom& e) {
  const bool discards = a.kind == system::ActionKind::Discard;
  switch (e.kind) {
    case system::EventAtom::Kind::Receives:
      return !discards && a.trigger && contains(e.signals, a.trigger->signal);
    case system::EventAtom::Kind::Discards:
      return discards && ((a.trigger && contains(e.signals, a.trigger->signal)) ||
                          (a.drops && contains(e.signals, a.drops->signal)));
    case system::EventAtom::Kind::Takes:
      if (std::any_of(a.elements.begin(), a.elements.end(),
                      [&](ElementId x) { return contains(e.elements, x); }))
        return true;
      break;
    case system::EventAtom::Kind::Sends:
      break;
  }
  return may_show(s, a.body, e);
}

// What is assumed twice is kept once: every fairness costs the search a mark.
void assume(Context& c, Fairness f) {
  for (const Fairness& known : c.system.fairness)
    if (known.strength == f.strength && known.actions == f.actions) return;
  c.system.fairness.push_back(std::move(f));
}

class Assumption {
 public:
  Assumption(Context& c, const FairnessDecl& d) : c_(c), d_(d) {}

  void add() {
    if (d_.of == FairnessDecl::Of::Scheduling) {
      std::vector<Fairness> all = system::fair_scheduling(c_.system, strength());
      for (Fairness& f : all) {
        f.span = d_.span;
        assume(c_, std::move(f));
      }
      return;
    }
    Scope scope;
    for (const OwnerId owner : actors(c_, d_.event, scope)) each(owner);
    // A model without clock or environment has no such owner.
    if (d_.event.actor != model::EventAtom::Actor::Objects && !found_) nothing(model::show(*d_.event.object));
  }

 private:
  Fairness::Strength strength() const {
    return d_.strong ? Fairness::Strength::Strong : Fairness::Strength::Weak;
  }

  // Objects of a family are fair each for itself.
  void each(OwnerId owner) {
    Fairness f;
    f.strength = strength();
    f.span = d_.span;
    const std::string name = c_.system.owner(owner).name;
    const std::string what = d_.of == FairnessDecl::Of::Event ? name + " " + model::show_word(d_.event.kind) +
                                                                    " " + model::quote_name(d_.event.name)
                             : d_.of == FairnessDecl::Of::Queue ? "the queue of " + name
                                                                : name;
    f.shown = (d_.strong ? "strong fairness of " : "weak fairness of ") + what;
    Scope scope;
    std::optional<system::EventAtom> event;
    if (d_.of == FairnessDecl::Of::Event) event = lower::event(c_, d_.event, scope);
    for (std::size_t a = 0; a < c_.system.actions.size(); ++a) {
      const system::Action& action = c_.system.actions[a];
      if (action.owner != owner) continue;
      const bool meant = event ? shows(c_.system, action, *event)
                               : d_.of == FairnessDecl::Of::Steps || action.trigger.has_value();
      if (meant) f.actions.emplace_back(a);
    }
    if (f.actions.empty()) return nothing(what);
    found_ = true;
    assume(c_, std::move(f));
  }

  void nothing(const std::string& what) {
    c_.refuse("unknown-step", d_.span, "there is no step that `" + what + "` could mean",
              "an assumption about steps that do not exist says nothing");
  }

  Context& c_;
  const FairnessDecl& d_;
  bool found_ = false;
};

}  // namespace

void add_fairness(Context& c) {
  for (const FairnessDecl& d : c.model.fairness) Assumption(c, d).add();
  const model::FairnessMode mode = c.switches().fairness;
  if (mode == model::FairnessMode::None) c.system.fairness.clear();
  if (mode == model::FairnessMode::Weak || mode == model::FairnessMode::Strong)
    for (Fairness& f :
         system::fair_scheduling(c.system, mode == model::FairnessMode::Weak ? Fairness::Strength::Weak
                                                                             : Fairness::Strength::Strong))
      assume(c, std::move(f));
  c.system.run_end =
      c.switches().runs == model::RunsMode::Finite ? system::RunEnd::Ends : system::RunEnd::Stutters;
}

}  // namespace parley::lower
