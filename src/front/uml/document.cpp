#include "front/uml/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "front/uml/names.hpp"

namespace parley::front::uml {
namespace {

constexpr std::pair<std::string_view, std::string_view> kImpliedTypes[] = {
    {"region", "Region"},
    {"transition", "Transition"},
    {"trigger", "Trigger"},
    {"deferrableTrigger", "Trigger"},
    {"ownedAttribute", "Property"},
    {"ownedEnd", "Property"},
    {"ownedOperation", "Operation"},
    {"ownedReception", "Reception"},
    {"ownedParameter", "Parameter"},
    {"ownedLiteral", "EnumerationLiteral"},
    {"ownedRule", "Constraint"},
    {"guard", "Constraint"},
    {"ownedConnector", "Connector"},
    {"end", "ConnectorEnd"},
    {"generalization", "Generalization"},
    {"interfaceRealization", "InterfaceRealization"},
    {"slot", "Slot"},
    {"connectionPoint", "Pseudostate"},
    {"connection", "ConnectionPointReference"},
    {"entry", "OpaqueBehavior"},
    {"exit", "OpaqueBehavior"},
    {"doActivity", "OpaqueBehavior"},
    {"effect", "OpaqueBehavior"},
};

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> result;
  std::size_t i = 0;
  while (i < text.size()) {
    while (i < text.size() && std::isspace(static_cast<unsigned char>(text[i]))) ++i;
    const std::size_t begin = i;
    while (i < text.size() && !std::isspace(static_cast<unsigned char>(text[i]))) ++i;
    if (i > begin) result.push_back(text.substr(begin, i - begin));
  }
  return result;
}

// "name.1": the name and the number behind its last dot, 0 without one.
std::pair<std::string_view, std::size_t> numbered(std::string_view step) {
  const auto dot = step.rfind('.');
  if (dot == std::string_view::npos) return {step, 0};
  std::size_t number = 0;
  const auto digits = step.substr(dot + 1);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size()) return {step, 0};
  return {step.substr(0, dot), number};
}

std::string percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned value = 0;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(text.data() + i + 1, text.data() + i + 3, value, 16).ptr == text.data() + i + 3) {
      out += static_cast<char>(value);
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

const Element* child_by_feature(const Element& e, std::string_view step) {
  auto [feature, number] = numbered(step);
  for (const auto* c : e.children)
    if (c->name == feature && number-- == 0) return c;
  return nullptr;
}

// Names may hold dots themselves: the whole step first.
const Element* child_by_name(const Element& e, std::string_view step) {
  const auto nth = [&](std::string_view name, std::size_t number) -> const Element* {
    for (const auto* c : e.children) {
      const auto* written = c->attribute("name");
      if (written != nullptr && *written == name && number-- == 0) return c;
    }
    return nullptr;
  };
  if (const Element* found = nth(step, 0)) return found;
  const auto [name, number] = numbered(step);
  return nth(name, number);
}

// An element that only refers to another one: xmi:idref, or an href, and nothing of its own.
const std::string* reference_of(const Element& e) {
  if (const auto* idref = e.attribute(Vocabulary::Xmi, "idref")) return idref;
  if (const auto* idref = e.attribute("xmi.idref")) return idref;
  return e.attribute("href");
}

}  // namespace

std::unique_ptr<Document> Document::open(std::unique_ptr<XmlTree> tree, diag::Diagnostics& diagnostics) {
  std::unique_ptr<Document> document(new Document(std::move(tree)));
  document->detect();
  if (document->dialect_ == Dialect::Uml1) rewrite_uml1(*document->tree_);
  document->habit_notes_ = rewrite_habits(*document->tree_, document->tool_);
  bool any_uml = false;
  for (const auto& e : document->tree_->elements)
    any_uml |= e.vocabulary == Vocabulary::Uml || !e.type.empty();
  if (!any_uml) {
    const Element* root = document->tree_->root;
    if (root->name == "XMI" &&
        root->span.begin == (root->children.empty() ? 1 : root->children[0]->span.begin))
      root = root->children[0];  // the room that files_beside.hpp made
    diagnostics.error("not-uml", root->span,
                      fmt::format("this is XML, but not a UML model: the root element is `{}`", root->name),
                      root->name == "PROJECT" ? "a project of StarUML 1: export it (File, Export, XMI)"
                      : root->name == "scxml"
                          ? "SCXML is not read yet"
                          : "export the model as UML 2 XMI, Eclipse UML2, or UML 1.4 XMI");
    return nullptr;
  }
  return document->index(diagnostics) ? std::move(document) : nullptr;
}

