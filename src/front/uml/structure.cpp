// The system: objects (objects.hpp) and who knows whom (wiring.hpp). Connectors become references.
#include "front/uml/wiring.hpp"

namespace parley::front::uml {

void read_structure(Import& import) {
  const ObjectTree tree = find_objects(import);
  Wiring wiring(import, tree);
  wiring.refer_to_parts();
  connect_objects(import, tree, wiring);
  wiring.wire_slots();
  wiring.wire_the_only_candidate();
  wiring.report_unused();
}

}  // namespace parley::front::uml
