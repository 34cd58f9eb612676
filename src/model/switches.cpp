#include <algorithm>

#include "model/model.hpp"

namespace parley::model {
namespace {

// Sets `field` to the value's position in its list of spellings; false if it is not there.
template <class E>
bool choose(E& field, const std::string& value, const std::vector<std::string>& values) {
  const auto it = std::find(values.begin(), values.end(), value);
  if (it == values.end()) return false;
  field = static_cast<E>(it - values.begin());
  return true;
}

std::string with_underscores(std::string s) {
  std::replace(s.begin(), s.end(), '-', '_');
  return s;
}

}  // namespace

// The order of the values is the order of the enumerators.
const std::vector<std::pair<std::string, std::vector<std::string>>>& switch_spellings() {
  static const std::vector<std::pair<std::string, std::vector<std::string>>> kSpellings = {
      {"run_to_completion", {"atomic", "split"}},
      {"completion", {"first", "free"}},
      {"discard", {"no_triggered", "no_transition"}},
      {"environment", {"declared", "open"}},
      {"integers", {"wrap", "no_overflow", "error"}},
      {"overflow", {"block", "cut", "lose", "error"}},
      {"time", {"none", "lazy", "free"}},
      {"regions", {"all", "declared"}},
      {"deferral", {"pssm", "any_enabled"}},
      {"fairness", {"declared", "none", "weak", "strong"}},
      {"runs", {"stutter", "finite"}}};
  return kSpellings;
}

bool set_switch(Switches& s, const std::string& name, const std::string& value) {
  const std::string key = with_underscores(name), v = with_underscores(value);
  for (const auto& [known, values] : switch_spellings()) {
    if (known != key) continue;
    if (key == "run_to_completion") return choose(s.run_to_completion, v, values);
    if (key == "completion") return choose(s.completion, v, values);
    if (key == "discard") return choose(s.discard, v, values);
    if (key == "environment") return choose(s.environment, v, values);
    if (key == "integers") return choose(s.integers, v, values);
    if (key == "overflow") return choose(s.overflow, v, values);
    if (key == "time") return choose(s.time, v, values);
    if (key == "regions") return choose(s.regions, v, values);
    if (key == "deferral") return choose(s.deferral, v, values);
    if (key == "fairness") return choose(s.fairness, v, values);
    return choose(s.runs, v, values);
  }
  return false;
}

}  // namespace parley::model