void Document::detect() {
  const Element& top = root();
  if (top.name == "XMI" && (top.attribute("xmi.version") != nullptr)) dialect_ = Dialect::Uml1;
  std::string exporter;
  std::size_t seen = 0;
  for (const auto& e : tree_->elements) {
    if (++seen > 200) break;
    if (e.name == "XMI.exporter") exporter += e.text;
    if (e.name == "Documentation" || e.name == "documentation") {
      for (const auto& a : e.attributes) {
        if (a.name == "exporter") exporter += a.value;
      }
      for (const auto* c : e.children) {
        if (c->name == "exporter") exporter += c->text;
      }
    }
    for (const auto& a : e.attributes) {
      if (a.name == "extender") exporter += a.value;
    }
  }
  const auto has = [&](std::string_view part) {
    return lower_case(exporter).find(part) != std::string::npos;
  };
  if (has("argouml") || has("novosoft"))
    tool_ = "ArgoUML";
  else if (has("magicdraw") || has("cameo"))
    tool_ = "MagicDraw";
  else if (has("enterprise architect"))
    tool_ = "Enterprise Architect";
  else if (has("staruml"))
    tool_ = "StarUML";
  else if (has("visual paradigm"))
    tool_ = "Visual Paradigm";
  else if (has("modelio"))
    tool_ = "Modelio";
  else if (has("umbrello"))
    tool_ = "Umbrello";
  else if (!exporter.empty())
    tool_ = exporter.substr(0, 40);
  else
    tool_ = dialect_ == Dialect::Uml1 ? "UML 1.x" : "Eclipse UML2";
}

// EMF writes no ids where the model has none: elements are then known by their addresses.
void Document::name_by_address(Element& e, const std::string& address) {
  std::map<std::string_view, std::size_t> counts;
  for (auto* c : e.children) {
    const std::string own = fmt::format("{}/@{}.{}", address, c->name, counts[c->name]++);
    if (c->id.empty() && reference_of(*c) == nullptr && !type(*c).empty()) c->id = own;
    name_by_address(*c, own);
  }
}

bool Document::index(diag::Diagnostics& diagnostics) {
  const bool any_id = std::any_of(tree_->elements.begin(), tree_->elements.end(),
                                  [](const Element& e) { return !e.id.empty(); });
  if (!any_id) {
    Element* top = tree_->root;
    if (top->name == "XMI")
      for (auto* c : tree_->root->children)
        if (c->vocabulary != Vocabulary::Xmi) {
          top = c;
          break;
        }
    name_by_address(*top, "/");
  }
  std::size_t duplicates = 0;
  for (const auto& e : tree_->elements) {
    if (e.id.empty()) continue;
    const auto [it, fresh] = ids_.emplace(e.id, &e);
    if (fresh) continue;
    if (++duplicates > 20) continue;
    auto& d = diagnostics.error("duplicate-id", e.span, fmt::format("two elements have the id `{}`", e.id),
                                "references to it are ambiguous; export the model again");
    d.related.push_back({it->second->span, "the first one is here"});
  }
  for (const auto& e : tree_->elements) {
    if (e.vocabulary != Vocabulary::Other) continue;
    for (const auto& a : e.attributes) {
      if (!a.name.starts_with("base_")) continue;
      if (const auto* base = follow(a.value)) stereotypes_[base].push_back(&e);
    }
  }
  return duplicates == 0;
}

const Element* Document::by_id(std::string_view id) const {
  const auto it = ids_.find(id);
  return it == ids_.end() ? nullptr : it->second;
}

