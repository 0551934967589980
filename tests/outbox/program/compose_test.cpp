// The commands of examples/outbox/compose.yaml, without containers.

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

#include <tally/tally.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/server/support/peer.h"
#include "fake/server/support/program.h"
#include "outbox/postgres_database.h"
#include "outbox/program/outbox_program.h"
#include "temporary_folder.h"

namespace tally::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

/// The first group of the first match.
std::string composeValue(const std::string& pattern) {
  static const std::string text = textOfFile(TALLY_COMPOSE);
  std::smatch match;
  if (!std::regex_search(text, match, std::regex{pattern})) throw std::runtime_error{"no " + pattern};
  return match[1];
}

/// The command of a service, without the program. Its address is replaced by one of this machine.
std::vector<std::string> composeCommand(const std::string& program, const std::string& service) {
  const std::string command = composeValue("\n  " + service + ":\n(?:    .*\n)*?    command: \\[(.*)\\]");
  std::vector<std::string> words;
  const std::regex word{"\"([^\"]*)\""};
  for (std::sregex_iterator at{command.begin(), command.end(), word}, end; at != end; ++at)
    words.push_back((*at)[1]);
  EXPECT_EQ(words.front(), program);
  words.erase(words.begin());
  for (std::string& each : words) {
    each = std::regex_replace(each, std::regex{"0\\.0\\.0\\.0"}, "127.0.0.1");
    each = std::regex_replace(each, std::regex{"7878|9464"}, "0");
  }
  return words;
}

class OutboxCompose : public OutboxTest {};

TEST_F(OutboxCompose, StartsAWorkerThatAppliesReports) {
  if (session_ == nullptr) GTEST_SKIP() << "PostgreSQL is not installed";
  Program fake{composeCommand("tally-fake", "fake")};
  const Greeting greeting = greetingOf(fake.line());
  const std::string key = composeValue("SHOP_KEY: (\\S+)");
  EXPECT_EQ(key, greeting.sandboxKey);
  EXPECT_EQ(composeValue("TALLY_BASE_URL: (\\S+)"), "http://fake:7878");
  EXPECT_THAT(composeValue("TALLY_OUTBOX_DATABASE: (\\S+)"), StartsWith("postgresql://"));
  setenv("SHOP_KEY", key.c_str(), 1);
  setenv("TALLY_BASE_URL", greeting.url.c_str(), 1);
  setenv("TALLY_OUTBOX_DATABASE", url().c_str(), 1);

  const auto migrated = runOutboxProgram(composeCommand("tally-outbox", "migrate"));
  EXPECT_EQ(migrated.status, 0) << migrated.output;
  const Client client{{.apiKey = key, .baseUrl = greeting.url}};
  const auto record = client.paymentRecords().list().begin()->value();
  const TemporaryFolder folder;
  const std::string file = folder.write("file", failedReport(record.id.str()).report.toText());
  EXPECT_EQ(runOutboxProgram({"enqueue", "shop", file}).status, 0);

  std::vector<std::string> command = composeCommand("tally-outbox", "worker");
  command.emplace_back("--allow-loss-on-power-failure");  // the server of the tests
  OutboxProgram worker{command};
  const std::string listening = worker.line();
  EXPECT_THAT(worker.until("event=report_"), HasSubstr("event=report_applied domain=shop"));
  Peer peer{static_cast<std::uint16_t>(std::stoul(listening.substr(listening.rfind(':') + 1)))};
  peer.send("GET " + composeValue("http://127\\.0\\.0\\.1:9464(\\S+)") +
            " HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_THAT(peer.rest(), StartsWith("HTTP/1.1 200 OK"));
  worker.signal(SIGTERM);
  worker.rest();
  EXPECT_EQ(worker.status(), 0);
  unsetenv("TALLY_BASE_URL");
  unsetenv("TALLY_OUTBOX_DATABASE");
}

}  // namespace
}  // namespace tally::test
