#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <tally/fake/requests.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/support/requests.h"
#include "har/har_reader.h"
#include "text/find_header.h"

namespace tally::fake {

namespace {

using tally::detail::Exchange;
using tally::detail::findHeader;
using testing::ElementsAre;
using testing::SizeIs;

struct Recorded {
  std::string text{};
  std::vector<Exchange> exchanges{};
};

Recorded recordedBy(const Service& service, const RequestPattern& pattern = {}, std::uint64_t after = 0,
                    std::size_t limit = 1'000'000) {
  std::stringstream har;
  service.requests().writeHar(har, pattern, after, limit);
  Recorded recorded{.text = har.str()};
  tally::detail::HarReader reader{har};
  while (auto exchange = reader.next())
    recorded.exchanges.push_back(*std::move(exchange));
  EXPECT_FALSE(reader.cutOff());
  return recorded;
}

class RequestsHar : public testing::Test, protected test::OneAccount {};

TEST_F(RequestsHar, ContainsRequestsAndResponsesWithRedactedKeys) {
  (void)service.handle({.method = Method::post,
                        .url = "/v1/payouts?expand[]=a",
                        .headers = {{"Host", "fake.test:1"}, {"Authorization", "Bearer " + key}},
                        .body = "amount=5&currency=eur"});
  (void)get("https://api.test/v1/payouts");
  const Recorded recorded = recordedBy(service);
  ASSERT_THAT(recorded.exchanges, SizeIs(2));
  const Exchange& first = recorded.exchanges[0];
  EXPECT_EQ(first.method, "POST");
  EXPECT_EQ(first.url, "http://fake.test:1/v1/payouts?expand[]=a");
  EXPECT_EQ(first.requestBody, "amount=5&currency=eur");
  EXPECT_EQ(first.startedAt, service.requests().list()[0].time);
  EXPECT_EQ(recorded.exchanges[1].url, "https://api.test/v1/payouts");
  EXPECT_EQ(recorded.exchanges[1].status, 200);
  EXPECT_EQ(recorded.exchanges[1].responseBody, service.requests().list()[1].response->body);
  EXPECT_EQ(*findHeader(first.requestHeaders, "Authorization"), "Bearer sk_test_recorded1");
  EXPECT_EQ(recorded.text.find(key), std::string::npos);
}

TEST_F(RequestsHar, RecordsWhichFaultHappened) {
  service.faults().inject({.fault = Fault::reset});
  (void)service.exchange(test::get(key, "/v1/payouts"));
  const Exchange exchange = recordedBy(service).exchanges.at(0);
  EXPECT_EQ(exchange.status, 0);
  EXPECT_EQ(exchange.fault, "reset");
  EXPECT_EQ(exchange.failure, "injected fault: reset");
}

TEST_F(RequestsHar, MarksResponsesThatAFaultMade) {
  service.faults().inject({.error = "lock_timeout"});
  service.faults().inject({.response = HttpResponse{.status = 503}});
  service.faults().inject({.headers = {{"X-Shop", "1"}}});
  for (int i = 0; i < 4; ++i)
    (void)get("/v1/payouts");
  std::vector<std::string> faults;
  for (const Exchange& exchange : recordedBy(service).exchanges)
    faults.push_back(exchange.fault);
  EXPECT_THAT(faults, ElementsAre("response", "response", "", ""));
}

TEST_F(RequestsHar, IncludesOnlyMatchingRequests) {
  for (int i = 0; i < 5; ++i)
    (void)get("/v1/payouts?limit=" + std::to_string(i + 1));
  (void)get("/v1/payouts/po_missing");
  const auto pathsOf = [](const Recorded& recorded) {
    std::vector<std::string> paths;
    for (const Exchange& exchange : recorded.exchanges)
      paths.push_back(exchange.url);
    return paths;
  };
  EXPECT_THAT(pathsOf(recordedBy(service, {.status = 404})), ElementsAre("/v1/payouts/po_missing"));
  EXPECT_THAT(pathsOf(recordedBy(service, {}, 1, 2)),
              ElementsAre("/v1/payouts?limit=2", "/v1/payouts?limit=3"));
  EXPECT_THAT(pathsOf(recordedBy(service, {}, 100)), ElementsAre());
  EXPECT_THROW(recordedBy(service, {.operation = "payouts.pay"}), std::invalid_argument);
}

TEST_F(RequestsHar, ContainsALongLogUpToTheGivenLimit) {
  for (int i = 0; i < 300; ++i)
    (void)get("/v1/payouts");
  EXPECT_THAT(recordedBy(service).exchanges, SizeIs(300));
  EXPECT_THAT(recordedBy(service, {}, 0, 200).exchanges, SizeIs(200));
  EXPECT_THAT(recordedBy(service, {}, 0, 250).exchanges, SizeIs(250));
}

}  // namespace

}  // namespace tally::fake
