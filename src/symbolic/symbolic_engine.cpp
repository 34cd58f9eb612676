#include "symbolic/symbolic_engine.hpp"

#include "symbolic/turns.hpp"

namespace parley::symbolic {
namespace {

bool is_temporal(const engine::Request& request, system::PropertyId id) {
  return system::question(request.system.property(id).kind) == system::Question::Temporal;
}

}  // namespace

std::vector<verdict::PropertyResult> SymbolicEngine::check(const engine::Request& request) {
  std::vector<system::PropertyId> others;
  Groups groups;
  for (const system::PropertyId id : request.properties)
    if (is_temporal(request, id))
      groups.push_back({id});
    else
      others.push_back(id);
  if (groups.empty()) return check_alike(request);
  if (!others.empty()) groups.push_back(std::move(others));
  return take_turns(request, std::move(groups),
                    [this](const engine::Request& part) { return check_alike(part); });
}

std::vector<verdict::PropertyResult> SymbolicEngine::check_alike(const engine::Request& request) {
  Session session(request, kind());
  const std::vector<std::size_t> open = session.open();
  if (open.empty()) return session.take();
  std::vector<system::PropertyId> properties;
  for (const std::size_t i : open) properties.push_back(request.properties[i]);
  try {
    if (is_temporal(request, properties[0])) {
      search_temporal(session);
      return session.take();
    }
    encode::Relation relation(request.system, request.queue_capacities, properties, relation_options());
    search(session, relation, open);
  } catch (const encode::Unsupported& e) {
    session.give_up({e.what()});
  }
  return session.take();
}

}  // namespace parley::symbolic
