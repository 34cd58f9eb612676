// Finds and reads what #include names. A model is not trusted: only regular files of limited size are read,
// and only below the model's folder and the folders that the user names with -I, wherever links lead.
#pragma once

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "front/promela/preprocess_limits.hpp"
#include "front/promela/preprocess_scanner.hpp"

namespace parley::front::promela {

struct IncludedFile {
  std::string name;                 // for messages: the folder as given, and the path as written
  std::filesystem::path folder;     // where it lies, for what it includes itself
  std::filesystem::path real_path;  // without links
  std::string text;
};

// Why a file is not read, ready to be a diagnostic.
struct IncludeRefusal {
  const char* code;
  std::string message;
  std::string hint;
};

// A file's text if it is a regular file of at most that size. Never waits, whatever the path names. `name` is
// what messages call it.
std::variant<std::string, IncludeRefusal> read_regular_file(const std::filesystem::path& path,
                                                            const std::string& name, std::uint64_t max_bytes);

class IncludeFinder {
 public:
  IncludeFinder(std::filesystem::path model_folder, const std::vector<std::string>& include_folders,
                std::uint64_t max_bytes);

  // In quotes: in the folder of the file that includes it, in the model's, then in those of -I, in their
  // order; in angle brackets only in those of -I.
  std::variant<IncludedFile, IncludeRefusal> find(const HeaderName& name,
                                                  const std::filesystem::path& including_folder) const;

 private:
  bool may_be_read(const std::filesystem::path& real_path) const;

  std::filesystem::path model_folder_;
  std::vector<std::filesystem::path> include_folders_;
  std::vector<std::filesystem::path> roots_;  // all of these without links
  std::uint64_t max_bytes_;
};

}  // namespace parley::front::promela
