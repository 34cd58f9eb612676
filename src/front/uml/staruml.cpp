#include "front/uml/staruml.hpp"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "front/uml/names.hpp"
#include "front/uml/tree_edit.hpp"

namespace parley::front::uml {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxJsonBytes = 32u << 20;  // a tree of values takes ten times its text

// Lists of StarUML and the feature of UML 2 that they are.
const std::map<std::string, std::string_view>& features() {
  static const std::map<std::string, std::string_view> kFeatures = {{"ownedElements", "packagedElement"},
                                                                    {"regions", "region"},
                                                                    {"vertices", "subvertex"},
                                                                    {"transitions", "transition"},
                                                                    {"triggers", "trigger"},
                                                                    {"effects", "effect"},
                                                                    {"entryActivities", "entry"},
                                                                    {"exitActivities", "exit"},
                                                                    {"doActivities", "doActivity"},
                                                                    {"attributes", "ownedAttribute"},
                                                                    {"operations", "ownedOperation"},
                                                                    {"parameters", "ownedParameter"},
                                                                    {"literals", "ownedLiteral"},
                                                                    {"connections", "connection"},
                                                                    {"receptions", "ownedReception"},
                                                                    {"behaviors", "ownedBehavior"},
                                                                    {"slots", "slot"},
                                                                    {"ports", "ownedPort"}};
  return kFeatures;
}

class Converter {
 public:
  Converter(const std::string& text, diag::FileId file, diag::Diagnostics& diagnostics,
            const XmlLimits& limits)
      : text_(text), file_(file), diagnostics_(diagnostics), limits_(limits) {
    find_places();
  }

  std::unique_ptr<XmlTree> run(const Json& project) {
    auto tree = std::make_unique<XmlTree>();
    tree_ = tree.get();
    tree->root = fresh(*tree, "XMI", "", {file_, 0, 0});
    tree->root->vocabulary = Vocabulary::Xmi;
    Element* documentation = grow(*tree, *tree->root, "Documentation", "", {file_, 0, 0});
    set(*documentation, "exporter", "StarUML");
    convert(project, *tree->root, "packagedElement", 0);
    if (failed_) return nullptr;
    return tree;
  }

 private:
  // The parser gives no places: ids are unique, so an object is where its id is written.
  void find_places() {
    for (std::size_t at = text_.find("\"_id\""); at != std::string::npos;
         at = text_.find("\"_id\"", at + 5)) {
      const std::size_t begin = text_.find('"', at + 5);
      const std::size_t end = begin == std::string::npos ? begin : text_.find('"', begin + 1);
      if (end == std::string::npos) return;
      places_.emplace(std::string_view(text_).substr(begin + 1, end - begin - 1), at);
    }
  }

  diag::Span place(const std::string& id) const {
    const auto it = places_.find(id);
    const auto at = static_cast<std::uint32_t>(it == places_.end() ? 0 : it->second);
    return {file_, at, at + static_cast<std::uint32_t>(id.size())};
  }

  static std::string text_of(const Json& object, const char* key) {
    const auto it = object.find(key);
    return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
  }

  void fail(const Element& at, std::string message) {
    if (!failed_) diagnostics_.error("json-limit", at.span, std::move(message));
    failed_ = true;
  }

  void convert(const Json& object, Element& parent, std::string_view tag, std::size_t depth) {
    const std::string type = text_of(object, "_type");
    if (failed_ || type.ends_with("View") || type.ends_with("Diagram")) return;
    if (depth > limits_.depth)
      return fail(parent, fmt::format("objects are nested more than {} deep", limits_.depth));
    if (tree_->elements.size() >= limits_.elements)
      return fail(parent, fmt::format("the file has more than {} objects", limits_.elements));
    const bool uml = type.starts_with("UML");
    Element* e = grow(*tree_, parent, tag, uml ? type.substr(3) : "", place(text_of(object, "_id")));
    e->foreign = !uml;
    if (type == "UMLModel" || type == "Project") e->type = "Package";
    if (type == "UMLAttribute" || type == "UMLAssociationEnd") e->type = "Property";
    if (type == "UMLObject") e->type = "InstanceSpecification";
    e->id = text_of(object, "_id");
    for (const auto& [key, value] : object.items()) read(*e, key, value, depth);
    if (type == "UMLEvent") event(*e);
    if (type == "UMLTransition") guard(*e, text_of(object, "guard"));
    if (type == "UMLGeneralization") {
      e->name = "generalization";
      set(*e, "general", get(*e, "target"));
    }
    if (type == "UMLAssociation") ends(*e);
    if (e->type == "Property" && !get(*e, "multiplicity").empty()) multiplicity(*e);
    if (e->type == "StateMachine" && (parent.type == "Class" || parent.type == "Component"))
      e->name = "ownedBehavior";
  }

