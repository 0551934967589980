// The client over TLS and HTTP/2, to the fake behind a real server.

#include <tally/curl_transport.h>
#include <tally/fake/http_server.h>
#include <tally/tally.h>

#include <gtest/gtest.h>

#include "tls_front.h"

namespace tally {
namespace {

using namespace std::chrono_literals;
using test::TlsFront;

/// A service behind a front, and a client that trusts it.
class OverTls : public testing::Test {
 protected:
  fake::Service service{};
  fake::HttpServer server{service};
  TlsFront front{};
  std::string key = service.addAccount().sandboxKey;
  std::shared_ptr<Transport> transport = curlTransport(systemClock(), {.caFile = front.caFile()});
  Client client{{.key = key, .baseUrl = front.url(server.port()), .transport = transport}};
};

TEST_F(OverTls, ACallTravelsByHttp2) {
  const auto seeded = service.seed<PaymentRecord>(key);
  const auto record = client.paymentRecords().retrieve(seeded.id);
  ASSERT_TRUE(record) << record.error();
  EXPECT_EQ(record.value().id, seeded.id);
  const auto answer = transport->send({.url = front.url(server.port()) + "/v1/payment_records"},
                                      {.until = systemClock()->now() + 30s});
  EXPECT_EQ(*std::get<HttpResponse>(answer).header(TlsFront::protocol), "HTTP/2.0");
}

TEST_F(OverTls, ATargetArrivesAsItWasSent) {
  const std::string target = "/v1//payment_records/pr_..%2Fx/./%41/../b?query=a%20b+c&limit=%31";
  (void)transport->send({.url = front.url(server.port()) + target}, {.until = systemClock()->now() + 30s});
  EXPECT_EQ(service.requests().back().request.url, target);
}

}  // namespace
}  // namespace tally
