#include "front/uml/files_beside.hpp"

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "front/uml/tree_edit.hpp"

namespace parley::front::uml {
namespace {

constexpr std::size_t kMaxFiles = 32;

// The file that a reference names: "" if it is no plain file of this folder or one below.
std::string file_of(const std::string& reference) {
  const auto hash = reference.find('#');
  if (hash == std::string::npos || hash == 0) return {};
  const std::string file = reference.substr(0, hash);
  if (file.find(':') != std::string::npos || file.starts_with("/") || file.find("..") != std::string::npos)
    return {};
  return file.ends_with(".uml") || file.ends_with(".xmi") || file.ends_with(".xml") ? file : std::string();
}

}  // namespace

std::vector<std::string> add_files_beside(XmlTree& tree, const std::string& path_name,
                                          diag::SourceMap& sources, diag::Diagnostics& diagnostics,
                                          const XmlLimits& limits) {
  const std::filesystem::path folder = std::filesystem::path(path_name).parent_path();
  std::vector<std::string> missing;
  std::set<std::string> seen{std::filesystem::path(path_name).filename().string()};
  std::set<std::string> ids;
  for (const auto& e : tree.elements) ids.insert(e.id);
  if (tree.root->name != "XMI") {  // room beside a single model
    Element* root = fresh(tree, "XMI", "", tree.root->span);
    root->vocabulary = Vocabulary::Xmi;
    adopt(*root, tree.root);
    tree.root = root;
  }
  for (std::size_t i = 0; i < tree.elements.size(); ++i) {  // grows while it is walked
    const std::string file = file_of(get(tree.elements[i], "href"));
    if (file.empty() || !seen.insert(file).second || seen.size() > kMaxFiles) continue;
    std::error_code error;
    const auto path = folder / file;
    if (!std::filesystem::is_regular_file(path, error) ||
        std::filesystem::file_size(path, error) > limits.bytes) {
      missing.push_back(file);
      continue;
    }
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    std::string bytes = std::move(text).str();
    if (!to_parsable_text(bytes)) continue;
    auto other = parse_xml(sources, sources.add(path.string(), std::move(bytes)), diagnostics, limits);
    if (other == nullptr) continue;
    std::vector<Element*> moved;
    moved.reserve(other->elements.size());
    std::map<const Element*, Element*> to;
    for (auto& e : other->elements) {
      if (!e.id.empty() && !ids.insert(e.id).second) e.id.clear();
      const Element* from = &e;
      moved.push_back(tree.add(std::move(e)));
      to[from] = moved.back();
    }
    for (auto* e : moved) {
      if (e->parent != nullptr) e->parent = to.at(e->parent);
      for (auto*& c : e->children) c = to.at(c);
    }
    adopt(*tree.root, to.at(other->root));
  }
  return missing;
}

}  // namespace parley::front::uml
