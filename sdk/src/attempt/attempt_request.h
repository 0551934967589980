#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <tally/options.h>

#include "attempt/call_report.h"
#include "options/key_header.h"

namespace tally::detail {

/// Completes the request of a call before each attempt: with the key of ClientOptions::apiKeyProvider, the
/// mark of ClientOptions::markAttempts, and the headers of ClientOptions::attemptHeaders.
class AttemptRenewal {
 public:
  /// The options must outlive this. `jitterSeed` is that of the call, from which the number in its marks
  /// follows.
  AttemptRenewal(const ClientOptions& client, const RequestOptions& call, std::uint64_t jitterSeed)
      : provider_(apiKeyProviderOf(client, call)),
        headers_(client.attemptHeaders ? &client.attemptHeaders : nullptr),
        marks_(client.markAttempts),
        jitterSeed_(jitterSeed) {}

  AttemptRenewal(const AttemptRenewal&) = delete;
  AttemptRenewal& operator=(const AttemptRenewal&) = delete;
  ~AttemptRenewal() { wipeKey(own_); }

  /// Whether renew() must precede each attempt.
  [[nodiscard]] bool isNeeded() const noexcept {
    return provider_ != nullptr || headers_ != nullptr || marks_;
  }

  /// Completes `request`, always the same one, for an attempt at `now`, or returns why that is impossible.
  /// Throws only std::bad_alloc.
  [[nodiscard]] std::optional<ParameterFault> renew(HttpRequest& request, CallReport& report, Instant now);

 private:
  [[nodiscard]] std::optional<ParameterFault> addHeaders(HttpRequest& request, const Event& attempt);

  const ApiKeyProvider* provider_;
  const AttemptHeaders* headers_;
  bool marks_;
  std::uint64_t jitterSeed_;
  std::vector<Header> own_{};  // of the request, while others are added to it; otherwise empty
};

/// The request of a blocking call.
class AttemptRequest {
 public:
  /// The arguments must outlive this; see AttemptRenewal.
  AttemptRequest(const ClientOptions& client, const RequestOptions& call, std::uint64_t jitterSeed,
                 const HttpRequest& request)
      : renewal_(client, call, jitterSeed), request_(request) {
    if (renewal_.isNeeded()) copyOf(request);
  }
  AttemptRequest(const AttemptRequest&) = delete;
  AttemptRequest& operator=(const AttemptRequest&) = delete;

  /// To be sent, once renewed.
  [[nodiscard]] const HttpRequest& request() const noexcept { return copy_ ? *copy_ : request_; }

  /// Whether renew() must precede each attempt.
  [[nodiscard]] bool isRenewed() const noexcept { return copy_.has_value(); }
  [[nodiscard]] std::optional<ParameterFault> renew(CallReport& report, Instant now) {
    return renewal_.renew(*copy_, report, now);
  }

 private:
  void copyOf(const HttpRequest& request) { static_cast<HttpRequest&>(copy_.emplace()) = request; }

  AttemptRenewal renewal_;
  const HttpRequest& request_;
  std::optional<KeyedRequest> copy_{};
};

}  // namespace tally::detail
