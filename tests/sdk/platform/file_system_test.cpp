#include "platform/file_system.h"

#include <gtest/gtest.h>

namespace tally::detail {
namespace {

TEST(FileSystem, IsRecognizedAsRemoteByItsType) {
  EXPECT_TRUE(isOnNetwork(0x6969));
  EXPECT_TRUE(isOnNetwork(0xFF534D42));
  EXPECT_FALSE(isOnNetwork(0xEF53));      // ext4
  EXPECT_FALSE(isOnNetwork(0x01021994));  // tmpfs
  EXPECT_FALSE(isOnNetwork(0x794C7630));  // overlayfs
}

TEST(FileSystem, IsConsideredLocalIfTheFileDoesNotExist) {
  EXPECT_FALSE(isOnNetwork(std::filesystem::temp_directory_path() / "no-such-file"));
  EXPECT_FALSE(isOnNetwork(std::filesystem::path{"/no/such/folder/no-such-file"}));
}

}  // namespace
}  // namespace tally::detail
