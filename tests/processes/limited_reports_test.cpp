// A program that reports without a pacer, in real time, under a limit at which it takes several times its
// retry timeout.

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <vector>

#include <tally/fake/http_server.h>
#include <tally/fake/service.h>
#include <tally/tally.h>

#include <gtest/gtest.h>

#include "support/process.h"
#include "temporary_folder.h"

namespace tally::test {
namespace {

using namespace std::chrono_literals;

class LimitedProcess : public testing::Test {
 protected:
  LimitedProcess() {
    service.limits().set({.limit = "global_rate", .value = 30});
    service.clock()->run();
  }

  /// A file with reports on new records.
  std::string makeFile(const std::string& name, int count) {
    const char* outcomes[] = {"canceled", "failed", "guaranteed"};
    std::string lines;
    for (int i = 0; i < count; ++i) {
      const auto record = service.insert<PaymentRecord>(key);
      lines += Report{.id = record.id.str(),
                      .outcome = outcomes[i % 3],
                      .time = std::chrono::sys_seconds{1767225600s},
                      .attempt = record.latestPaymentAttemptRecord.str()}
                   .toText() +
               '\n';
    }
    reports += static_cast<std::size_t>(count);
    return folder.write(name, lines);
  }

  [[nodiscard]] std::vector<std::string> arguments(const std::string& file,
                                                   std::chrono::milliseconds retryTimeout = 1'500ms) const {
    return {server.url(), key, file, std::to_string(retryTimeout.count())};
  }

  static void expectComplete(Process& program) {
    const std::string output = program.rest();
    EXPECT_EQ(program.status(), 0) << output;
  }

  void expectAllAppliedOnce() {
    std::map<std::string, int> applied;
    for (const fake::LoggedRequest& request : service.requests().list())
      if (request.processed && request.method == "POST") ++applied[request.object];
    EXPECT_EQ(applied.size(), reports);
    EXPECT_TRUE(std::ranges::all_of(applied, [](const auto& each) { return each.second == 1; }));
  }

  fake::Service service{{.duration = 2ms, .requestLog = 100'000}};
  std::string key = service.addAccount().sandboxKey;
  fake::HttpServer server{service};
  TemporaryFolder folder{};
  std::size_t reports = 0;
};

TEST_F(LimitedProcess, SendsEveryReportAsLongAsItMakesProgress) {
  Process program{TALLY_LIMITED_PROGRAM, arguments(makeFile("reports", 200))};
  expectComplete(program);
  expectAllAppliedOnce();
  EXPECT_LE(service.requests().size(), 2 * reports);
}

/// The first one to start may use the whole limit until it ends, so the other one needs a long retry timeout.
TEST_F(LimitedProcess, SendsEveryReportAlongsideAnotherProcess) {
  const std::string file = makeFile("reports", 100);
  const std::string otherFile = makeFile("others", 100);
  Process program{TALLY_LIMITED_PROGRAM, arguments(file, 1min)};
  Process other{TALLY_LIMITED_PROGRAM, arguments(otherFile, 1min)};
  expectComplete(program);
  expectComplete(other);
  expectAllAppliedOnce();
}

}  // namespace
}  // namespace tally::test
