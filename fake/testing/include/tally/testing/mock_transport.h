#pragma once

#include <tally/detail/cpp20.h>

#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <tally/fake/service.h>
#include <tally/fake/virtual_clock.h>
#include <tally/options.h>
#include <tally/testing/printers.h>
#include <tally/transport.h>

#include <gmock/gmock.h>

namespace tally::testing {

namespace detail {

inline TransportResult unexpected(const HttpRequest& request) {
  std::ostringstream message;
  message << "no response is set up for " << request;
  return TransportFailure{TransportFailure::Kind::couldNotConnect, false, message.str()};
}

}  // namespace detail

/// An action that returns a response. Use `WillOnce(…).WillOnce(…)` for a sequence.
inline auto RespondWith(int status, std::string body, std::vector<Header> headers = {}) {
  return ::testing::Return(TransportResult{
      HttpResponse{.status = status, .headers = std::move(headers), .body = std::move(body)}});
}

/// An action that returns a failure. `mayHaveBeenSent` determines whether a report ends with effect `unknown`
/// or `none`.
inline auto FailWith(TransportFailure::Kind kind, bool mayHaveBeenSent) {
  return ::testing::Return(TransportResult{TransportFailure{kind, mayHaveBeenSent, "injected by the test"}});
}

/// A transport for which a test sets expectations with GoogleMock:
/// `EXPECT_CALL(*transport, send(HasPath("/v1/files"), _)).WillOnce(RespondWith(200, json));`
///
/// By default, that is, for calls without an EXPECT_CALL and with `WillRepeatedly(DoDefault())`, it forwards
/// requests to `inner`. Without `inner`, the requests fail without being sent.
class MockTransport : public Transport {
 public:
  explicit MockTransport(std::shared_ptr<Transport> inner = nullptr) : inner_(std::move(inner)) {
    ON_CALL(*this, send).WillByDefault([this](const HttpRequest& request, const SendLimits& limits) {
      return inner_ ? inner_->send(request, limits) : detail::unexpected(request);
    });
  }

  MOCK_METHOD(TransportResult, send, (const HttpRequest& request, const SendLimits& limits), (override));

  [[nodiscard]] bool inProcess() const noexcept override { return !inner_ || inner_->inProcess(); }

 private:
  std::shared_ptr<Transport> inner_;
};

/// Completes `options` for a Client that sends through `transport`, as in `clientOptions(transport,
/// {.maxNetworkRetries = 3})`. Sets what `options` leaves unset: a test key, a base URL, a fixed jitter seed,
/// and a virtual clock, on which waits take no real time.
inline ClientOptions clientOptions(std::shared_ptr<Transport> transport, ClientOptions options = {}) {
  options.transport = std::move(transport);
  if (options.apiKey.empty() && !options.apiKeyProvider) options.apiKey = "sk_test_mock";
  if (options.baseUrl.empty()) options.baseUrl = "https://service.test";
  if (!options.clock) options.clock = std::make_shared<fake::VirtualClock>(fake::ServiceOptions{}.start);
  if (!options.jitterSeed) options.jitterSeed = 1;
  return options;
}

}  // namespace tally::testing
