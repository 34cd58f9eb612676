// Files that nobody here wrote (the corpus): how many are read, with every reason why one is not; and that of
// what makes behaviour nothing is lost in silence. Absent corpus: nothing is counted.
#pragma once

#include "formats/tally.hpp"

namespace parley::formats {

struct OutsideFiles {
  Tally other_tools;        // UML files of other tools that hold a state machine, with --havoc-unknown
  Tally plantuml, mermaid;  // state diagrams, with --havoc-unknown
  // Of the SCXML conformance suite: event scripts and W3C tests. There is no front end for SCXML yet, so none
  // passes; they are counted so that the sum says it.
  Tally scxml_scripts, scxml_w3c;
};
OutsideFiles run_outside_files(bool list);

// Elements (vertices, transitions, parts, connectors) that are in UML files of the corpus and neither read
// nor listed nor rejected: strict and with over-approximation.
std::size_t count_lost_elements();

}  // namespace parley::formats
