// What is written at an arrow or in a state: `event [guard] / action`, or prose.
#pragma once

#include <string>

#include "front/diagram/chart.hpp"

namespace parley::front::diagram {

std::string trimmed(std::string_view text);

// `a [x > 0] / y = 1`. Events that are single words may be several (`a, b`); anything else before the guard
// is one event of that name, prose included. `after 5 s` is a time. A slash separates an action only if there
// is a space, a bracket or nothing beside it: "read/write" is prose.
Label read_label(std::string_view text);

// The same at a choice, where people leave out the brackets: what is no guard and no action is a guard.
Label read_choice_label(std::string_view text);

// A line inside a state: `entry / x`, `exit: x`, `do / x`, `event [guard] / action`. False: a comment.
bool read_description(std::string_view text, Node& node, diag::Span span);

}  // namespace parley::front::diagram
