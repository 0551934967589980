#include "files/file_lock.h"

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "temporary_folder.h"

namespace tally::fake::detail {

namespace {

class LockedFile : public testing::Test {
 protected:
  /// Null if the lock is held.
  [[nodiscard]] std::unique_ptr<FileLock> taken() const {
    try {
      return std::make_unique<FileLock>(name);
    } catch (const std::system_error& problem) {
      EXPECT_EQ(problem.code().value(), EWOULDBLOCK) << problem.what();
      return nullptr;
    }
  }

  test::TemporaryFolder folder{};
  std::string name = (folder.path() / "lock").string();
};

TEST_F(LockedFile, ExistsOnlyWhileTheLockIsHeld) {
  auto lock = taken();
  ASSERT_NE(lock, nullptr);
  EXPECT_TRUE(std::filesystem::exists(name));
  EXPECT_EQ(taken(), nullptr);
  lock.reset();
  EXPECT_FALSE(std::filesystem::exists(name));
  EXPECT_NE(taken(), nullptr);
}

TEST_F(LockedFile, StaysLockedWhenAnotherStreamClosesIt) {
  const auto lock = taken();
  std::ifstream{name}.get();
  EXPECT_EQ(taken(), nullptr);
}

TEST_F(LockedFile, CanBeLockedIfAKilledHolderLeftItBehind) {
  std::ofstream{name} << "";
  EXPECT_NE(taken(), nullptr);
}

TEST_F(LockedFile, IsRefusedIfItIsASymbolicLink) {
  std::filesystem::create_symlink("elsewhere", name);
  EXPECT_THROW(FileLock{name}, std::system_error);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "elsewhere"));
}

/// One thread may remove the file while another opens it, and a third creates it again.
TEST_F(LockedFile, HasAtMostOneHolderAtATime) {
  std::atomic<int> holders = 0;
  std::atomic<int> times = 0;
  std::atomic<bool> shared = false;
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < 4; ++thread)
    threads.emplace_back([&] {
      for (int round = 0; round < 5'000; ++round) {
        const auto lock = taken();
        if (lock == nullptr) continue;
        if (++holders > 1) shared = true;
        for (int others = 0; others < 10; ++others)
          std::this_thread::yield();
        ++times;
        --holders;
      }
    });
  threads.clear();
  EXPECT_GT(times, 0);
  EXPECT_FALSE(shared);
}

}  // namespace

}  // namespace tally::fake::detail
