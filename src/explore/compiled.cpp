#include "explore/compiled.hpp"

#include "support/check.hpp"

namespace parley::explore {

CompiledModel::CompiledModel(const system::System& system, const std::vector<std::uint32_t>& capacities,
                             Stretches stretches)
    : system_(system),
      layout_(concrete_shape(system, capacities)),
      program_(compile(system, layout_)),
      machine_(program_, layout_),
      current_(layout_.words(), 0),
      stretches_(layout_.words() + 1),
      inner_(layout_.words() + 1, 0),
      shows_stretches_(stretches == Stretches::Shown) {
  // `current_` must describe the working memory from the start: fillers and zero words may differ.
  layout_.pack(machine_.values(), current_.data());
  for (std::uint32_t o = 0; o < program_.owners.size(); ++o) {
    const OwnerPlan& plan = program_.owners[o];
    if (!plan.spontaneous.actions.empty() || !plan.consuming.empty() || !plan.first_matching.empty())
      active_.push_back(o);
  }
}

domain::Truth CompiledModel::inspect(const std::uint32_t* words, system::PropertyId property) {
  load(words);
  PARLEY_CHECK(system_.property(property).expression.valid());
  const Machine::Answer answer = machine_.test(program_.properties[property.index()]);
  return {answer == Machine::Answer::Yes, answer == Machine::Answer::No};
}

bool CompiledModel::at_rest(const std::uint32_t* words) {
  load(words);
  for (std::uint32_t pc : program_.may_rest)
    if (machine_.test(pc) == Machine::Answer::No) return false;
  return true;
}

Path CompiledModel::path() const {
  Path path;
  const auto& picks = machine_.picks();
  auto add = [&](std::size_t from, std::size_t to, std::vector<std::uint64_t>& out) {
    for (std::size_t i = from; i < to; ++i) out.push_back(picks[i].taken);
  };
  if (in_initial_) {
    add(0, machine_.next_pick(), path.initial_choices);
    return path;
  }
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    semantics::Step step;
    step.action = system::ActionId(frames_[i].action);
    add(frames_[i].picks, i + 1 < frames_.size() ? frames_[i + 1].picks : machine_.next_pick(), step.choices);
    path.steps.push_back(std::move(step));
  }
  path.loop_start = loop_;
  return path;
}

}  // namespace parley::explore
