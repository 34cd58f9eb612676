// Files in the dialect of each tool and format, written from its documentation and from what the corpus
// shows, each with what must be read of it beside it (NAME.expected):
//   options --havoc-unknown --names-are-triggers --class=NAME
//   class NAME             the lines below are about its machine; without it, about all
//   machines, states, finals, transitions, signals, objects N
//   elements N             states, transitions, parts and connectors of the file: all accounted for
//   warning CODE, error CODE, message TEXT, hint TEXT, assumes TEXT
#pragma once

#include "formats/tally.hpp"

namespace parley::formats {

struct Dialects {
  Tally all;
  Tally xstate;  // of these, XState machines: nobody's repository keeps them as JSON, so there is no corpus
};
Dialects run_dialects();
// What was read of them, printed and read again, is the same.
Tally run_round_trips();

}  // namespace parley::formats
