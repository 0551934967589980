#include <gtest/gtest.h>

#include "fake/support/noise.h"
#include "fake/support/requests.h"

namespace tally::test {

namespace {

class FuzzedService : public testing::Test {
 protected:
  void check(const HttpRequest& request) {
    const HttpResponse response = one.service.handle(request);
    ASSERT_GE(response.status, 200);
    ASSERT_LT(response.status, 500);
    (void)bodyOf(response);
    ASSERT_EQ(one.get(url).body, record) << request.url << '\n' << request.body;
    ASSERT_EQ(one.service.objects().stateOf(one.key, id), "guaranteed");
  }

  OneAccount one{};
  std::string id = one.insert();
  std::string url = "/v1/payment_records/" + id;
  std::string record = one.post(url + "/report_payment_attempt_guaranteed", "guaranteed_at=1").body;
  Noise noise{42};
};

TEST_F(FuzzedService, RespondsToRandomBytesWithoutChangingARecord) {
  for (int n = 0; n < 20'000; ++n)
    check({.method = noise.below(2) == 0 ? Method::get : Method::post,
           .url = noise.bytes(60),
           .headers = {{noise.bytes(10), noise.bytes(10)}, {"Authorization", noise.bytes(40)}},
           .body = noise.bytes(60)});
}

TEST_F(FuzzedService, RespondsToCorruptedRequestsWithoutChangingARecord) {
  const std::vector<HttpRequest> good{
      test::get(one.key, url),
      test::get(one.key, "/v1/payment_records?limit=5&starting_after=" + id),
      test::get(
          one.key,
          R"(/v1/payment_records/search?query=created>5%20AND%20-metadata["a"]:"b"&expand[]=total_count)"),
      test::post(one.key, url + "/report_payment_attempt_failed", "failed_at=17&metadata[a]=b&metadata[c]="),
      test::post(one.key, url + "/report_payment_attempt_canceled", "canceled_at=17&metadata="),
  };
  for (int n = 0; n < 20'000; ++n) {
    HttpRequest request = good[noise.below(good.size())];
    noise.spoil(request.url);
    noise.spoil(request.body);
    if (noise.below(10) == 0) noise.spoil(request.headers.front().value);
    check(request);
  }
}

}  // namespace

}  // namespace tally::test
