#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tally/options.h>

#include "form/validation.h"

namespace tally::detail {

/// Replaces the header with that name, or adds it.
void setHeader(std::vector<Header>& headers, std::string_view name, std::string value);

/// What is wrong with a key that comes from that option. Repeats no part of the key.
[[nodiscard]] std::optional<ParameterFault> checkKey(std::string_view option, std::string_view key);

/// The key of a call without a provider.
[[nodiscard]] const ApiKey& keyOf(const ClientOptions& client, const RequestOptions& call) noexcept;

void setKey(HttpRequest& request, std::string_view key);

/// Overwrites the key.
void wipeKey(std::vector<Header>& headers) noexcept;

/// A request whose key is overwritten before its memory is released.
struct KeyedRequest : HttpRequest {
  KeyedRequest() = default;
  KeyedRequest(const KeyedRequest&) = default;
  KeyedRequest(KeyedRequest&&) noexcept = default;
  KeyedRequest& operator=(const KeyedRequest&) = delete;
  KeyedRequest& operator=(KeyedRequest&& other) noexcept {
    wipeKey(headers);
    HttpRequest::operator=(std::move(other));
    return *this;
  }
  ~KeyedRequest() { wipeKey(headers); }
};

/// The header of the application with that name that a request is sent with; null: none.
[[nodiscard]] const std::string* givenHeader(const ClientOptions& client, const RequestOptions& call,
                                             std::string_view name) noexcept;

/// Whether a call is sent with the key of its client, rather than with one of its own.
[[nodiscard]] bool usesKeyOfClient(const ClientOptions& client, const RequestOptions& call) noexcept;

/// Whether a header `Authorization` of the application takes the place of the client's.
[[nodiscard]] bool isKeyInHeader(const ClientOptions& client, const RequestOptions& call) noexcept;

/// The provider to ask before each attempt of a call; null if its requests are complete when they are built.
[[nodiscard]] const ApiKeyProvider* apiKeyProviderOf(const ClientOptions& client,
                                                     const RequestOptions& call) noexcept;

}  // namespace tally::detail
