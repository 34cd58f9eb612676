#include "support/process_memory.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string>

namespace parley {
namespace {

std::uint64_t page_bytes() {
  static const long bytes = sysconf(_SC_PAGESIZE);
  return bytes > 0 ? static_cast<std::uint64_t>(bytes) : 4096;
}

// The number in a file of one line; none if it is not there, or says `max`.
std::uint64_t number_in(const std::string& path) {
  std::ifstream in(path);
  std::uint64_t n = 0;
  return in >> n ? n : UINT64_MAX;
}

// The strictest limit from the process's control group up to the root, for both versions of control groups.
std::uint64_t group_limit() {
  std::uint64_t least = UINT64_MAX;
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string kinds = line.substr(first + 1, second - first - 1);
    const bool unified = kinds.empty();
    if (!unified && kinds.find("memory") == std::string::npos) continue;
    const std::string root = unified ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory";
    const char* file = unified ? "/memory.max" : "/memory.limit_in_bytes";
    for (std::string group = line.substr(second + 1); group.starts_with('/'); group.resize(group.rfind('/')))
      least = std::min(least, number_in(root + group + file));
    least = std::min(least, number_in(root + file));
  }
  return least;
}

}  // namespace

// Read with system calls only: it is asked hundreds of times a second.
std::uint64_t resident_bytes() {
  static const int statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  char text[128];
  const ssize_t n = statm < 0 ? -1 : pread(statm, text, sizeof text, 0);
  if (n <= 0) return 0;
  const char* const end = text + n;
  const char* const second =
      std::find(static_cast<const char*>(text), end, ' ');  // pages in all, resident pages, …
  if (second == end) return 0;
  std::uint64_t pages = 0;
  std::from_chars(second + 1, end, pages);
  return pages * page_bytes();
}

std::uint64_t machine_bytes() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const std::uint64_t physical = pages > 0 ? static_cast<std::uint64_t>(pages) * page_bytes() : 0;
  const std::uint64_t group = group_limit();
  return physical == 0 ? (group == UINT64_MAX ? 0 : group) : std::min(physical, group);
}

}  // namespace parley
