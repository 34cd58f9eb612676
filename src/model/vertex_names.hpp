// Finding vertices by name: from inside a machine (targets of transitions) and from outside (`o in a.b`).
// Names are looked up from the place of use outwards, as in nested blocks; a name not found on the way is
// looked for in the whole machine and accepted if there is only one. Used by resolve and by the formatter.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/model.hpp"

namespace parley::model {

class VertexNames {
 public:
  explicit VertexNames(const Machine& machine);
  // What a path means when written in the body of `from` (invalid: seen from the top). One: found; several:
  // ambiguous; none: unknown. Implicit vertices are never found.
  std::vector<VertexId> find(VertexId from, const std::vector<std::string>& path) const;
  // The shortest path that `find` resolves to the vertex; empty if there is none (duplicate names).
  std::vector<std::string> path_to(VertexId from, VertexId vertex) const;
  // Names of all vertices, sorted, for "did you mean"; made when first asked for.
  const std::vector<std::string>& all_names() const;

 private:
  VertexId child(VertexId state, RegionId region, const std::string& name) const;
  VertexId descend(VertexId start, RegionId region, const std::vector<std::string>& path,
                   std::size_t from) const;
  VertexId in_scope(VertexId state, RegionId region, const std::vector<std::string>& path) const;

  const Machine& machine_;
  std::unordered_map<std::string, std::vector<VertexId>> by_name_;
  std::vector<std::unordered_map<std::string, VertexId>> in_region_;
  std::unordered_map<std::uint32_t, std::vector<VertexId>> points_;  // by state
  mutable std::vector<std::string> all_names_;
};

}  // namespace parley::model
