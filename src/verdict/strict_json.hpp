// Reading JSON from outside as if somebody had forged it: nothing twice, nothing unknown, nothing of another
// type, no number that is not whole or out of range, nothing nested deeper than it needs to be. Whatever is
// wrong is said with its place in the file (`results[2].trace.steps[0].action`). Trace files, results and
// certificates are read with it; what the values mean is their readers' business.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::verdict {

// What is wrong, with its place: thrown by everything here, caught by whoever reads a file.
struct Malformed {
  std::string why;
};

// Throws Malformed for text that is no JSON, that names a field twice, or that is nested too deeply.
nlohmann::json parse_strictly(std::string_view text);

// A value and where it stands in the file. The JSON must outlive it.
class JsonReader {
 public:
  explicit JsonReader(const nlohmann::json& value, std::string place = {})
      : value_(&value), place_(std::move(place)) {}

  // An object with all of the required fields, and no others but the optional ones.
  void has_fields(const std::vector<std::string_view>& required,
                  const std::vector<std::string_view>& optional = {}) const;
  bool has(std::string_view name) const;
  JsonReader field(std::string_view name) const;
  std::vector<JsonReader> items() const;
  // The fields of an object whose names are data.
  std::vector<std::pair<std::string, JsonReader>> entries() const;

  const std::string& text() const;
  bool flag() const;
  std::uint64_t natural(std::uint64_t most) const;  // whole, from 0 to `most`
  double amount() const;                            // a number, not negative
  std::vector<std::uint64_t> naturals(std::uint64_t most) const;

  // A field that must be this very text or number.
  void is(std::string_view expected) const;
  void is(std::uint64_t expected) const;

  [[noreturn]] void reject(std::string_view why) const;
  const std::string& place() const { return place_; }

 private:
  const nlohmann::json* value_;
  std::string place_;
};

}  // namespace parley::verdict
