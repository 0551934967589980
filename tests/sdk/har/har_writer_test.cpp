#include "har/har_writer.h"

#include <csignal>
#include <cstdint>
#include <filesystem>
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
#include "har/har_splitter.h"
#include "har/har_text.h"
#include "wire/temporary_folder.h"

namespace tally::detail {

namespace {

using testing::HasSubstr;

Exchange numbered(std::uint64_t number) {
  return {.method = "GET", .url = "/" + std::to_string(number), .status = 200, .responseBody = "{}"};
}

struct ReadEntries {
  std::uint64_t entries = 0;
  bool cutOff = false;
};

/// Fails the test if the entries are not in order.
ReadEntries readEntries(std::istream& in) {
  HarReader reader{in};
  while (const auto exchange = reader.next())
    EXPECT_EQ(*exchange, numbered(reader.count()));
  return {.entries = reader.count(), .cutOff = reader.cutOff()};
}

/// Fails the test if the file is not complete.
std::uint64_t entriesIn(const std::string& file) {
  std::ifstream in{file, std::ios::binary};
  const ReadEntries read = readEntries(in);
  EXPECT_FALSE(read.cutOff);
  return read.entries;
}

std::string contentOf(const std::string& file) {
  std::stringstream content;
  content << std::ifstream{file, std::ios::binary}.rdbuf();
  return content.str();
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

/// Another process that writes entries to `name`, and then does what `then` says for as long as it lives.
class WritingProcess {
 public:
  enum class Then : std::uint8_t { waits, writesOn };

  WritingProcess(const std::string& name, std::uint64_t writes, Then then) {
    int written[2] = {};
    if (pipe(written) != 0) throw std::runtime_error{"can't create a pipe"};
    child_ = fork();
    if (child_ == 0) run(name, writes, then, written[1]);
    close(written[1]);
    written_ = written[0];
  }
  WritingProcess(const WritingProcess&) = delete;
  WritingProcess& operator=(const WritingProcess&) = delete;
  ~WritingProcess() { close(written_); }

  /// Kills the process once it has written its entries.
  void killAfterItsWrites() const {
    char mark = '\0';
    EXPECT_EQ(read(written_, &mark, 1), 1) << "the process can't write";
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }

 private:
  [[noreturn]] static void run(const std::string& name, std::uint64_t writes, Then then, int written) {
    HarWriter writer{name};
    for (std::uint64_t number = 1; number <= writes; ++number)
      writer.write(numbered(number));
    if (write(written, ".", 1) != 1) _exit(1);
    while (then == Then::waits)
      pause();
    for (std::uint64_t number = writes + 1;; ++number)
      writer.write(numbered(number));
  }

  pid_t child_ = 0;
  int written_ = -1;
};

TEST_F(HarWriterTest, LeavesACompleteFileWhenItsProcessIsKilledBetweenWrites) {
  for (const std::uint64_t writes : {1U, 10U, 100U}) {
    const std::string name = file(std::to_string(writes).c_str());
    WritingProcess{name, writes, WritingProcess::Then::waits}.killAfterItsWrites();
    EXPECT_EQ(entriesIn(name), writes);
  }
}

/// The system may end the write in progress between two pages.
TEST_F(HarWriterTest, LosesNoWrittenEntryWhenItsProcessIsKilledDuringAWrite) {
  for (const std::uint64_t writes : {1U, 10U, 100U}) {
    const std::string name = file(std::to_string(writes).c_str());
    WritingProcess{name, writes, WritingProcess::Then::writesOn}.killAfterItsWrites();
    std::ifstream in{name, std::ios::binary};
    EXPECT_GE(readEntries(in).entries, writes);
  }
}

/// As the system leaves a file if it ends a write between two pages.
TEST_F(HarWriterTest, LosesNoWrittenEntryWhenAWriteEndsBetweenTwoPages) {
  constexpr std::size_t page = 4'096;
  for (std::size_t length = page - 512; length < page; ++length) {
    const std::string name = file(std::to_string(length).c_str());
    HarWriter writer{name};
    writer.writeEntry("{\"a\":\"" + std::string(length, 'x') + "\"}");
    const std::string before = contentOf(name);
    writer.writeEntry("{\"a\":\"" + std::string(page, 'x') + "\"}");
    const std::string after = contentOf(name);
    for (std::size_t at = page; at < after.size(); at += page) {
      std::istringstream in{after.substr(0, at) + (at < before.size() ? before.substr(at) : "")};
      HarSplitter splitter{in};
      EXPECT_TRUE(splitter.next()) << "after an entry of " << length << " bytes, up to byte " << at;
      EXPECT_EQ(splitter.next().has_value(), at + harEnd.size() >= after.size());
    }
    std::filesystem::remove(name);
  }
}

}  // namespace

}  // namespace tally::detail
