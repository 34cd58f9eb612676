// The rules behind the properties: stable ids for machine formats, a help page each for `parley explain`.
#pragma once

#include <string>
#include <vector>

#include "system/system.hpp"

namespace parley::report {

struct Rule {
  std::string id;     // stable, e.g. "deadlock"
  std::string title;  // one line
  std::string page;   // what it means, how it looks, what to do about it
  system::PropertyKind kind;
};

const std::vector<Rule>& rules();
const Rule& rule_of(system::PropertyKind kind);
const Rule* find_rule(const std::string& id);

}  // namespace parley::report
