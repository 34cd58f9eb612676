#include "front/diagram/label.hpp"

#include <algorithm>

namespace parley::front::diagram {
namespace {

bool is_word_character(char c) {
  const auto u = static_cast<unsigned char>(c);
  return std::isalnum(u) || c == '_' || c == '.' || c == '-' || u >= 0x80;
}

bool is_word(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_word_character);
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

// "\n" of the diagram language is a space.
std::string one_line(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == 'n' || text[i + 1] == 'l')) {
      out += ' ';
      ++i;
    } else if (text.compare(i, 4, "<br>") == 0 || text.compare(i, 5, "<br/>") == 0) {
      out += ' ';
      i += text[i + 3] == '>' ? 3 : 4;
    } else {
      out += text[i];
    }
  }
  return out;
}

std::size_t action_slash(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '[' || text[i] == '(') ++depth;
    if (text[i] == ']' || text[i] == ')') --depth;
    if (text[i] != '/' || depth > 0) continue;
    const bool free_left = i == 0 || text[i - 1] == ' ' || text[i - 1] == ']' || text[i - 1] == ')';
    const bool free_right = i + 1 == text.size() || text[i + 1] == ' ';
    const bool call = text.substr(i).find('(') != std::string_view::npos && is_word(text.substr(0, i));
    if (free_left || free_right || call) return i;
  }
  return std::string_view::npos;
}

// The last [..] of the text, taken out of it.
std::string take_guard(std::string& text) {
  const auto close = text.rfind(']');
  if (close == std::string::npos) return {};
  int depth = 0;
  for (std::size_t i = close + 1; i-- > 0;) {
    if (text[i] == ']') ++depth;
    if (text[i] == '[' && --depth == 0) {
      const std::string guard = trimmed(std::string_view(text).substr(i + 1, close - i - 1));
      text.erase(i, close - i + 1);
      return guard;
    }
  }
  return {};
}

std::string time_of(const std::string& event) {
  const std::string small = lower(event);
  if (!small.starts_with("after")) return {};
  const auto digit = event.find_first_of("0123456789");
  const bool near = digit != std::string::npos && event.find_first_not_of(" (\t", 5) == digit;
  return near ? event.substr(5) : std::string();
}

void read_events(const std::string& written, Label& label) {
  if (written.empty()) return;
  label.after = time_of(written);
  if (!label.after.empty()) return;
  std::vector<std::string> parts;
  std::size_t at = 0;
  while (at <= written.size()) {
    const auto end = std::min(written.find_first_of(",|", at), written.size());
    parts.push_back(trimmed(std::string_view(written).substr(at, end - at)));
    at = end + 1;
  }
  if (!std::all_of(parts.begin(), parts.end(), [](const std::string& p) { return is_word(p); }))
    parts = {written};
  for (std::string& p : parts) {
    if (p.ends_with("()")) p.resize(p.size() - 2);
    if (!p.empty()) label.events.push_back(std::move(p));
  }
}

}  // namespace

std::string trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  const auto end = text.find_last_not_of(" \t\r\n");
  return std::string(text.substr(begin, end - begin + 1));
}

Label read_label(std::string_view text) {
  Label label;
  std::string rest = trimmed(one_line(text));
  const auto slash = action_slash(rest);
  if (slash != std::string::npos) {
    label.action = trimmed(std::string_view(rest).substr(slash + 1));
    rest = trimmed(std::string_view(rest).substr(0, slash));
    if (rest.find('[') == std::string::npos) label.guard = take_guard(label.action);  // some write it last
    label.action = trimmed(label.action);
  }
  if (label.guard.empty()) label.guard = take_guard(rest);
  read_events(trimmed(rest), label);
  return label;
}

Label read_choice_label(std::string_view text) {
  Label label = read_label(text);
  if (!label.guard.empty() || label.events.empty()) {
    label.events.clear();
    return label;
  }
  std::string written = trimmed(one_line(text));
  if (const auto slash = action_slash(written); slash != std::string::npos)
    written = trimmed(std::string_view(written).substr(0, slash));
  const std::string small = lower(written);
  if (small.starts_with("if ")) written = trimmed(std::string_view(written).substr(3));
  label.guard = small == "else" || small == "otherwise" || small == "default" ? "else" : written;
  label.events.clear();
  return label;
}

bool read_description(std::string_view text, Node& node, diag::Span span) {
  const std::string line = trimmed(one_line(text));
  const auto separator = line.find_first_of("/:");
  if (separator == std::string::npos) return false;
  const std::string key = lower(trimmed(std::string_view(line).substr(0, separator)));
  const std::string rest = trimmed(std::string_view(line).substr(separator + 1));
  const auto add = [&](std::string& to) {
    to += (to.empty() ? "" : ";\n") + rest;
    return true;
  };
  if (key == "entry" || key == "onentry" || key == "enter") return add(node.entry);
  if (key == "exit" || key == "onexit") return add(node.exit);
  if (key == "do") return add(node.activity);
  Label label = read_label(key == "internal" ? rest : line);
  const bool reacts = !label.action.empty() && !label.events.empty() && is_word(label.events.front());
  if (!reacts) return false;
  node.internal.push_back({std::move(label), span});
  return true;
}

}  // namespace parley::front::diagram
