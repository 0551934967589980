#include "har/har_writer.h"

#include <csignal>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "har/har_reader.h"
#include "wire/temporary_folder.h"

namespace tally::detail {

namespace {

using testing::HasSubstr;

Exchange numbered(std::uint64_t number) {
  return {.method = "GET", .url = "/" + std::to_string(number), .status = 200, .responseBody = "{}"};
}

/// Fails the test if the file is not complete. Returns how many entries it has, in order.
std::uint64_t entriesIn(const std::string& file) {
  std::ifstream in{file, std::ios::binary};
  HarReader reader{in};
  while (const auto exchange = reader.next())
    EXPECT_EQ(*exchange, numbered(reader.count()));
  EXPECT_FALSE(reader.cutOff());
  return reader.count();
}

std::string problemOf(const auto& action) {
  try {
    action();
  } catch (const std::runtime_error& problem) {
    return problem.what();
  }
  return "none";
}

class HarWriterTest : public testing::Test {
 protected:
  [[nodiscard]] std::string file(const char* name = "run.har") const {
    return (folder_.path() / name).string();
  }

 private:
  test::TemporaryFolder folder_{};
};

TEST_F(HarWriterTest, LeavesACompleteFileAfterEachEntry) {
  HarWriter writer{file()};
  EXPECT_EQ(entriesIn(file()), 0U);
  for (std::uint64_t count = 1; count <= 3; ++count) {
    writer.write(numbered(count));
    EXPECT_EQ(entriesIn(file()), count);
    EXPECT_EQ(writer.count(), count);
  }
}

TEST_F(HarWriterTest, KeepsAnExistingFile) {
  {
    std::ofstream{file()} << "mine";
  }
  EXPECT_EQ(problemOf([&] { const HarWriter writer{file()}; }),
            file() + " exists; remove it, or name another file for the recording");
  std::ostringstream kept;
  kept << std::ifstream{file()}.rdbuf();
  EXPECT_EQ(kept.str(), "mine");
}

TEST_F(HarWriterTest, ReportsWhyItCannotCreateAFile) {
  EXPECT_EQ(problemOf([&] { const HarWriter writer{file("missing/run.har")}; }),
            "can't create " + file("missing/run.har") + ": No such file or directory");
}

TEST_F(HarWriterTest, MakesTheFileReadableOnlyByItsOwner) {
  const HarWriter writer{file()};
  struct stat status{};
  ASSERT_EQ(stat(file().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
}

/// The first bytes of an entry fit on the disk, the others don't.
TEST_F(HarWriterTest, KeepsACompleteFileWhenTheDiskIsFull) {
  const pid_t child = fork();
  if (child == 0) {
    HarWriter writer{file()};
    writer.write(numbered(1));
    struct stat status{};
    stat(file().c_str(), &status);
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit unlimited{};
    getrlimit(RLIMIT_FSIZE, &unlimited);
    const rlimit limit{static_cast<rlim_t>(status.st_size) + 100, unlimited.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
    const std::string first = problemOf([&] { writer.write(numbered(2)); });
    setrlimit(RLIMIT_FSIZE, &unlimited);
    const std::string second = problemOf([&] { writer.write(numbered(2)); });
    _exit(first == "can't write " + file() + ": File too large" && second == first ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0) << "the first write and all later ones say why they fail";
  EXPECT_EQ(entriesIn(file()), 1U);
}

TEST_F(HarWriterTest, LosesNoWrittenEntryWhenItsProcessIsKilled) {
  for (const int writes : {1, 10, 100}) {
    const std::string name = file(std::to_string(writes).c_str());
    int written[2] = {};
    ASSERT_EQ(pipe(written), 0);
    const pid_t child = fork();
    if (child == 0) {
      HarWriter writer{name};
      for (std::uint64_t number = 1;; ++number) {
        writer.write(numbered(number));
        if (write(written[1], ".", 1) != 1) _exit(1);
      }
    }
    close(written[1]);
    for (int left = writes; left > 0; --left) {
      char mark = '\0';
      ASSERT_EQ(read(written[0], &mark, 1), 1);
    }
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    close(written[0]);
    EXPECT_GE(entriesIn(name), static_cast<std::uint64_t>(writes));
  }
}

}  // namespace

}  // namespace tally::detail
