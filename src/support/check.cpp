#include "support/check.hpp"

#include <cstring>

namespace parley {

void internal_error(const char* condition, const char* file, int line, const std::string& detail) {
  const char* base = std::strrchr(file, '/');
  std::string text = "internal error: ";
  text += condition;
  text += " (";
  text += base != nullptr ? base + 1 : file;
  text += ':' + std::to_string(line) + ')';
  if (!detail.empty()) text += ": " + detail;
  throw InternalError(text);
}

}  // namespace parley
