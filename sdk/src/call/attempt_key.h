#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tally/options.h>

#include "codec/validation.h"

namespace tally::detail {

/// Replaces the header with that name, or adds it.
void setHeader(std::vector<Header>& headers, std::string_view name, std::string value);

/// What is wrong with a key that comes from that option. Repeats no part of the key.
[[nodiscard]] std::optional<ParameterFault> checkKey(std::string_view option, std::string_view key);

void setKey(HttpRequest& request, std::string_view key);

/// Whether a header `Authorization` of the application takes the place of the client's.
[[nodiscard]] bool isKeyInHeader(const ClientOptions& client, const RequestOptions& call) noexcept;

/// The provider to ask before each attempt of a call; null if its requests are built with all they need.
[[nodiscard]] const ApiKeyProvider* apiKeyProviderOf(const ClientOptions& client,
                                                     const RequestOptions& call) noexcept;

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