  void read(Element& e, const std::string& key, const Json& value, std::size_t depth) {
    if (key.starts_with("_") || key == "guard" || key == "tags" || key == "documentation") return;
    const auto it = features().find(key);
    if (value.is_array()) {
      for (const auto& item : value)
        if (item.is_object() && !item.contains("$ref"))
          convert(item, e, it == features().end() ? std::string_view(key) : it->second, depth + 1);
    } else if (value.is_object() && value.contains("$ref")) {
      set(e, key, text_of(value, "$ref"));
    } else if (value.is_object()) {
      convert(value, e, it == features().end() ? std::string_view(key) : it->second, depth + 1);
    } else if (value.is_string()) {
      set(e, key, value.get<std::string>());
    } else if (value.is_boolean()) {
      set(e, key, value.get<bool>() ? "true" : "false");
    } else if (value.is_number()) {
      set(e, key, value.dump());
    }
  }

  void guard(Element& transition, const std::string& text) {
    if (text.empty()) return;
    Element* constraint = grow(*tree_, transition, "guard", "Constraint", transition.span);
    Element* specification = grow(*tree_, *constraint, "specification", "OpaqueExpression", transition.span);
    set(*specification, "body", text);
  }

  void event(Element& e) {
    const std::string kind = get(e, "kind");
    const std::string written = get(e, "expression").empty() ? get(e, "value") : get(e, "expression");
    const std::string text = written.empty() ? get(e, "name") : written;
    if (!get(e, "targetSignal").empty()) set(e, "signal", get(e, "targetSignal"));
    if (!get(e, "targetOperation").empty()) set(e, "operation", get(e, "targetOperation"));
    if (kind == "time") {
      e.type = "TimeEvent";
      Element* when = grow(*tree_, e, "when", "TimeExpression", e.span);
      Element* expression = grow(*tree_, *when, "expr", "OpaqueExpression", e.span);
      set(*expression, "body", text);
    } else if (kind == "change") {
      e.type = "ChangeEvent";
      Element* condition = grow(*tree_, e, "changeExpression", "OpaqueExpression", e.span);
      set(*condition, "body", text);
    } else {
      e.type = kind == "call" && !get(e, "operation").empty() ? "CallEvent"
               : kind == "anyReceive"                         ? "AnyReceiveEvent"
                                                              : "SignalEvent";
    }
  }

  // end1 and end2 are objects that refer to their classes.
  static void ends(Element& e) {
    for (auto* end : e.children) {
      if (end->name != "end1" && end->name != "end2") continue;
      end->name = "ownedEnd";
      set(*end, "type", get(*end, "reference"));
      if (get(*end, "navigable") == "false" || get(*end, "navigable") == "notNavigable")
        set(*end, "isNavigable", "false");
    }
  }

  static void multiplicity(Element& e) {
    const std::string text = get(e, "multiplicity");
    const auto dots = text.rfind("..");
    set(e, "upper", dots == std::string::npos ? text : text.substr(dots + 2));
    if (dots != std::string::npos) set(e, "lower", text.substr(0, dots));
  }

  const std::string& text_;
  diag::FileId file_;
  diag::Diagnostics& diagnostics_;
  const XmlLimits& limits_;
  XmlTree* tree_ = nullptr;
  std::unordered_map<std::string_view, std::size_t> places_;
  bool failed_ = false;
};

}  // namespace

bool is_staruml(const std::string& text) {
  const auto start = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (start == std::string::npos || text[start] != '{') return false;
  const std::string head = text.substr(start, 4000);
  return head.find("\"_type\"") != std::string::npos && head.find("\"Project\"") != std::string::npos;
}

std::unique_ptr<XmlTree> parse_staruml(const diag::SourceMap& sources, diag::FileId file,
                                       diag::Diagnostics& diagnostics, const XmlLimits& limits) {
  const std::string& text = sources.text(file);
  if (text.size() > kMaxJsonBytes) {
    diagnostics.error("json-limit", {file, 0, 0},
                      fmt::format("the file has {} bytes; the limit is {}", text.size(), kMaxJsonBytes));
    return nullptr;
  }
  try {
    const Json project = Json::parse(text);
    return Converter(text, file, diagnostics, limits).run(project);
  } catch (const Json::parse_error& error) {
    const auto at = static_cast<std::uint32_t>(std::min<std::size_t>(error.byte, text.size()));
    diagnostics.error("json-syntax", {file, at, at}, "not well-formed JSON");
    return nullptr;
  }
}

}  // namespace parley::front::uml
