#include "temporary_folder.h"

#include <cstdlib>
#include <filesystem>
#include <memory>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tally::test {
namespace {

TEST(TemporaryFolder, IsRemovedByItsDestructor) {
  auto folder = std::make_unique<TemporaryFolder>();
  const std::filesystem::path file = folder->write("file", "text");
  EXPECT_TRUE(std::filesystem::exists(file));
  folder.reset();
  EXPECT_FALSE(std::filesystem::exists(file.parent_path()));
}

TEST(TemporaryFolder, OutlivesAForkedProcessThatDestroysItsCopy) {
  auto folder = std::make_unique<TemporaryFolder>();
  const std::filesystem::path file = folder->write("file", "text");
  const pid_t child = fork();
  if (child == 0) {
    folder.reset();
    _exit(0);
  }
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  EXPECT_TRUE(std::filesystem::exists(file));
}

}  // namespace
}  // namespace tally::test
