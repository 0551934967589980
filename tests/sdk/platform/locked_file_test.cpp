#include "platform/locked_file.h"

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <system_error>

#include <gtest/gtest.h>

#include "wire/temporary_folder.h"

namespace tally::detail {
namespace {

using std::filesystem::perms;

class LockedFiles : public testing::Test {
 protected:
  LockedFiles() { std::ofstream{guarded} << "data"; }

  /// Why the file can't be locked; no error if it can.
  [[nodiscard]] std::error_code problem() const {
    try {
      const LockedFile another{file, guarded};
      return {};
    } catch (const std::system_error& error) {
      return error.code();
    }
  }

  test::TemporaryFolder folder{};
  std::filesystem::path guarded = folder.path() / "database";
  std::string file = folder.path() / "database-lock";
};

TEST_F(LockedFiles, CanBeLockedOnlyOnceAtATime) {
  std::optional<LockedFile> first;
  first.emplace(file, guarded);
  EXPECT_EQ(problem(), std::errc::operation_would_block);
  first.reset();
  EXPECT_EQ(problem(), std::error_code{});
}

TEST_F(LockedFiles, StayLockedWhenTheyAreReadElsewhere) {
  const LockedFile first{file, guarded};
  {
    const std::ifstream reader{file};
  }
  EXPECT_EQ(problem(), std::errc::operation_would_block);
}

TEST_F(LockedFiles, HaveThePermissionsOfTheFilesThatTheyGuard) {
  std::filesystem::permissions(guarded, perms{0660});
  const LockedFile locked{file, guarded};
  EXPECT_EQ(std::filesystem::status(file).permissions(), perms{0660});
}

TEST_F(LockedFiles, CanBeLockedBeforeTheFilesThatTheyGuardExist) {
  std::filesystem::remove(guarded);
  const LockedFile locked{file, guarded};
  EXPECT_TRUE(std::filesystem::is_regular_file(file));
}

TEST_F(LockedFiles, CannotBeSymbolicLinks) {
  std::filesystem::create_symlink(guarded, file);
  EXPECT_THROW((LockedFile{file, guarded}), LockedFile::OpenFailed);
}

}  // namespace
}  // namespace tally::detail