// EMF's own addresses for elements without id: "//@packagedElement.0/@ownedBehavior.1" by feature and number,
// "//Machine.1/Idle" by name and number among those of that name, or both mixed.
const Element* Document::by_path(std::string_view path) const {
  const Element* at = tree_->root;
  if (at->name == "XMI") {
    const auto it = std::find_if(at->children.begin(), at->children.end(),
                                 [](const Element* c) { return c->vocabulary != Vocabulary::Xmi; });
    if (it == at->children.end()) return nullptr;
    at = *it;
  }
  path.remove_prefix(path.starts_with("//") ? 2 : path.find('/', 1) + 1);
  while (!path.empty()) {
    const auto step = path.substr(0, path.find('/'));
    path.remove_prefix(std::min(step.size() + 1, path.size()));
    if (step.empty()) return nullptr;
    at = step.starts_with("@") ? child_by_feature(*at, step.substr(1))
                               : child_by_name(*at, percent_decoded(step));
    if (at == nullptr) return nullptr;
  }
  return at;
}

const Element* Document::follow(std::string_view reference) const {
  if (const auto* e = by_id(reference)) return e;
  if (reference.starts_with("#")) return follow(reference.substr(1));
  if (reference.starts_with("//") || reference.starts_with("/0/")) return by_path(reference);
  // Into a file beside this one, which is part of the tree if it was there (files_beside.hpp).
  const auto hash = reference.find('#');
  return hash == std::string_view::npos ? nullptr : by_id(reference.substr(hash + 1));
}

std::vector<const Element*> Document::all(const Element& e, std::string_view feature) const {
  std::vector<const Element*> result;
  const auto add = [&](const Element* x) {
    if (x != nullptr && std::find(result.begin(), result.end(), x) == result.end()) result.push_back(x);
  };
  for (const auto* c : e.children) {
    if (c->name != feature || c->vocabulary == Vocabulary::Other) continue;
    const auto* reference = reference_of(*c);
    add(reference == nullptr ? c : follow(*reference));
  }
  if (const auto* written = e.attribute(feature)) {
    for (const auto id : words(*written)) add(follow(id));
  }
  return result;
}

const Element* Document::one(const Element& e, std::string_view feature) const {
  const auto found = all(e, feature);
  return found.empty() ? nullptr : found.front();
}

std::vector<const Element*> Document::owned(const Element& e, std::string_view feature) const {
  std::vector<const Element*> result;
  for (const auto* c : e.children) {
    if (c->name == feature && c->vocabulary != Vocabulary::Other && reference_of(*c) == nullptr)
      result.push_back(c);
  }
  return result;
}

std::string Document::outside(const Element& e, std::string_view feature) const {
  for (const auto* c : e.children) {
    if (c->name != feature) continue;
    if (const auto* reference = reference_of(*c); reference != nullptr && follow(*reference) == nullptr)
      return *reference;
  }
  if (const auto* written = e.attribute(feature)) {
    for (const auto id : words(*written)) {
      if (follow(id) == nullptr) return std::string(id);
    }
  }
  return {};
}

std::string Document::value(const Element& e, std::string_view feature) const {
  if (const auto* written = e.attribute(feature)) return *written;
  for (const auto* c : e.children) {
    if (c->name == feature && c->children.empty() && reference_of(*c) == nullptr) {
      if (const auto* nil = c->attribute(Vocabulary::Xsi, "nil"); nil != nullptr && *nil == "true") return {};
      return c->text;
    }
  }
  return {};
}

std::string_view Document::type(const Element& e) const {
  if (!e.type.empty() || e.foreign) return e.type;
  for (const auto& [tag, implied] : kImpliedTypes) {
    if (e.name == tag) return implied;
  }
  return {};
}

namespace {
long bound(const Document& document, const Element& e, std::string_view feature, std::string_view plain) {
  std::string text = document.value(e, plain);
  if (const auto* literal = document.one(e, feature)) {
    text = document.value(*literal, "value");
    if (text.empty()) text = "0";  // EMF leaves out default values
  }
  if (text.empty()) return 1;
  if (text == "*" || text == "-1" || text == "n") return -1;
  long number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? number : -2;
}
}  // namespace

long Document::upper(const Element& e) const {
  return bound(*this, e, "upperValue", "upper");
}
long Document::lower(const Element& e) const {
  return bound(*this, e, "lowerValue", "lower");
}

const Element* Document::stereotype(const Element& e, std::string_view local_name) const {
  const auto it = stereotypes_.find(&e);
  if (it == stereotypes_.end()) return nullptr;
  for (const auto* s : it->second) {
    if (s->name == local_name) return s;
  }
  return nullptr;
}

}  // namespace parley::front::uml
