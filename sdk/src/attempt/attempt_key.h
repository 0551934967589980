#pragma once

#include <optional>

#include <tally/options.h>

#include "options/key_header.h"

namespace tally::detail {

/// Asks the provider and puts its key into the request, or returns why that is impossible. Throws only
/// std::bad_alloc.
[[nodiscard]] std::optional<ParameterFault> renewKey(const ApiKeyProvider& provider, HttpRequest& request);

/// The request of a blocking call, whose key is renewed before each attempt if there is a provider.
class AttemptKey {
 public:
  /// The arguments must outlive this.
  AttemptKey(const ClientOptions& client, const RequestOptions& call, const HttpRequest& request)
      : provider_(apiKeyProviderOf(client, call)), request_(request) {
    if (provider_ != nullptr) own_ = request;
  }
  AttemptKey(const AttemptKey&) = delete;
  AttemptKey& operator=(const AttemptKey&) = delete;

  /// To be sent, once renewed.
  [[nodiscard]] const HttpRequest& request() const noexcept { return own_ ? *own_ : request_; }

  /// Whether renew() must precede each attempt.
  [[nodiscard]] bool isRenewed() const noexcept { return own_.has_value(); }
  [[nodiscard]] std::optional<ParameterFault> renew() { return renewKey(*provider_, *own_); }

 private:
  const ApiKeyProvider* provider_;
  const HttpRequest& request_;
  std::optional<HttpRequest> own_{};
};

}  // namespace tally::detail
