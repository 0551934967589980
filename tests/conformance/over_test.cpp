#include "conformance/support/over.h"

#include <string>

#include "conformance/support/conformance.h"
#include "fake/support/requests.h"
#include "tls_front.h"

namespace tally::conformance {
namespace {

/// The front server reports the protocol of its connection.
TEST(ConfiguredTransport, IsInUse) {
  Service service;
  const HttpResponse response =
      service.handle(test::get(service.addAccount().sandboxKey, "/v1/payment_records"));
  ASSERT_EQ(response.status, 200);
  const std::string* told = response.header(test::TlsFront::protocol);
  EXPECT_EQ(told == nullptr ? "" : *told, over() == Over::tls ? "HTTP/2.0" : "");
  EXPECT_EQ(response.header("Connection") != nullptr || response.header("Content-Length") != nullptr,
            overAWire());
}

}  // namespace
}  // namespace tally::conformance
