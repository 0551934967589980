#include "fake/server/support/program.h"

#include <csignal>
#include <deque>
#include <fstream>

#include <tally/fake/service.h>
#include <tally/tally.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/server/support/peer.h"

namespace tally::test {

namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;

const std::string recordsPath = "/v1/payment_records";

/// Blocks a signal. Programs started meanwhile inherit the block, so the signal is pending from the
/// beginning.
class BlockedSignal {
 public:
  explicit BlockedSignal(int number) {
    sigemptyset(&signals_);
    sigaddset(&signals_, number);
    pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
  }
  BlockedSignal(const BlockedSignal&) = delete;
  BlockedSignal& operator=(const BlockedSignal&) = delete;
  ~BlockedSignal() { pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr); }

 private:
  sigset_t signals_{};
};

TEST(TallyFake, SaysWhereItIsAndServesItsFirstAccount) {
  Program program{{"--port", "0", "--records", "12"}};
  const Greeting greeting = greetingOf(program.line());
  const Client client{{.apiKey = greeting.sandboxKey, .baseUrl = greeting.url}};
  int listed = 0;
  for (const auto& record : client.paymentRecords().list()) {
    ASSERT_TRUE(record) << record.error();
    ++listed;
  }
  EXPECT_EQ(listed, 12);
  const Client live{{.apiKey = greeting.liveKey, .baseUrl = greeting.url}};
  for (const auto& record : live.paymentRecords().list())
    FAIL() << (record ? record.value().id.str() : record.error().message());
  EXPECT_EQ(client.paymentRecords().retrieve("pr_none").error().status(), 404);
}

TEST(TallyFake, ASeedGivesTheSameKeys) {
  const auto keyOf = [](const std::vector<std::string>& arguments) {
    return greetingOf(Program{arguments}.line()).sandboxKey;
  };
  EXPECT_EQ(keyOf({"--port=0", "--seed=7"}), keyOf({"--port", "0", "--seed", "7"}));
  EXPECT_NE(keyOf({"--port=0", "--seed=7"}), keyOf({"--port=0", "--seed=8"}));
}

TEST(TallyFake, EndsCleanlyOnASignal) {
  for (const int number : {SIGTERM, SIGINT}) {
    Program program{{"--port", "0"}};
    const Greeting greeting = greetingOf(program.line());
    Peer peer{greeting.port};
    ASSERT_TRUE(peer.send(getBytes(recordsPath, greeting.sandboxKey)));
    EXPECT_THAT(peer.response(), StartsWith("HTTP/1.1 200 OK\r\n"));
    program.signal(number);
    EXPECT_EQ(peer.rest(), "");
    EXPECT_EQ(program.rest(), "");
    EXPECT_EQ(program.status(), 0);
  }
}

/// Creating a million records would take longer than the permitted CPU time.
TEST(TallyFake, EndsCleanlyOnASignalWhileItIsFilled) {
  const std::string file = testing::TempDir() + "tally_large_scenario.json";
  std::ofstream{file} << R"({"accounts":[{"records":[{"resource":"payout","count":1000000}]}]})";
  const std::vector<std::vector<std::string>> fillings{{"--port", "0", "--records", "1000000"},
                                                       {"--port", "0", "--scenario", file}};
  for (const auto& arguments : fillings)
    for (const int number : {SIGTERM, SIGINT}) {
      const BlockedSignal blocked{number};
      Program program{arguments};
      program.limitWork(std::chrono::seconds{1});
      program.signal(number);
      EXPECT_EQ(program.rest(), "") << "it listens";
      EXPECT_EQ(program.status(), 0);
    }
}

TEST(TallyFake, KeepsSoManyRequestsInItsLog) {
  Program program{{"--port", "0", "--request-log", "2"}};
  const Greeting greeting = greetingOf(program.line());
  Peer peer{greeting.port};
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(peer.send(getBytes(recordsPath, greeting.sandboxKey)));
    EXPECT_THAT(peer.response(), StartsWith("HTTP/1.1 200 OK\r\n"));
  }
  ASSERT_TRUE(peer.send(getBytes("/_fake/requests", greeting.sandboxKey)));
  EXPECT_THAT(peer.response(), HasSubstr("\"dropped\":3"));
}

