#include "support/write_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>

#include "support/leftovers.hpp"

namespace parley {
namespace {

// An open file. Closing can fail too: some file systems say only then that there was no room.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  bool close() {
    const int fd = fd_;
    fd_ = -1;
    return fd < 0 || ::close(fd) == 0;
  }

 private:
  int fd_;
};

std::string failure() {
  return std::strerror(errno);
}

bool put(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

std::string write_directly(const std::string& path, std::string_view text) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  return file.get() >= 0 && put(file.get(), text) && file.close() ? std::string() : failure();
}

// A new file beside the destination, of a name that nobody has. The system applies the umask.
int create_in(const std::filesystem::path& folder, std::string& name) {
  static std::atomic<unsigned> made{0};
  for (;;) {
    name = (folder / (".parley-" + std::to_string(getpid()) + '-' + std::to_string(made++))).string();
    const int fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
}

// Where a chain of symbolic links ends, whether or not there is a file yet.
std::filesystem::path destination_of(const std::string& path) {
  constexpr int kLinks = 40;  // as many as Linux follows
  std::filesystem::path at = path;
  std::error_code problem;
  for (int i = 0; i < kLinks && std::filesystem::is_symlink(at, problem); ++i) {
    const std::filesystem::path to = std::filesystem::read_symlink(at, problem);
    at = to.is_absolute() ? to : at.parent_path() / to;
  }
  return at;
}

std::string write_aside(const std::filesystem::path& to, std::string_view text,
                        const std::optional<struct stat>& replaced) {
  const std::filesystem::path folder = to.has_parent_path() ? to.parent_path() : std::filesystem::path(".");
  std::string aside;
  Descriptor file(create_in(folder, aside));
  if (file.get() < 0) return failure();
  const UnfinishedFile unfinished(aside);
  // Only the superuser can give files away; the text matters more than its owner.
  if (replaced && replaced->st_uid != geteuid())
    (void)!fchown(file.get(), replaced->st_uid, replaced->st_gid);
  const bool mode_kept = !replaced || fchmod(file.get(), replaced->st_mode & 07777) == 0;
  if (mode_kept && put(file.get(), text) && fsync(file.get()) == 0 && file.close() &&
      ::rename(aside.c_str(), to.c_str()) == 0)
    return {};
  const std::string why = failure();
  ::unlink(aside.c_str());
  return why;
}

}  // namespace

std::string write_file(const std::string& path, std::string_view text) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0) {
    if (errno != ENOENT) return failure();
    return write_aside(destination_of(path), text, std::nullopt);
  }
  if (S_ISDIR(found.st_mode)) return std::strerror(EISDIR);
  if (!S_ISREG(found.st_mode)) return write_directly(path, text);
  if (::access(path.c_str(), W_OK) != 0) return failure();  // a write-protected file stays as it is
  return write_aside(destination_of(path), text, found);
}

}  // namespace parley
