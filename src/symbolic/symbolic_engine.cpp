#include "symbolic/symbolic_engine.hpp"

namespace parley::symbolic {

std::vector<verdict::PropertyResult> SymbolicEngine::check(const engine::Request& request) {
  Session session(request, kind());
  const std::vector<std::size_t> open = session.open();
  if (open.empty()) return session.take();
  std::vector<system::PropertyId> properties;
  for (const std::size_t i : open) properties.push_back(request.properties[i]);
  try {
    encode::Relation relation(request.system, request.queue_capacities, properties, relation_options());
    search(session, relation, open);
  } catch (const encode::Unsupported& e) {
    session.give_up({e.what()});
  }
  return session.take();
}

}  // namespace parley::symbolic
