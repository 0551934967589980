#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "arguments.h"
#include "output.h"
#include "support/disk_syncs.h"
#include "temporary_folder.h"

namespace tally::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class RefusedRows : public testing::Test {
 protected:
  /// Writes rows as a run does, in this order. Returns why the file lacks rows.
  std::string write(const std::vector<std::uint64_t>& rows) {
    detail::RefusedRows refused{path, {"id", "outcome", "time"}};
    const Report report{.id = "pr_1", .outcome = "failed"};
    const std::string reason = "no";
    for (const std::uint64_t row : rows)
      refused.add(row + 2, {.row = row, .report = report, .end = ReportEnd::refused, .reason = reason},
                  std::nullopt);
    std::string problem = refused.finish();
    earlier = refused.earlier();
    return problem;
  }
  [[nodiscard]] std::string contents() const {
    std::ifstream file{path};
    return {std::istreambuf_iterator<char>{file}, {}};
  }

  TemporaryFolder folder{};
  std::string path = folder.path() / "refused.csv";
  std::string earlier{};  // the new name of the file of an earlier run
};

/// A person who has the file may remove the journal, without which it can't be made again.
TEST_F(RefusedRows, AreOnTheDiskOnceTheRunHasEnded) {
  const int before = diskSyncs();
  EXPECT_THAT(write({0}), IsEmpty());
  EXPECT_GE(diskSyncs(), before + 2);  // of the file and its folder
}

TEST_F(RefusedRows, DoNotReplaceThoseOfAnEarlierRunIfTheDiskFails) {
  EXPECT_THAT(write({0}), IsEmpty());
  const std::string first = contents();
  {
    const FailingDiskSyncs failing;
    EXPECT_EQ(write({1}), "can't write " + path);
  }
  EXPECT_EQ(contents(), first);
  EXPECT_THAT(earlier, IsEmpty());
}

/// A second file with the same rows would invite people to report both.
TEST_F(RefusedRows, StayAsTheyAreIfALaterRunDeliversThemInAnotherOrder) {
  EXPECT_THAT(write({2, 0, 1}), IsEmpty());
  const std::string first = contents();
  EXPECT_THAT(write({0, 1, 2}), IsEmpty());
  EXPECT_THAT(earlier, IsEmpty());
  EXPECT_EQ(contents(), first);
  EXPECT_FALSE(std::filesystem::exists(path + ".part"));
  EXPECT_THAT(write({0, 1}), IsEmpty());
  EXPECT_EQ(earlier, path + ".1");
  EXPECT_THAT(contents(), AllOf(HasSubstr("\"2\",\"3\""), testing::Not(HasSubstr("\"3\",\"4\""))));
}

/// They may have one name if several jobs are run one after another.
TEST_F(RefusedRows, AreNotWrittenByTwoRunsAtOnce) {
  detail::RefusedRows first{path, {"id"}};
  const Report report{.id = "pr_1", .outcome = "failed"};
  const std::string reason = "no";
  first.add(2, {.report = report, .end = ReportEnd::refused, .reason = reason}, std::nullopt);
  EXPECT_THAT([&] { (void)write({1}); },
              testing::ThrowsMessage<detail::UsageError>(
                  path + ".part is being written by another run; name another file with --refused"));
  EXPECT_THAT(first.finish(), IsEmpty());
  EXPECT_THAT(contents(), HasSubstr("\"1\",\"2\""));
  EXPECT_THAT(write({1}), IsEmpty());
}

TEST_F(RefusedRows, TakeThePlaceOfThoseThatAKilledRunHasLeft) {
  (void)folder.write("refused.csv.part", "row,li");
  EXPECT_THAT(write({0}), IsEmpty());
  EXPECT_THAT(contents(), testing::StartsWith("\"row\",\"line\""));
}

}  // namespace
}  // namespace tally::test