TEST(TallyFake, OutlivesMoreConnectionsThanItMayOpen) {
  Program program{{"--port", "0", "--no-limits"}};
  const Greeting greeting = greetingOf(program.line());
  program.limitFiles(20);
  const std::string request = getBytes(recordsPath, greeting.sandboxKey);
  std::deque<Peer> peers;
  for (int i = 0; i < 40; ++i) {
    peers.emplace_back(greeting.port);
    ASSERT_TRUE(peers.back().send(request));
  }
  EXPECT_THAT(peers.front().response(), StartsWith("HTTP/1.1 200 OK\r\n"));
  while (peers.size() > 1)
    peers.pop_front();
  EXPECT_THAT(peers.back().response(), StartsWith("HTTP/1.1 200 OK\r\n"));
}

TEST(TallyFake, ItsClockIsTheMachinesUnlessItIsVirtual) {
  const auto createdNow = [](const std::vector<std::string>& arguments) {
    Program program{arguments};
    const Greeting greeting = greetingOf(program.line());
    const Client client{{.apiKey = greeting.sandboxKey, .baseUrl = greeting.url}};
    return client.payouts().create({.amount = 5, .currency = "eur"}).value().created;
  };
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  EXPECT_GE(createdNow({"--port", "0"}), now);
  EXPECT_EQ(createdNow({"--port", "0", "--virtual-clock"}), tally::fake::ServiceOptions{}.start);
}

TEST(TallyFake, KeepsLimitsUnlessToldNotTo) {
  const auto refusals = [](const std::vector<std::string>& arguments) {
    Program program{arguments};
    const Greeting greeting = greetingOf(program.line());
    const Client client{{.apiKey = greeting.sandboxKey, .baseUrl = greeting.url}};
    int refused = 0;
    for (int i = 0; i < 30; ++i)
      if (!client.payouts().retrieve("po_none") &&
          client.payouts().retrieve("po_none").error().status() == 429)
        ++refused;
    return refused;
  };
  EXPECT_GT(refusals({"--port", "0", "--virtual-clock"}), 0);
  EXPECT_EQ(refusals({"--port", "0", "--virtual-clock", "--no-limits"}), 0);
}

TEST(TallyFake, ServesItsControlUnlessToldNotTo) {
  const auto status = [](const std::vector<std::string>& arguments) {
    Program program{arguments};
    const Greeting greeting = greetingOf(program.line());
    Peer peer{greeting.port};
    peer.send(getBytes("/_fake/clock", greeting.liveKey));
    return peer.response().substr(0, 12);
  };
  EXPECT_EQ(status({"--port", "0"}), "HTTP/1.1 200");
  EXPECT_EQ(status({"--port", "0", "--no-control"}), "HTTP/1.1 404");
}

TEST(TallyFake, BeginsWithAScenario) {
  const std::string file = testing::TempDir() + "tally_scenario.json";
  std::ofstream{file} << R"({"accounts":[{"records":[{"resource":"payout","fields":{"id":"po_known"}}]}]})";
  Program program{{"--port", "0", "--scenario", file, "--records", "2"}};
  const Greeting greeting = greetingOf(program.line());
  const Client client{{.apiKey = greeting.sandboxKey, .baseUrl = greeting.url}};
  EXPECT_TRUE(client.payouts().retrieve("po_known"));
  std::ofstream{file} << R"({"accounts":[{"records":[{"resource":"gadget"}]}]})";
  Program bad{{"--port", "0", "--scenario", file}};
  EXPECT_EQ(bad.rest(), "tally-fake: " + file + ": accounts[0].records[0]: unknown resource 'gadget'\n");
  EXPECT_EQ(bad.status(), 1);
}

