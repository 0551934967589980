#include "fake/server/support/program.h"

#include <csignal>
#include <deque>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <tally/fake/service.h>
#include <tally/tally.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/server/support/peer.h"
#include "temporary_folder.h"

namespace tally::test {

namespace {

using testing::ContainsRegex;
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

auto filesIn(const TemporaryFolder& folder) {
  return std::distance(std::filesystem::directory_iterator{folder.path()}, {});
}

TEST(TallyFake, PrintsItsAddressAndServesItsFirstAccount) {
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

TEST(TallyFake, GeneratesTheSameKeysFromTheSameSeed) {
  const auto keyOf = [](const std::vector<std::string>& arguments) {
    return greetingOf(Program{arguments}.line()).sandboxKey;
  };
  EXPECT_EQ(keyOf({"--port=0", "--seed=7"}), keyOf({"--port", "0", "--seed", "7"}));
  EXPECT_NE(keyOf({"--port=0", "--seed=7"}), keyOf({"--port=0", "--seed=8"}));
}

TEST(TallyFake, ExitsCleanlyOnASignal) {
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
TEST(TallyFake, ExitsCleanlyOnASignalWhileCreatingRecords) {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("scenario.json", R"({"accounts":[{"records":[{"resource":"payout","count":1000000}]}]})");
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

TEST(TallyFake, KeepsOnlyTheGivenNumberOfRequestsInItsLog) {
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

TEST(TallyFake, SurvivesMoreConnectionsThanItsFileLimitAllows) {
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

TEST(TallyFake, UsesRealTimeUnlessTheClockIsVirtual) {
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

TEST(TallyFake, EnforcesLimitsUnlessTheyAreDisabled) {
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

TEST(TallyFake, ServesTheControlApiUnlessItIsDisabled) {
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

/// Its clock stands still, but the client's does not.
TEST(TallyFake, DelaysAResponseInRealTimeOnAVirtualClock) {
  Program program{{"--port", "0", "--virtual-clock", "--records", "1"}};
  const Greeting greeting = greetingOf(program.line());
  Peer peer{greeting.port};
  ASSERT_TRUE(peer.send(postBytes("/_fake/faults", greeting.sandboxKey, R"({"latency_ms":3600000})")));
  EXPECT_THAT(peer.response(), StartsWith("HTTP/1.1 200 OK\r\n"));
  const Client client{{.apiKey = greeting.sandboxKey, .baseUrl = greeting.url}};
  const auto listed = client.paymentRecords().retrieve(
      "pr_1", {.timeout = std::chrono::milliseconds{100}, .maxNetworkRetries = 0});
  ASSERT_FALSE(listed);
  EXPECT_EQ(listed.error().kind(), ErrorKind::timeout) << listed.error();
}

TEST(TallyFake, LoadsAScenario) {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "scenario.json", R"({"accounts":[{"records":[{"resource":"payout","fields":{"id":"po_known"}}]}]})");
  Program program{{"--port", "0", "--scenario", file, "--records", "2"}};
  const Greeting greeting = greetingOf(program.line());
  const Client client{{.apiKey = greeting.sandboxKey, .baseUrl = greeting.url}};
  EXPECT_TRUE(client.payouts().retrieve("po_known"));
  folder.write("scenario.json", R"({"accounts":[{"records":[{"resource":"gadget"}]}]})");
  Program bad{{"--port", "0", "--scenario", file}};
  EXPECT_THAT(bad.rest(),
              MatchesRegex("tally-fake: " + file +
                           ": accounts\\[0\\]\\.records\\[0\\]: unknown resource 'gadget'; expected one of "
                           "account, .*\n"));
  EXPECT_EQ(bad.status(), 1);
}

TEST(TallyFake, ReportsAnInvalidScenarioOnOneLine) {
  const TemporaryFolder folder;
  const auto complaint = [&](const std::string& scenario) {
    const std::string file = folder.write("scenario.json", scenario);
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
  EXPECT_EQ(complaint("\xef\xbb\xbf{}"), "accounts: expected at least one");
  EXPECT_THAT(complaint(std::string(1'000'000, '[')),
              HasSubstr("nested more than 64 levels deep (line 1, column 65)"));
  std::string deep;
  for (int i = 0; i < 100'000; ++i)
    deep += "{\"accounts\":[";
  EXPECT_THAT(complaint(deep), StartsWith("accounts[0].accounts[0]."));
  EXPECT_EQ(complaint(std::string("{}\0", 3)), "line 1, column 3: this is not JSON (extra data)");
}

TEST(TallyFake, ReportsAnUnreadableScenario) {
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

TEST(TallyFake, WritesTheReadyFileOnceItIsReady) {
  const TemporaryFolder folder;
  const std::string file = folder.write("ready", "left by an earlier run");
  Program program{{"--port", "0", "--ready-file", file}};
  const Greeting greeting = greetingOf(program.line());
  std::ifstream stream{file};
  const std::string text{std::istreambuf_iterator<char>{stream}, {}};
  EXPECT_THAT(text, StartsWith("{\"url\":\"" + greeting.url + "\",\"account\":\"" + greeting.account +
                               "\",\"live_key\":\"" + greeting.liveKey + "\",\"sandbox_key\":\"" +
                               greeting.sandboxKey + "\",\"pid\":"));
  EXPECT_THAT(text, EndsWith("}\n"));
  EXPECT_EQ(filesIn(folder), 1) << "no other file remains";
  program.signal(SIGTERM);
  EXPECT_EQ(program.status(), 0);
  EXPECT_EQ(filesIn(folder), 0);
}

TEST(TallyFake, LeavesTheReadyFileOfALaterRun) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "ready";
  Program earlier{{"--port", "0", "--ready-file", file}};
  (void)earlier.line();
  Program later{{"--port", "0", "--ready-file", file}};
  const Greeting greeting = greetingOf(later.line());
  earlier.signal(SIGTERM);
  EXPECT_EQ(earlier.status(), 0);
  std::ifstream stream{file};
  const std::string text{std::istreambuf_iterator<char>{stream}, {}};
  EXPECT_THAT(text, HasSubstr(greeting.url));
}

/// Otherwise a script would take an earlier run for this one.
TEST(TallyFake, RemovesAnOldReadyFileBeforeItStarts) {
  const TemporaryFolder folder;
  const std::string file = folder.write("ready", "left by an earlier run");
  Program program{{"--port", "0", "--ready-file", file, "--scenario", "/nowhere"}};
  EXPECT_EQ(program.status(), 1);
  EXPECT_EQ(filesIn(folder), 0);
}

TEST(TallyFake, RefusesAnUnusableReadyFile) {
  const TemporaryFolder folder;
  const auto complaint = [](const std::string& file) {
    Program program{{"--port", "0", "--ready-file", file}};
    const std::string text = program.rest();
    EXPECT_EQ(program.status(), 1);
    return text;
  };
  const std::string path = folder.path().string();
  EXPECT_EQ(complaint(path), "tally-fake: can't write " + path + ": it exists and is not a regular file\n");
  EXPECT_EQ(complaint("/dev/null"),
            "tally-fake: can't write /dev/null: it exists and is not a regular file\n");
  EXPECT_EQ(complaint(path + "/a/b"),
            "tally-fake: can't write " + path + "/a/b: No such file or directory\n");
}

TEST(TallyFake, RefusesAReadyFileThatAnotherOptionNames) {
  const TemporaryFolder folder;
  const std::string file = folder.write("named", "{}");
  for (const std::string option : {"--scenario", "--fault-script", "--tls-cert", "--tls-key"}) {
    std::vector<std::string> arguments{"--address", "nowhere", "--ready-file", file, option, file};
    if (option == "--tls-cert") arguments.insert(arguments.end(), {"--tls-key", "other"});
    if (option == "--tls-key") arguments.insert(arguments.end(), {"--tls-cert", "other"});
    Program program{arguments};
    EXPECT_THAT(program.rest(),
                StartsWith("tally-fake: " + option + " and --ready-file name the same file; see"));
    EXPECT_EQ(program.status(), 2);
    EXPECT_EQ(filesIn(folder), 1);
  }
}

TEST(TallyFake, AcceptsTheConfiguredHosts) {
  Program program{{"--port", "0", "--allow-host", "one.test", "--allow-host=two.test"}};
  const Greeting greeting = greetingOf(program.line());
  const auto status = [&](const std::string& host) {
    Peer peer{greeting.port};
    EXPECT_TRUE(peer.send("GET /_fake/health HTTP/1.1\r\nHost: " + host + "\r\n\r\n"));
    return peer.response().substr(9, 3);
  };
  EXPECT_EQ(status("one.test"), "200");
  EXPECT_EQ(status("two.test:80"), "200");
  EXPECT_EQ(status("127.0.0.1"), "200");
  EXPECT_EQ(status("three.test"), "403");
}

TEST(TallyFake, StreamsEventsUntilItStops) {
  Program program{{"--port", "0"}};
  const Greeting greeting = greetingOf(program.line());
  Peer events{greeting.port};
  ASSERT_TRUE(events.send(getBytes("/_fake/events", greeting.sandboxKey)));
  EXPECT_THAT(events.until("retry: 1000\n\n"), HasSubstr("\r\nContent-Type: text/event-stream\r\n"));
  Peer peer{greeting.port};
  ASSERT_TRUE(peer.send(getBytes("/v1/payouts", greeting.sandboxKey)));
  EXPECT_THAT(events.until("event: change\n"), HasSubstr("id: 1\nevent: request\ndata: {\"number\":1,"));
  program.signal(SIGTERM);
  EXPECT_THAT(events.rest(), EndsWith("\r\n0\r\n\r\n"));
  EXPECT_EQ(program.status(), 0);
}

TEST(TallyFake, CountsConnectionsAndUnreadableRequests) {
  Program program{{"--port", "0"}};
  const Greeting greeting = greetingOf(program.line());
  Peer idle{greeting.port};
  Peer peer{greeting.port};
  ASSERT_TRUE(idle.send("garbage\r\n\r\n"));
  EXPECT_THAT(idle.rest(), StartsWith("HTTP/1.1 400 "));
  ASSERT_TRUE(peer.send(getBytes("/_fake/metrics", greeting.sandboxKey)));
  const std::string metrics = peer.response();
  for (const char* line : {"tally_fake_requests_in_flight 1", "tally_fake_unreadable_requests_total 1",
                           "tally_fake_accepted_connections_total 2"})
    EXPECT_THAT(metrics, HasSubstr('\n' + std::string{line} + '\n'));
}

TEST(TallyFake, PrintsItsHelpAndVersion) {
  Program help{{"--help"}};
  const std::string text = help.rest();
  for (const char* option :
       {"--address", "--port", "--seed", "--records", "--request-log", "--request-log-mib", "--scenario",
        "--virtual-clock", "--no-control", "--no-limits", "--threads", "--allow-host", "--tls-cert",
        "--tls-key", "--ready-file", "--help", "--version", "Exit status: 0"})
    EXPECT_THAT(text, HasSubstr(option));
  EXPECT_THAT(text, Not(ContainsRegex("\n  --[a-z-]+ [A-Z]+[a-z]"))) << "a value runs into its description";
  EXPECT_EQ(help.status(), 0);
  Program versioned{{"--version"}};
  EXPECT_THAT(versioned.rest(), MatchesRegex("tally-fake [0-9]+\\.[0-9]+\\.[0-9]+\n"));
  EXPECT_EQ(versioned.status(), 0);
}

TEST(TallyFake, ReportsInvalidArgumentsOnOneLine) {
  const auto expectComplaint = [](const std::vector<std::string>& arguments, const std::string& complaint,
                                  int status) {
    Program program{arguments};
    EXPECT_THAT(program.rest(), StartsWith("tally-fake: " + complaint));
    EXPECT_EQ(program.status(), status);
  };
  expectComplaint({"--force"}, "unknown argument '--force'; see tally-fake --help\n", 2);
  expectComplaint({"--prot=1"}, "unknown argument '--prot'; did you mean '--port'? See tally-fake --help\n",
                  2);
  expectComplaint({"8080"}, "unknown argument '8080'; see tally-fake --help\n", 2);
  expectComplaint({"recrod", "--upstream", "http://a"},
                  "unknown command 'recrod'; did you mean 'record'? See tally-fake --help\n", 2);
  expectComplaint({"--port"}, "--port needs a value; see tally-fake --help\n", 2);
  expectComplaint({"--port", "65536"}, "--port takes a number from 0 to 65535, not '65536'; see", 2);
  expectComplaint({"--port="}, "--port takes a number from 0 to 65535, not ''; see", 2);
  expectComplaint({"--seed", "-1"}, "--seed takes a number from 0 to 18446744073709551615, not '-1'", 2);
  expectComplaint({"--records", "3000000"}, "--records takes a number from 0 to 1000000, not '3000000'; see",
                  2);
  expectComplaint({"--request-log", "-1"}, "--request-log takes a number from 0 to 1000000, not '-1'; see",
                  2);
  expectComplaint({"--tls-cert", "a"}, "--tls-cert needs --tls-key; see tally-fake --help\n", 2);
  expectComplaint({"--tls-key", "a"}, "--tls-key needs --tls-cert; see tally-fake --help\n", 2);
  expectComplaint({"--tls-key="}, "--tls-key takes the name of a file, not ''; see", 2);
  expectComplaint({"--ready-file", ""}, "--ready-file takes the name of a file, not ''; see", 2);
  expectComplaint({"--allow-host", "http://fake.test"},
                  "--allow-host takes a host name without a scheme or port, not 'http://fake.test'; see", 2);
  expectComplaint({"--virtual-clock=yes"}, "--virtual-clock takes no value; see", 2);
  expectComplaint(
      {"--port", "0", "--address", "nowhere"},
      "can't listen on nowhere port 0 (use an IP address of this machine, such as 127.0.0.1, 0.0.0.0 or "
      "::1): ",
      1);
  Program first{{"--port", "0"}};
  const std::string taken = std::to_string(greetingOf(first.line()).port);
  expectComplaint({"--port", taken},
                  "can't listen on 127.0.0.1 port " + taken +
                      " (choose another port, or 0 for any free one): Address already in use\n",
                  1);
}

}  // namespace

}  // namespace tally::test
