// The suite runs in process; with `--over=http`, over the loopback interface; with `--over=tls`, over TLS and
// HTTP/2 through a front server. The results are the same.

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "conformance/support/over.h"
#include "tls_front.h"

namespace tally::conformance {

namespace {

Over way = Over::nothing;
std::unique_ptr<const test::TlsFront> front{};

class FrontServer : public testing::Environment {
 public:
  void SetUp() override { front = std::make_unique<const test::TlsFront>(); }
  void TearDown() override { front.reset(); }
};

/// Parses one argument. False if it is unknown.
bool read(std::string_view argument) {
  if (argument == "--over=http") {
    way = Over::http;
  } else if (argument == "--over=tls") {
    way = Over::tls;
  } else {
    return false;
  }
  return true;
}

}  // namespace

Over over() {
  return way;
}

std::string baseUrlOf(std::uint16_t port) {
  return front ? front->url(port) : "http://127.0.0.1:" + std::to_string(port);
}

CurlTransportOptions curlOptions() {
  return front ? CurlTransportOptions{.caFile = front->caFile()} : CurlTransportOptions{};
}

}  // namespace tally::conformance

int main(int argc, char** argv) {
  using namespace tally::conformance;
  // Comes first, because expectations depend on it.
  const auto unread =
      std::remove_if(argv + 1, argv + argc, [](const char* argument) { return read(argument); });
  argc = static_cast<int>(unread - argv);
  testing::InitGoogleTest(&argc, argv);
  if (argc > 1) {
    std::cerr << "unknown argument " << argv[1] << "; expected --over=http or --over=tls\n";
    return EXIT_FAILURE;
  }
  if (over() == Over::tls) testing::AddGlobalTestEnvironment(new FrontServer);
  return RUN_ALL_TESTS();
}
