// An identifier reaches the service unchanged, whatever its characters, and never selects another path.

#include "text/url.h"

#include <string>

#include <tally/curl_transport.h>
#include <tally/fake/http_server.h>
#include <tally/tally.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tls_front.h"

namespace tally {
namespace {

using namespace std::string_literals;

const std::string ids[] = {"pr_../x",
                           "pr_/../../payouts/po_1",
                           "pr_ a b ",
                           "pr_\u00FC\u20AC\U0001F600",
                           "pr_\0behind"s,
                           "pr_%2F%00%",
                           "pr_?limit=1&a=b",
                           "pr_#part",
                           "pr_+;,:@&=$!*'()",
                           "pr_\"<>\\^`{|}",
                           "pr_\r\nX-Injected: 1\r\n\r\n",
                           "pr_\t\x7F"};

struct Served {
  fake::Service service{{.limits = false}};
  std::string key = service.addAccount().sandboxKey;
  fake::HttpServer server{service};

  void insert(const std::string& id) {
    (void)service.insert<PaymentRecord>(key, [&id](PaymentRecord& record) { record.id = id; });
  }
};

void expectArrives(const Client& client, Served& served, const std::string& id) {
  const auto retrieved = client.paymentRecords().retrieve(id);
  ASSERT_TRUE(retrieved) << retrieved.error();
  EXPECT_EQ(retrieved.value().id.str(), id);
  const auto reported = client.paymentRecords().reportFailed(id, {.failedAt = std::chrono::sys_seconds{}});
  ASSERT_TRUE(reported) << reported.error();
  EXPECT_EQ(served.service.objects().stateOf(served.key, id), "failed");
  EXPECT_EQ(served.service.requests().list().back().object, id);
  for (const auto& record : client.paymentRecords().list({.endingBefore = id}))
    EXPECT_TRUE(record) << record.error();
}

TEST(Identifier, ArrivesUnchangedOverHttp) {
  Served served;
  const Client client{{.apiKey = served.key, .baseUrl = served.server.url()}};
  for (const std::string& id : ids) {
    served.insert(id);
    expectArrives(client, served, id);
  }
}

TEST(Identifier, ArrivesUnchangedOverHttp2) {
  Served served;
  const test::TlsFront front;
  const Client client{{.apiKey = served.key,
                       .baseUrl = front.url(served.server.port()),
                       .transport = curlTransport(systemClock(), {.caFile = front.caFile()})}};
  for (const std::string& id : ids) {
    if (id.find('\0') != std::string::npos) continue;  // nginx rejects these
    served.insert(id);
    expectArrives(client, served, id);
  }
}

TEST(PercentDecode, ReadsAllHexadecimalDigitsInBothCases) {
  for (const char* const digits : {"0123456789abcdef", "0123456789ABCDEF"})
    for (int byte = 0; byte < 256; ++byte)
      EXPECT_EQ(detail::percentDecode(std::string{'%', digits[byte / 16], digits[byte % 16]}),
                (std::string{static_cast<char>(byte)}));
}

TEST(Identifier, IsOneSegmentOfThePath) {
  Served served;
  const Client client{{.apiKey = served.key, .baseUrl = served.server.url()}};
  (void)client.paymentRecords().retrieve("pr_../x?a#b%2F\0\r\n\u00FC"s);
  EXPECT_EQ(served.service.requests().list().back().request.url,
            "/v1/payment_records/pr_..%2Fx%3Fa%23b%252F%00%0D%0A%C3%BC");
}

}  // namespace
}  // namespace tally
