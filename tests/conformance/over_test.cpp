#include "conformance/support/over.h"

#include <string>

#include "conformance/support/conformance.h"
#include "fake/support/requests.h"
#include "tls_front.h"

namespace tally::conformance {
namespace {

/// By which protocol the front server of a run is reached, as it tells.
TEST(Over, IsWhatTheRunIsFor) {
  Service service;
  const HttpResponse answer =
      service.handle(test::get(service.addAccount().sandboxKey, "/v1/payment_records"));
  ASSERT_EQ(answer.status, 200);
  const std::string* told = answer.header(test::TlsFront::protocol);
  EXPECT_EQ(told == nullptr ? "" : *told, over() == Over::tls ? "HTTP/2.0" : "");
  EXPECT_EQ(answer.header("Connection") != nullptr || answer.header("Content-Length") != nullptr,
            overAWire());
}

}  // namespace
}  // namespace tally::conformance
