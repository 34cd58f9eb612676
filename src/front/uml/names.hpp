// Readable, unique names for a model from the names in a diagram, which may be empty, repeated or hold any
// characters. Used by the readers, one Names per scope.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace parley::front::uml {

// Control characters and line ends as spaces, runs of them as one; at most 80 bytes.
std::string clean_name(const std::string& name);

std::string lower_case(std::string_view text);
// The name of an object of a class: `Cash Box` gives `cash Box`.
std::string start_lower(std::string name);

class Names {
 public:
  // The cleaned name, or `otherwise` if nothing is left of it; with _2, _3 … behind it if that is taken.
  std::string unique(const std::string& name, const std::string& otherwise);
  bool taken(const std::string& name) const { return taken_.contains(name); }
  void reserve(const std::string& name) { taken_.insert(name); }

 private:
  std::set<std::string> taken_;
};

}  // namespace parley::front::uml
