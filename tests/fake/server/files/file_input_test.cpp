#include "files/file_input.h"

#include <gtest/gtest.h>

#include "temporary_folder.h"

namespace tally::fake::detail {

namespace {

/// Some editors begin files with it.
TEST(FileInput, OmitsAByteOrderMark) {
  const test::TemporaryFolder folder;
  EXPECT_EQ(contentsOf(folder.write("marked", "\xEF\xBB\xBF{}")), "{}");
  EXPECT_EQ(contentsOf(folder.write("twice", "\xEF\xBB\xBF\xEF\xBB\xBF")), "\xEF\xBB\xBF");
  EXPECT_EQ(contentsOf(folder.write("begun", "\xEF\xBB")), "\xEF\xBB");
  EXPECT_EQ(contentsOf(folder.write("empty", "")), "");
}

}  // namespace

}  // namespace tally::fake::detail
