// Reading XML into a tree of elements with their places. Used by document.hpp only. The parsing is expat's;
// this file adds what untrusted input needs: no entity is declared or expanded, nothing outside the text is
// fetched, and size, depth, number of elements and memory are limited. It knows namespaces only as far as
// XMI needs them (is this UML's, XMI's, or somebody else's?), and nothing of what the elements mean.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "diag/diagnostic.hpp"

namespace parley::front::uml {

enum class Vocabulary : std::uint8_t { None, Uml, Xmi, Xsi, Other };

struct XmlAttribute {
  Vocabulary vocabulary = Vocabulary::None;
  std::string name;  // without prefix
  std::string value;
};

struct Element {
  Vocabulary vocabulary = Vocabulary::None;
  std::string name;      // without prefix
  std::string type;      // metaclass: from xmi:type, or the name of an element of UML's own; else ""
  bool foreign = false;  // its xmi:type is of another metamodel (Ecore, a profile)
  std::string id;        // xmi:id
  std::vector<XmlAttribute> attributes;
  std::vector<Element*> children;
  Element* parent = nullptr;
  std::string text;  // character data, pieces joined
  diag::Span span;   // the start tag

  // The value of an attribute without namespace, or null.
  const std::string* attribute(std::string_view attribute_name) const;
  const std::string* attribute(Vocabulary vocabulary_wanted, std::string_view attribute_name) const;
};

struct XmlLimits {
  std::size_t bytes = 128u << 20;
  std::size_t depth = 256;
  std::size_t elements = 1'000'000;
  std::size_t parser_memory = 256u << 20;
};

// Owns the elements. They stay where they are.
struct XmlTree {
  std::deque<Element> elements;
  Element* root = nullptr;

  Element* add(Element element) {
    elements.push_back(std::move(element));
    return &elements.back();
  }
};

// The tree of the text of `file`; root is null after an error, which is in the diagnostics.
std::unique_ptr<XmlTree> parse_xml(const diag::SourceMap& sources, diag::FileId file,
                                   diag::Diagnostics& diagnostics, const XmlLimits& limits);

// UTF-16 (recognised by its byte-order mark or by a NUL beside the first `<`) as UTF-8; other text as it is.
// False: the text is UTF-16 and broken.
bool to_parsable_text(std::string& text);

}  // namespace parley::front::uml
