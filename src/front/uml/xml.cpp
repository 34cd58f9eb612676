#include "front/uml/xml.hpp"

#include <expat.h>
#include <fmt/format.h>
#include <malloc.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <set>

#include "front/uml/names.hpp"

namespace parley::front::uml {
namespace {

// expat's allocation functions get no user data, so the budget of the running parse is per thread.
thread_local std::size_t memory_left = 0;

bool take(std::size_t size) {
  if (size > memory_left) return false;
  memory_left -= size;
  return true;
}

void give_back(void* block) {
  if (block != nullptr) memory_left += malloc_usable_size(block);
}

void* limited_malloc(std::size_t size) {
  if (size > memory_left) return nullptr;
  void* block = std::malloc(size);
  if (block != nullptr && !take(malloc_usable_size(block))) {
    std::free(block);
    return nullptr;
  }
  return block;
}

void* limited_realloc(void* block, std::size_t size) {
  const std::size_t before = block == nullptr ? 0 : malloc_usable_size(block);
  if (size > memory_left + before) return nullptr;
  void* moved = std::realloc(block, size);
  if (moved == nullptr) return nullptr;
  memory_left += before;
  const std::size_t now = malloc_usable_size(moved);
  memory_left = now > memory_left ? 0 : memory_left - now;
  return moved;
}

void limited_free(void* block) {
  give_back(block);
  std::free(block);
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

Vocabulary vocabulary_of(std::string_view prefix, std::string_view uri) {
  if (contains(uri, "www.w3.org/2001/XMLSchema-instance")) return Vocabulary::Xsi;
  const bool omg = contains(uri, "omg.org") || contains(uri, "org.omg");
  if (omg && contains(uri, "/XMI")) return Vocabulary::Xmi;
  if (omg && (contains(uri, "/UML") || contains(uri, "namespace.UML") || contains(uri, "namespace/UML"))) {
    // Profiles of OMG (SysML, MARTE, standard profile) have addresses of their own that mention UML too.
    return contains(uri, "Profile") || contains(uri, "SysML") || contains(uri, "MARTE") ? Vocabulary::Other
                                                                                        : Vocabulary::Uml;
  }
  if (contains(uri, "eclipse.org/uml2/") && uri.ends_with("/UML")) return Vocabulary::Uml;
  if (uri.empty()) {  // undeclared prefixes occur in exports; the usual ones are believed
    if (prefix == "uml" || prefix == "UML") return Vocabulary::Uml;
    if (prefix == "xmi") return Vocabulary::Xmi;
    if (prefix == "xsi") return Vocabulary::Xsi;
    if (prefix.empty()) return Vocabulary::None;
  }
  return Vocabulary::Other;
}

constexpr unsigned char kFirstHigh = 0x80;
// The 0x80..0x9f block of windows-1252; 0xFFFF: undefined. Above it equals Latin-1.
constexpr int kWindows1252[32] = {0x20AC, -1,     0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                  0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, -1,     0x017D, -1,
                                  -1,     0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                  0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, -1,     0x017E, 0x0178};

class Reader {
 public:
  Reader(const diag::SourceMap& sources, diag::FileId file, diag::Diagnostics& diagnostics,
         const XmlLimits& limits)
      : text_(sources.text(file)), file_(file), diagnostics_(diagnostics), limits_(limits) {}

  std::unique_ptr<XmlTree> run();

 private:
  static Reader& of(void* self) { return *static_cast<Reader*>(self); }
  static void on_start(void* self, const XML_Char* name, const XML_Char** attributes) {
    of(self).start(name, attributes);
  }
  static void on_end(void* self, const XML_Char*) { of(self).end(); }
  static void on_text(void* self, const XML_Char* text, int length) {
    auto& reader = of(self);
    if (!reader.open_.empty() && reader.inside_extension_ == 0)
      reader.open_.back()->text.append(text, static_cast<std::size_t>(length));
  }
  static void on_entity(void* self, const XML_Char* name, int, const XML_Char*, int, const XML_Char*,
                        const XML_Char*, const XML_Char*, const XML_Char*) {
    of(self).stop("xml-entity", fmt::format("the file declares the entity `{}`; entities are not read", name),
                  "export the model without a document type");
  }
  static void on_skipped(void* self, const XML_Char* name, int) {
    of(self).stop("xml-entity", fmt::format("the entity `{}` is not defined in the file", name), "");
  }
  static int on_external(XML_Parser parser, const XML_Char*, const XML_Char*, const XML_Char*,
                         const XML_Char*) {
    of(XML_GetUserData(parser))
        .stop("xml-entity", "the file refers to an external entity; nothing is fetched", "");
    return XML_STATUS_ERROR;
  }
  static int on_encoding(void*, const XML_Char* name, XML_Encoding* info);

  void start(const XML_Char* name, const XML_Char** attributes);
  void end();
  static bool is_extension(const Element& e);
  void stop(const char* code, std::string message, std::string hint);
  diag::Span here() const;
  Vocabulary lookup(std::string_view prefix) const;
  void declare(std::string_view prefix, std::string_view uri);

  const std::string& text_;
  diag::FileId file_;
  diag::Diagnostics& diagnostics_;
  const XmlLimits& limits_;
  XML_Parser parser_ = nullptr;
  std::unique_ptr<XmlTree> tree_ = std::make_unique<XmlTree>();
  std::vector<Element*> open_;
  struct Declaration {
    std::string prefix;
    Vocabulary vocabulary;
    std::size_t depth;
  };
  std::vector<Declaration> declared_;
  std::size_t inside_extension_ = 0;  // elements open there, the extension included
  bool stopped_ = false;
};

int Reader::on_encoding(void*, const XML_Char* name, XML_Encoding* info) {
  const std::string lower = lower_case(name);
  // Java's names for encodings that expat knows by other names, and windows-1252.
  const bool ascii = lower == "ascii" || lower == "us_ascii" || lower == "ansi_x3.4-1968";
  const bool latin = lower == "iso8859_1" || lower == "iso8859-1" || lower == "latin1";
  const bool windows = lower == "windows-1252" || lower == "cp1252" || lower == "cp-1252";
  if (!ascii && !latin && !windows) return XML_STATUS_ERROR;
  for (int i = 0; i < 256; ++i) info->map[i] = ascii && i >= kFirstHigh ? -1 : i;
  for (int i = 0; i < 32 && windows; ++i) info->map[kFirstHigh + i] = kWindows1252[i];
  info->data = nullptr;
  info->convert = nullptr;
  info->release = nullptr;
  return XML_STATUS_OK;
}

diag::Span Reader::here() const {
  const auto at = XML_GetCurrentByteIndex(parser_);
  const auto begin = static_cast<std::uint32_t>(at < 0 ? 0 : at);
  const auto length = static_cast<std::uint32_t>(XML_GetCurrentByteCount(parser_));
  const auto size = static_cast<std::uint32_t>(text_.size());
  return {file_, std::min(begin, size), std::min(begin + std::max(length, 1u), size)};
}

void Reader::stop(const char* code, std::string message, std::string hint) {
  if (stopped_) return;
  stopped_ = true;
  diagnostics_.error(code, here(), std::move(message), std::move(hint));
  XML_StopParser(parser_, XML_FALSE);
}

Vocabulary Reader::lookup(std::string_view prefix) const {
  for (auto it = declared_.rbegin(); it != declared_.rend(); ++it) {
    if (it->prefix == prefix) return it->vocabulary;
  }
  return vocabulary_of(prefix, "");
}

void Reader::declare(std::string_view prefix, std::string_view uri) {
  const Vocabulary vocabulary = vocabulary_of(prefix, uri);
  for (const auto& known : declared_) {  // repeated declarations on every element must not make a list
    if (known.prefix == prefix && known.vocabulary == vocabulary && known.depth <= open_.size()) {
      bool hidden = false;
      for (const auto& later : declared_) hidden |= &later > &known && later.prefix == prefix;
      if (!hidden) return;
    }
  }
  declared_.push_back({std::string(prefix), vocabulary, open_.size()});
}

std::pair<std::string_view, std::string_view> split(std::string_view name) {
  const auto colon = name.find(':');
  if (colon == std::string_view::npos) return {{}, name};
  return {name.substr(0, colon), name.substr(colon + 1)};
}

// What a tool keeps for itself: its contents repeat the ids of the model (Enterprise Architect, MagicDraw)
// and are not the model. XMI 2.1, section 6.5.2: "may be ignored by other tools".
bool Reader::is_extension(const Element& e) {
  return (e.vocabulary == Vocabulary::Xmi && e.name == "Extension") || e.name == "XMI.extension" ||
         e.name == "XMI.extensions";
}

void Reader::start(const XML_Char* name, const XML_Char** attributes) {
  if (stopped_) return;
  if (inside_extension_ > 0) {
    ++inside_extension_;
    return;
  }
  if (open_.size() >= limits_.depth) {
    return stop("xml-limit", fmt::format("elements are nested more than {} deep", limits_.depth), "");
  }
  if (tree_->elements.size() >= limits_.elements) {
    return stop("xml-limit", fmt::format("the file has more than {} elements", limits_.elements), "");
  }
  for (const XML_Char** a = attributes; *a != nullptr; a += 2) {
    const std::string_view key = a[0];
    if (key == "xmlns") declare("", a[1]);
    if (key.starts_with("xmlns:")) declare(key.substr(6), a[1]);
    if (declared_.size() > 4096) return stop("xml-limit", "the file declares more than 4096 namespaces", "");
  }
  Element* element = tree_->add({});
  const auto [prefix, local] = split(name);
  element->vocabulary = prefix.empty() ? Vocabulary::None : lookup(prefix);
  element->name = local;
  element->span = here();
  if (element->vocabulary == Vocabulary::Uml) element->type = element->name;
  for (const XML_Char** a = attributes; *a != nullptr; a += 2) {
    const std::string_view key = a[0];
    if (key == "xmlns" || key.starts_with("xmlns:")) continue;
    const auto [key_prefix, key_local] = split(key);
    XmlAttribute attribute{key_prefix.empty() ? Vocabulary::None : lookup(key_prefix), std::string(key_local),
                           a[1]};
    const bool structural =
        attribute.vocabulary == Vocabulary::Xmi || attribute.vocabulary == Vocabulary::Xsi;
    if (structural && attribute.name == "type") {
      const auto [type_prefix, type_local] = split(attribute.value);
      if (type_prefix.empty() || lookup(type_prefix) == Vocabulary::Uml) {
        element->type = type_local;
      } else {
        element->foreign = true;
      }
    }
    if ((attribute.vocabulary == Vocabulary::Xmi && attribute.name == "id") || key == "xmi.id") {
      element->id = attribute.value;
    }
    element->attributes.push_back(std::move(attribute));
  }
  if (open_.empty()) {
    tree_->root = element;
  } else {
    element->parent = open_.back();
    open_.back()->children.push_back(element);
  }
  open_.push_back(element);
  if (is_extension(*element)) {
    element->id.clear();
    inside_extension_ = 1;
  }
}

void Reader::end() {
  if (stopped_ || open_.empty()) return;
  if (inside_extension_ > 1) {
    --inside_extension_;
    return;
  }
  inside_extension_ = 0;
  open_.pop_back();
  while (!declared_.empty() && declared_.back().depth >= open_.size() && !open_.empty()) declared_.pop_back();
}

std::unique_ptr<XmlTree> Reader::run() {
  if (text_.size() > limits_.bytes) {
    diagnostics_.error("xml-limit", {file_, 0, 0},
                       fmt::format("the file has {} bytes; the limit is {}", text_.size(), limits_.bytes));
    return nullptr;
  }
  memory_left = limits_.parser_memory;
  const XML_Memory_Handling_Suite memory{limited_malloc, limited_realloc, limited_free};
  parser_ = XML_ParserCreate_MM(nullptr, &memory, nullptr);
  if (parser_ == nullptr) {
    diagnostics_.error("xml-limit", {file_, 0, 0}, "not enough memory to parse the file");
    return nullptr;
  }
  XML_SetUserData(parser_, this);
  XML_SetElementHandler(parser_, on_start, on_end);
  XML_SetCharacterDataHandler(parser_, on_text);
  XML_SetEntityDeclHandler(parser_, on_entity);
  XML_SetSkippedEntityHandler(parser_, on_skipped);
  XML_SetExternalEntityRefHandler(parser_, on_external);
  XML_SetUnknownEncodingHandler(parser_, on_encoding, nullptr);
  // One call over the whole text: expat then works in place and a long token is not scanned again and again.
  const auto status = XML_Parse(parser_, text_.data(), static_cast<int>(text_.size()), XML_TRUE);
  if (status != XML_STATUS_OK && !stopped_) {
    const auto error = XML_GetErrorCode(parser_);
    const char* code = error == XML_ERROR_NO_MEMORY ? "xml-limit" : "xml-syntax";
    const char* hint = error == XML_ERROR_UNKNOWN_ENCODING
                           ? "UTF-8, UTF-16, ISO-8859-1, US-ASCII and windows-1252 are read"
                           : "";
    diagnostics_.error(code, here(), fmt::format("not well-formed XML: {}", XML_ErrorString(error)), hint);
    stopped_ = true;
  }
  XML_ParserFree(parser_);
  if (stopped_ || tree_->root == nullptr) return nullptr;
  return std::move(tree_);
}

void append_utf8(std::string& out, std::uint32_t c) {
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | (c >> 6));
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0 | (c >> 12));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | (c >> 18));
    out += static_cast<char>(0x80 | ((c >> 12) & 0x3F));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  }
}

}  // namespace

