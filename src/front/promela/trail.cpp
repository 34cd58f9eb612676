#include "front/promela/trail.hpp"

#include <fmt/format.h>

#include <optional>

namespace parley::front::promela {
namespace {

constexpr const char* kDStep = "d_step ";  // how lowering marks the statements of one (lower_actions.cpp)

// Process numbers: fixed for processes that are never run, else in the cell _pid of the instance.
class ProcessNumbers {
 public:
  explicit ProcessNumbers(const system::System& s) : cell_(s.owners.size()), fixed_(s.owners.size(), -1) {
    int started = 0;
    for (std::size_t i = 0; i < s.owners.size(); ++i) {
      for (std::size_t c = 0; c < s.cells.size(); ++c)
        if (s.cells[c].name == s.owners[i].name + "._pid") cell_[i] = c;
      if (s.cell(s.owners[i].locations[0]).initial != 0) fixed_[i] = started++;
    }
  }
  int of(system::OwnerId owner, const semantics::State& state) const {
    const auto& cell = cell_[owner.index()];
    return cell ? state.cells[*cell] : fixed_[owner.index()];
  }

 private:
  std::vector<std::optional<std::size_t>> cell_;
  std::vector<int> fixed_;
};

}  // namespace

std::string spin_trail(const semantics::Interpreter& interpreter, const verdict::Trace& trace) {
  const system::System& s = interpreter.system();
  const ProcessNumbers numbers(s);
  semantics::State state = interpreter.initial_state(trace.initial_choices).state;
  std::string out;
  std::string unfinished;  // the d_step that the last action left in the middle: one step of Spin's
  int line = 0;
  for (const semantics::Step& step : trace.steps) {
    const system::Action& a = s.action(step.action);
    std::string inside = state.holder == a.owner ? unfinished : std::string();
    for (std::size_t i = 0; i < a.elements.size(); ++i) {
      const std::string id = s.element(a.elements[i]).origin.element;
      const bool dstep = id.rfind(kDStep, 0) == 0;
      if (dstep && id == inside) continue;
      inside = dstep ? id : "";
      const system::OwnerId who = a.partner.valid() && i > 0 ? a.partner : a.owner;
      out += fmt::format("{}:{}:{}\n", ++line, numbers.of(who, state),
                         dstep ? id.substr(std::char_traits<char>::length(kDStep)) : id);
    }
    unfinished = inside;
    const semantics::StepResult result = interpreter.run(state, step);
    if (result.outcome != semantics::Outcome::Done) break;
    state = result.state;
  }
  return out;
}

}  // namespace parley::front::promela
