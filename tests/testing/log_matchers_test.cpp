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

TEST(LogMatchers, CompareEntriesInTheLogOfTheFake) {
  tally::fake::Service service;
  const std::string key = service.addAccount().sandboxKey;
  const auto payment = service.insert<tally::PaymentRecord>(key);
  const tally::Client client{service.clientOptions(key)};
  service.faults().inject({.error = "lock_timeout"});
  service.faults().inject({.fault = Fault::reset});
  for (int i = 0; i < 3; ++i)
    (void)client.paymentRecords().reportFailed(payment.id, {.failedAt = std::chrono::sys_seconds{}});

  const auto report = AllOf(Operation("payment_records.report_failed"), OnObject(payment.id.str()));
  EXPECT_THAT(service.requests().list(), ElementsAre(AllOf(report, HasStatus(429, "lock_timeout")),
                                                     AllOf(report, HasStatus(0), HitFault(Fault::reset)),
                                                     AllOf(report, HasStatus(200), HitFault(Fault::none))));
}

TEST(LogMatchers, CompareOperationObjectStatusLimitAndFault) {
  EXPECT_THAT(refused, RefusedBy("file_reads"));
  for (const LoggedMatcher& other :
       {Operation("files.list"), OnObject("file_2"), HasStatus(200), HasStatus(429, "lock_timeout"),
        HasStatus(200, "rate_limit"), RefusedBy("global_rate"), HitFault(Fault::reset)})
    EXPECT_THAT(refused, Not(other));
}

TEST(LogMatchers, ExplainMismatches) {
  EXPECT_EQ(explanationOf(refused, Operation("files.list")), R"(whose operation is "files.retrieve")");
  EXPECT_EQ(explanationOf(refused, HitFault(Fault::reset)), "whose fault is none");
  EXPECT_EQ(descriptionOf<LoggedRequest>(RefusedBy("x")), R"(whose limit is equal to "x")");
  EXPECT_NONFATAL_FAILURE(
      EXPECT_THAT(refused, HasStatus(200)),
      "Actual: 2026-01-01T00:00:00Z GET files.retrieve of file_1: 429 rate_limit, refused by file_reads");
}

}  // namespace
