// Which machines of a file are read: those that the user chooses, without those that are unfinished. One
// broken machine does not keep the others from being checked; it is left out, with a warning and an
// assumption of every answer. Used by uml.cpp; types.cpp leaves the machines out.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "front/uml/document.hpp"

namespace parley::front::uml {

struct LeaveOutReason {
  enum class Kind : std::uint8_t { NotChosen, Unfinished } kind = Kind::NotChosen;
  std::string problem;  // Unfinished: the first error in it
  diag::Span span;
};
using LeftOut = std::map<const Element*, LeaveOutReason>;

std::size_t count_machines(const Document& document);
// Leaves out what is not named. False, with an error, if a name means no machine and no class with one.
bool choose_machines(const Document& document, const std::vector<std::string>& names, LeftOut& left_out,
                     diag::Diagnostics& diagnostics);
// Leaves out the machines in which an import found errors other than text that is not understood: that has a
// remedy of its own. If no machine would be left, none is left out.
void leave_out_unfinished(const Document& document, const diag::Diagnostics& found, LeftOut& left_out);

}  // namespace parley::front::uml
