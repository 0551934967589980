#include <chrono>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include <tally/fake/service.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/support/requests.h"

namespace tally::fake {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;

class RequestSummaries : public testing::Test {
 protected:
  void get(const std::string& path, int times = 1) {
    for (int n = 0; n < times; ++n)
      (void)service.handle(test::get(key, path));
  }

  [[nodiscard]] std::vector<std::uint64_t> numbers(const RequestPattern& pattern, std::size_t limit,
                                                   std::uint64_t before) const {
    std::vector<std::uint64_t> all;
    for (const LoggedRequest& request : service.requests().latest(pattern, limit, before))
      all.push_back(request.number);
    return all;
  }

  Service service{{.requestLog = 600}};
  std::string key = service.addAccount().sandboxKey;
  Requests log = service.requests();
};

TEST_F(RequestSummaries, CountRequestsByOutcomeOperationAndStatus) {
  get("/v1/payouts", 2);
  get("/v1/payouts/po_none");
  get("/v1/nowhere");
  service.faults().inject({.error = "api_error"});
  service.faults().inject({.fault = Fault::responseLost});
  get("/v1/payouts", 2);
  service.limits().set({.limit = "global_rate", .value = 0});
  get("/v1/payouts");
  const RequestSummary summary = log.summary();
  EXPECT_EQ(summary.logged, 7U);
  EXPECT_EQ(summary.matching, 7U);
  EXPECT_THAT(summary.outcomes.counts, ElementsAre(2, 1, 2, 1, 1));
  EXPECT_THAT(summary.operations, ElementsAre(NamedCount{"", 1}, NamedCount{"payouts.list", 5},
                                              NamedCount{"payouts.retrieve", 1}));
  EXPECT_THAT(summary.statuses, ElementsAre(NamedCount{"0", 1}, NamedCount{"200", 2}, NamedCount{"404", 2},
                                            NamedCount{"429", 1}, NamedCount{"500", 1}));
  EXPECT_EQ(log.summary({.outcome = RequestOutcome::limited}).matching, 1U);
  EXPECT_EQ(log.summary({.faulted = true}).matching, 2U);
  EXPECT_EQ(log.summary({.hasOperation = false}).matching, 1U);
  EXPECT_EQ(log.summary({.hasOperation = false}).logged, 7U);
}

TEST_F(RequestSummaries, DivideTheTimeIntoEqualSpans) {
  const Instant start = service.clock()->now();
  get("/v1/payouts", 3);
  service.clock()->advance(seconds{8});
  get("/v1/payouts");
  service.clock()->advance(seconds{2});
  get("/v1/payouts/po_none");
  const RequestSummary summary = log.summary({}, 5);
  EXPECT_EQ(summary.from, start);
  EXPECT_EQ(summary.until, start + seconds{10} + std::chrono::nanoseconds{1});
  std::vector<std::uint64_t> succeeded;
  for (const OutcomeCounts& span : summary.spans)
    succeeded.push_back(span[RequestOutcome::succeeded]);
  EXPECT_THAT(succeeded, ElementsAre(3, 0, 0, 0, 1));
  EXPECT_EQ(summary.spans.back()[RequestOutcome::refused], 1U);
  const RequestSummary part = log.summary({.from = start + seconds{7}, .until = start + seconds{9}}, 2);
  EXPECT_EQ(part.matching, 1U);
  EXPECT_EQ(part.from, start + seconds{7});
  EXPECT_EQ(part.until, start + seconds{9});
  EXPECT_EQ(part.spans[1][RequestOutcome::succeeded], 1U);
}

TEST_F(RequestSummaries, AreEmptyIfTheLogIsEmpty) {
  EXPECT_EQ(log.summary({}, 5), RequestSummary{});
  get("/v1/payouts");
  log.clear();
  EXPECT_EQ(log.summary({}, 5), RequestSummary{});
}

/// More requests than are looked at under one lock, and more than the log keeps.
TEST_F(RequestSummaries, IncludeEveryMatchingRequestOfALongLog) {
  service.limits().set({.limit = "global_rate"});
  service.limits().set({.limit = "endpoint_rate"});
  for (int n = 0; n < 800; ++n) {
    get(n % 8 == 0 ? "/v1/nowhere" : "/v1/payouts");
    service.clock()->advance(milliseconds{1});
  }
  const RequestSummary summary = log.summary({.operation = "payouts.list"}, 7);
  EXPECT_EQ(summary.logged, 600U);
  EXPECT_EQ(summary.matching, 525U);
  const auto inSpans = std::accumulate(summary.spans.begin(), summary.spans.end(), std::uint64_t{0},
                                       [](std::uint64_t sum, const OutcomeCounts& span) {
                                         return std::accumulate(span.counts.begin(), span.counts.end(), sum);
                                       });
  EXPECT_EQ(inSpans, 525U);
  EXPECT_THAT(numbers({.hasOperation = false}, 3, 800), ElementsAre(777, 785, 793));
  EXPECT_EQ(log.latest({}, 10'000).size(), 600U);
}

TEST_F(RequestSummaries, ListTheLatestRequestsBeforeAGivenOne) {
  get("/v1/payouts", 5);
  get("/v1/nowhere", 2);
  EXPECT_THAT(numbers({}, 3, 100), ElementsAre(5, 6, 7)) << "oldest first";
  EXPECT_THAT(numbers({}, 3, 5), ElementsAre(2, 3, 4));
  EXPECT_THAT(numbers({}, 3, 1), ElementsAre());
  EXPECT_THAT(numbers({.operation = "payouts.list"}, 2, 100), ElementsAre(4, 5));
  EXPECT_THAT(numbers({}, 0, 100), ElementsAre());
  log.clear();
  EXPECT_THAT(numbers({}, 3, 100), ElementsAre());
  get("/v1/payouts");
  EXPECT_THAT(numbers({}, 3, 100), ElementsAre(8));
  EXPECT_THAT(numbers({}, 3, 8), ElementsAre());
  EXPECT_THROW((void)log.latest({.operation = "pigeons.list"}, 1), std::invalid_argument);
}

TEST_F(RequestSummaries, ExplainHowTimeAndOutcomeDifferFromAPattern) {
  get("/v1/payouts");
  const LoggedRequest request = log.list().front();
  const auto found = differences({.outcome = RequestOutcome::failed,
                                  .faulted = true,
                                  .hasOperation = false,
                                  .from = request.time + seconds{1},
                                  .until = request.time},
                                 request);
  std::vector<std::string> parts;
  for (const Difference& difference : found)
    parts.push_back(difference.part + ' ' + difference.actual);
  EXPECT_THAT(parts, ElementsAre("outcome succeeded", "faulted false", "has operation true",
                                 "time 2026-01-01T00:00:00Z", "time 2026-01-01T00:00:00Z"));
}

}  // namespace

}  // namespace tally::fake
