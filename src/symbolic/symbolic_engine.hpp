// What the engines over a transition relation have in common: a session for the request, the relation for the
// properties that are open, and Unknown where the system cannot be encoded. An engine says which relation and
// how it is searched. Each temporal property is a search of its own; they take turns with the rest.
#pragma once

#include "symbolic/session.hpp"

namespace parley::symbolic {

class SymbolicEngine : public engine::Engine {
 public:
  std::vector<verdict::PropertyResult> check(const engine::Request& request) final;

 private:
  // Either temporal properties, one at a time, or others.
  std::vector<verdict::PropertyResult> check_alike(const engine::Request& request);
  virtual encode::RelationOptions relation_options() const { return {}; }
  // `open`: for each property of the relation its position in the request; never empty.
  virtual void search(Session& session, encode::Relation& relation,
                      const std::vector<std::size_t>& open) const = 0;
  // The session's only property is temporal (symbolic/temporal.hpp).
  virtual void search_temporal(Session& session) = 0;
};

}  // namespace parley::symbolic
