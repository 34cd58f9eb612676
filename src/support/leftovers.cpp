#include "support/leftovers.hpp"

#include <signal.h>
#include <unistd.h>

#include <mutex>
#include <set>

namespace parley {
namespace {

// Never destroyed, since a worker may still run while the process ends.
struct Table {
  std::mutex mutex;
  std::multiset<std::string> files;
  std::multiset<pid_t> children;
};
Table& table() {
  static auto* t = new Table;
  return *t;
}

}  // namespace

UnfinishedFile::UnfinishedFile(std::string path) : path_(std::move(path)) {
  const std::lock_guard lock(table().mutex);
  table().files.insert(path_);
}

UnfinishedFile::~UnfinishedFile() {
  const std::lock_guard lock(table().mutex);
  table().files.erase(table().files.find(path_));
}

RunningChild::RunningChild(pid_t child) : child_(child) {
  const std::lock_guard lock(table().mutex);
  table().children.insert(child_);
}

RunningChild::~RunningChild() {
  const std::lock_guard lock(table().mutex);
  table().children.erase(table().children.find(child_));
}

void remove_leftovers() noexcept {
  // The lock is kept. Its holder may be the very code that a signal interrupted; then nothing changes any
  // more.
  for (int i = 0; i < 100 && !table().mutex.try_lock(); ++i) usleep(1000);
  for (const std::string& file : table().files) unlink(file.c_str());
  for (const pid_t child : table().children) {
    kill(-child, SIGKILL);  // its group, if it leads one
    kill(child, SIGKILL);
  }
}

}  // namespace parley
