#include <tally/fake/service.h>
#include <tally/tally.h>
#include <tally/testing/log_matchers.h>

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include "failure.h"

namespace {

using namespace tally::testing;
using tally::fake::Fault;
using tally::fake::LoggedRequest;
using testing::AllOf;
using testing::ElementsAre;
using testing::Not;

const LoggedRequest refused{.time = std::chrono::sys_days{std::chrono::year{2026} / 1 / 1},
                            .operation = "files.retrieve",
                            .object = "file_1",
                            .method = "GET",
                            .status = 429,
                            .errorCode = "rate_limit",
                            .limit = "file_reads"};

TEST(LogMatchers, TellOfWhatTheFakeHasSeen) {
  tally::fake::Service service;
  const std::string key = service.addAccount().sandboxKey;
  const auto payment = service.seed<tally::PaymentRecord>(key);
  const tally::Client client{service.clientOptions(key)};
  service.script({.error = "lock_timeout"});
  service.script({.fault = Fault::reset});
  for (int i = 0; i < 3; ++i)
    (void)client.paymentRecords().reportFailed(payment.id, {.failedAt = std::chrono::sys_seconds{}});

  const auto report = AllOf(Operation("payment_records.report_failed"), OnObject(payment.id.str()));
  EXPECT_THAT(service.requests(), ElementsAre(AllOf(report, Answered(429, "lock_timeout")),
                                              AllOf(report, Answered(0), MetBy(Fault::reset)),
                                              AllOf(report, Answered(200), MetBy(Fault::none))));
}

TEST(LogMatchers, LookAtEveryPart) {
  EXPECT_THAT(refused, RefusedBy("file_reads"));
  for (const LoggedMatcher& other :
       {Operation("files.list"), OnObject("file_2"), Answered(200), Answered(429, "lock_timeout"),
        Answered(200, "rate_limit"), RefusedBy("global_rate"), MetBy(Fault::reset)})
    EXPECT_THAT(refused, Not(other));
}

TEST(LogMatchers, SayWhatIsWrong) {
  EXPECT_EQ(explanationOf(refused, Operation("files.list")), R"(whose operation is "files.retrieve")");
  EXPECT_EQ(explanationOf(refused, MetBy(Fault::reset)), "whose fault is none");
  EXPECT_EQ(descriptionOf<LoggedRequest>(RefusedBy("x")), R"(whose limit is equal to "x")");
  EXPECT_NONFATAL_FAILURE(
      EXPECT_THAT(refused, Answered(200)),
      "Actual: 2026-01-01T00:00:00Z GET files.retrieve of file_1: 429 rate_limit, refused by file_reads");
}

}  // namespace
