#include "front/promela/preprocess_include.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

namespace parley::front::promela {
namespace {

namespace fs = std::filesystem;

IncludeRefusal refuse(const char* code, std::string message, std::string hint) {
  return {code, std::move(message), std::move(hint)};
}

IncludeRefusal refused(const std::string& name, const std::string& why, std::string hint) {
  return refuse("include-refused", fmt::format("'{}' {}", diag::sanitise(name), why), std::move(hint));
}

class FileDescriptor {
 public:
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() {
    if (fd_ >= 0) close(fd_);
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

}  // namespace

std::variant<std::string, IncludeRefusal> read_regular_file(const fs::path& path, const std::string& name,
                                                            std::uint64_t max_bytes) {
  // O_NONBLOCK: opening a pipe does not wait for its writer.
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat status {};
  if (file.get() < 0 || fstat(file.get(), &status) != 0) return refused(name, "cannot be read", {});
  if (!S_ISREG(status.st_mode)) return refused(name, "is no regular file", "only files are included");
  std::string text;
  char buffer[65536];
  while (text.size() <= max_bytes) {
    const ssize_t n = read(file.get(), buffer, sizeof buffer);
    if (n < 0) return refused(name, "cannot be read", {});
    if (n == 0) return text;
    text.append(buffer, static_cast<std::size_t>(n));
  }
  return refused(name, fmt::format("is larger than {} MB", max_bytes >> 20),
                 "put only the model's parts there");
}

IncludeFinder::IncludeFinder(fs::path model_folder, const std::vector<std::string>& include_folders,
                             std::uint64_t max_bytes)
    : model_folder_(model_folder.empty() ? fs::path(".") : std::move(model_folder)),
      include_folders_(include_folders.begin(), include_folders.end()),
      max_bytes_(max_bytes) {
  std::vector<fs::path> all = include_folders_;
  all.push_back(model_folder_);
  for (const fs::path& folder : all) {
    std::error_code error;
    fs::path real = fs::canonical(folder, error);
    if (!error) roots_.push_back(std::move(real));
  }
}

bool IncludeFinder::may_be_read(const fs::path& real_path) const {
  return std::any_of(roots_.begin(), roots_.end(), [&](const fs::path& root) {
    return std::mismatch(root.begin(), root.end(), real_path.begin(), real_path.end()).first == root.end();
  });
}

std::variant<IncludedFile, IncludeRefusal> IncludeFinder::find(const HeaderName& name,
                                                               const fs::path& including_folder) const {
  const fs::path wanted = name.path;
  if (wanted.is_absolute())
    return refused(name.path, "is an absolute path, and those are not included",
                   "name the file as seen from the model, and its folder with -I");
  std::vector<fs::path> folders;
  if (name.in_quotes) folders = {including_folder, model_folder_};
  folders.insert(folders.end(), include_folders_.begin(), include_folders_.end());
  bool lies_outside = false;
  for (const fs::path& folder : folders) {
    std::error_code error;
    const fs::path real = fs::canonical(folder / wanted, error);
    if (error || wanted.empty()) continue;
    if (!may_be_read(real)) {
      lies_outside = true;
      continue;
    }
    std::variant<std::string, IncludeRefusal> read = read_regular_file(real, name.path, max_bytes_);
    if (auto* refusal = std::get_if<IncludeRefusal>(&read)) return std::move(*refusal);
    const fs::path shown = folder == "." ? wanted : folder / wanted;
    return IncludedFile{shown.string(), (folder / wanted).parent_path(), real,
                        std::get<std::string>(std::move(read))};
  }
  if (lies_outside)
    return refused(name.path, "lies outside the model's folder and those of -I",
                   "name a folder above it with -I if this model may read it");
  return refuse("include-not-found", fmt::format("there is no file '{}'", diag::sanitise(name.path)),
                name.in_quotes
                    ? "it is looked for beside the model and in the folders of -I"
                    : "files in <> are looked for in the folders of -I only; write \"file\" for one "
                      "beside the model");
}

}  // namespace parley::front::promela
