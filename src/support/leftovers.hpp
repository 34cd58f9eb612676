// What must not outlive the process: files that are not finished, and child processes. Whoever makes one
// holds a guard; the guard's end forgets it. If the process ends another way (a signal, a limit), the
// supervisor of the command line calls remove_leftovers first. Used by support/write_file.cpp and by whoever
// starts other programs. Not for files that the user asked for and that are complete.
#pragma once

#include <sys/types.h>

#include <string>

namespace parley {

class UnfinishedFile {
 public:
  explicit UnfinishedFile(std::string path);
  ~UnfinishedFile();  // the file itself is the owner's business
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;

 private:
  std::string path_;
};

class RunningChild {
 public:
  explicit RunningChild(pid_t child);
  ~RunningChild();  // the owner has waited for it
  RunningChild(const RunningChild&) = delete;
  RunningChild& operator=(const RunningChild&) = delete;

 private:
  pid_t child_;
};

// Removes the files and kills the children. What is made from now on waits for ever: the process is ending.
void remove_leftovers() noexcept;

}  // namespace parley
