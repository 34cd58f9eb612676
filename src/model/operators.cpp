#include "model/operators.hpp"

#include <algorithm>

namespace parley::model {

std::vector<std::string> tokens_with(std::vector<std::string> others) {
  for (const OperatorInfo& i : kOperators) {
    if (i.in_checks) continue;
    if (i.spelling.size() > 1) others.emplace_back(i.spelling);
    if (i.assigns) others.push_back(std::string(i.spelling) + '=');
  }
  std::stable_sort(others.begin(), others.end(),
                   [](const std::string& x, const std::string& y) { return x.size() > y.size(); });
  return others;
}

}  // namespace parley::model
