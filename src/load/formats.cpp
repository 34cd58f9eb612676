#include "load/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

namespace parley::load {
namespace {

std::string ending(const std::string& path) {
  std::string e = std::filesystem::path(path).extension().string();
  for (char& c : e) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return e;
}

// Words of a program, comments and texts left out; as many as decide.
std::vector<std::string> first_words(const std::string& text) {
  std::vector<std::string> words;
  constexpr std::size_t kEnough = 4000;
  for (std::size_t i = 0; i < text.size() && words.size() < kEnough;) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (text.compare(i, 2, "/*") == 0) {
      const auto end = text.find("*/", i + 2);
      i = end == std::string::npos ? text.size() : end + 2;
    } else if (text.compare(i, 2, "//") == 0) {
      i = std::min(text.find('\n', i), text.size());
    } else if (c == '"') {
      const auto end = text.find('"', i + 1);
      i = end == std::string::npos ? text.size() : end + 1;
    } else if (std::isalpha(c) || c == '_') {
      std::size_t end = i;
      while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_'))
        ++end;
      words.push_back(text.substr(i, end - i));
      i = end;
    } else {
      ++i;
    }
  }
  return words;
}

bool has(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_staruml_project(const std::string& bytes) {
  return bytes.substr(0, 4000).find("\"_type\"") != std::string::npos;
}

bool has_line(const std::string& text, std::string_view start) {
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    const auto begin = std::min(text.find_first_not_of(" \t", at), end);
    if (text.compare(begin, start.size(), start) == 0) return true;
    at = end + 1;
  }
  return false;
}

}  // namespace

const std::vector<FormatInfo>& formats() {
  static const std::vector<FormatInfo> all = {
      {Format::Text, "text", "text models", {".ply"}},
      {Format::Uml, "uml", "UML models", {".uml", ".xmi", ".xml", ".zargo", ".mdj"}},
      {Format::Promela,
       "promela",
       "Promela models",
       {".pml", ".prom", ".promela", ".spin", ".pr", ".prm", ".pm", ".p"}},
      {Format::PlantUml, "plantuml", "PlantUML diagrams", {".puml", ".plantuml", ".pu", ".iuml", ".wsd"}},
      {Format::Mermaid, "mermaid", "Mermaid diagrams", {".mmd", ".mermaid"}},
      {Format::Markdown, "markdown", "diagrams in Markdown", {".md", ".markdown"}},
      {Format::XState, "xstate", "XState machines", {".json"}},
  };
  return all;
}

const FormatInfo& info(Format format) {
  return *std::find_if(formats().begin(), formats().end(),
                       [&](const FormatInfo& f) { return f.format == format; });
}

const std::vector<std::string>& endings(Format format) {
  return info(format).endings;
}

std::string known_endings() {
  std::string out;
  for (const FormatInfo& f : formats()) {
    out += out.empty() ? fmt::format("{} end in ", f.plural) : fmt::format(", {} in ", f.plural);
    for (std::size_t i = 0; i < f.endings.size(); ++i)
      out += (i == 0 ? "" : i + 1 == f.endings.size() ? " or " : ", ") + f.endings[i];
  }
  return out;
}

std::optional<Format> format_of_name(const std::string& name) {
  for (const FormatInfo& f : formats())
    if (f.name == name) return f.format;
  return std::nullopt;
}

std::optional<Format> format_of(const std::string& path) {
  const std::string e = ending(path);
  for (const FormatInfo& f : formats())
    if (std::find(f.endings.begin(), f.endings.end(), e) != f.endings.end()) return f.format;
  return std::nullopt;
}

std::optional<Format> format_of_content(const std::string& bytes) {
  const auto start = bytes.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (start == std::string::npos) return std::nullopt;
  if (bytes[start] == '<' || bytes.starts_with("PK\x03\x04")) return Format::Uml;
  if (bytes[start] == '{' || bytes[start] == '[')
    return is_staruml_project(bytes) ? Format::Uml : Format::XState;
  if (bytes.find("```mermaid") != std::string::npos || bytes.find("```plantuml") != std::string::npos)
    return Format::Markdown;
  if (bytes.find("@startuml") != std::string::npos) return Format::PlantUml;
  if (has_line(bytes, "stateDiagram")) return Format::Mermaid;
  const std::vector<std::string> words = first_words(bytes);
  if (has(words, "proctype") || (has(words, "init") && has(words, "chan"))) return Format::Promela;
  if (has(words, "class") && has(words, "system")) return Format::Text;
  if (has(words, "init") || has(words, "active")) return Format::Promela;
  return std::nullopt;
}

std::string export_hint(const std::string& path) {
  static const std::map<std::string, const char*> hints = {
      {".mdzip", "MagicDraw and Cameo: File, Export To, Eclipse UML2 (v5) XMI File, or UML 2.5 XMI File"},
      {".qea", "Enterprise Architect: Publish, Publish As, UML 2.5 XMI 2.5.1 (or Export Package to XMI)"},
      {".qeax", "Enterprise Architect: Publish, Publish As, UML 2.5 XMI 2.5.1 (or Export Package to XMI)"},
      {".eap", "Enterprise Architect: Publish, Publish As, UML 2.5 XMI 2.5.1 (or Export Package to XMI)"},
      {".eapx", "Enterprise Architect: Publish, Publish As, UML 2.5 XMI 2.5.1 (or Export Package to XMI)"},
      {".sbs", "Rhapsody: Tools, Export XMI (XMI toolkit), UML 2.1"},
      {".rpy", "Rhapsody: Tools, Export XMI (XMI toolkit), UML 2.1"},
      {".vpp", "Visual Paradigm: Project, Export, XMI, version 2.1"},
      {".asta", "Astah: Tools, XML Input and Output, Save as XML Project"},
      {".ofp", "Modelio: right click on the project's package, Import/Export, XMI export"},
      {".emx", "Rational Software Architect: File, Export, UML 2.x .uml model"},
  };
  const auto it = hints.find(ending(path));
  return it == hints.end() ? std::string() : it->second;
}

}  // namespace parley::load