const std::string* Element::attribute(std::string_view attribute_name) const {
  return attribute(Vocabulary::None, attribute_name);
}

const std::string* Element::attribute(Vocabulary vocabulary_wanted, std::string_view attribute_name) const {
  for (const auto& a : attributes) {
    if (a.vocabulary == vocabulary_wanted && a.name == attribute_name) return &a.value;
  }
  return nullptr;
}

std::unique_ptr<XmlTree> parse_xml(const diag::SourceMap& sources, diag::FileId file,
                                   diag::Diagnostics& diagnostics, const XmlLimits& limits) {
  return Reader(sources, file, diagnostics, limits).run();
}

bool to_parsable_text(std::string& text) {
  if (text.size() < 4) return true;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const bool little = (byte(0) == 0xFF && byte(1) == 0xFE) || (byte(0) == '<' && byte(1) == 0);
  const bool big = (byte(0) == 0xFE && byte(1) == 0xFF) || (byte(0) == 0 && byte(1) == '<');
  if (!little && !big) return true;
  if (text.size() % 2 != 0) return false;
  std::string out;
  out.reserve(text.size() / 2);
  const auto unit = [&](std::size_t i) -> std::uint32_t {
    return little ? byte(i) | (byte(i + 1) << 8) : (byte(i) << 8) | byte(i + 1);
  };
  for (std::size_t i = 0; i < text.size(); i += 2) {
    std::uint32_t c = unit(i);
    if (i == 0 && c == 0xFEFF) continue;
    if (c >= 0xD800 && c < 0xE000) {
      if (c >= 0xDC00 || i + 2 >= text.size()) return false;
      const std::uint32_t low = unit(i + 2);
      if (low < 0xDC00 || low >= 0xE000) return false;
      c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
      i += 2;
    }
    append_utf8(out, c);
  }
  // The declaration still says UTF-16; blank the name out so that places stay and the parser takes UTF-8.
  const auto declaration_end = out.substr(0, 200).find("?>");
  const auto encoding = out.substr(0, 200).find("encoding");
  if (encoding != std::string::npos && declaration_end != std::string::npos && encoding < declaration_end) {
    for (std::size_t i = encoding; i < declaration_end; ++i) out[i] = ' ';
  }
  text = std::move(out);
  return true;
}

}  // namespace parley::front::uml
