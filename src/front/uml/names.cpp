#include "front/uml/names.hpp"

#include <cctype>

namespace parley::front::uml {

std::string clean_name(const std::string& name) {
  std::string result;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte <= 0x20 || byte == 0x7F) {
      if (!result.empty() && result.back() != ' ') result += ' ';
    } else {
      result += c;
    }
  }
  std::size_t length = std::min<std::size_t>(result.size(), 80);
  while (length < result.size() && length > 0 && (static_cast<unsigned char>(result[length]) & 0xC0) == 0x80)
    --length;
  result.resize(length);
  while (!result.empty() && result.back() == ' ') result.pop_back();
  return result;
}

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

std::string start_lower(std::string name) {
  if (!name.empty()) name[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(name[0])));
  return name;
}

std::string Names::unique(const std::string& name, const std::string& otherwise) {
  std::string wanted = clean_name(name);
  if (wanted.empty()) wanted = otherwise;
  std::string candidate = wanted;
  for (int i = 2; !taken_.insert(candidate).second; ++i) candidate = wanted + "_" + std::to_string(i);
  return candidate;
}

}  // namespace parley::front::uml
