#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/server/support/peer.h"
#include "fake/server/support/program.h"
#include "fake/server/support/recorded.h"
#include "temporary_folder.h"

namespace tally::test {

namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;

constexpr const char* records = "/v1/payment_records?limit=1";

/// The port at the end of a line of output.
std::uint16_t portIn(const std::string& line) {
  return static_cast<std::uint16_t>(std::stoul(line.substr(line.rfind(':') + 1)));
}

class RecordingPrograms : public testing::Test {
 protected:
  [[nodiscard]] std::string file() const { return (folder_.path() / "run.har").string(); }
  [[nodiscard]] std::vector<std::string> recorder(std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments{"record", "--upstream", greeting_.url, "--out", file(), "--port", "0"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  [[nodiscard]] std::string listedAt(std::uint16_t port) const {
    Peer peer{port};
    peer.send(getBytes(records, greeting_.sandboxKey));
    return peer.response();
  }
  static std::string complaint(const std::vector<std::string>& arguments, int status) {
    Program program{arguments};
    EXPECT_EQ(program.status(), status);
    return program.errorLine();
  }

 private:
  TemporaryFolder folder_{};
  Program fake_{{"--port", "0", "--records", "2"}};
  Greeting greeting_ = greetingOf(fake_.line());
};

TEST_F(RecordingPrograms, RecordAndReplayAResponse) {
  Program recording{recorder()};
  const std::string recorded = listedAt(portIn(recording.line()));
  EXPECT_THAT(recorded, StartsWith("HTTP/1.1 200 "));
  recording.signal(SIGTERM);
  EXPECT_EQ(recording.status(), 0);
  Program replaying{{"replay", file(), "--port", "0"}};
  const std::string line = replaying.line();
  EXPECT_THAT(line, StartsWith("tally-fake replays 1 request from " + file() + " on http://127.0.0.1:"));
  EXPECT_EQ(listedAt(portIn(line)), recorded);
  replaying.signal(SIGTERM);
  EXPECT_EQ(replaying.status(), 0);
}

TEST_F(RecordingPrograms, LoseNoExchangeWhenKilled) {
  Program recording{recorder()};
  const std::uint16_t port = portIn(recording.line());
  for (int i = 0; i < 5; ++i)
    (void)listedAt(port);
  recording.signal(SIGKILL);
  EXPECT_EQ(recording.status(), -1);
  EXPECT_THAT(exchangesIn(file()), SizeIs(5));
}

TEST_F(RecordingPrograms, StopWhenTheRecordingCannotBeWritten) {
  Program recording{recorder()};
  const std::uint16_t port = portIn(recording.line());
  recording.limitFileSize(1'000);
  EXPECT_THAT(listedAt(port), StartsWith("HTTP/1.1 503 "));
  EXPECT_EQ(recording.status(), 1);
  EXPECT_EQ(recording.errorLine(), "tally-fake record: the recording ended after 0 requests: can't write " +
                                       file() + ": File too large");
}

TEST_F(RecordingPrograms, InjectFaults) {
  Program recording{recorder({"--fault", R"({"error":"rate_limit"})"})};
  EXPECT_THAT(listedAt(portIn(recording.line())), StartsWith("HTTP/1.1 429 "));
}

TEST_F(RecordingPrograms, ReportInvalidArguments) {
  EXPECT_EQ(complaint({"record", "--out", file()}, 2),
            "tally-fake record: --upstream is missing; see tally-fake record --help");
  EXPECT_EQ(complaint({"record", "--upstream", "http://a"}, 2),
            "tally-fake record: --out is missing; see tally-fake record --help");
  EXPECT_EQ(
      complaint({"record", "--upstraem=a"}, 2),
      "tally-fake record: unknown argument '--upstraem'; did you mean '--upstream'? See tally-fake record "
      "--help");
  EXPECT_THAT(complaint(recorder({"--fault", R"({"fault":"resett"})"}), 2),
              HasSubstr("--fault {\"fault\":\"resett\"}: "));
  EXPECT_THAT(complaint(recorder({"--fault", R"({"operation":"payouts.pay","fault":"reset"})"}), 1),
              HasSubstr("unknown operation 'payouts.pay'"));
  EXPECT_EQ(complaint(recorder({"--timeout", "0", "--address", "nowhere"}), 2),
            "tally-fake record: --timeout takes at least 1 second; see tally-fake record --help");
  EXPECT_EQ(complaint({"replay"}, 2),
            "tally-fake replay: the name of a recording is missing; see tally-fake replay "
            "--help");
  EXPECT_EQ(complaint({"replay", "a", "b"}, 2),
            "tally-fake replay: unknown argument 'b'; see tally-fake replay --help");
  EXPECT_THAT(complaint({"replay", "/nowhere.har"}, 1), HasSubstr("can't read /nowhere.har"));
  Program existing{recorder()};
  (void)existing.line();
  EXPECT_THAT(complaint(recorder(), 1),
              EndsWith("run.har exists; remove it, or name another file for the recording"));
}

/// The next attempt would have to name another one.
TEST_F(RecordingPrograms, LeaveNoRecordingThatCouldNotBegin) {
  const std::vector<std::vector<std::string>> mistakes{{"--address", "nowhere"},
                                                       {"--ready-file", "/nowhere/ready"},
                                                       {"--tls-cert", "/nowhere", "--tls-key", "/nowhere"},
                                                       {"--fault", R"({"operation":"pay","fault":"reset"})"}};
  for (const auto& mistake : mistakes) {
    (void)complaint(recorder(mistake), 1);
    EXPECT_FALSE(std::filesystem::exists(file())) << mistake.front();
    std::filesystem::remove(file());
  }
}

TEST_F(RecordingPrograms, RefuseAReadyFileThatAnotherOptionNames) {
  const std::string same = " and --ready-file name the same file; see tally-fake ";
  for (const std::string option : {"--upstream-ca", "--tls-cert", "--tls-key"}) {
    std::vector<std::string> arguments = recorder({"--ready-file", "/nowhere/x", option, "/nowhere/x"});
    if (option == "--tls-cert") arguments.insert(arguments.end(), {"--tls-key", "other"});
    if (option == "--tls-key") arguments.insert(arguments.end(), {"--tls-cert", "other"});
    EXPECT_EQ(complaint(arguments, 2), "tally-fake record: " + option + same + "record --help");
  }
  EXPECT_EQ(complaint(recorder({"--address", "nowhere", "--ready-file", file()}), 2),
            "tally-fake record: --out" + same + "record --help");
  EXPECT_EQ(complaint({"replay", file(), "--ready-file", file()}, 2),
            "tally-fake replay: the recording" + same + "replay --help");
}

TEST_F(RecordingPrograms, PrintTheirHelp) {
  for (const char* const command : {"record", "replay"}) {
    Program help{{command, "--help"}};
    EXPECT_THAT(help.rest(), StartsWith("usage: tally-fake " + std::string{command} + " "));
    EXPECT_EQ(help.status(), 0);
  }
}

}  // namespace

}  // namespace tally::test
