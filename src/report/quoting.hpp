// Names and texts of users inside other languages: DOT strings, Mermaid and PlantUML labels, HTML. Every
// report goes through these, so that a hostile name cannot become markup.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace parley::report {

std::string clipped(const std::string& text, std::size_t length);  // at a character, with an ellipsis
std::string dot_string(std::string_view text);                     // quoted; line breaks become \n
std::string left_aligned_dot_string(const std::vector<std::string>& lines);  // quoted, for legends
std::string plain_label(std::string_view text);  // one line without quotes, colons, angle brackets
std::string html_text(std::string_view text);    // escaped for element content and attributes, of XML too
std::string script_json(std::string json);       // JSON that may stand inside a <script> element

}  // namespace parley::report
