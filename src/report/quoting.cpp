#include "report/quoting.hpp"

#include <algorithm>

#include "diag/diagnostic.hpp"

namespace parley::report {

std::string clipped(const std::string& text, std::size_t length) {
  if (text.size() <= length) return text;
  std::size_t end = length - 1;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
    --end;  // not inside a UTF-8 sequence
  return text.substr(0, end) + "…";
}

std::string dot_string(std::string_view text) {
  std::string out = "\"";
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t to = std::min(text.find('\n', from), text.size());
    for (const char c : diag::sanitise(text.substr(from, to - from))) {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
    if (to < text.size()) out += "\\n";
    from = to + 1;
  }
  return out + '"';
}

std::string left_aligned_dot_string(const std::vector<std::string>& lines) {
  std::string out = "\"";
  for (const std::string& line : lines) {
    const std::string quoted = dot_string(line);
    out.append(quoted, 1, quoted.size() - 2);
    out += "\\l";
  }
  return out + '"';
}

std::string plain_label(std::string_view text) {
  std::string out;
  for (const char c : diag::sanitise(text)) {
    switch (c) {
      case '"':
        out += '\'';
        break;
      case '<':
        out += "lt";
        break;
      case '>':
        out += "gt";
        break;
      case ':':
        out += '.';
        break;
      case ';':
        out += ',';
        break;
      case '{':
        out += '(';
        break;
      case '}':
        out += ')';
        break;
      case '#':
        out += "no.";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string html_text(std::string_view text) {
  std::string out;
  for (const char c : diag::sanitise(text)) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string script_json(std::string json) {
  std::string out;
  out.reserve(json.size());
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (c == '<')
      out += "\\u003c";
    else if (c == '>')
      out += "\\u003e";
    else if (c == '&')
      out += "\\u0026";
    else if (json.compare(i, 3, "\xE2\x80\xA8") == 0 || json.compare(i, 3, "\xE2\x80\xA9") == 0) {
      out += json[i + 2] == '\xA8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace parley::report
