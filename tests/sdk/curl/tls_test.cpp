// The client over TLS and HTTP/2, with the fake behind a real server.

#include <algorithm>

#include <tally/curl_transport.h>
#include <tally/fake/http_server.h>
#include <tally/tally.h>

#include <gtest/gtest.h>

#include "sdk/support/async_sends.h"
#include "tls_front.h"

namespace tally {
namespace {

using namespace std::chrono_literals;
using test::TlsFront;

/// A service behind a front, and a client that trusts it.
struct OverTls {
  explicit OverTls(const test::TlsFrontOptions& options = {}) : front(options) {}

  fake::Service service{{.limits = false}};
  fake::HttpServer server{service};
  TlsFront front;
  std::string url = front.url(server.port());
  std::string key = service.addAccount().sandboxKey;
  std::shared_ptr<Transport> transport = test::wireTransport(systemClock(), {.caFile = front.caFile()});
  Client client{{.apiKey = key, .baseUrl = url, .transport = transport}};

  [[nodiscard]] HttpResponse get(const std::string& target) const {
    const HttpRequest request{.url = url + target, .headers = {{"Authorization", "Bearer " + key}}};
    return std::get<HttpResponse>(transport->send(request, {.deadline = systemClock()->now() + 30s}));
  }
};

TEST(ClientOverTls, UsesHttp2) {
  OverTls tls;
  const auto inserted = tls.service.insert<PaymentRecord>(tls.key);
  const auto record = tls.client.paymentRecords().retrieve(inserted.id);
  ASSERT_TRUE(record) << record.error();
  EXPECT_EQ(record.value().id, inserted.id);
  EXPECT_EQ(*tls.get("/v1/payment_records").header(TlsFront::protocol), "HTTP/2.0");
}

TEST(ClientOverTls, SendsTheTargetUnchanged) {
  const OverTls tls;
  const std::string target = "/v1//payment_records/pr_..%2Fx/./%41/../b?query=a%20b+c&limit=%31";
  (void)tls.get(target);
  EXPECT_EQ(tls.service.requests().list().back().request.url, target);
}

TEST(ClientOverTls, ReusesAConnection) {
  OverTls tls;
  const auto payment = tls.service.insert<PaymentRecord>(tls.key);
  const std::string first = *tls.get("/v1/payment_records").header(TlsFront::connection);
  for (int i = 0; i < 5; ++i)
    EXPECT_TRUE(
        tls.client.paymentRecords().reportFailed(payment.id, {.failedAt = std::chrono::sys_seconds{}}));
  EXPECT_EQ(*tls.get("/v1/payment_records").header(TlsFront::connection), first);
}

TEST(ClientOverTls, AcceptsCompressedResponses) {
  OverTls tls{{.compressed = true}};
  for (int i = 0; i < 20; ++i)
    (void)tls.service.insert<PaymentRecord>(tls.key);
  const HttpResponse page = tls.get("/v1/payment_records?limit=20");
  EXPECT_EQ(*page.header("Content-Encoding"), "gzip");
  EXPECT_TRUE(page.body.starts_with(R"({"object":"list")")) << page.body;
  auto records = tls.client.paymentRecords().list({.limit = 20});
  EXPECT_EQ(std::ranges::distance(records), 20);
}

}  // namespace
}  // namespace tally