TEST(TallyFake, SaysWhatIsWrongWithAScenarioInOneLine) {
  const std::string file = testing::TempDir() + "tally_bad_scenario.json";
  const auto complaint = [&](const std::string& scenario) {
    std::ofstream{file, std::ios::binary} << scenario;
    Program program{{"--port", "0", "--scenario", file}};
    const std::string text = program.rest();
    EXPECT_EQ(program.status(), 1);
    EXPECT_THAT(text, StartsWith("tally-fake: " + file + ": "));
    EXPECT_EQ(text.find('\n'), text.size() - 1);
    return text.substr(file.size() + 14, text.size() - file.size() - 15);
  };
  EXPECT_EQ(complaint(""), "line 1, column 1: this is not JSON (incomplete JSON)");
  EXPECT_EQ(complaint("{\"accounts\": ["), "line 1, column 15: this is not JSON (incomplete JSON)");
  EXPECT_THAT(complaint("{\n \"acc\xff\": []}"), StartsWith("line 2, column 6: this is not JSON ("));
  EXPECT_THAT(complaint("\xef\xbb\xbf{}"), StartsWith("line 1, column 1: this is not JSON ("));
  EXPECT_THAT(complaint(std::string(1'000'000, '[')), HasSubstr("column 33: this is not JSON (too deep)"));
  std::string deep;
  for (int i = 0; i < 100'000; ++i)
    deep += "{\"accounts\":[";
  EXPECT_THAT(complaint(deep), HasSubstr("too deep"));
  EXPECT_EQ(complaint(std::string("{}\0", 3)), "line 1, column 3: this is not JSON (extra data)");
}

TEST(TallyFake, SaysWhyItCanNotReadAScenario) {
  const auto complaint = [](const std::string& file) {
    Program program{{"--port", "0", "--scenario", file}};
    const std::string text = program.rest();
    EXPECT_EQ(program.status(), 1);
    return text;
  };
  EXPECT_EQ(complaint("/nowhere/at/all"),
            "tally-fake: can't read /nowhere/at/all: No such file or directory\n");
  EXPECT_EQ(complaint("/"), "tally-fake: can't read /: Is a directory\n");
  EXPECT_EQ(complaint(""), "tally-fake: can't read : No such file or directory\n");
  EXPECT_EQ(complaint("/dev/zero"), "tally-fake: can't read /dev/zero: larger than 64 MiB\n");
}

TEST(TallyFake, PrintsHelpAndVersion) {
  Program help{{"--help"}};
  const std::string text = help.rest();
  for (const char* option :
       {"--address", "--port", "--seed", "--records", "--request-log", "--scenario", "--virtual-clock",
        "--no-control", "--no-limits", "--threads", "--help", "--version"})
    EXPECT_THAT(text, HasSubstr(option));
  EXPECT_EQ(help.status(), 0);
  Program versioned{{"--version"}};
  EXPECT_THAT(versioned.rest(), MatchesRegex("tally-fake [0-9]+\\.[0-9]+\\.[0-9]+\n"));
  EXPECT_EQ(versioned.status(), 0);
}

TEST(TallyFake, SaysInOneLineWhatIsWrong) {
  const auto expectComplaint = [](const std::vector<std::string>& arguments, const std::string& complaint,
                                  int status) {
    Program program{arguments};
    EXPECT_THAT(program.rest(), StartsWith("tally-fake: " + complaint));
    EXPECT_EQ(program.status(), status);
  };
  expectComplaint({"--force"}, "unknown argument '--force'; see tally-fake --help\n", 2);
  expectComplaint({"8080"}, "unknown argument '8080'; see tally-fake --help\n", 2);
  expectComplaint({"--port"}, "--port needs a value; see tally-fake --help\n", 2);
  expectComplaint({"--port", "65536"}, "--port takes a number from 0 to 65535, not '65536'; see", 2);
  expectComplaint({"--port="}, "--port takes a number from 0 to 65535, not ''; see", 2);
  expectComplaint({"--seed", "-1"}, "--seed takes a number from 0 to 18446744073709551615, not '-1'", 2);
  expectComplaint({"--records", "3000000"}, "--records takes a number from 0 to 1000000, not '3000000'; see",
                  2);
  expectComplaint({"--request-log", "-1"}, "--request-log takes a number from 0 to 1000000, not '-1'; see",
                  2);
  expectComplaint({"--virtual-clock=yes"}, "--virtual-clock takes no value; see", 2);
  expectComplaint({"--port", "0", "--address", "nowhere"}, "can't listen on nowhere port 0: ", 1);
  Program first{{"--port", "0"}};
  const std::string taken = std::to_string(greetingOf(first.line()).port);
  expectComplaint({"--port", taken}, "can't listen on 127.0.0.1 port " + taken + ": Address already in use\n",
                  1);
}

}  // namespace

}  // namespace tally::test
