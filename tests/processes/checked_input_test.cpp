// The input of tally-report, if it changes between two reads. No test can stop the program at such a moment.

#include <string>

#include <tally/report_reader.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program/input.h"
#include "temporary_folder.h"

namespace tally::test {
namespace {

using detail::CheckedInput;
using detail::CheckedRows;
using detail::checkRows;

class CheckedInputOfAFile : public testing::Test {
 protected:
  [[nodiscard]] std::string write(const std::string& outcome) const {
    return folder.write("outcomes.csv", "id,outcome,time\npr_1," + outcome + ",1767225600\n");
  }

  TemporaryFolder folder{};
  std::string file = write("canceled");
  CheckedRows checked = checkRows(file, false);
};

TEST_F(CheckedInputOfAFile, IsRefusedIfTheFileChangesAfterTheCheck) {
  EXPECT_NO_THROW((CheckedInput{file, checked}));
  (void)write("guaranteed");
  EXPECT_THAT([&] { (CheckedInput{file, checked}); },
              testing::ThrowsMessage<ReportFileError>("the file changed while it was checked; nothing has "
                                                      "been sent"));
}

TEST_F(CheckedInputOfAFile, NoticesAChangeAfterTheLastRow) {
  CheckedInput input{file, checked};
  for (auto row = input.begin(); row != input.end(); ++row)
    EXPECT_TRUE((*row).has_value());
  EXPECT_FALSE(input.hasChanged());
  (void)write("guaranteed");
  EXPECT_TRUE(input.hasChanged());
}

}  // namespace
}  // namespace tally::test
