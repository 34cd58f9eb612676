// The formats that models come in, and how one is told from another: by what the user says (--format-in), by
// the ending of the file's name, and where that says nothing by its content. Used by load.cpp and the help.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace parley::load {

enum class Format { Text, Uml, Promela, PlantUml, Mermaid, Markdown, XState };

struct FormatInfo {
  Format format;
  const char* name;                  // of --format-in
  const char* plural;                // "UML models"
  std::vector<std::string> endings;  // the usual one first
};
const std::vector<FormatInfo>& formats();
const FormatInfo& info(Format format);

// Endings of file names, the usual one first. Promela has no agreed one; these are what people use. (.prp
// files beside Promela models hold a formula, no model.)
const std::vector<std::string>& endings(Format format);
// "text models end in .ply, ...", for hints and help.
std::string known_endings();
std::optional<Format> format_of_name(const std::string& name);  // as --format-in has it
// By the ending; null if it is not known.
std::optional<Format> format_of(const std::string& path);
// By the first bytes; null if they say nothing.
std::optional<Format> format_of_content(const std::string& bytes);
// How to get at a model that a tool keeps in a file of its own kind (.mdzip, .qea, .sbs, …); "" for others.
std::string export_hint(const std::string& path);

}  // namespace parley::load
