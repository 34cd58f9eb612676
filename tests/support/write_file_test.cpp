// Files are there as they were or as they are to be, whatever happens in between.
#include "support/write_file.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/leftovers.hpp"

namespace parley {
namespace {

namespace fs = std::filesystem;

class WriteFile : public testing::Test {
 protected:
  WriteFile() : folder_(fs::temp_directory_path() / ("write-file-" + std::to_string(getpid()))) {
    fs::create_directory(folder_);
  }
  ~WriteFile() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  static std::string content(const std::string& path) {
    std::ifstream in(path);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  const fs::path folder_;
};

TEST_F(WriteFile, MakesAndReplaces) {
  EXPECT_EQ(write_file(path("a"), "one"), "");
  EXPECT_EQ(content(path("a")), "one");
  EXPECT_EQ(write_file(path("a"), "two"), "");
  EXPECT_EQ(content(path("a")), "two");
  EXPECT_EQ(files(), 1u);
}

TEST_F(WriteFile, KeepsPermissions) {
  ASSERT_EQ(write_file(path("a"), "one"), "");
  ASSERT_EQ(chmod(path("a").c_str(), 0640), 0);
  ASSERT_EQ(write_file(path("a"), "two"), "");
  struct stat found {};
  ASSERT_EQ(stat(path("a").c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 07777, 0640u);
}

TEST_F(WriteFile, NewFilesFollowTheUmask) {
  const mode_t before = umask(027);
  ASSERT_EQ(write_file(path("a"), "one"), "");
  umask(before);
  struct stat found {};
  ASSERT_EQ(stat(path("a").c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 07777, 0640u);
}

TEST_F(WriteFile, FollowsSymbolicLinks) {
  fs::create_directory(folder_ / "inner");
  ASSERT_EQ(write_file(path("inner/real"), "one"), "");
  fs::create_symlink("inner/real", folder_ / "link");
  fs::create_symlink("inner/new", folder_ / "dangling");
  EXPECT_EQ(write_file(path("link"), "two"), "");
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(content(path("inner/real")), "two");
  EXPECT_EQ(write_file(path("dangling"), "three"), "");
  EXPECT_EQ(content(path("inner/new")), "three");
}

TEST_F(WriteFile, WritesDevicesDirectly) {
  EXPECT_EQ(write_file("/dev/null", "text"), "");
  EXPECT_EQ(write_file("/dev/full", "text"), "No space left on device");
}

TEST_F(WriteFile, SaysWhatIsWrong) {
  EXPECT_EQ(write_file(path("missing/a"), "text"), "No such file or directory");
  EXPECT_EQ(write_file(folder_.string(), "text"), "Is a directory");
  ASSERT_EQ(write_file(path("a"), "one"), "");
  EXPECT_EQ(write_file(path("a/b"), "text"), "Not a directory");
}

// A file size limit stands for a full disk: it fails in the middle of the text.
TEST_F(WriteFile, AFullDiskLeavesTheOldFile) {
  ASSERT_EQ(write_file(path("a"), "old"), "");
  const auto ignored = signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  rlimit small = before;
  small.rlim_cur = 100;
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string said = write_file(path("a"), std::string(1000, 'x'));
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, ignored);
  EXPECT_EQ(said, "File too large");
  EXPECT_EQ(content(path("a")), "old");
  EXPECT_EQ(files(), 1u);  // nothing beside it
}

TEST_F(WriteFile, LeftoversAreRemovedAtTheEnd) {
  const std::string unfinished = path("unfinished"), finished = path("finished");
  std::ofstream(unfinished) << "half";
  std::ofstream(finished) << "whole";
  EXPECT_EXIT(
      {
        { const UnfinishedFile was(finished); }
        const UnfinishedFile is(unfinished);
        remove_leftovers();
        _exit(7);
      },
      testing::ExitedWithCode(7), "");
  EXPECT_FALSE(fs::exists(unfinished));
  EXPECT_TRUE(fs::exists(finished));
}

}  // namespace
}  // namespace parley
