// `make test-formats`: files in every dialect and format, round trips, and files that nobody here wrote.
// Prints what is not as it must be, and as its last line the sum. `--list` names the outside files one by
// one.
#include <cstring>

#include "formats/dialects.hpp"
#include "formats/outside_files.hpp"

int main(int argc, char** argv) {
  using namespace parley::formats;
  const bool list = argc > 1 && std::strcmp(argv[1], "--list") == 0;
  const Dialects dialects = run_dialects();
  const Tally round_trips = run_round_trips();
  const std::size_t lost = count_lost_elements();
  const OutsideFiles outside = run_outside_files(list);
  std::puts(fmt::format("summary: dialects={} lost_elements={} roundtrips={} other_tools={} scxml_scripts={} "
                        "scxml_w3c={} plantuml={} mermaid={} xstate={}",
                        dialects.all.text(), lost, round_trips.text(), outside.other_tools.text(),
                        outside.scxml_scripts.text(), outside.scxml_w3c.text(), outside.plantuml.text(),
                        outside.mermaid.text(), dialects.xstate.text())
                .c_str());
  const bool good = dialects.all.good == dialects.all.all && round_trips.good == round_trips.all && lost == 0;
  return good ? 0 : 1;
}
